import { BUMP, edit, FAST, templateText } from "../../example.ts";
import type { Rule } from "../../rule.ts";
import { readingRules } from "../reading.ts";

const VERSION_TEMPLATE = templateText(undefined, "1.2.0");

/** A version has the same content everywhere. */
export const VERSION_CONTENT_RULES: readonly Rule[] = readingRules("version", [
  {
    id: "version-content",
    demand: "A version has the same content everywhere.",
    rationale:
      "Clusters would run different things under the same name, and lifecycle-manager, which reads an artifact once, would never notice the difference.",
    source: "https://github.com/kyma-project/kyma-modules/blob/main/.github/docs/formats.md#the-repository",
    bad: {
      change: { ...BUMP, "modules/sample/1.2.0/template.yaml": edit(VERSION_TEMPLATE, "replicas: 1", "replicas: 2") },
      at: { file: FAST, line: "version: 1.2.0" },
      alsoAt: [{ file: "modules/sample/1.2.0/template.yaml", line: "version: 1.2.0" }],
    },
    good: { change: { ...BUMP, "modules/sample/1.2.0/template.yaml": VERSION_TEMPLATE } },
  },
]);
