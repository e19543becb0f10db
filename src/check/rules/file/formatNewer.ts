import { LINKED, MODULE } from "../../example.ts";
import type { Rule } from "../../rule.ts";
import { foundWhileReading } from "../found.ts";

/** A file is in a format that this version reads. */
export const formatNewer: Rule = {
  id: "format-newer",
  group: "file",
  severity: "error",
  waivable: false,
  demand: "A file is in a format that this version of kyma-modules reads.",
  rationale:
    "A newer format may give the same keys another meaning: to read it all the same could serve what nobody meant. Nothing else is said about such a file.",
  source: "schemas/*.schema.json",
  judge: foundWhileReading("format-newer"),
  bad: {
    change: { [MODULE]: LINKED.replace("format: 1", "format: 2") },
    at: { file: MODULE, line: "format:" },
  },
  good: { change: { [MODULE]: LINKED } },
};
