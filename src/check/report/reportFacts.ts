import { posix } from "node:path";
import type { Finding } from "../../document/finding.ts";

/** What a report says beside the result itself. */
export interface ReportFacts {
  /** The version of this program. */
  readonly version: string;
  /** When it was decided, Unix milliseconds in UTC. */
  readonly decidedAt: number;
  /** How long it took, milliseconds. */
  readonly tookMs: number;
  /** Where the catalogue lies in its Git repository, with `/`; empty when at the top. */
  readonly pathPrefix: string;
  /** The text of a file as it was judged; `undefined` where there is none: too large, no text, removed. */
  readonly sourceOf: (path: string) => string | undefined;
  /** How much people want to read: errors only; the first of what repeats, which is usual; or everything. */
  readonly detail?: "quiet" | "usual" | "verbose";
}

/** Everything that there is to say of a finding, a line each, with its example. */
export function findingTexts({ message, example, remedy }: Finding): readonly string[] {
  return [message, ...(example === undefined ? [] : [example]), remedy];
}

/** `file` as the forge knows it: relative to the Git repository. An absolute path stays as it is. */
export function repositoryPath(file: string, { pathPrefix }: Pick<ReportFacts, "pathPrefix">): string {
  return posix.isAbsolute(file) ? file : posix.join(pathPrefix, file);
}

/** Line `line` of `text`, counted from 1, without its line break; `undefined` where there is no such line. */
export function lineOf(text: string, line: number): string | undefined {
  let start = 0;
  for (let at = 1; at < line; at += 1) {
    const end = text.indexOf("\n", start);
    if (end < 0) return undefined;
    start = end + 1;
  }
  const end = text.indexOf("\n", start);
  return text.slice(start, end < 0 ? undefined : end).replace(/\r$/, "");
}
