// Which texts of test/ repeat the wording of src/. A change of such a sentence breaks them, although behaviour is the same.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

/** As many words in a row, with nothing between them but commas, are wording. */
const WORDS = 4;
const RUN = /(?<![\w@/.-])[A-Za-z][a-z'’-]*(?:,? [A-Za-z][a-z'’-]*)+(?![\w/=:-]*[/=])/g;
/** YAML, which a test gives rather than expects. */
const INPUT = /[{:]\s*\n|apiVersion|\{ /;
const TITLES = /^(?:it|long|describe|describeUnless|test)\b/;

/** All sequences of `WORDS` words in a text. */
function wordings(text) {
  const runs = (text.match(RUN) ?? []).map((run) => run.toLowerCase().replaceAll(",", "").split(" "));
  return runs.flatMap((words) => words.slice(WORDS - 1).map((_, index) => words.slice(index, index + WORDS).join(" ")));
}

/** Whether the text names a test: an argument of `it` or `long`, or the first of a row of `it.each`. */
function isTitle(node) {
  let { parent } = node;
  let child = node;
  while (ts.isTemplateSpan(parent) || ts.isTemplateExpression(parent)) [child, parent] = [parent, parent.parent];
  if (ts.isArrayLiteralExpression(parent) && parent.elements[0] === child) parent = parent.parent.parent;
  return parent !== undefined && ts.isCallExpression(parent) && TITLES.test(parent.expression.getText());
}

/** The texts of a file: strings, parts of templates, and regular expressions. */
function textsOf(path) {
  const file = ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest, true);
  const texts = [];
  const visit = (node) => {
    const isText = ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node);
    if (isText || ts.isRegularExpressionLiteral(node)) texts.push({ file, node, text: node.text });
    ts.forEachChild(node, visit);
  };
  visit(file);
  return texts;
}

/** The places `file:line: text` of `root/test` that repeat wording of `root/src`. */
export function repeatedSentences(root) {
  const textsIn = (folder, ending) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(ending))
      .flatMap((path) => textsOf(join(root, folder, path)));
  const said = new Set(textsIn("src", ".ts").flatMap(({ text }) => wordings(text)));
  return textsIn("test", ".test.ts")
    .filter(({ text, node }) => !INPUT.test(text) && !isTitle(node) && wordings(text).some((one) => said.has(one)))
    .map(({ file, node, text }) => {
      const { line } = file.getLineAndCharacterOfPosition(node.getStart());
      return `${file.fileName.slice(root.length + 1)}:${String(line + 1)}: ${text.replaceAll("\n", "\\n")}`;
    });
}
