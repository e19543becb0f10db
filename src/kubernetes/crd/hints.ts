import type { Json } from "../object.ts";
import { textFor } from "./pattern.ts";

/** The texts, the numbers and the names of fields in rules and schemas. */
export interface Hints {
  readonly texts: readonly string[];
  readonly numbers: readonly number[];
  readonly words: ReadonlySet<string>;
}

/** More would make the interesting ones rare. */
const MOST = 24;

/**
 * What rules and keywords of a schema speak of: texts, with texts that match them, and numbers, with their neighbours
 * and what is between them.
 */
export function hintsIn(hint: Json): Hints {
  const texts = new Set<string>();
  const numbers = new Set<number>();
  const words = new Set<string>();
  const waiting: Json[] = [hint];
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (typeof value === "number") numbers.add(value);
    if (typeof value === "string") {
      for (const [word] of value.matchAll(/[A-Za-z_]\w*/g)) words.add(word);
      for (const [digits] of value.matchAll(/(?<![\w.])\d+(?:\.\d+)?/g)) numbers.add(Number(digits));
      for (const text of quotedTexts(value)) texts.add(text);
    }
    if (typeof value === "object" && value !== null) {
      for (const key of Object.keys(value)) words.add(key);
      waiting.push(...(Object.values(value) as Json[]));
    }
  }
  const matching = [...texts].slice(0, MOST).flatMap((text) => textFor(text, 0, 0) ?? []);
  return { texts: [...new Set([...texts, ...matching])].slice(0, MOST), numbers: around([...numbers]), words };
}

/** The quoted texts of a rule; otherwise the text itself. */
function quotedTexts(value: string): readonly string[] {
  const quoted = [...value.matchAll(/(['"])((?:(?!\1)[^\\]|\\.)*)\1/g)].map((match) => String(match[2]));
  return quoted.length > 0 ? quoted : [value];
}

function around(numbers: readonly number[]): readonly number[] {
  const sorted = [...new Set([0, ...numbers.slice(0, MOST)])].sort((one, other) => one - other);
  const near = sorted.flatMap((number, index) => {
    const next = sorted[index + 1] ?? 2 * number;
    return [number - 1, number, number + 1, (number + next) / 2];
  });
  return [...new Set(near)];
}
