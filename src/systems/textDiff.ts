import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Run } from "../ports.ts";
import type { Repository } from "./git/repository.ts";

/** What changes from `before` to `after` at `path`, as a unified diff; empty when nothing does. `undefined` is not a file. */
export type TextDiff = (path: string, before: string | undefined, after: string, run: Run) => Promise<string>;

/** Lets Git tell what changes, in the environment of `repository`. */
export function textDiff(repository: Repository): TextDiff {
  return async (path, before, after, run) => {
    // Outside of the repository, so that neither its attributes nor its objects have a part in it.
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
