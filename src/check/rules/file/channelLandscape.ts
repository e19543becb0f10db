import { FAST_POLICY } from "../../example.ts";
import type { Rule } from "../../rule.ts";
import { foundWhileReading } from "../found.ts";

/** A channel is served by landscapes that exist. */
export const channelLandscape: Rule = {
  id: "channel-landscape",
  group: "file",
  severity: "error",
  waivable: false,
  demand: "A channel is served by landscapes that exist.",
  rationale: "A misspelt landscape would not get the channel, and nobody would notice.",
  source: 'The repository format: README.md, "The repository format"',
  judge: foundWhileReading("channel-landscape"),
  bad: { change: { [FAST_POLICY]: "format: 1\nlandscapes: [dev, prd]\n" }, at: { file: FAST_POLICY, line: "prd" } },
  good: { change: { [FAST_POLICY]: "format: 1\nlandscapes: [dev]\n" } },
};
