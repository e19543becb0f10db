import {
  FAST,
  FAST_POLICY,
  REGULAR,
  REGULAR_POLICY,
  SETTINGS,
  SETTINGS_TEXT,
  edit,
  templateText,
} from "../../example.ts";
import type { Rule } from "../../rule.ts";
import { readingRules } from "../reading.ts";

function prodAfterDev(soak: string): string {
  const prod = `  - name: prod\n    controlPlane: { context: prod }\n    after: { landscape: dev, soak: ${soak} }\nregistry:`;
  return edit(SETTINGS_TEXT, "registry:", prod);
}

/** Rules about settings, landscapes and channels, which must fit together. */
export const CHANNEL_RULES: readonly Rule[] = readingRules("file", [
  {
    id: "settings-missing",
    demand: "A catalogue has settings.",
    rationale: "Without kyma-modules.yaml, the landscapes and the release managers are unknown.",
    source: "https://github.com/kyma-project/kyma-modules/blob/main/.github/docs/formats.md#the-repository",
    bad: { change: { [SETTINGS]: undefined }, at: { file: SETTINGS, line: "" } },
    good: { change: {} },
  },
  {
    id: "landscape-duplicate",
    demand: "The name of a landscape is unique in the settings.",
    rationale: "Channels and commands could not tell two landscapes of the same name apart.",
    source: "https://github.com/kyma-project/kyma-modules/blob/main/.github/docs/formats.md#the-repository",
    bad: {
      change: {
        [SETTINGS]: edit(SETTINGS_TEXT, "registry:", "  - name: dev\n    controlPlane: { context: other }\nregistry:"),
      },
      at: { file: SETTINGS, line: "- name: dev" },
    },
    good: {
      change: {
        [SETTINGS]: edit(SETTINGS_TEXT, "registry:", "  - name: prod\n    controlPlane: { context: other }\nregistry:"),
      },
    },
  },
  {
    id: "landscape-after",
    demand: "A landscape comes after one that is listed above it.",
    rationale: "Landscapes are listed in roll-out order: a wave that waits for a later one would wait forever.",
    source: "https://github.com/kyma-project/kyma-modules/blob/main/.github/docs/formats.md#the-repository",
    bad: {
      change: {
        [SETTINGS]: edit(
          SETTINGS_TEXT,
          "registry:",
          "  - name: prod\n    controlPlane: { context: prod }\n    after: { landscape: stage, soak: 1h }\nregistry:",
        ),
      },
      at: { file: SETTINGS, line: "after" },
    },
    good: {
      change: {
        [SETTINGS]: edit(
          SETTINGS_TEXT,
          "registry:",
          "  - name: prod\n    controlPlane: { context: prod }\n    after: { landscape: dev, soak: 1h }\nregistry:",
        ),
      },
    },
  },
  {
    id: "landscape-soak",
    demand:
      "A soak between landscapes is long enough to show that a version starts, or kyma-modules.yaml says why not.",
    rationale:
      "lifecycle-manager may report a version that never starts as Ready until it looks again, up to 5 minutes later. After a shorter soak, such a version would reach the next landscape. For hotfixSoak, this is a warning; embedded control planes have no lifecycle-manager.",
    source: "https://github.com/kyma-project/kyma-modules/blob/main/.github/docs/sync.md#waves",
    bad: { change: { [SETTINGS]: prodAfterDev("4m") }, at: { file: SETTINGS, line: "after" } },
    good: { change: { [SETTINGS]: prodAfterDev("5m") } },
  },
  {
    id: "channel-name",
    demand: "The name of a channel is one that lifecycle-manager accepts.",
    rationale:
      "The CRD of the release meta refuses other names, and `none` is reserved: the channel could be merged, but never synced.",
    source: "lifecycle-manager, API operator.kyma-project.io/v1beta2",
    bad: {
      change: { "channels/fast-lane.yaml": "format: 1\nlandscapes: [dev]\n" },
      at: { file: "channels/fast-lane.yaml", line: "format" },
    },
    good: { change: { "channels/rapid.yaml": "format: 1\nlandscapes: [dev]\n" } },
  },
  {
    id: "channel-reserved",
    demand: "A channel named mandatory is of kind mandatory.",
    rationale:
      "The records on a control plane name no mandatory channel: they keep all its entries under `mandatory`. Entries of a release channel of that name would count as mandatory, so waves would count the wrong clusters, and a sync would not notice that a module becomes mandatory.",
    source: "https://github.com/kyma-project/kyma-modules/blob/main/.github/docs/formats.md#on-a-control-plane",
    bad: {
      change: { "channels/mandatory.yaml": "format: 1\nkind: release\nlandscapes: [dev]\n" },
      at: { file: "channels/mandatory.yaml", line: "kind" },
    },
    good: { change: { "channels/mandatory.yaml": "format: 1\nkind: mandatory\nlandscapes: [dev]\n" } },
  },
  {
    id: "channel-policy",
    demand: "A channel that serves something has a policy.",
    rationale: "Only channels/<channel>.yaml names the landscapes that serve the channel.",
    source: "https://github.com/kyma-project/kyma-modules/blob/main/.github/docs/formats.md#the-repository",
    bad: {
      change: { "channels/rapid/sample.yaml": templateText("rapid", "1.1.0") },
      at: { file: "channels/rapid/sample.yaml", line: "" },
    },
    good: {
      change: {
        "channels/rapid/sample.yaml": templateText("rapid", "1.1.0"),
        "channels/rapid.yaml": "format: 1\nlandscapes: [dev]\n",
      },
    },
  },
  {
    id: "channel-missing",
    demand: "A catalogue has at least one channel.",
    rationale: "Without a channel it serves nothing, and a sync has nothing to do.",
    source: "https://github.com/kyma-project/kyma-modules/blob/main/.github/docs/formats.md#the-repository",
    bad: {
      change: { [FAST]: undefined, [FAST_POLICY]: undefined, [REGULAR]: undefined, [REGULAR_POLICY]: undefined },
      at: { file: SETTINGS, line: "format" },
      also: ["channel-removal"],
    },
    good: { change: {} },
  },
  {
    id: "channel-landscape",
    demand: "A channel is served by landscapes that exist.",
    rationale: "A misspelled landscape would silently not get the channel.",
    source: "https://github.com/kyma-project/kyma-modules/blob/main/.github/docs/formats.md#the-repository",
    bad: { change: { [FAST_POLICY]: "format: 1\nlandscapes: [dev, prd]\n" }, at: { file: FAST_POLICY, line: "prd" } },
    good: { change: { [FAST_POLICY]: "format: 1\nlandscapes: [dev]\n" } },
  },
  {
    id: "channel-follows",
    demand: "A channel follows another release channel.",
    rationale: "Otherwise, no version ever reaches the channel.",
    source: "https://github.com/kyma-project/kyma-modules/blob/main/.github/docs/formats.md#the-repository",
    bad: {
      change: { [FAST_POLICY]: "format: 1\nfollows: rapid\nlandscapes: [dev]\n" },
      at: { file: FAST_POLICY, line: "follows" },
    },
    good: { change: { [FAST_POLICY]: "format: 1\nlandscapes: [dev]\n" } },
  },
]);
