import type { Finding, Severity } from "../../catalogue/finding.ts";
import type { CheckResult, NotRun, WaivedFinding } from "../result.ts";
import { excerpt } from "./excerpt.ts";
import { printable, printableLines } from "./printable.ts";
import { lineOf, type ReportFacts } from "./reportFacts.ts";
import { countResult, groupNotRun, notRunText, reservations, seconds, verdictText } from "./summary.ts";

/** What the report is printed on; the `Output` of the command line is one. */
export interface Paper {
  /** Colours `text`, or gives it back as it is. */
  paint(style: "good" | "change" | "bad" | "quiet" | "strong", text: string): string;
  /** Characters a line; endless when nobody looks. */
  readonly width: number;
}

/** Paper without colours and without an edge: a file. */
export const PLAIN: Paper = { paint: (_style, text) => text, width: Number.POSITIVE_INFINITY };

/** No source line is shown wider than that, be the paper endless. */
const WIDEST_SOURCE = 160;
const NARROWEST_SOURCE = 20;

const STYLES = { error: "bad", warning: "change", note: "quiet" } as const satisfies Record<Severity, string>;

/** A result as people read it: the findings by file, what was waived, what was not run, and a line that counts. */
export function textReport(result: CheckResult, facts: Pick<ReportFacts, "tookMs" | "sourceOf">, paper: Paper): string {
  const byFile = Map.groupBy(result.findings, ({ file }) => file);
  const blocks = [
    ...[...byFile].map(([file, findings]) => fileBlock(file, findings, facts.sourceOf(file), paper)),
    ...(result.waived.length > 0 ? [waivedBlock(result.waived, paper)] : []),
    ...(result.notRun.length > 0 ? [notRunBlock(result.notRun, paper)] : []),
    [summaryLine(result, facts.tookMs, paper)],
  ];
  return blocks.map((lines) => lines.join("\n")).join("\n\n");
}

function fileBlock(
  file: string,
  findings: readonly Finding[],
  source: string | undefined,
  paper: Paper,
): readonly string[] {
  const widths: Widths = {
    place: Math.max(...findings.map((finding) => placeOf(finding).length)),
    severity: Math.max(...findings.map(({ severity }) => severity.length)),
  };
  return [
    paper.paint("strong", printable(file)),
    ...findings.flatMap((finding) => findingLines(finding, source, widths, paper)),
  ];
}

/** How wide the columns of a file are. */
interface Widths {
  readonly place: number;
  readonly severity: number;
}

function findingLines(finding: Finding, source: string | undefined, widths: Widths, paper: Paper): readonly string[] {
  const indent = " ".repeat(widths.place + 4);
  const [first = "", ...more] = printableLines(finding.message);
  const severity = paper.paint(STYLES[finding.severity], finding.severity.padEnd(widths.severity));
  const head = `  ${placeOf(finding).padStart(widths.place)}  ${severity}  ${first}`;
  return [
    ...withRule([head, ...more.map((line) => indent + line)], finding.rule, paper),
    ...sourceLines(finding, source, paper.width - indent.length, paper).map((line) => indent + line),
    ...printableLines(finding.remedy).map((line) => indent + line),
  ];
}

/** The rule stands behind the last line of a message. */
function withRule(lines: readonly string[], rule: string, paper: Paper): readonly string[] {
  return lines.with(-1, `${lines.at(-1) ?? ""}  ${paper.paint("quiet", `[${printable(rule)}]`)}`);
}

function sourceLines(finding: Finding, source: string | undefined, room: number, paper: Paper): readonly string[] {
  const line = source === undefined ? undefined : lineOf(source, finding.line);
  // Below nothing a caret points at nothing.
  if (line === undefined || !/\S/.test(line)) return [];
  const bar = paper.paint("quiet", "|");
  const width = Math.max(NARROWEST_SOURCE, Math.min(room - "| ^".length, WIDEST_SOURCE));
  const { text, caret } = excerpt(line, finding.column, width);
  const mark = paper.paint(STYLES[finding.severity], "^");
  return [`${bar} ${text.trimEnd()}`, `${bar} ${" ".repeat(caret)}${mark}`];
}

function placeOf({ line, column }: Finding): string {
  return `${line}:${column}`;
}

function waivedBlock(waived: readonly WaivedFinding[], paper: Paper): readonly string[] {
  return [paper.paint("strong", "Waived"), ...waived.flatMap((entry) => waivedLines(entry, paper))];
}

function waivedLines({ finding, waiver }: WaivedFinding, paper: Paper): readonly string[] {
  const [first = "", ...more] = printableLines(finding.message);
  const severity = paper.paint("quiet", finding.severity);
  const head = `  ${printable(finding.file)}:${placeOf(finding)}  ${severity}  ${first}`;
  const { until, reason, file, line } = waiver;
  return [
    ...withRule([head, ...more.map((text) => `    ${text}`)], finding.rule, paper),
    `    ${printable(`waived until ${until}: ${reason}, ${file}:${line}`)}`,
  ];
}

function notRunBlock(notRun: readonly NotRun[], paper: Paper): readonly string[] {
  const lines = [...groupNotRun(notRun)].flatMap(([why, rules]) => [
    `  ${printable(why)}`,
    ...rules.map((rule) => `    ${printable(notRunText(rule))}`),
  ]);
  return [paper.paint("strong", "Not run, so not passed"), ...lines];
}

/** The last line of the report, painted. */
function summaryLine(result: CheckResult, tookMs: number, paper: Paper): string {
  const counts = countResult(result);
  const [waived, notRun] = [reservations({ ...counts, rulesNotRun: 0 }), reservations({ ...counts, waived: 0 })];
  const parts = [
    paper.paint(verdictStyle(result), verdictText(counts)),
    ...waived,
    ...notRun.map((text) => paper.paint("change", text)),
  ];
  return `${parts.join("; ")} ${paper.paint("quiet", `(${seconds(tookMs)})`)}`;
}

function verdictStyle({ findings, files }: CheckResult): "good" | "change" | "bad" {
  if (findings.some(({ severity }) => severity === "error")) return "bad";
  return findings.length > 0 || files === 0 ? "change" : "good";
}
