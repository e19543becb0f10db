import { LINKED, MODULE } from "../../example.ts";
import type { Rule } from "../../rule.ts";
import { foundWhileReading } from "../found.ts";

/** A file is UTF-8. */
export const fileEncoding: Rule = {
  id: "file-encoding",
  group: "file",
  severity: "error",
  waivable: false,
  demand: "A file is UTF-8.",
  rationale: "Other encodings are guessed, differently by each reader.",
  source: "YAML 1.2.2, https://yaml.org/spec/1.2.2/",
  judge: foundWhileReading("file-encoding"),
  bad: {
    change: { [MODULE]: { kind: "bytes", bytes: Buffer.from(`${LINKED}# caf\xE9\n`, "latin1") } },
    at: { file: MODULE, line: "# caf" },
  },
  good: { change: { [MODULE]: `${LINKED}# café\n` } },
};
