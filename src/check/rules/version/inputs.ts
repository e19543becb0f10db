import { versionKey } from "../../../catalogue/lookup.ts";
import type { Inputs } from "../../../catalogue/inputs.ts";
import type { YamlFile } from "../../../document/yaml/read.ts";
import { FILE_START } from "../../../document/finding.ts";
import { BUMP, edit, FAST, manifestPath, manifestText, templateText } from "../../example.ts";
import type { Rule, Violation } from "../../rule.ts";
import { subjectOf } from "../manifest/place.ts";

const IN_SERVICE = { [FAST]: templateText("fast", "1.1.0") };

/** The build inputs of a version in service do not change. */
export const versionInputs: Rule = {
  id: "version-inputs",
  group: "version",
  severity: "error",
  waivable: false,
  demand: "The build inputs of a version in service do not change.",
  rationale:
    "A version never changes: clusters run what was built from these files. If they are edited later, they describe something that does not run, and every later version is compared with that.",
  source: "https://github.com/kyma-project/kyma-modules/blob/main/.github/docs/formats.md#the-repository",
  judge: function* ({ templates, facts }) {
    for (const template of templates) {
      const [ours, theirs] = [facts.inputs, facts.servedInputs].map((inputs) => inputs.get(versionKey(template)));
      if (ours === undefined || theirs === undefined) continue;
      for (const path of changedFiles(theirs, ours)) {
        const { module, version } = template;
        const message = `A channel serves ${module} ${version}, but it was not built from this content.`;
        const remedy = "Restore the file, and make the change in a new version.";
        const place = { kind: "violation", file: path, position: FILE_START } as const;
        yield { ...place, message, remedy, subject: subjectOf(template) } satisfies Violation;
      }
    }
  },
  bad: {
    base: IN_SERVICE,
    change: { [manifestPath("1.1.0")]: edit(manifestText("1.1.0"), "verbs: [get, list, watch]", "verbs: [get]") },
    at: { file: manifestPath("1.1.0"), line: "" },
  },
  good: { base: IN_SERVICE, change: BUMP },
};

/** The files of `before` that differ in `after`. A file that was added contradicts nothing. */
function changedFiles(before: Inputs, after: Inputs): readonly string[] {
  const config = changedFile(textOf(before.config), textOf(after.config));
  // If the configuration is missing or cannot be read, the files that it names are unknown.
  if (before.config !== undefined && after.config === undefined) return config;
  return [
    ...changedFile(manifestOf(before), manifestOf(after)),
    ...config,
    ...changedFile(textOf(before.defaultCr), textOf(after.defaultCr)),
  ];
}

/** The path and the content of an input. */
interface InputContent {
  readonly path: string;
  readonly content: string;
}

function changedFile(before: InputContent | undefined, after: InputContent | undefined): readonly string[] {
  if (before === undefined || before.content === after?.content) return [];
  return [after?.path ?? before.path];
}

function manifestOf({ manifest }: Inputs): InputContent | undefined {
  // The address of a manifest is in the configuration.
  return manifest === undefined || "link" in manifest ? undefined : { path: manifest.source, content: manifest.hash };
}

function textOf(file: YamlFile | undefined): InputContent | undefined {
  return file && { path: file.path, content: file.text };
}
