import type { Command } from "commander";
import { Fault, type Log, type Source } from "../../ports.ts";
import { complete, repositoryIn } from "./complete.ts";
import { namesIn } from "./names.ts";

/** Nobody reads a log at the press of a key. */
const NO_LOG: Log = { info: () => undefined, warn: () => undefined, with: () => NO_LOG };

/**
 * What the last of `words` can become: a line a candidate, `word<TAB>description`, and a last one that says what the shell
 * does then. Files are read, and nothing else is asked; a folder that cannot be read has no names.
 */
export async function completeLine(
  program: Command,
  words: readonly string[],
  open: (folder: string) => Source,
  signal: AbortSignal,
): Promise<string> {
  const names = namesIn(open(repositoryIn(words)), { signal, log: NO_LOG });
  const { candidates, then } = await complete(program, words, (kind, prefix) =>
    names(kind, prefix).catch((error: unknown) => {
      if (error instanceof Fault) return [];
      throw error;
    }),
  );
  const lines = candidates.map(({ word, description }) => `${word}\t${firstClause(description)}\n`);
  return `${lines.join("")}:${then}\n`;
}

/** As much as a line of a list has room for. */
function firstClause(description: string): string {
  return description
    .split(/[.:;,] /, 1)
    .join()
    .replace(/\.$/, "");
}
