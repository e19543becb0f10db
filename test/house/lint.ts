// Lints every file of the project. Typed rules depend on the types that a file imports, so a file is linted again unless it,
// everything that it imports, and the rules are what they were when it passed.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import ts from "typescript";
import { root } from "./clone.ts";
import { checkOnce, filesBelow, sha256 } from "./passed.ts";

/** Files that every verdict depends on. */
const RULES = ["eslint.config.js", "test/house/pureFiles.ts", "package-lock.json", "tsconfig.json"];

interface SourceText {
  readonly text: string;
  /** The files of the project that it imports, relative to the root. */
  readonly imports: readonly string[];
  /** Whether it declares types for files that do not import it. */
  readonly isAmbient: boolean;
}

function read(path: string): SourceText {
  const text = readFileSync(join(root, path), "utf8");
  const imports = ts
    .preProcessFile(text, true, true)
    .importedFiles.filter(({ fileName }) => fileName.startsWith("."))
    .map(({ fileName }) => relative(root, resolve(root, dirname(path), fileName)));
  return { text, imports, isAmbient: /^declare (?:module|global)\b/m.test(text) };
}

/** Everything that a file imports, directly or indirectly, and the file itself. */
function closureOf(path: string, sources: ReadonlyMap<string, SourceText>): readonly string[] {
  const found = new Set([path]);
  for (const one of found) for (const next of sources.get(one)?.imports ?? []) found.add(next);
  return [...found].sort();
}

/** For each file, a hash of all that the verdict on it depends on. */
function keysOf(paths: readonly string[]): ReadonlyMap<string, string> {
  const sources = new Map(paths.map((path) => [path, read(path)]));
  const rules = RULES.map((path) => readFileSync(join(root, path), "utf8"));
  const ambient = [...sources.values()].filter(({ isAmbient }) => isAmbient).map(({ text }) => text);
  const common = sha256([process.version, ...rules, ...ambient]);
  const hashes = new Map([...sources].map(([path, { text }]) => [path, sha256([path, text])]));
  const textOf = (path: string): string => (existsSync(path) ? readFileSync(path, "utf8") : "");
  const hashOf = (path: string): string => hashes.get(path) ?? sha256([path, textOf(join(root, path))]);
  return new Map(paths.map((path) => [path, sha256([common, ...closureOf(path, sources).map(hashOf)])]));
}

const sources = filesBelow(root).filter((path) => /\.(?:ts|js|cjs)$/.test(path));

await checkOnce("lint", keysOf(sources), async (due) => {
  // Loaded here, since files that passed before do not need it.
  const { ESLint } = await import("eslint");
  const eslint = new ESLint({ cwd: root, passOnNoPatterns: true });
  const ignored = await Promise.all(due.map((path) => eslint.isPathIgnored(join(root, path))));
  const results = await eslint.lintFiles(due.filter((_, at) => ignored[at] === false));
  const complaints = results.filter(({ messages }) => messages.length > 0);
  if (complaints.length > 0) console.log(await (await eslint.loadFormatter("stylish")).format(complaints));
  return new Set(complaints.map(({ filePath }) => relative(root, filePath)));
});
