import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseJson } from "../../src/document/json.ts";
import { environmentFrom } from "../../src/systems/environment.ts";
import { replaceFile } from "../../src/systems/files/replaceFile.ts";
import { root } from "./clone.ts";

/** Folders without files of the project. */
const SKIPPED: ReadonlySet<string> = new Set(["node_modules", "dist", "coverage", ".git"]);

/** The files below a folder, relative to it. */
export function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (!entry.isDirectory()) return [entry.name];
    if (SKIPPED.has(entry.name)) return [];
    return filesBelow(join(folder, entry.name)).map((path) => join(entry.name, path));
  });
}

/** One hash of several texts. */
export function sha256(texts: readonly string[]): string {
  const hash = createHash("sha256");
  for (const text of texts) hash.update(`${text.length}:`).update(text);
  return hash.digest("hex");
}

/**
 * Checks the files that did not pass before with the same key, and remembers those that pass now, for all clones of this
 * user. Prints how many were checked, and sets the exit code.
 *
 * Takes:  `keys`, file to a hash of all that the verdict on it depends on; `check`, which gives the files that fail.
 */
export async function checkOnce(
  name: string,
  keys: ReadonlyMap<string, string>,
  check: (due: readonly string[]) => Promise<ReadonlySet<string>>,
): Promise<void> {
  const cache = join(environmentFrom(process.env).cacheDir, "kyma-modules", "checks", `${name}.json`);
  const passed = readPassed(cache);
  const due = [...keys.keys()].filter((path) => !passed.has(keys.get(path) ?? ""));
  const failing = due.length === 0 ? new Set<string>() : await check(due);
  mkdirSync(dirname(cache), { recursive: true });
  // Two runs may write at the same time: the last one wins, and the file is always complete.
  replaceFile(cache, JSON.stringify([...keys].flatMap(([path, key]) => (failing.has(path) ? [] : [key]))));
  const others = due.length < keys.size ? "; the others passed before, unchanged" : "";
  console.log(`${due.length} of ${keys.size} checked${others}`);
  process.exitCode = failing.size > 0 ? 1 : 0;
}

/**
 * Checks something as a whole, unless it passed before as it is.
 *
 * Takes:  `paths`, the files that the verdict depends on, relative to the root; `check`, which gives whether it passes.
 */
export async function checkWholeOnce(
  name: string,
  paths: readonly string[],
  check: () => boolean | Promise<boolean>,
): Promise<void> {
  const key = sha256(paths.toSorted().flatMap((path) => [path, readFileSync(join(root, path), "utf8")]));
  await checkOnce(name, new Map([[name, key]]), async () => new Set((await check()) ? [] : [name]));
}

/** The keys of files that passed before; none if the file that lists them is missing or damaged. */
function readPassed(cache: string): ReadonlySet<unknown> {
  const keys = existsSync(cache) ? parseJson(readFileSync(cache)) : undefined;
  return new Set(Array.isArray(keys) ? keys : []);
}
