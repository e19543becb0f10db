import { FAST_POLICY } from "../../example.ts";
import type { Rule } from "../../rule.ts";
import { foundWhileReading } from "../found.ts";

/** A channel follows a release channel, and not itself. */
export const channelFollows: Rule = {
  id: "channel-follows",
  group: "file",
  severity: "error",
  waivable: false,
  demand: "A channel follows a release channel, and not itself.",
  rationale: "A version that comes from nowhere, or from itself, never arrives.",
  source: 'The repository format: README.md, "The repository format"',
  judge: foundWhileReading("channel-follows"),
  bad: {
    change: { [FAST_POLICY]: "format: 1\nfollows: rapid\nlandscapes: [dev]\n" },
    at: { file: FAST_POLICY, line: "follows" },
  },
  good: { change: { [FAST_POLICY]: "format: 1\nlandscapes: [dev]\n" } },
};
