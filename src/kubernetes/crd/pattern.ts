/** A regular expression, reduced to the features for which texts can be generated. */
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
/** All printable characters, the most widely accepted ones first. */
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

/** Matches the empty text. Also used for anchors, since a generated text contains nothing outside of the expression. */
const NOTHING: Expression = { kind: "all", parts: [], least: 0 };

/**
 * A short text that a regular expression matches, with at least `length` characters if the expression allows that many.
 * Another `choice` gives another text, if the expression allows several; a function chooses anew for each part. The text is generated without matching, so an
 * expression that hangs JavaScript's engine is harmless.
 *
 * `undefined` for unsupported features: named classes, flags, look-around, word boundaries, back references.
 */
export function textFor(pattern: string, length: number, choice: Choice): string | undefined {
  const expression = read(pattern);
  return expression && generate(expression, { spare: Math.max(0, length - expression.least), choice });
}

function charactersThat(fit: (character: string) => boolean): string {
  return PRINTABLE.split("").filter(fit).join("");
}

function without(characters: string): string {
  return charactersThat((character) => !characters.includes(character));
}

/** The tokens of an expression: a class, an escape, a quantifier, the start of a group, or one character. */
const TOKENS = /\[\^?\]?(?:\\.|[^\]\\])*\]|\\.|\{\d+(?:,\d*)?\}\??|[*+?]\??|\(\?:|\(\?P?<[A-Za-z]\w*>|\(\?|./gsu;
const UNREADABLE = /^\(\?$|^\\[bBpPxuQEkzZGKRX1-9]$|\[:/;

/** The limits of a readable expression; larger than those written by hand. */
const MOST = { characters: 2000, groups: 100 } as const;

function read(pattern: string): Expression | undefined {
  if (pattern.length > MOST.characters) return undefined;
  const tokens = [...pattern.replaceAll("\\z", "$").replaceAll("\\A", "^").matchAll(TOKENS)].map(([token]) => token);
  const groups = tokens.filter((token) => token.startsWith("(")).length;
  const isReadable = groups <= MOST.groups && !tokens.some((token) => UNREADABLE.test(token));
  return isReadable ? alternatives(tokens.reverse()) : undefined;
}

/** Reads up to the end of a group, or of the expression. Removes the tokens from `rest`, which is in reverse order. */
function alternatives(rest: string[]): Expression {
  let current: Expression[] = [];
  const found = [current];
  for (let token = rest.pop(); token !== undefined && token !== ")"; token = rest.pop()) {
    const count = quantifier(token);
    if (token === "|") found.push((current = []));
    else if (count) {
      const part = current.pop() ?? NOTHING;
      current.push({ kind: "repeat", part, ...count, least: count.min * part.least });
    } else current.push(token.startsWith("(") ? alternatives(rest) : single(token));
  }
  const parts = found.map((all): Expression => {
    return { kind: "all", parts: all, least: all.reduce((length, { least }) => length + least, 0) };
  });
  return { kind: "any", parts, least: Math.min(...parts.map(({ least }) => least)) };
}

function oneCharacter(characters: string): Expression {
  return { kind: "one-of", characters, least: 1 };
}

/** The number of repetitions. */
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
  if (token === ".") return oneCharacter(PRINTABLE);
  if (token.startsWith("\\")) return oneCharacter(escaped(token));
  return oneCharacter(token.length > 1 ? members(token) : token);
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
    if (dash === "-" && end !== "") {
      const [first, final] = [escaped(`\\${last(piece)}`), last(end)];
      found += charactersThat((character) => character >= first && character <= final);
      index += 2;
    } else found += piece.startsWith("\\") ? escaped(piece) : piece;
  }
  return isNegated ? without(found) : found;
}

function last(piece: string): string {
  return piece.slice(-1);
}

/** A number, or a function that gives one for each part of an expression. */
type Choice = number | (() => number);

/** The number of characters that may still be added, and the choice among several possibilities. */
interface PatternBudget {
  spare: number;
  readonly choice: Choice;
}

/** The maximum length of a text, even if the expression demands more. */
const LONGEST = 10_000;

function generate(expression: Expression, wish: PatternBudget): string {
  switch (expression.kind) {
    case "one-of": {
      // The first, the last, the second, the last but one, and so on.
      const { characters } = expression;
      const choice = chosen(wish.choice);
      const index = Math.floor(choice / 2) % Math.max(1, characters.length);
      return characters.charAt(choice % 2 === 0 ? index : characters.length - 1 - index);
    }
    case "all":
      return expression.parts.map((part) => generate(part, wish)).join("");
    case "any": {
      const index = chosen(wish.choice) % expression.parts.length;
      return expression.parts
        .slice(index, index + 1)
        .map((part) => generate(part, wish))
        .join("");
    }
    case "repeat":
      return repeated(expression.part, expression.min, expression.max, wish);
  }
}

function chosen(choice: Choice): number {
  return typeof choice === "function" ? choice() : choice;
}

/**
 * Uses up the spare characters, rounding up, with another choice for each repetition. Every other pair of choices
 * contains what is optional.
 */
function repeated(part: Expression, min: number, max: number, wish: PatternBudget): string {
  const length = Math.max(1, part.least);
  const choice = chosen(wish.choice) % 4;
  const optional = typeof wish.choice === "function" ? choice : Number(min === 0 && choice > 1);
  const extra = Math.min(max - min, Math.max(optional, Math.ceil(wish.spare / length)));
  wish.spare = Math.max(0, wish.spare - extra * length);
  let text = "";
  for (let index = 0; index < min + extra && text.length < LONGEST; index++) {
    const each = { spare: wish.spare, choice: typeof wish.choice === "function" ? wish.choice : wish.choice + index };
    const piece = generate(part, each);
    // Repeating an empty text does not make it longer.
    if (piece === "") break;
    text += piece;
    wish.spare = each.spare;
  }
  return text;
}
