import { LINKED, MODULE } from "../../example.ts";
import type { Rule } from "../../rule.ts";
import { foundWhileReading } from "../found.ts";

/** A symbolic link leads to a file of the repository. */
export const fileLink: Rule = {
  id: "file-link",
  group: "file",
  severity: "error",
  waivable: false,
  demand: "A symbolic link leads to a file of the repository.",
  rationale: "Where it leads differs between machines, and may be a secret of the machine that runs the check.",
  source: 'The repository format: README.md, "The repository format"',
  judge: foundWhileReading("file-link"),
  bad: { change: { [MODULE]: { kind: "bad-link", target: "/etc/passwd" } }, at: { file: MODULE, line: "" } },
  good: { change: { [MODULE]: LINKED } },
};
