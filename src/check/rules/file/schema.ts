import { LINKED, MODULE } from "../../example.ts";
import type { Rule } from "../../rule.ts";
import { foundWhileReading } from "../found.ts";

/** A file says what its schema allows, and nothing else. */
export const schema: Rule = {
  id: "schema",
  group: "file",
  severity: "error",
  waivable: false,
  demand: "A file says what its schema allows, and nothing else.",
  rationale:
    "An unknown key is a misspelt one: what it was meant to say would silently not count. A ModuleTemplate would be refused by the API server, after the merge.",
  source: "schemas/*.schema.json",
  judge: foundWhileReading("schema"),
  bad: {
    change: { [MODULE]: `${LINKED}owner: "@sample/team"\n` },
    at: { file: MODULE, line: "owner:" },
  },
  good: { change: { [MODULE]: LINKED } },
};
