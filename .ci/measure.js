// `node .ci/measure.js [ROOT]`: the shape of src/ in figures, as JSON, and how much of its wording tests repeat.
// What the figures count is listed with -v.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import ts from "typescript";
import { repeatedSentences } from "./sentences.js";

const args = process.argv.slice(2);
const isVerbose = args.includes("-v");
const root = resolve(args.find((one) => one !== "-v") ?? ".");
const src = join(root, "src");

/** Types that carry values from one function to the next, by the last word of their names. */
const BAG =
  /(?:World|Ports|Context|Question|Stage|Ground|Facts|Input|Inputs|Options|Arguments|Place|Site|Setting|Settings|Parts|Request|Gathered|Job|Work|Task|Scope|Frame|Means|Tools|Needs|Reading|Look)$/;

/** The lines of a function with a body, and its name; an arrow function counts if it has a name. */
function functionIn(node, lineOf) {
  const isDeclared = ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node);
  const isNamedValue =
    (ts.isArrowFunction(node) || ts.isFunctionExpression(node)) && ts.isVariableDeclaration(node.parent);
  if (!isNamedValue && (!(isDeclared || ts.isConstructorDeclaration(node)) || node.body === undefined)) return [];
  const name = (isNamedValue ? node.parent.name : node.name)?.getText();
  return [{ name, length: lineOf(node.getEnd()) - lineOf(node.getStart()) + 1, isTop: ts.isFunctionDeclaration(node) }];
}

/** Whether a file is loaded only when a call needs it. */
function isLateImport(node) {
  return ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword;
}

/** Whether an import takes types only, so that nothing is loaded. */
function isTypeImport(node) {
  return node.importClause?.isTypeOnly === true || node.isTypeOnly === true;
}

/** What an import or an export refers to. */
function specifierOf(node) {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return node.moduleSpecifier?.text;
  return isLateImport(node) ? node.arguments[0]?.text : undefined;
}

/** The names that an import takes from another file. */
function takenNames(node) {
  const bindings = ts.isImportDeclaration(node) ? node.importClause?.namedBindings : node.exportClause;
  if (bindings === undefined || !("elements" in bindings)) return [];
  return bindings.elements.map(({ name, propertyName }) => (propertyName ?? name).text);
}

/** The names that `const { a, b } = await import(…)` takes. */
function lateNames(node) {
  const declaration = ts.isAwaitExpression(node.parent) ? node.parent.parent : undefined;
  if (declaration === undefined || !ts.isVariableDeclaration(declaration)) return [];
  const { name } = declaration;
  return ts.isObjectBindingPattern(name) ? name.elements.map((one) => (one.propertyName ?? one.name).getText()) : [];
}

const TYPES = [ts.SyntaxKind.InterfaceDeclaration, ts.SyntaxKind.TypeAliasDeclaration];

/** The top-level definitions of a file, its functions, and what it imports of ours. */
function read(folder, path) {
  const text = readFileSync(join(folder, path), "utf8");
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const lineOf = (position) => file.getLineAndCharacterOfPosition(position).line;
  const types = file.statements.filter(({ kind }) => TYPES.includes(kind));
  const exported = file.statements.filter(({ modifiers }) =>
    modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword),
  );
  const functions = [];
  const imports = new Set();
  const values = new Set();
  const late = new Set();
  const taken = [];
  const visit = (node) => {
    functions.push(...functionIn(node, lineOf));
    const target = specifierOf(node);
    if (target?.startsWith(".") && target.endsWith(".ts")) {
      const place = join(dirname(path), target);
      imports.add(place);
      if (!isTypeImport(node)) values.add(place);
      if (isLateImport(node)) late.add(place);
      const names = isLateImport(node) ? lateNames(node) : takenNames(node);
      taken.push(...names.map((name) => `${place}:${name}`));
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  const lines = text.split("\n").slice(0, -1);
  return {
    path,
    lines: lines.length,
    characters: lines.map((line) => line.length),
    types: types.map(({ name }) => name.text),
    typeLines: types.reduce((sum, one) => sum + lineOf(one.getEnd()) - lineOf(one.getStart()) + 1, 0),
    exports: exported.flatMap(
      (one) => one.name?.text ?? one.declarationList?.declarations.map(({ name }) => name.getText()) ?? [],
    ),
    functions,
    imports: [...imports],
    values: [...values],
    late,
    taken,
  };
}

function readAll(folder) {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".ts"));
  return paths.map((path) => read(folder, path));
}

const files = readAll(src);
const importers = new Map(files.map(({ path }) => [path, []]));
for (const { path, imports } of files) for (const target of imports) importers.get(target)?.push(path);
const byPath = new Map(files.map((file) => [file.path, file]));

/** Names that more than one file defines, those most often defined first. */
function repeated(namesIn) {
  const places = new Map();
  for (const file of files)
    for (const name of new Set(namesIn(file))) places.set(name, [...(places.get(name) ?? []), file.path]);
  return [...places]
    .filter(([, own]) => own.length > 1)
    .sort(([, one], [, other]) => other.length - one.length)
    .map(([name, own]) => [name, ...own]);
}

/** By file, the longest chain of imports from it; `inside`: those of one folder only. */
function chains(inside = () => true) {
  const known = new Map();
  const from = (path) => {
    if (!known.has(path)) {
      known.set(path, [path]);
      const next = byPath
        .get(path)
        .imports.filter((target) => byPath.has(target) && inside(target))
        .map(from);
      known.set(path, [path, ...(next.sort((one, other) => other.length - one.length)[0] ?? [])]);
    }
    return known.get(path);
  };
  return [...byPath.keys()]
    .filter(inside)
    .map(from)
    .sort((one, other) => one.length - other.length);
}

const at = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
const sum = (numbers) => numbers.reduce((total, one) => total + one, 0);
const percent = (part, whole) => Math.round((1000 * part) / whole) / 10;
const mean = (numbers) => Math.round((10 * sum(numbers)) / numbers.length) / 10;

/** How often each export is imported, by `path:name`. */
function uses(readers) {
  const counted = new Map();
  for (const { taken } of readers) for (const key of new Set(taken)) counted.set(key, (counted.get(key) ?? 0) + 1);
  return counted;
}

const exported = files.flatMap(({ path, exports }) => exports.map((name) => `${path}:${name}`));
const used = uses(files);
const tested = existsSync(join(root, "test"))
  ? uses(
      readAll(join(root, "test")).map(({ path, taken }) => ({
        taken: taken.map((one) => relative("src", join("test", one))),
        path,
      })),
    )
  : new Map();
const functions = files.flatMap((file) => file.functions);
const lengths = functions.map(({ length }) => length).sort((one, other) => one - other);
const topNames = files.flatMap((file) => file.functions.filter(({ isTop }) => isTop).map(({ name }) => name));
const sharedFunctions = repeated((file) => file.functions.filter(({ isTop }) => isTop).map(({ name }) => name));
const typesTwice = repeated((file) => file.types);
const alone = files.filter(({ path }) => {
  const [only, ...others] = importers.get(path);
  return only !== undefined && others.length === 0 && !byPath.get(only).late.has(path);
});
const folders = [...new Set(files.map(({ path }) => dirname(path)))];
const floors = folders
  .map((folder) => chains((path) => dirname(path) === folder).at(-1) ?? [])
  .sort((one, other) => other.length - one.length);
const depths = chains();
const bags = files.flatMap(({ path, types }) =>
  types.filter((name) => BAG.test(name)).map((name) => `${path}: ${name}`),
);
const sentences = repeatedSentences(root);
const lines = sum(files.map((file) => file.lines));
const styles = readdirSync(src, { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".css"))
  .map((path) => readFileSync(join(src, path), "utf8"));
const classes = [...new Set(styles.flatMap((text) => text.match(/(?<=\.)[a-z][\w-]*(?=[^{}]*\{)/gi) ?? []))];
const guide = join(root, ".github/CONTRIBUTING.md");
const glossary = existsSync(guide) ? (readFileSync(guide, "utf8").split(/^#+ .*(?:Words|Glossary).*$/m)[1] ?? "") : "";

const figures = {
  lines,
  files: files.length,
  functionsPerThousandLines: Math.round((1000 * functions.length) / lines),
  shortFunctions: `${percent(lengths.filter((length) => length <= 5).length, lengths.length)} % of at most 5 lines`,
  functionLength: { median: at(lengths, 0.5), p90: at(lengths, 0.9) },
  exportsWithOneImporter: `${percent(exported.filter((key) => used.get(key) === 1).length, exported.length)} %`,
  exportsForTestsOnly: exported.filter((key) => !used.has(key) && tested.has(key)).length,
  importDepth: { median: at(depths, 0.5).length, max: depths.at(-1).length },
  floorsInOneFolder: floors[0].length,
  typeLines: `${percent(sum(files.map((file) => file.typeLines)), lines)} %`,
  bags: bags.length,
  namesEndingInOf: `${percent(topNames.filter((name) => /Of$/.test(name)).length, topNames.length)} %`,
  nameLength: mean(topNames.map((name) => name.length)),
  namesShared: `${percent(sum(sharedFunctions.map(([, ...own]) => own.length)), topNames.length)} %`,
  typesDefinedTwice: typesTwice.length,
  charactersPerLine: mean(files.flatMap((file) => file.characters)),
  singleImporter: alone.length,
  composeLines: sum(files.filter(({ path }) => path.startsWith("cli/compose/")).map((file) => file.lines)),
  css: {
    lines: sum(styles.map((text) => text.split("\n").length - 1)),
    classes: classes.length,
    shortClasses: classes.filter((name) => name.length <= 4).length,
  },
  glossaryWords: (glossary.match(/^\| (?!word |--)/gm) ?? []).length,
  sentencesInTests: sentences.length,
};
const lists = {
  sharedFunctions,
  typesTwice,
  endingInOf: files.flatMap((file) =>
    file.functions.filter(({ name, isTop }) => isTop && /Of$/.test(name)).map(({ name }) => `${file.path}: ${name}`),
  ),
  bags,
  forTestsOnly: exported.filter((key) => !used.has(key) && tested.has(key)),
  alone: alone.map(({ path, lines: own }) => `${importers.get(path)[0]} <- ${path} (${own})`),
  largeFolders: folders
    .map((folder) => [folder, files.filter(({ path }) => dirname(path) === folder).length])
    .filter(([, count]) => count > 15),
  floors: floors[0],
  deepest: depths.at(-1),
  classes: classes.filter((name) => name.length <= 4),
  sentences,
};
process.stdout.write(`${JSON.stringify(isVerbose ? { ...figures, ...lists } : figures, null, 1)}\n`);
