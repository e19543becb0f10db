// `node .ci/measure.js [ROOT]`: the shape of src/ in figures, as JSON, and how much of its wording tests repeat.
// What stands more than once is listed with -v.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import ts from "typescript";
import { repeatedSentences } from "./sentences.js";

const args = process.argv.slice(2);
const isVerbose = args.includes("-v");
const root = resolve(args.find((one) => one !== "-v") ?? ".");
const src = join(root, "src");
const paths = readdirSync(src, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".ts"));

/** The lines of a function with a body; an arrow function counts where it has a name. */
function lengthOf(node, lineOf) {
  const isNamed =
    ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node) || ts.isConstructorDeclaration(node)
      ? node.body !== undefined
      : (ts.isArrowFunction(node) || ts.isFunctionExpression(node)) && ts.isVariableDeclaration(node.parent);
  return isNamed ? [lineOf(node.getEnd()) - lineOf(node.getStart()) + 1] : [];
}

/** Whether a file is loaded only when a call needs it. */
function isLateImport(node) {
  return ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword;
}

/** What an import or an export names. */
function specifierOf(node) {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return node.moduleSpecifier?.text;
  return isLateImport(node) ? node.arguments[0]?.text : undefined;
}

const TYPES = [ts.SyntaxKind.InterfaceDeclaration, ts.SyntaxKind.TypeAliasDeclaration, ts.SyntaxKind.ClassDeclaration];

/** The top-level definitions of a file, its functions, and what it imports of ours. */
function read(path) {
  const text = readFileSync(join(src, path), "utf8");
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const named = (kinds) => file.statements.flatMap(({ kind, name }) => (kinds.includes(kind) ? [name?.text] : []));
  const lineOf = (position) => file.getLineAndCharacterOfPosition(position).line;
  const lengths = [];
  const imports = new Set();
  const late = new Set();
  const visit = (node) => {
    lengths.push(...lengthOf(node, lineOf));
    const target = specifierOf(node);
    if (target?.startsWith(".") && target.endsWith(".ts")) {
      imports.add(join(dirname(path), target));
      if (isLateImport(node)) late.add(join(dirname(path), target));
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return {
    path,
    lines: text.split("\n").length - 1,
    types: named(TYPES),
    functions: named([ts.SyntaxKind.FunctionDeclaration]),
    lengths,
    imports: [...imports],
    late,
  };
}

const files = paths.map(read);
const importers = new Map(files.map(({ path }) => [path, []]));
for (const { path, imports } of files) for (const target of imports) importers.get(target)?.push(path);

/** Names that more than one file defines, those most often defined first. */
function repeated(namesOf) {
  const places = new Map();
  for (const file of files)
    for (const name of namesOf(file)) places.set(name, [...(places.get(name) ?? []), file.path]);
  return [...places]
    .filter(([, own]) => own.length > 1)
    .sort(([, one], [, other]) => other.length - one.length)
    .map(([name, own]) => [name, ...own]);
}

/** The longest chain of imports that stays below a folder, in files. */
function depth(folder) {
  const inside = new Map(
    files.filter(({ path }) => path.startsWith(`${folder}/`)).map((file) => [file.path, file.imports]),
  );
  const known = new Map();
  const from = (path) => {
    if (!known.has(path)) {
      known.set(path, [path]);
      const chains = (inside.get(path) ?? []).filter((next) => inside.has(next)).map(from);
      known.set(path, [path, ...(chains.sort((one, other) => other.length - one.length)[0] ?? [])]);
    }
    return known.get(path);
  };
  return [...inside.keys()].map(from).sort((one, other) => other.length - one.length)[0] ?? [];
}

const sorted = files.flatMap(({ lengths }) => lengths).sort((one, other) => one - other);
const byPath = new Map(files.map((file) => [file.path, file]));
const alone = files.filter(({ path }) => {
  const [only, ...others] = importers.get(path);
  return only !== undefined && others.length === 0 && dirname(only) === dirname(path);
});
/** What is loaded late cannot be part of the file that loads it. */
const isLate = ({ path }) => byPath.get(importers.get(path)[0]).late.has(path);
const folders = [...new Set(paths.map(dirname))]
  .map((folder) => [folder, paths.filter((path) => dirname(path) === folder).length])
  .sort(([, a], [, b]) => b - a);
const [types, functions, chain] = [repeated((file) => file.types), repeated((file) => file.functions), depth("cli")];
const sentences = repeatedSentences(root);
const lists = {
  types,
  functions,
  alone: alone
    .filter((file) => !isLate(file))
    .map(({ path, lines }) => `${importers.get(path)[0]} <- ${relative(dirname(path), path)} (${String(lines)})`),
  folders: folders.filter(([, count]) => count > 15),
  chain,
  sentences,
};
const figures = {
  files: files.length,
  lines: files.reduce((sum, { lines }) => sum + lines, 0),
  functions: sorted.length,
  functionMedian: sorted[Math.floor(sorted.length / 2)],
  typesDefinedTwice: types.length,
  functionsDefinedTwice: functions.length,
  singleImporterInFolder: alone.filter((file) => !isLate(file)).length,
  loadedLateInFolder: alone.filter(isLate).length,
  largestFolder: folders[0],
  cliDepth: chain.length,
  sentencesInTests: sentences.length,
};
process.stdout.write(`${JSON.stringify(isVerbose ? { ...figures, ...lists } : figures, null, 1)}\n`);
