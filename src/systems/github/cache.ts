import { isRecord } from "../../document/fields.ts";
import { parseJson } from "../../document/json.ts";
import type { BranchContent, MergedPull, Run } from "../../ports.ts";
import { fileCache } from "../files/cache.ts";

/** The content of a commit, and the commit where it left the base; empty if there is none. */
export interface CachedContent extends Omit<BranchContent, "isCurrent"> {
  readonly fork: string;
}

/** The cached data of a repository. No decision depends on it alone, so that losing it only costs requests. */
export interface CachedData {
  /** The pull requests that brought commits to the base, by commit. */
  readonly merges: Map<string, MergedPull>;
  /** Those of these commits that GitHub made by merging. The others came with a pull request, or are its head. */
  readonly results: Set<string>;
  /** Commits without a known pull request, and the time of the first search. Unix milliseconds. */
  readonly unmerged: Map<string, number>;
  /** The contents of branch tips. */
  readonly tips: Map<string, CachedContent>;
  /** Tips of branches without an open pull request that are not left from a merge. */
  readonly parked: Set<string>;
  /** `merges` has every merged pull request that was updated before this time. Unix milliseconds. */
  readUntilMs: number;
}

/** A cache in one file. */
export interface MergeCache {
  /** The cached data, read at first use. An unreadable or invalid file counts as empty. */
  recall(): Promise<CachedData>;
  /** Writes the data, together with the merges that other runs wrote meanwhile. Only logs a warning if that fails. */
  keep(run: Run): Promise<void>;
}

/** The cache at `folder`/`name`.json. */
export function openCache(folder: string, name: string): MergeCache {
  const files = fileCache(folder, { what: "merge times" });
  const key = `${encodeURIComponent(name)}.json`;
  const read = async (): Promise<CachedData> => parse((await files.read(key)) ?? "");
  let data: Promise<CachedData> | undefined;
  const recall = (): Promise<CachedData> => (data ??= read());
  return {
    recall,
    keep: async (run) => {
      const ours = await recall();
      const theirs = await read();
      for (const [commit, pull] of theirs.merges) ours.merges.set(commit, pull);
      for (const commit of theirs.results) ours.results.add(commit);
      for (const [commit, atMs] of theirs.unmerged) {
        ours.unmerged.set(commit, Math.min(atMs, ours.unmerged.get(commit) ?? atMs));
      }
      for (const commit of ours.merges.keys()) ours.unmerged.delete(commit);
      ours.readUntilMs = Math.max(ours.readUntilMs, theirs.readUntilMs);
      await files.write(new Map([[key, print(ours)]]), run);
    },
  };
}

function print({ merges, results, unmerged, tips, parked, readUntilMs }: CachedData): string {
  return JSON.stringify({
    format: 2,
    readUntilMs,
    merges: Object.fromEntries([...merges].map(([commit, { atMs, number }]) => [commit, [atMs, number]])),
    results: Object.fromEntries([...results].map((commit) => [commit, 1])),
    unmerged: Object.fromEntries(unmerged),
    tips: Object.fromEntries([...tips].map(([tip, content]) => [tip, { ...content, files: [...content.files] }])),
    parked: Object.fromEntries([...parked].map((tip) => [tip, 1])),
  });
}

function parse(text: string): CachedData {
  const parsed = parseJson(text);
  const content: Readonly<Record<string, unknown>> = isRecord(parsed) ? parsed : {};
  const isOurs = content["format"] === 2;
  return {
    merges: new Map(entries(isOurs && content["merges"], mergedPull)),
    results: new Set(entries(isOurs && content["results"], number).map(([commit]) => commit)),
    unmerged: new Map(entries(isOurs && content["unmerged"], number)),
    tips: new Map(entries(isOurs && content["tips"], cachedContent)),
    parked: new Set(entries(isOurs && content["parked"], number).map(([tip]) => tip)),
    readUntilMs: number(isOurs && content["readUntilMs"]) ?? 0,
  };
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

function cachedContent(value: unknown): CachedContent | undefined {
  if (!isRecord(value)) return undefined;
  const { fork, author, isMarked, others, files } = value;
  if (typeof fork !== "string" || typeof author !== "string" || typeof isMarked !== "boolean") return undefined;
  if (!Array.isArray(others) || !others.every(isText) || !Array.isArray(files) || !files.every(isFile))
    return undefined;
  return { fork, author, isMarked, others, files: new Map(files) };
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isFile(value: unknown): value is [string, string] {
  return Array.isArray(value) && value.length === 2 && value.every(isText);
}

function number(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}
