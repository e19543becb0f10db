import { BUMP, FAST, REGULAR, bumpTemplate, edit, templateText } from "../../example.ts";
import type { Rule } from "../../rule.ts";
import { readingRules } from "../reading.ts";

const VERSION_TEMPLATE = templateText(undefined, "1.2.0");

/** Modules and templates that say what their place says. */
export const PLACE_RULES: readonly Rule[] = readingRules("file", [
  {
    id: "module-name",
    demand: "The name of a module is one that lifecycle-manager takes.",
    rationale: "The CRD of the ModuleTemplate refuses others: the module could be merged and never be synced.",
    source: "lifecycle-manager, API operator.kyma-project.io/v1beta2",
    bad: {
      change: { "modules/sample2/module.yaml": "format: 1\n" },
      at: { file: "modules/sample2/module.yaml", line: "format" },
    },
    good: { change: {} },
  },
  {
    id: "module-mandatory",
    demand: "A mandatory module stands in one mandatory channel, and in no other.",
    rationale:
      "A release meta has either channels or a mandatory version. In both, the module would be installed twice, or not at all.",
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
    demand: "A template is named as its place says.",
    rationale: "The file is found by its place, the object by its name: two that disagree are two modules in one.",
    source: "https://github.com/kyma-project/kyma-modules/blob/main/.github/docs/formats.md#the-repository",
    bad: { change: bumpTemplate("name: sample-fast", "name: sample-rapid"), at: { file: FAST, line: "sample-rapid" } },
    good: { change: BUMP },
  },
  {
    id: "place-channel",
    demand: "A template says the channel in whose folder it stands.",
    rationale:
      "lifecycle-manager up to 1.7 reads the channel from the object: it would serve another channel than the file does.",
    source: "https://github.com/kyma-project/kyma-modules/blob/main/.github/docs/formats.md#the-repository",
    bad: { change: bumpTemplate("channel: fast", "channel: regular"), at: { file: FAST, line: "channel: regular" } },
    good: { change: BUMP },
  },
  {
    id: "place-module",
    demand: "A template says the module after which its file is named.",
    rationale:
      "lifecycle-manager finds templates by label and by spec.moduleName: it would find those of another module.",
    source: "https://github.com/kyma-project/kyma-modules/blob/main/.github/docs/formats.md#the-repository",
    bad: {
      change: bumpTemplate("moduleName: sample", "moduleName: another"),
      at: { file: FAST, line: "moduleName: another" },
    },
    good: { change: BUMP },
  },
  {
    id: "place-version",
    demand: "A version's template says the version in whose folder it stands.",
    rationale: "The folder is looked up by the version: another one would be installed.",
    source: "https://github.com/kyma-project/kyma-modules/blob/main/.github/docs/formats.md#the-repository",
    bad: {
      change: { "modules/sample/1.2.0/template.yaml": edit(VERSION_TEMPLATE, "version: 1.2.0", "version: 1.3.0") },
      at: { file: "modules/sample/1.2.0/template.yaml", line: "version: 1.3.0" },
    },
    good: { change: { "modules/sample/1.2.0/template.yaml": VERSION_TEMPLATE } },
  },
]);
