import { randomUUID } from "node:crypto";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder } from "../files/folder.ts";
import { isRecord } from "../../document/fields.ts";
import type { MergedPull, Run } from "../../ports.ts";
import { problemText } from "../errno.ts";
import { parseJson } from "../../document/json.ts";

/** What is remembered of a repository: nothing is decided by it alone, so that losing any of it costs requests and no more. */
export interface Remembered {
  /** Commits of the base, and the pull requests that brought them. */
  readonly merges: Map<string, MergedPull>;
  /** Commits that came by no pull request, and since when that is looked for. Unix milliseconds. */
  readonly unmerged: Map<string, number>;
  /** What tips of branches propose; empty for what was not made here. */
  readonly tips: Map<string, string>;
  /** Tips of branches that no merge left, and that have no open pull request. */
  readonly parked: Set<string>;
  /** Every pull request that was updated before is in `merges` where it belongs there. Unix milliseconds. */
  readUntilMs: number;
}

/** One file on disk. */
export interface MergeCache {
  /** What is remembered; read at first use. A file that cannot be read or understood counts as empty. */
  recall(): Promise<Remembered>;
  /** Writes it, with the merges that other runs wrote meanwhile. A file that cannot be written costs requests and no more. */
  keep(run: Run): Promise<void>;
}

/** The memory at `folder`/`name`.json. */
export function openMemory(folder: string, name: string): MergeCache {
  const file = join(folder, `${encodeURIComponent(name)}.json`);
  let recalled: Promise<Remembered> | undefined;
  const recall = (): Promise<Remembered> => (recalled ??= read(file));
  return {
    recall,
    keep: async (run) => {
      const ours = await recall();
      const theirs = await read(file);
      for (const [commit, pull] of theirs.merges) ours.merges.set(commit, pull);
      for (const [commit, atMs] of theirs.unmerged) {
        ours.unmerged.set(commit, Math.min(atMs, ours.unmerged.get(commit) ?? atMs));
      }
      for (const commit of ours.merges.keys()) ours.unmerged.delete(commit);
      ours.readUntilMs = Math.max(ours.readUntilMs, theirs.readUntilMs);
      await write(folder, file, ours).catch((error: unknown) => {
        if (!(error instanceof Error) || !("syscall" in error)) throw error;
        run.log.warn("merge times cannot be remembered", { folder, problem: problemText(error) });
      });
    },
  };
}

/** Whoever reads meanwhile sees the whole file, as it was or as it is. */
async function write(folder: string, file: string, remembered: Remembered): Promise<void> {
  const { merges, unmerged, tips, parked, readUntilMs } = remembered;
  const content = {
    format: 1,
    readUntilMs,
    merges: Object.fromEntries([...merges].map(([commit, { atMs, number }]) => [commit, [atMs, number]])),
    unmerged: Object.fromEntries(unmerged),
    tips: Object.fromEntries(tips),
    parked: Object.fromEntries([...parked].map((tip) => [tip, 1])),
  };
  await makeFolder(folder);
  const temporary = `${file}.${randomUUID()}`;
  try {
    await writeFile(temporary, JSON.stringify(content), { mode: 0o600 });
    await rename(temporary, file);
  } finally {
    await rm(temporary, { force: true });
  }
}

async function read(file: string): Promise<Remembered> {
  const content = parsed(await readFile(file, "utf8").catch(() => ""));
  const isOurs = content["format"] === 1;
  return {
    merges: new Map(entries(isOurs && content["merges"], mergedPull)),
    unmerged: new Map(entries(isOurs && content["unmerged"], number)),
    tips: new Map(entries(isOurs && content["tips"], text)),
    parked: new Set(entries(isOurs && content["parked"], number).map(([tip]) => tip)),
    readUntilMs: number(isOurs && content["readUntilMs"]) ?? 0,
  };
}

function parsed(content: string): Readonly<Record<string, unknown>> {
  const value = parseJson(content);
  return isRecord(value) ? value : {};
}

function entries<Value>(value: unknown, read: (value: unknown) => Value | undefined): [string, Value][] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, found]: [string, unknown]): [string, Value][] => {
    const one = read(found);
    return one === undefined ? [] : [[key, one]];
  });
}

function mergedPull(value: unknown): MergedPull | undefined {
  if (!Array.isArray(value)) return undefined;
  const [atMs, pull] = [number(value[0]), number(value[1])];
  return atMs === undefined || pull === undefined ? undefined : { atMs, number: pull };
}

function number(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
