import { styleText } from "node:util";
import type { Fault, Log, LogFields } from "../ports.ts";

/** The exit codes of every command; product.md, "Commands". */
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
  return code === "CONFIGURATION" || code === "REVISION_UNKNOWN" ? EXIT.usage : EXIT.world;
}

/** How a result is printed. */
export type Format = "text" | "json";

/** Where a command prints: results to stdout, everything said to people to stderr. */
export interface Output {
  readonly format: Format;
  /** The result of the command. */
  result(text: string): void;
  /** What is going on, and what went wrong. */
  say(text: string): void;
  /** Colours `text` as far as stdout shows colours. */
  paint(style: Style, text: string): string;
  /** Characters a line; endless when nobody looks. */
  readonly width: number;
}

/** The meanings that colour stands for. */
export type Style = "good" | "change" | "bad" | "quiet" | "strong";

const COLORS = { good: "green", change: "yellow", bad: "red", quiet: "dim", strong: "bold" } as const;

/** What a terminal looks like; a pipe has no columns and is no TTY. */
export interface Stream {
  /** Prints the text as it is. */
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** Output over two streams. `color`: auto follows the terminal, NO_COLOR and FORCE_COLOR. */
export function openOutput(
  streams: { readonly stdout: Stream; readonly stderr: Stream },
  options: { readonly format: Format; readonly color: "auto" | "always" | "never"; readonly noColor: boolean },
): Output {
  const { stdout, stderr } = streams;
  const colored = options.color === "always" || (options.color === "auto" && stdout.isTTY === true && !options.noColor);
  return {
    format: options.format,
    result: (text) => void stdout.write(`${text}\n`),
    say: (text) => void stderr.write(`${text}\n`),
    paint: (style, text) => (colored ? styleText(COLORS[style], text, { validateStream: false }) : text),
    width: stdout.columns ?? Number.POSITIVE_INFINITY,
  };
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

/** One JSON document, as every command prints it. */
export function jsonDocument(
  kind: string,
  facts: { readonly revision: string | undefined; readonly decidedAt: number },
  items: readonly object[],
): string {
  const { revision, decidedAt } = facts;
  return JSON.stringify(
    { kind, format: 1, revision: revision ?? null, decidedAt: new Date(decidedAt).toISOString(), items },
    null,
    2,
  );
}
