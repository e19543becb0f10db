import { BUMP, FAST, REGULAR, bumpTemplate, edit, templateText } from "../../example.ts";
import type { Rule } from "../../rule.ts";
import { readingRules } from "../reading.ts";

const VERSION_TEMPLATE = templateText(undefined, "1.2.0");

/** Rules about modules and templates, which must match the paths of their files. */
export const PLACE_RULES: readonly Rule[] = readingRules("file", [
  {
    id: "module-name",
    demand: "The name of a module is one that lifecycle-manager accepts.",
    rationale: "The CRD of the ModuleTemplate refuses other names: the module could be merged, but never synced.",
    source: "lifecycle-manager, API operator.kyma-project.io/v1beta2",
    bad: {
      change: { "modules/sample2/module.yaml": "format: 1\n" },
      at: { file: "modules/sample2/module.yaml", line: "format" },
    },
    good: { change: {} },
  },
  {
    id: "module-mandatory",
    demand: "A mandatory module is in one mandatory channel, and in no other channel.",
    rationale:
      "A release meta has either channels or a mandatory version. With both, the module would be installed twice, or not at all.",
    source: "lifecycle-manager, API operator.kyma-project.io/v1beta2",
    bad: {
      change: {
        "channels/must.yaml": "format: 1\nkind: mandatory\nlandscapes: [dev]\n",
        "channels/must/sample.yaml": templateText("must", "1.1.0"),
      },
      at: { file: "channels/must/sample.yaml", line: "" },
      alsoAt: [
        { file: FAST, line: "" },
        { file: REGULAR, line: "" },
      ],
    },
    good: { change: { "channels/must.yaml": "format: 1\nkind: mandatory\nlandscapes: [dev]\n" } },
  },
  {
    id: "place-name",
    demand: "The name of a template matches the path of its file.",
    rationale:
      "The file is found by its path, and the object by its name. If they differ, they belong to two different modules.",
    source: "https://github.com/kyma-project/kyma-modules/blob/main/.github/docs/formats.md#the-repository",
    bad: { change: bumpTemplate("name: sample-fast", "name: sample-rapid"), at: { file: FAST, line: "sample-rapid" } },
    good: { change: BUMP },
  },
  {
    id: "place-channel",
    demand: "A template names the channel whose folder it is in.",
    rationale:
      "lifecycle-manager up to 1.7 reads the channel from the object: it would serve the version in another channel.",
    source: "https://github.com/kyma-project/kyma-modules/blob/main/.github/docs/formats.md#the-repository",
    bad: { change: bumpTemplate("channel: fast", "channel: regular"), at: { file: FAST, line: "channel: regular" } },
    good: { change: BUMP },
  },
  {
    id: "place-module",
    demand: "A template names the module that its file is named after.",
    rationale:
      "lifecycle-manager finds templates by label and by spec.moduleName: it would use the template for another module.",
    source: "https://github.com/kyma-project/kyma-modules/blob/main/.github/docs/formats.md#the-repository",
    bad: {
      change: bumpTemplate("moduleName: sample", "moduleName: another"),
      at: { file: FAST, line: "moduleName: another" },
    },
    good: { change: BUMP },
  },
  {
    id: "place-version",
    demand: "The template of a version names the version whose folder it is in.",
    rationale: "The folder is found by the version: otherwise, another version would be installed.",
    source: "https://github.com/kyma-project/kyma-modules/blob/main/.github/docs/formats.md#the-repository",
    bad: {
      change: { "modules/sample/1.2.0/template.yaml": edit(VERSION_TEMPLATE, "version: 1.2.0", "version: 1.3.0") },
      at: { file: "modules/sample/1.2.0/template.yaml", line: "version: 1.3.0" },
    },
    good: { change: { "modules/sample/1.2.0/template.yaml": VERSION_TEMPLATE } },
  },
]);
