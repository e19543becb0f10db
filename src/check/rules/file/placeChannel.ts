import { BUMP, bumpTemplate, FAST } from "../../example.ts";
import type { Rule } from "../../rule.ts";
import { foundWhileReading } from "../found.ts";

/** A template says the channel in whose folder it stands. */
export const placeChannel: Rule = {
  id: "place-channel",
  group: "file",
  severity: "error",
  waivable: false,
  demand: "A template says the channel in whose folder it stands.",
  rationale:
    "lifecycle-manager up to 1.7 reads the channel from the object: it would serve another channel than the file does.",
  source: 'The repository format: README.md, "The repository format"',
  judge: foundWhileReading("place-channel"),
  bad: { change: bumpTemplate("channel: fast", "channel: regular"), at: { file: FAST, line: "channel: regular" } },
  good: { change: BUMP },
};
