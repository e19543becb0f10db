import { compareText } from "../../../document/order.ts";
import { FILE_START } from "../../../document/finding.ts";
import { counted } from "../../../document/counted.ts";
import type { ConvertedFile } from "../../../document/snapshot.ts";
import { LINKED, MODULE } from "../../example.ts";
import { EVERYTHING, checkScope } from "../../scope.ts";
import type { Rule } from "../../rule.ts";

/** Refuses attributes of Git by which people see another file than a sync reads. */
export const fileConverted: Rule = {
  id: "file-converted",
  group: "file",
  severity: "error",
  waivable: false,
  demand: "A checkout shows a file as Git has it.",
  rationale:
    "A sync and a promotion read files as Git has them. An attribute such as working-tree-encoding, ident, filter, eol or text shows a reviewer something else: a waiver may look like a comment.",
  source: "https://git-scm.com/docs/gitattributes",
  judge: ({ paths, facts: { converted } }) => {
    const { has } = paths === undefined ? EVERYTHING : checkScope(paths);
    const known = new Set(converted.base.map(convertedFileKey));
    const counting = converted.head.filter((file) => has(file.path) || !known.has(convertedFileKey(file)));
    return [...Map.groupBy(counting, ({ attribute }) => attribute)].map(([attribute, files]) => {
      const [first = "", ...more] = files.map(({ path }) => path).toSorted(compareText);
      const others = more.length === 0 ? "" : ` The same applies to ${counted(more.length, "other file")}.`;
      return {
        kind: "violation",
        file: first,
        position: FILE_START,
        message: `The attribute ${attribute} makes a checkout show something other than what Git has and a sync reads.${others}`,
        remedy:
          "Remove the attribute from .gitattributes, or set -text for these files, so that Git converts nothing. Then commit the files as they are to be read.",
      };
    });
  },
  bad: {
    change: { [MODULE]: LINKED },
    converted: [{ path: MODULE, attribute: "working-tree-encoding=ISO646-GB" }],
    at: { file: MODULE, line: "" },
  },
  good: { change: {} },
};

function convertedFileKey({ path, attribute }: ConvertedFile): string {
  return `${attribute} ${path}`;
}
