import { BUMP, bumpTemplate, FAST } from "../../example.ts";
import type { Rule } from "../../rule.ts";
import { foundWhileReading } from "../found.ts";

/** A template is named as its place says. */
export const placeName: Rule = {
  id: "place-name",
  group: "file",
  severity: "error",
  waivable: false,
  demand: "A template is named as its place says.",
  rationale: "The file is found by its place, the object by its name: two that disagree are two modules in one.",
  source: 'The repository format: README.md, "The repository format"',
  judge: foundWhileReading("place-name"),
  bad: { change: bumpTemplate("name: sample-fast", "name: sample-rapid"), at: { file: FAST, line: "sample-rapid" } },
  good: { change: BUMP },
};
