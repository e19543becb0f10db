import type { BumpedFile, BumpTarget } from "../../catalogue/bump.ts";
import { counted } from "../../document/counted.ts";
import { printable } from "../../document/printable.ts";

/** The result of the gate for a bump. */
export interface GateSummary {
  /** The findings, for people. */
  readonly text: string;
  /** The number of rules that could not run. */
  readonly rulesNotRun: number;
}

/** The change of a bump. */
interface BumpText {
  readonly target: BumpTarget;
  readonly file: BumpedFile;
  readonly origin: string;
  readonly before: string | undefined;
  readonly base: string;
}

/** GitHub refuses more than 65,536 characters. The checks of the pull request show everything. */
const SHOWN_LINES = 50;
const SHOWN_CHARACTERS = 200;

/** The description of a bump's pull request: the change, its origin, and the result of the gate. Markdown. */
export function bumpBody({ target, file, origin, before, base }: BumpText, gate: GateSummary): string {
  const { module, version, channel } = target;
  const verb = before === undefined ? "is new" : "is changed";
  const edits = file.edits.map(({ kind, field, was, value, because }) => {
    const from = was === undefined || kind === "removed" ? "" : ` from ${code(was)}`;
    const to = value === undefined ? "" : ` to ${code(value)}`;
    return `${kind} ${code(field)}${from}${to} (${code(because)})`;
  });
  const made = edits.length === 0 ? "without edits." : "with these edits:";
  return [
    `**${module} ${version}** in \`${channel}\`: \`${file.path}\` ${verb}.`,
    `Made from ${code(origin)}, ${made}`,
    ...(edits.length === 0 ? [] : [shorten(edits, "- ")]),
    "### Result of check",
    // Indented text is shown literally: it cannot mention people, link or format.
    shorten(gate.text.split("\n").map(cut), "    "),
    // Only the number: the checks of the pull request can run more rules than a team's pipeline.
    ...(gate.rulesNotRun === 0
      ? []
      : [
          `${counted(gate.rulesNotRun, "rule")} could not run where this was made; see the checks of the pull request.`,
        ]),
    `Judged against ${base}. The branch belongs to \`kyma-modules bump\`: the same bump from another template updates it. If you commit to it, it is left alone.`,
    "",
  ].join("\n\n");
}

/** Teams write templates, names and values. Show them as code, so that they have no effect. */
function code(text: string): string {
  return `\`${text === "" ? '""' : cut(printable(text).replaceAll("`", "'"))}\``;
}

function shorten(lines: readonly string[], before: string): string {
  const more = lines.length - SHOWN_LINES;
  const shown = more > 0 ? [...lines.slice(0, SHOWN_LINES), `and ${String(more)} more`] : lines;
  return shown.map((line) => `${before}${line}`.trimEnd()).join("\n");
}

function cut(line: string): string {
  const characters = Array.from(line);
  return characters.length > SHOWN_CHARACTERS ? `${characters.slice(0, SHOWN_CHARACTERS).join("")}…` : line;
}
