import { MAX_FILE_BYTES } from "../../../catalogue/snapshot.ts";
import { LINKED, MODULE } from "../../example.ts";
import type { Rule } from "../../rule.ts";
import { foundWhileReading } from "../found.ts";

/** A file fits into a control plane. */
export const fileSize: Rule = {
  id: "file-size",
  group: "file",
  severity: "error",
  waivable: false,
  demand: "A file fits into a control plane.",
  rationale: "etcd takes no object over about 1.5 MB: a larger template could be merged and never be applied.",
  source: "etcd, https://etcd.io/docs/latest/dev-guide/limit/",
  judge: foundWhileReading("file-size"),
  bad: { change: { [MODULE]: { kind: "too-large", size: 2 * MAX_FILE_BYTES } }, at: { file: MODULE, line: "" } },
  good: { change: { [MODULE]: LINKED } },
};
