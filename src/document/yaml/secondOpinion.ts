import { isDeepStrictEqual } from "node:util";
import { parseDocument } from "yaml";
import { shorten, type YamlProblem } from "./judge.ts";
import { yamlOffset, type YamlNode, type YamlPath } from "./tree.ts";

/**
 * The objections of the package `yaml` to `value`, which js-yaml read from `text`: it refuses the text, or reads another
 * value. Empty when both agree.
 *
 * A list of the cases in which the two differ would be long and never complete; running both is short and exact.
 */
export function secondOpinion(text: string, tree: YamlNode, value: unknown): readonly YamlProblem[] {
  // `uniqueKeys` compares each key with each other; `judgeNodes` has searched for duplicates already.
  const options = { version: "1.2", uniqueKeys: false, prettyErrors: false, logLevel: "silent" } as const;
  const document = parseDocument(text, options);
  const errors = [...document.errors, ...document.warnings];
  if (errors.length > 0) return errors.map(({ pos: [offset], message }) => refusal(offset, message));
  let second: unknown;
  try {
    // `judgeNodes` has limited the size of the aliases already.
    second = document.toJS({ maxAliasCount: -1 });
  } catch (error) {
    // `yaml` reads an alias where js-yaml reads text.
    return [refusal(0, String(error))];
  }
  const path = firstDifference(value, second, []);
  if (path === undefined) return [];
  const message = "YAML parsers read this value differently.";
  const remedy = "Write it in quotes, on a line of its own.";
  return [{ offset: yamlOffset(tree, path), rule: "yaml-readers", message, remedy }];
}

function refusal(offset: number, reason: string): YamlProblem {
  const message = `Some YAML parsers refuse this: ${shorten(reason.replace(/\.$/, ""), 200)}.`;
  return { offset, rule: "yaml-syntax", message, remedy: "Correct the syntax." };
}

function firstDifference(a: unknown, b: unknown, path: YamlPath): YamlPath | undefined {
  if (isDeepStrictEqual(a, b)) return undefined;
  if (!isCollection(a) || !isCollection(b)) return path;
  for (const key of Object.keys(a)) {
    const difference = firstDifference(a[key], b[key], [...path, Array.isArray(a) ? Number(key) : key]);
    if (difference !== undefined) return difference;
  }
  return path;
}

function isCollection(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

const QUOTED = /"[ !#-[\]-~]*"|'[ -&(-~]*'/.source;
const KEY = `(?:[A-Za-z0-9_][A-Za-z0-9_./$-]*|${QUOTED})`;
const WORDS = /[A-Za-z0-9_/.+~$(](?:[!-9;-~]|:(?=[!-~])| +(?=[!-"$-~]))*/.source;
const LIST = /\[ *(?:[A-Za-z0-9_./-]+(?:, *[A-Za-z0-9_./-]+)* *)?\]/.source;
const VALUE = `(?:${WORDS}|${QUOTED}|${LIST}|\\{ *\\})`;
const LINE = new RegExp(`^(?: *|(?: *(?:- +)*${KEY}:(?: +${VALUE})?| *(?:- +)+${VALUE})(?: +|$))(?:#[ -~]*)?$`);

/** The regular expression needs stack for every character. */
const LONGEST_PLAIN = 10_000;

/**
 * Whether all parsers certainly read `text` alike: each line is a key, an item or a comment, with a value on one line.
 * True of nearly all files of a catalogue; a property test compares both parsers.
 */
export function isPlainStyle(text: string): boolean {
  return text.split("\n").every((line) => line.length <= LONGEST_PLAIN && LINE.test(line));
}
