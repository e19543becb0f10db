import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Run } from "../ports.ts";
import { git } from "./git/git.ts";

/** What changes from `before` to `after` at `path`, as a unified diff; empty when nothing does. `undefined` is no file. */
export async function textDiff(path: string, before: string | undefined, after: string, run: Run): Promise<string> {
  // Outside of the repository, so that neither its attributes nor its objects have a part in it.
  const folder = mkdtempSync(join(tmpdir(), "kyma-modules-diff-"));
  try {
    const old = before === undefined ? "/dev/null" : join(folder, "before");
    if (before !== undefined) writeFileSync(old, before);
    const args = ["diff", "--no-index", "--no-color", "--no-ext-diff", "--no-textconv", "--text", "--", old, "-"];
    const { stdout } = await git(folder, args, run, { input: after, accepted: [1] });
    const text = stdout.toString();
    const start = text.indexOf("@@");
    const from = before === undefined ? "/dev/null" : `a/${path}`;
    return start < 0 ? "" : `--- ${from}\n+++ b/${path}\n${text.slice(start)}`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
