import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Run } from "../ports.ts";
import type { Repository } from "./git/repository.ts";

/**
 * A unified diff from `before` to `after` at `path`, empty if they are equal. `before` is `undefined` for a new file.
 */
type TextDiff = (path: string, before: string | undefined, after: string, run: Run) => Promise<string>;

/** Diffs texts with Git, in the environment of `repository`. */
export function textDiff(repository: Repository): TextDiff {
  return async (path, before, after, run) => {
    // Outside of the repository, so that its attributes and objects have no influence.
    const folder = mkdtempSync(join(tmpdir(), "kyma-modules-diff-"));
    try {
      const old = before === undefined ? "/dev/null" : join(folder, "before");
      if (before !== undefined) writeFileSync(old, before);
      const args = ["diff", "--no-index", "--no-color", "--no-ext-diff", "--no-textconv", "--text", "--", old, "-"];
      const text = (await repository.at(folder).git(args, run, { input: after, accepted: [1] })).stdout.toString();
      const start = text.indexOf("@@");
      const from = before === undefined ? "/dev/null" : `a/${path}`;
      return start < 0 ? "" : `--- ${from}\n+++ b/${path}\n${text.slice(start)}`;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };
}
