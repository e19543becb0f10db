import { posix } from "node:path";
import type { Finding } from "../../document/finding.ts";

/** Facts that a report shows besides the result. */
export interface ReportFacts {
  /** The version of this program. */
  readonly version: string;
  /** The time of the check, in Unix milliseconds. */
  readonly decidedAt: number;
  /** The duration of the check, in milliseconds. */
  readonly tookMs: number;
  /** The path of the catalogue in its Git repository, with `/`; empty at the top. */
  readonly pathPrefix: string;
  /** The text of a judged file; `undefined` if it is too large, not text, or removed. */
  readonly sourceOf: (path: string) => string | undefined;
  /** Errors only (`quiet`), the first findings of each cause (`usual`, the default), or everything (`verbose`). */
  readonly detail?: "quiet" | "usual" | "verbose";
}

/** The message, the example and the remedy of a finding. */
export function findingTexts({ message, example, remedy }: Finding): readonly string[] {
  return [message, ...(example === undefined ? [] : [example]), remedy];
}

/** `file` relative to the Git repository, as the forge knows it. An absolute path stays unchanged. */
export function repositoryPath(file: string, { pathPrefix }: Pick<ReportFacts, "pathPrefix">): string {
  return posix.isAbsolute(file) ? file : posix.join(pathPrefix, file);
}

/** Line `line` of `text`, counted from 1, without its line break; `undefined` where there is no such line. */
export function textLine(text: string, line: number): string | undefined {
  let start = 0;
  for (let at = 1; at < line; at += 1) {
    const end = text.indexOf("\n", start);
    if (end < 0) return undefined;
    start = end + 1;
  }
  const end = text.indexOf("\n", start);
  return text.slice(start, end < 0 ? undefined : end).replace(/\r$/, "");
}
