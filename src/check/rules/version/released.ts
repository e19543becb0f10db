import { versionKey } from "../../../catalogue/lookup.ts";
import { textAt } from "../../../document/fields.ts";
import { BUMP, FAST } from "../../example.ts";
import { gatheredFact } from "../../facts.ts";
import { inTemplate, type Rule } from "../../rule.ts";
import { eachKnown } from "../eachKnown.ts";

/** A version is released in its source repository. */
export const versionReleased: Rule = {
  id: "version-released",
  group: "version",
  severity: "error",
  waivable: true,
  demand: "The source repository has a tag of the version, with or without a v before it.",
  rationale:
    "Without a tag, it is unknown which source a version was built from: defects cannot be traced, and a hot-fix has no starting point.",
  source: "https://github.com/kyma-project/kyma-modules/blob/main/.github/docs/gate.md#check-a-change",
  judge: ({ templates, facts }) =>
    eachKnown(
      templates,
      (template) => gatheredFact(facts.releases, versionKey(template)),
      (template, isReleased) => {
        if (isReleased) return [];
        const repository = String(textAt(template.object, ["spec", "info", "repository"]));
        const message = `${repository} has neither the tag ${template.version} nor v${template.version}.`;
        const remedy = "Release the version first: push the tag of the commit that it was built from.";
        return [inTemplate(template, ["spec", "version"], { message, remedy })];
      },
    ),
  bad: {
    change: BUMP,
    outside: { releases: { "sample 1.2.0": false } },
    at: { file: FAST, line: "version: 1.2.0" },
  },
  good: { change: BUMP, outside: { releases: { "sample 1.2.0": true } } },
};
