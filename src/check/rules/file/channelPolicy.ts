import { templateText } from "../../example.ts";
import type { Rule } from "../../rule.ts";
import { foundWhileReading } from "../found.ts";

/** A channel that serves something has a policy. */
export const channelPolicy: Rule = {
  id: "channel-policy",
  group: "file",
  severity: "error",
  waivable: false,
  demand: "A channel that serves something has a policy.",
  rationale: "Only channels/<channel>.yaml says which landscapes serve the channel.",
  source: 'The repository format: README.md, "The repository format"',
  judge: foundWhileReading("channel-policy"),
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
};
