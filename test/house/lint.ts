// Lints every file of the project. Typed rules look at what a file imports, so a file passes without being linted again
// only while it, everything that it imports, and the rules are what they were when it passed.
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { ESLint } from "eslint";
import ts from "typescript";
import { environmentFrom } from "../../src/systems/environment.ts";

const ROOT = join(import.meta.dirname, "../..");
const LINTED = /\.(?:ts|js|cjs)$/;
/** Folders that hold nothing of the project. */
const SKIPPED: ReadonlySet<string> = new Set(["node_modules", "dist", "coverage", ".git"]);
/** What the verdict on each file depends on, beside its imports. */
const RULES = ["eslint.config.js", "test/house/pureFiles.ts", "package-lock.json", "tsconfig.json"];

/** The file that remembers which files passed. */
const CACHE: string = join(environmentFrom(process.env).cacheDir, "kyma-modules", "lint", "passed.json");

/** The files below a folder that ESLint knows, relative to it. */
function filesBelow(root: string): readonly string[] {
  return readdirSync(root, { withFileTypes: true }).flatMap((entry) => {
    if (entry.isDirectory())
      return SKIPPED.has(entry.name) ? [] : filesBelow(join(root, entry.name)).map((path) => join(entry.name, path));
    return LINTED.test(entry.name) ? [entry.name] : [];
  });
}

interface SourceText {
  readonly text: string;
  /** The files of the project that it imports, relative to the root. */
  readonly imports: readonly string[];
  /** It declares types for files that do not import it. */
  readonly isAmbient: boolean;
}

function read(path: string): SourceText {
  const text = readFileSync(join(ROOT, path), "utf8");
  const imports = ts
    .preProcessFile(text, true, true)
    .importedFiles.filter(({ fileName }) => fileName.startsWith("."))
    .map(({ fileName }) => relative(ROOT, resolve(ROOT, dirname(path), fileName)));
  return { text, imports, isAmbient: /^declare (?:module|global)\b/m.test(text) };
}

/** Everything that a file imports, however indirectly, and the file itself. */
function closureOf(path: string, sources: ReadonlyMap<string, SourceText>): readonly string[] {
  const found = new Set([path]);
  for (const one of found) for (const next of sources.get(one)?.imports ?? []) found.add(next);
  return [...found].sort();
}

/** A hash for each file, of all that the verdict on it depends on. */
function keysOf(paths: readonly string[]): ReadonlyMap<string, string> {
  const sources = new Map(paths.map((path) => [path, read(path)]));
  const rules = RULES.map((path) => readFileSync(join(ROOT, path), "utf8"));
  const ambient = [...sources.values()].filter(({ isAmbient }) => isAmbient).map(({ text }) => text);
  const common = sha256([process.version, ...rules, ...ambient]);
  const hashes = new Map([...sources].map(([path, { text }]) => [path, sha256([path, text])]));
  const hashOf = (path: string): string => hashes.get(path) ?? sha256([path, readFileSync(join(ROOT, path), "utf8")]);
  return new Map(paths.map((path) => [path, sha256([common, ...closureOf(path, sources).map(hashOf)])]));
}

function sha256(texts: readonly string[]): string {
  const hash = createHash("sha256");
  for (const text of texts) hash.update(`${text.length}:`).update(text);
  return hash.digest("hex");
}

/** The keys of files that passed before; none where that cannot be read. */
function readPassed(): ReadonlySet<string> {
  try {
    return new Set(JSON.parse(readFileSync(CACHE, "utf8")) as string[]);
  } catch (error) {
    if (error instanceof SyntaxError || (error instanceof Error && "code" in error)) return new Set();
    throw error;
  }
}

/** Another run may write at the same time: the last one wins, and each is whole. */
function writePassed(keys: readonly string[]): void {
  mkdirSync(dirname(CACHE), { recursive: true });
  const draft = `${CACHE}.${process.pid}`;
  writeFileSync(draft, JSON.stringify(keys));
  renameSync(draft, CACHE);
}

const eslint = new ESLint({ cwd: ROOT });
const all = filesBelow(ROOT);
const ignored = await Promise.all(all.map((path) => eslint.isPathIgnored(join(ROOT, path))));
const keys = keysOf(all.filter((_, at) => ignored[at] === false));
const passed = readPassed();
const due = [...keys.keys()].filter((path) => !passed.has(keys.get(path) ?? ""));
const results = due.length === 0 ? [] : await eslint.lintFiles(due);
const complaints = results.filter(({ messages }) => messages.length > 0);
const failing = new Set(complaints.map(({ filePath }) => relative(ROOT, filePath)));
writePassed([...keys].flatMap(([path, key]) => (failing.has(path) ? [] : [key])));
if (complaints.length > 0) console.log(await (await eslint.loadFormatter("stylish")).format(complaints));
console.log(`${due.length} of ${keys.size} files linted; the others passed before as they are`);
process.exitCode = complaints.length > 0 ? 1 : 0;
