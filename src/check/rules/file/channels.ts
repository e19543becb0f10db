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

/** Settings, landscapes and channels that fit one another. */
export const CHANNEL_RULES: readonly Rule[] = readingRules("file", [
  {
    id: "settings-missing",
    demand: "A catalogue has settings.",
    rationale: "Without kyma-modules.yaml it is unknown which landscapes there are, and who may release.",
    source: "https://github.com/kyma-project/kyma-modules/blob/main/.github/docs/formats.md#the-repository",
    bad: { change: { [SETTINGS]: undefined }, at: { file: SETTINGS, line: "" } },
    good: { change: {} },
  },
  {
    id: "landscape-duplicate",
    demand: "A landscape stands in the settings once.",
    rationale: "Two of one name could not be told apart by a channel or by a command.",
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
    demand: "A landscape comes after one that stands above it.",
    rationale: "Landscapes stand in roll-out order: a wave that waits for a later one would wait for ever.",
    source: "https://github.com/kyma-project/kyma-modules/blob/main/.github/docs/formats.md#the-repository",
    bad: {
      change: {
        [SETTINGS]: edit(
          SETTINGS_TEXT,
          "registry:",
          "  - name: prod\n    controlPlane: { context: prod }\n    after: { landscape: stage }\nregistry:",
        ),
      },
      at: { file: SETTINGS, line: "after" },
    },
    good: {
      change: {
        [SETTINGS]: edit(
          SETTINGS_TEXT,
          "registry:",
          "  - name: prod\n    controlPlane: { context: prod }\n    after: { landscape: dev }\nregistry:",
        ),
      },
    },
  },
  {
    id: "landscape-soak",
    severity: "warning",
    demand: "A soak between landscapes is long enough to show that a version starts.",
    rationale:
      "lifecycle-manager spreads an upgrade over up to 5 minutes, and may call a version Ready that never starts until it looks again, up to 5 minutes later. A shorter soak carries such a version on.",
    source: "https://github.com/kyma-project/kyma-modules/blob/main/.github/docs/sync.md#waves",
    bad: { change: { [SETTINGS]: prodAfterDev("5m") }, at: { file: SETTINGS, line: "after" } },
    good: { change: { [SETTINGS]: prodAfterDev("30m") } },
  },
  {
    id: "channel-name",
    demand: "The name of a channel is one that lifecycle-manager takes.",
    rationale:
      "The CRD of the release meta refuses others, and `none` is reserved: the channel could be merged and never be synced.",
    source: "lifecycle-manager, API operator.kyma-project.io/v1beta2",
    bad: {
      change: { "channels/fast-lane.yaml": "format: 1\nlandscapes: [dev]\n" },
      at: { file: "channels/fast-lane.yaml", line: "format" },
    },
    good: { change: { "channels/rapid.yaml": "format: 1\nlandscapes: [dev]\n" } },
  },
  {
    id: "channel-policy",
    demand: "A channel that serves something has a policy.",
    rationale: "Only channels/<channel>.yaml says which landscapes serve the channel.",
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
    demand: "A catalogue has a channel.",
    rationale: "Without one it serves nothing, and a sync would have nothing to do.",
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
    rationale: "A misspelt landscape would not get the channel, unnoticed.",
    source: "https://github.com/kyma-project/kyma-modules/blob/main/.github/docs/formats.md#the-repository",
    bad: { change: { [FAST_POLICY]: "format: 1\nlandscapes: [dev, prd]\n" }, at: { file: FAST_POLICY, line: "prd" } },
    good: { change: { [FAST_POLICY]: "format: 1\nlandscapes: [dev]\n" } },
  },
  {
    id: "channel-follows",
    demand: "A channel follows a release channel, and not itself.",
    rationale: "A version that comes from nowhere, or from itself, never arrives.",
    source: "https://github.com/kyma-project/kyma-modules/blob/main/.github/docs/formats.md#the-repository",
    bad: {
      change: { [FAST_POLICY]: "format: 1\nfollows: rapid\nlandscapes: [dev]\n" },
      at: { file: FAST_POLICY, line: "follows" },
    },
    good: { change: { [FAST_POLICY]: "format: 1\nlandscapes: [dev]\n" } },
  },
]);
