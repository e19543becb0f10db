import { versionKey } from "../../../catalogue/lookup.ts";
import { FILE_START } from "../../../document/finding.ts";
import { manifestPath, manifestText } from "../../example.ts";
import { unjudged, type Rule } from "../../rule.ts";
import { unreadable } from "../manifest/place.ts";

const MISNAMED = "modules/sample/v1.2.0/manifest.yaml";

/** Build inputs belong to a version, and are judged without its template as far as that is possible. */
export const versionFolder: Rule = {
  id: "version-folder",
  group: "version",
  severity: "warning",
  waivable: false,
  demand: "The folder of build inputs is named after a version, and its files can be read.",
  rationale:
    "Nothing reads the files of another folder, so that no rule judges them. Without a template, in a channel or beside the inputs, only the rules about the inputs run.",
  source: "https://github.com/kyma-project/kyma-modules/blob/main/.github/docs/formats.md#the-repository",
  judge: function* ({ misplaced, folders, facts }) {
    const message = "This folder is not named after a module and a version, so nothing reads or judges this file.";
    const remedy = "Move it to modules/<module>/<version>/, with a version such as 1.2.0.";
    for (const file of misplaced) yield { kind: "violation", file, position: FILE_START, message, remedy };
    for (const template of folders) {
      const inputs = [facts.inputs.get(versionKey(template))].filter((own) => own !== undefined);
      for (const finding of inputs.flatMap(({ findings }) => findings))
        yield { ...unreadable(finding, template), severity: "error" };
      const why = "it has no template, in a channel or as template.yaml, so only the rules about its build inputs ran";
      yield unjudged(why, template);
    }
  },
  bad: { change: { [MISNAMED]: manifestText("1.2.0") }, at: { file: MISNAMED, line: "" } },
  good: { change: { [manifestPath("1.2.0")]: manifestText("1.2.0") } },
};
