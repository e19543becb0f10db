import type { Rule } from "../../rule.ts";
import { foundWhileReading } from "../found.ts";

/** The name of a channel is one that lifecycle-manager takes. */
export const channelName: Rule = {
  id: "channel-name",
  group: "file",
  severity: "error",
  waivable: false,
  demand: "The name of a channel is one that lifecycle-manager takes.",
  rationale:
    "The CRD of the release meta refuses others, and `none` is reserved: the channel could be merged and never be synced.",
  source: "lifecycle-manager, API operator.kyma-project.io/v1beta2",
  judge: foundWhileReading("channel-name"),
  bad: {
    change: { "channels/fast-lane.yaml": "format: 1\nlandscapes: [dev]\n" },
    at: { file: "channels/fast-lane.yaml", line: "format" },
  },
  good: { change: { "channels/rapid.yaml": "format: 1\nlandscapes: [dev]\n" } },
};
