import { counted } from "../../document/counted.ts";
import type { Finding, Severity } from "../../document/finding.ts";
import { printable, printableLines, UNPAINTED, type Painter, type Style } from "../../document/printable.ts";
import type { CheckResult, NotRun, WaivedFinding } from "../result.ts";
import { excerpt } from "./excerpt.ts";
import { textLine, type ReportFacts } from "./reportFacts.ts";
import { countResult, groupNotRun, notRunText, reservations, seconds, verdictText } from "./summary.ts";

/** The device that a report is printed on, such as the `Output` of the command line. */
export interface Paper extends Painter {
  /** Characters per line; infinite if the output is not a terminal. */
  readonly width: number;
}

/** Paper without colours and with unlimited width, such as a file. */
export const PLAIN: Paper = { ...UNPAINTED, width: Number.POSITIVE_INFINITY };

/** The widest source line, even on paper of unlimited width. Characters. */
const WIDEST_SOURCE = 160;
/** The least width of a text, even on narrower paper. Characters. */
const NARROWEST = 20;

const STYLES = { error: "bad", warning: "change", note: "quiet" } as const satisfies Record<Severity, string>;

type TextFacts = Pick<ReportFacts, "tookMs" | "sourceOf" | "detail">;

/** A result for people: the findings by file, waived findings, rules that did not run, and a line with the counts. */
export function textReport(result: CheckResult, facts: TextFacts, paper: Paper): string {
  const { detail = "usual" } = facts;
  const wanted = detail === "quiet" ? result.findings.filter(({ severity }) => severity === "error") : result.findings;
  const { shown, repeated }: Condensed = detail === "verbose" ? { shown: wanted, repeated: [] } : condense(wanted);
  const blocks = [
    ...[...Map.groupBy(shown, ({ file }) => file)].map(([file, findings]) => fileBlock(file, findings, facts, paper)),
    ...(repeated.length > 0 ? [repeatedBlock(repeated, paper)] : []),
    ...(result.waived.length > 0 && detail !== "quiet"
      ? [[paper.paint("strong", "Waived"), ...result.waived.flatMap((entry) => waivedLines(entry, paper))]]
      : []),
    ...(result.notRun.length > 0 && detail !== "quiet"
      ? [notRunBlock(result.notRun, detail === "verbose", paper)]
      : []),
    [summaryLine(result, facts.tookMs, paper)],
  ];
  return blocks.map((lines) => lines.join("\n")).join("\n\n");
}

function fileBlock(
  file: string,
  findings: readonly Finding[],
  { sourceOf }: TextFacts,
  paper: Paper,
): readonly string[] {
  const source = sourceOf(file);
  const widths: Widths = {
    place: Math.max(...findings.map((finding) => findingPlace(finding).length)),
    severity: Math.max(...findings.map(({ severity }) => severity.length)),
  };
  return [
    paper.paint("strong", printable(file)),
    ...findings.flatMap((finding) => findingLines(finding, source, widths, paper)),
  ];
}

/** The widths of the columns of a file. */
interface Widths {
  readonly place: number;
  readonly severity: number;
}

function findingLines(finding: Finding, source: string | undefined, widths: Widths, paper: Paper): readonly string[] {
  const indent = " ".repeat(widths.place + 4);
  const severity = finding.severity.padEnd(widths.severity);
  const head = `  ${findingPlace(finding).padStart(widths.place)}  ${paper.paint(STYLES[finding.severity], severity)}  `;
  const room = roomIn(paper, indent.length);
  const below = (text: string): readonly string[] => printableLines(text).flatMap((line) => wrap(line, room));
  const [first = "", ...more] = withRule(finding, room, roomIn(paper, indent.length + severity.length + 2), paper);
  return [
    head + first,
    ...[
      ...more,
      ...sourceLines(finding, source, room, paper),
      ...(finding.example === undefined ? [] : below(finding.example)),
      ...below(finding.remedy),
    ].map((line) => indent + line),
  ];
}

function roomIn({ width }: Paper, taken: number): number {
  return Math.max(NARROWEST, width - taken);
}

/** The lines of a message, with the rule at the end of the last one. */
function withRule({ message, rule }: Finding, room: number, first: number, paper: Paper): readonly string[] {
  const [opening = "", ...others] = printableLines(message);
  const lines = [...wrap(opening, room, first), ...others.flatMap((line) => wrap(line, room))];
  const name = `[${printable(rule)}]`;
  const last = lines.at(-1) ?? "";
  const isFit = last.length + 2 + name.length <= (lines.length === 1 ? first : room);
  const painted = paper.paint("quiet", name);
  return isFit ? lines.with(-1, `${last}  ${painted}`) : [...lines, painted];
}

function sourceLines(finding: Finding, source: string | undefined, room: number, paper: Paper): readonly string[] {
  const line = source === undefined ? undefined : textLine(source, finding.line);
  // A caret below an empty line would mark nothing.
  if (line === undefined || !/\S/.test(line)) return [];
  const bar = paper.paint("quiet", "|");
  const width = Math.max(NARROWEST, Math.min(room - "| ^".length, WIDEST_SOURCE));
  const { text, caret } = excerpt(line, finding.column, width);
  const mark = paper.paint(STYLES[finding.severity], "^");
  return [`${bar} ${text.trimEnd()}`, `${bar} ${" ".repeat(caret)}${mark}`];
}

function findingPlace({ line, column }: Finding): string {
  return `${line}:${column}`;
}

/** Findings with the same fix as findings that are shown, one line each, up to a limit. */
function repeatedBlock(repeated: readonly Repeated[], paper: Paper): readonly string[] {
  const lines = repeated.flatMap(({ rule, severity, named, more }) => [
    `  ${paper.paint(STYLES[severity], severity)}  ${printable(rule)}: ${named.length + more} more`,
    ...named.flatMap((finding) => {
      const [first = ""] = printableLines(finding.message);
      return wrap(`    ${printable(finding.file)}:${findingPlace(finding)}  ${first}`, roomIn(paper, 0));
    }),
    ...(more > 0 ? [`    and ${more} more`] : []),
  ]);
  return [paper.paint("strong", "More of the same, with the same fix as above (--verbose shows each)"), ...lines];
}

function waivedLines({ finding, waiver }: WaivedFinding, paper: Paper): readonly string[] {
  const { until, reason, file, line } = waiver;
  const place = `  ${printable(finding.file)}:${findingPlace(finding)}  `;
  const indent = "    ";
  const first = roomIn(paper, place.length + finding.severity.length + 2);
  const [head = "", ...more] = withRule(finding, roomIn(paper, indent.length), first, paper);
  const why = wrap(printable(`waived until ${until}: ${reason}, ${file}:${line}`), roomIn(paper, indent.length));
  return [
    `${place}${paper.paint("quiet", finding.severity)}  ${head}`,
    ...[...more, ...why].map((text) => indent + text),
  ];
}

/** The number of rules that are named with the reason why they did not run; more are counted. */
const NAMED_RULES = 3;

function notRunBlock(notRun: readonly NotRun[], isVerbose: boolean, paper: Paper): readonly string[] {
  const groups = [...groupNotRun(notRun)];
  const isShort = !isVerbose && groups.some(([, rules]) => rules.length > NAMED_RULES);
  const lines = groups.flatMap(([why, rules]) => {
    const texts = rules.map(notRunText);
    if (isVerbose) return [why, ...texts.map((text) => `  ${text}`)];
    return [`${why}: ${rules.length > NAMED_RULES ? counted(rules.length, "rule") : texts.join("; ")}`];
  });
  const title = isShort ? "Not run, so not passed (--verbose lists the rules)" : "Not run, so not passed";
  return [paper.paint("strong", title), ...lines.flatMap((line) => wrap(`  ${printable(line)}`, roomIn(paper, 0)))];
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

function verdictStyle({ findings, files }: CheckResult): Style {
  if (findings.some(({ severity }) => severity === "error")) return "bad";
  return findings.length > 0 || files === 0 ? "change" : "good";
}

/** The number of findings of one cause that are shown in full. */
const SHOWN = 3;
/** The number of further findings that get a line each. */
const NAMED = 10;

/** Findings with the same fix as some that are shown. */
interface Repeated {
  readonly rule: string;
  readonly severity: Severity;
  readonly named: readonly Finding[];
  /** The number of further findings. */
  readonly more: number;
}

/** Findings that are shown, and findings that repeat them. */
interface Condensed {
  /** In their order. */
  readonly shown: readonly Finding[];
  readonly repeated: readonly Repeated[];
}

/**
 * Shows the first findings of each cause: same rule, severity and remedy. A single remaining finding is shown as well.
 */
function condense(findings: readonly Finding[]): Condensed {
  const causes = Map.groupBy(findings, ({ rule, severity, remedy }) => JSON.stringify([rule, severity, remedy]));
  const groups = [...causes.values()].filter((group) => group.length > SHOWN + 1);
  const hidden = new Set(groups.flatMap((group) => group.slice(SHOWN)));
  const repeated = groups.flatMap((group): readonly Repeated[] => {
    const rest = group.slice(SHOWN);
    const [first] = rest;
    if (first === undefined) return [];
    const { rule, severity } = first;
    return [{ rule, severity, named: rest.slice(0, NAMED), more: Math.max(0, rest.length - NAMED) }];
  });
  return { shown: findings.filter((finding) => !hidden.has(finding)), repeated };
}

/**
 * `text` in lines of at most `width` characters (`first` for the first line), broken at spaces. A longer word gets a
 * line of its own. Further lines keep the indentation of `text`. Nothing is cut, and with unlimited width nothing is
 * broken.
 */
function wrap(text: string, width: number, first: number = width): readonly string[] {
  const [indent = ""] = /^ */.exec(text) ?? [];
  const lines: string[] = [];
  let line = indent;
  for (const word of text.slice(indent.length).split(" ")) {
    const room = lines.length === 0 ? first : width;
    if (line !== indent && line.length + 1 + word.length > room) {
      lines.push(line);
      line = indent + word;
    } else line = line === indent ? line + word : `${line} ${word}`;
  }
  return [...lines, line];
}
