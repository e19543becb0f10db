/** A regular expression, as far as texts can be made for it. */
type Expression = PatternShape & {
  /** The length of the shortest text. */
  readonly least: number;
};
type PatternShape =
  | { readonly kind: "one-of"; readonly characters: string }
  | { readonly kind: "all"; readonly parts: readonly Expression[] }
  | { readonly kind: "any"; readonly parts: readonly Expression[] }
  | { readonly kind: "repeat"; readonly part: Expression; readonly min: number; readonly max: number };

const LOWER = "abcdefghijklmnopqrstuvwxyz";
const DIGITS = "0123456789";
const WORD = `${LOWER}${LOWER.toUpperCase()}${DIGITS}_`;
/** Every printable character, those first that most things accept. */
const PRINTABLE = `${WORD}-.:/ !"#$%&'()*+,;<=>?@[\\]^\`{|}~`;

const ESCAPES: Readonly<Record<string, string>> = {
  d: DIGITS,
  w: WORD,
  s: " \t",
  D: without(DIGITS),
  W: without(WORD),
  S: without(" "),
  t: "\t",
  n: "\n",
};

/** Where nothing stands: anchors, which the texts fulfil, since they hold nothing but what the expression asks for. */
const NOTHING: Expression = { kind: "all", parts: [], least: 0 };

/**
 * A short text that a regular expression matches, of at least `length` characters where the expression lets it be so
 * long. Texts of different `choice` differ, where the expression leaves a choice. The text is built, and nothing is
 * matched: an expression that hangs JavaScript's engine is harmless.
 *
 * `undefined` for what is beyond a few lines: classes by name, flags, look-around, word boundaries, back references.
 */
export function textFor(pattern: string, length: number, choice: number): string | undefined {
  const expression = read(pattern);
  return expression && generate(expression, { spare: Math.max(0, length - expression.least), choice });
}

function charactersThat(fit: (character: string) => boolean): string {
  return PRINTABLE.split("").filter(fit).join("");
}

function without(characters: string): string {
  return charactersThat((character) => !characters.includes(character));
}

/** The pieces of an expression: a class, an escape, a quantifier, the start of a group, or one character. */
const TOKENS = /\[\^?\]?(?:\\.|[^\]\\])*\]|\\.|\{\d+(?:,\d*)?\}\??|[*+?]\??|\(\?:|\(\?P?<[A-Za-z]\w*>|\(\?|./gsu;
const UNREADABLE = /^\(\?$|^\\[bBpPxuQEkzZGKRX1-9]$|\[:/;

/** Nobody writes a larger expression by hand. */
const MOST = { characters: 2000, groups: 100 } as const;

function read(pattern: string): Expression | undefined {
  if (pattern.length > MOST.characters) return undefined;
  const tokens = [...pattern.replaceAll("\\z", "$").replaceAll("\\A", "^").matchAll(TOKENS)].map(([token]) => token);
  const groups = tokens.filter((token) => token.startsWith("(")).length;
  const isReadable = groups <= MOST.groups && !tokens.some((token) => UNREADABLE.test(token));
  return isReadable ? alternatives(tokens.reverse()) : undefined;
}

/** Reads up to the end of a group, or to the end of all. Takes the tokens out of `rest`, which is in reverse order. */
function alternatives(rest: string[]): Expression {
  let current: Expression[] = [];
  const found = [current];
  for (let token = rest.pop(); token !== undefined && token !== ")"; token = rest.pop()) {
    const count = quantifier(token);
    if (token === "|") found.push((current = []));
    else if (count) current.push(repeat(current.pop() ?? NOTHING, count));
    else current.push(token.startsWith("(") ? alternatives(rest) : single(token));
  }
  const parts = found.map(all);
  return { kind: "any", parts, least: Math.min(...parts.map(({ least }) => least)) };
}

function all(parts: readonly Expression[]): Expression {
  return { kind: "all", parts, least: parts.reduce((length, { least }) => length + least, 0) };
}

function oneOf(characters: string): Expression {
  return { kind: "one-of", characters, least: 1 };
}

function repeat(part: Expression, count: Repetition): Expression {
  return { kind: "repeat", part, ...count, least: count.min * part.least };
}

/** How often something is repeated. */
interface Repetition {
  readonly min: number;
  readonly max: number;
}

function quantifier(token: string): Repetition | undefined {
  if (/^[*+?]/.test(token)) return { min: token.startsWith("+") ? 1 : 0, max: token.startsWith("?") ? 1 : Infinity };
  const numbers = /^\{(\d+)(,?)(\d*)\}/.exec(token);
  if (numbers === null) return undefined;
  const [, min, comma, max] = numbers;
  if (comma === "") return { min: Number(min), max: Number(min) };
  return { min: Number(min), max: max === "" ? Infinity : Number(max) };
}

function single(token: string): Expression {
  if (token === "^" || token === "$") return NOTHING;
  if (token === ".") return oneOf(PRINTABLE);
  if (token.startsWith("\\")) return oneOf(escaped(token));
  return oneOf(token.length > 1 ? members(token) : token);
}

function escaped(token: string): string {
  const character = token.slice(1);
  return ESCAPES[character] ?? character;
}

/** The characters of a class such as `[^a-z\d_]`. */
function members(token: string): string {
  const isNegated = token.startsWith("[^");
  const pieces = token.slice(isNegated ? 2 : 1, -1).match(/\\.|[^\\]/gsu) ?? [];
  let found = "";
  for (let index = 0; index < pieces.length; index++) {
    const [piece = "", dash, end = ""] = pieces.slice(index, index + 3);
    const isRange = dash === "-" && end !== "";
    found += isRange ? range(escaped(`\\${last(piece)}`), last(end)) : pieceOf(piece);
    if (isRange) index += 2;
  }
  return isNegated ? without(found) : found;
}

function pieceOf(piece: string): string {
  return piece.startsWith("\\") ? escaped(piece) : piece;
}

function last(piece: string): string {
  return piece.slice(-1);
}

function range(start: string, end: string): string {
  return charactersThat((character) => character >= start && character <= end);
}

/** How many characters may still be added, and which of several possibilities to take. */
interface PatternBudget {
  spare: number;
  readonly choice: number;
}

/** No text gets longer, whatever the expression demands. */
const LONGEST = 10_000;

function generate(expression: Expression, wish: PatternBudget): string {
  switch (expression.kind) {
    case "one-of":
      return pick(expression.characters, wish.choice);
    case "all":
      return expression.parts.map((part) => generate(part, wish)).join("");
    case "any": {
      const index = wish.choice % expression.parts.length;
      return expression.parts
        .slice(index, index + 1)
        .map((part) => generate(part, wish))
        .join("");
    }
    case "repeat":
      return repeated(expression.part, expression.min, expression.max, wish);
  }
}

/** One of some characters: the first, the last, the second, the second but last, and so on. */
function pick(characters: string, choice: number): string {
  const index = Math.floor(choice / 2) % Math.max(1, characters.length);
  return characters.charAt(choice % 2 === 0 ? index : characters.length - 1 - index);
}

/** Uses up what is spare, rather more than less, and takes another possibility each time. */
function repeated(part: Expression, min: number, max: number, wish: PatternBudget): string {
  const length = Math.max(1, part.least);
  const extra = Math.min(max - min, Math.ceil(wish.spare / length));
  wish.spare = Math.max(0, wish.spare - extra * length);
  let text = "";
  for (let index = 0; index < min + extra && text.length < LONGEST; index++) {
    const each = { spare: wish.spare, choice: wish.choice + index };
    const piece = generate(part, each);
    // Nothing, however often, is nothing.
    if (piece === "") break;
    text += piece;
    wish.spare = each.spare;
  }
  return text;
}
