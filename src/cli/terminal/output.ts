import { stripVTControlCharacters, styleText } from "node:util";
import type { Painter } from "../../document/printable.ts";
import type { Fault, Log, LogFields } from "../../ports.ts";

/** The exit codes of every command; .github/docs/formats.md, "Exit codes". */
export const EXIT: Readonly<Record<"fine" | "findings" | "usage" | "world" | "interrupted" | "terminated", number>> = {
  fine: 0,
  findings: 1,
  usage: 2,
  world: 3,
  interrupted: 130,
  terminated: 143,
};

/** The exit code of a command that failed with `fault`: usage if the user can correct it, else the world. */
export function faultExitCode({ code }: Fault): number {
  return USAGE.has(code) ? EXIT.usage : EXIT.world;
}

const USAGE: ReadonlySet<Fault["code"]> = new Set(["CONFIGURATION", "REVISION_UNKNOWN", "HISTORY_TOO_SHALLOW"]);

/** A requested report. */
export interface FormatTarget<Name extends string = string> {
  readonly format: Name;
  /** The file to write it to; `undefined` for stdout. */
  readonly file: string | undefined;
}

/** The default: text, printed. */
export const PRINTED_TEXT: readonly FormatTarget[] = [{ format: "text", file: undefined }];

/** The report of a command, by format. A format is rendered only if it was requested. */
type Report = Readonly<Partial<Record<string, (paper: Output) => string>>>;

/**
 * The output of a command: results go to stdout or files, messages to stderr. Files, and streams without colours, get
 * plain text.
 */
export interface Output extends Painter {
  /** The requested formats. */
  readonly formats: readonly FormatTarget[];
  /** Adds a part of the report, in every requested format. An empty part adds nothing. */
  report(report: Report): void;
  /** Replaces the previous report: a terminal is cleared, and a file holds the last report. */
  show(report: Report): void;
  /** The reports to write to files, by path. */
  files(): ReadonlyMap<string, string>;
  /** Prints the result of the command, independent of the requested formats. */
  result(text: string): void;
  /** Prints a message about progress or errors to stderr. */
  say(text: string): void;
  /** Characters per line of stdout; infinite if it is not a terminal. */
  readonly width: number;
  /** Whether stderr is a terminal that can redraw progress, which is one that shows colours. */
  readonly isWatched: boolean;
}

const COLORS = { good: "green", change: "yellow", bad: "red", quiet: "dim", strong: "bold" } as const;

/** An output stream. A pipe has no columns and is not a TTY. */
export interface Stream {
  /** Writes the text unchanged. */
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

interface OutputOptions {
  readonly formats: readonly FormatTarget[];
  readonly color: ColorWhen;
  /** The environment. */
  readonly variables: Readonly<Record<string, string | undefined>>;
}

/** Opens an output over two streams. */
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
      // A file has neither colours nor a line width.
      const plain: Output = { ...output, paint: (_style, told) => told, width: Number.POSITIVE_INFINITY };
      const text = report[format]?.(file === undefined ? output : plain) ?? "";
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
    width: streamWidth(stdout),
    isWatched: stderr.isTTY === true && isSaidColored && streamWidth(stderr) < Number.POSITIVE_INFINITY,
  };
  return output;
}

/** A terminal of unknown width reports 0 columns. */
function streamWidth({ columns = 0 }: Stream): number {
  return columns > 0 ? columns : Number.POSITIVE_INFINITY;
}

/** The text between two reports: clears a terminal, and is an empty line elsewhere. */
function beforeNext({ isTTY }: Stream, shown: string): string {
  if (shown === "") return "";
  return isTTY === true ? "\u001b[H\u001b[2J\u001b[3J" : "\n";
}

function print(stream: Stream, text: string): void {
  stream.write(`${text}\n`);
}

/**
 * Breaks up commands of GitHub Actions in text for people. The runner accepts a command at the start of a line, and its
 * older form anywhere. Source: actions/runner, ActionCommand.cs.
 */
function harmless(text: string): string {
  return text.replaceAll(/^(\s*):(?=:)/gm, "$1: ").replaceAll("##[", "## [");
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

/** The header of a JSON document. */
export interface DocumentFacts {
  /** The commit that was read, if any. */
  readonly revision: string | undefined;
  /** Unix milliseconds. */
  readonly decidedAt: number;
}

/** A JSON document in the format that all commands share. */
export function jsonDocument(kind: string, { revision, decidedAt }: DocumentFacts, items: readonly object[]): string {
  return JSON.stringify(
    { kind, format: 1, revision: revision ?? null, decidedAt: new Date(decidedAt).toISOString(), items },
    null,
    2,
  );
}

/** When to use colours: the value of `--color`. */
export type ColorWhen = "auto" | "always" | "never";

/**
 * Whether a stream shows colours. The first of these that is set decides: `--color`, `FORCE_COLOR`, `NO_COLOR`,
 * `TERM=dumb`; then whether it is a terminal. Source: https://nodejs.org/api/tty.html#writestreamgetcolordepthenv
 *
 * Node's own check is not used, because it prints a warning to stderr when both variables are set.
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

/** A table with a header. Each column is as wide as its widest cell. */
export function table(header: readonly string[], rows: readonly (readonly string[])[], output: Output): string {
  const widths = header.map((cell, column) => Math.max(cell.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd();
  return [output.paint("strong", line(header)), ...rows.map(line)].join("\n");
}
