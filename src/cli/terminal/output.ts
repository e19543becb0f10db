import { stripVTControlCharacters, styleText } from "node:util";
import type { Painter } from "../../document/printable.ts";
import type { Fault, Log, LogFields } from "../../ports.ts";
import type { FormatTarget } from "./formats.ts";

/** The exit codes of every command; .github/docs/formats.md, "Exit codes". */
export const EXIT: Readonly<Record<"fine" | "findings" | "usage" | "world" | "interrupted" | "terminated", number>> = {
  fine: 0,
  findings: 1,
  usage: 2,
  world: 3,
  interrupted: 130,
  terminated: 143,
};

/** The exit code of a command that `fault` ended: what the user can correct is usage, the rest is the world's. */
export function exitCodeOf({ code }: Fault): number {
  return USAGE.has(code) ? EXIT.usage : EXIT.world;
}

const USAGE: ReadonlySet<Fault["code"]> = new Set(["CONFIGURATION", "REVISION_UNKNOWN", "HISTORY_TOO_SHALLOW"]);

/** What a command reports, by format: made only where that format is asked for. */
export type Report = Readonly<Partial<Record<string, (paper: Output) => string>>>;

/**
 * Where a command prints: results to stdout or into files, everything said to people to stderr. A stream that shows no
 * colours, and a file, gets text without them.
 */
export interface Output extends Painter {
  /** The formats that are asked for. */
  readonly formats: readonly FormatTarget[];
  /** Reports, or one more part of the report, in every format that is asked for; an empty part is none. */
  report(report: Report): void;
  /** Reports what is so now, in place of what was shown before: a terminal is cleared, and a file holds the last report. */
  show(report: Report): void;
  /** What was reported for files, by path. */
  files(): ReadonlyMap<string, string>;
  /** Prints the result of the command, whatever format is asked for. */
  result(text: string): void;
  /** What is going on, and what went wrong. */
  say(text: string): void;
  /** Characters a line; endless when nobody looks. */
  readonly width: number;
  /** Whether what is going on is said on a terminal that can show it anew: one that shows colours can. */
  readonly isWatched: boolean;
}

const COLORS = { good: "green", change: "yellow", bad: "red", quiet: "dim", strong: "bold" } as const;

/** What a terminal looks like; a pipe has no columns and is not a TTY. */
export interface Stream {
  /** Prints the text as it is. */
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** How `openOutput` prints. */
export interface OutputOptions {
  readonly formats: readonly FormatTarget[];
  readonly color: ColorWhen;
  /** The environment. */
  readonly variables: Readonly<Record<string, string | undefined>>;
}

/** Output over two streams. */
export function openOutput(
  streams: { readonly stdout: Stream; readonly stderr: Stream },
  options: OutputOptions,
): Output {
  const { stdout, stderr } = streams;
  const colored = (stream: Stream): boolean => showsColors(stream, options.color, options.variables);
  const [isColored, isSaidColored] = [colored(stdout), colored(stderr)];
  const files = new Map<string, string>();
  let shown = "";
  const written = (report: Report): readonly (readonly [file: string | undefined, text: string])[] =>
    options.formats.flatMap(({ format, file }) => {
      const text = report[format]?.(file === undefined ? output : plainly(output)) ?? "";
      const isRaw = file !== undefined || format !== "text";
      return text === "" ? [] : [[file, isRaw ? text : coloredIf(isColored, harmless(text))] as const];
    });
  const output: Output = {
    formats: options.formats,
    report: (report) => {
      for (const [file, text] of written(report)) {
        if (file === undefined) print(stdout, text);
        else files.set(file, `${files.get(file) ?? ""}${text}\n`);
      }
    },
    show: (report) => {
      for (const [file, text] of written(report)) {
        if (file !== undefined) files.set(file, `${text}\n`);
        else if (text !== shown) print(stdout, `${beforeNext(stdout, shown)}${text}`);
        if (file === undefined) shown = text;
      }
    },
    files: () => files,
    result: (text) => {
      print(stdout, coloredIf(isColored, harmless(text)));
    },
    say: (text) => {
      print(stderr, coloredIf(isSaidColored, harmless(text)));
    },
    paint: (style, text) =>
      isColored || isSaidColored ? styleText(COLORS[style], text, { validateStream: false }) : text,
    width: widthOf(stdout),
    isWatched: stderr.isTTY === true && isSaidColored && widthOf(stderr) < Number.POSITIVE_INFINITY,
  };
  return output;
}

/** A terminal that does not know its width says 0. */
function widthOf({ columns = 0 }: Stream): number {
  return columns > 0 ? columns : Number.POSITIVE_INFINITY;
}

/** A terminal has the cursor at its beginning again; elsewhere an empty line tells one from the other. */
function beforeNext({ isTTY }: Stream, shown: string): string {
  if (shown === "") return "";
  return isTTY === true ? "\u001b[H\u001b[2J\u001b[3J" : "\n";
}

function print(stream: Stream, text: string): void {
  stream.write(`${text}\n`);
}

/**
 * Text for people, in which a name is not a command of GitHub Actions: its runner takes one at the begin of a line, and the older form
 * anywhere in it. Source: actions/runner, ActionCommand.cs.
 */
function harmless(text: string): string {
  return text.replaceAll(/^(\s*):(?=:)/gm, "$1: ").replaceAll("##[", "## [");
}

/** A file has neither colours nor an edge. */
function plainly(output: Output): Output {
  return { ...output, paint: (_style, text) => text, width: Number.POSITIVE_INFINITY };
}

/** A log for people: warnings always, the rest with --verbose. */
export function openLog(output: Pick<Output, "say">, verbose: boolean, fields: LogFields = {}): Log {
  const line = (message: string, more: LogFields = {}): string => {
    const all = Object.entries({ ...fields, ...more }).map(([key, value]) => `${key}=${String(value)}`);
    return [message, ...all].join(" ");
  };
  return {
    info: (message, more) => {
      if (verbose) output.say(line(message, more));
    },
    warn: (message, more) => {
      output.say(`warning: ${line(message, more)}`);
    },
    with: (more) => openLog(output, verbose, { ...fields, ...more }),
  };
}

/** What every document says beside its items. */
export interface DocumentFacts {
  /** The commit that was read; `undefined` where none was. */
  readonly revision: string | undefined;
  /** Unix milliseconds. */
  readonly decidedAt: number;
}

/** One JSON document, as every command prints it. */
export function jsonDocument(kind: string, { revision, decidedAt }: DocumentFacts, items: readonly object[]): string {
  return JSON.stringify(
    { kind, format: 1, revision: revision ?? null, decidedAt: new Date(decidedAt).toISOString(), items },
    null,
    2,
  );
}

/** When to use colours, as `--color` says it. */
export type ColorWhen = "auto" | "always" | "never";

/**
 * Whether a stream shows colours. The first of these that says something decides: `--color`, `FORCE_COLOR`, `NO_COLOR`,
 * `TERM=dumb`, and whether it is a terminal. Source: https://nodejs.org/api/tty.html#writestreamgetcolordepthenv
 *
 * It is not asked of Node itself, which writes a warning to stderr where both variables are set.
 */
export function showsColors(
  stream: { readonly isTTY?: boolean },
  when: ColorWhen,
  variables: Readonly<Record<string, string | undefined>>,
): boolean {
  if (when !== "auto") return when === "always";
  const { FORCE_COLOR: force, NO_COLOR: no, TERM: terminal } = variables;
  if (force !== undefined) return ["", "1", "2", "3", "true"].includes(force);
  return stream.isTTY === true && (no === undefined || no === "") && terminal !== "dumb";
}

/** The text without colours, unless `isColored`. */
function coloredIf(isColored: boolean, text: string): string {
  return isColored ? text : stripVTControlCharacters(text);
}

/** Rows under a header, in columns as wide as they have to be. */
export function table(header: readonly string[], rows: readonly (readonly string[])[], output: Output): string {
  const widths = header.map((cell, column) => Math.max(cell.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd();
  return [output.paint("strong", line(header)), ...rows.map(line)].join("\n");
}
