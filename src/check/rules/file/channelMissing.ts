import { FAST, FAST_POLICY, REGULAR, REGULAR_POLICY, SETTINGS } from "../../example.ts";
import type { Rule } from "../../rule.ts";
import { foundWhileReading } from "../found.ts";

/** A catalogue has a channel. */
export const channelMissing: Rule = {
  id: "channel-missing",
  group: "file",
  severity: "error",
  waivable: false,
  demand: "A catalogue has a channel.",
  rationale: "Without one it serves nothing, and a sync would have nothing to do.",
  source: 'The repository format: README.md, "The repository format"',
  judge: foundWhileReading("channel-missing"),
  bad: {
    change: { [FAST]: undefined, [FAST_POLICY]: undefined, [REGULAR]: undefined, [REGULAR_POLICY]: undefined },
    at: { file: SETTINGS, line: "format" },
    also: ["channel-removal"],
  },
  good: { change: {} },
};
