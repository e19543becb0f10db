import type { Json, JsonObject } from "../object.ts";
import { objectsBy } from "./bases.ts";
import { refined, sample, samples } from "./example.ts";
import { called, type NodeCheck, type Note, type SchemaPair } from "./pair.ts";
import {
  distinct,
  schemaKinds,
  listAt,
  canonicalMeaning,
  jsonObject,
  textAt,
  VALIDATIONS,
  type Schema,
} from "./schema.ts";

/** CEL rules, identified by their text. They are not evaluated; the candidates are guesses from the names in the text. */
export const rules: NodeCheck = (pair) => {
  const [before, after] = [schemaRules(pair.old), schemaRules(pair.new)];
  if (before.size === 0 && after.size === 0) return [];
  const gone = [...before.keys()].filter((text) => !after.has(text));
  return [
    ...[...after].flatMap(([text, rule]): readonly Note[] => {
      const old = before.get(text);
      if (old !== undefined) return changed(pair, text, old.rule, rule);
      const message = `${called(pair)} has to fulfil the rule ${cut(text)} now.`;
      return [{ check: "rule-added", message, at: [VALIDATIONS, rule.index], ...attempts(pair.old, text, rule) }];
    }),
    ...gone.map((text): Note => ({
      check: "rule-removed",
      message: `${called(pair)} no longer has to fulfil the rule ${cut(text)}.`,
    })),
  ];
};

interface CelRule {
  readonly rule: JsonObject;
  readonly index: number;
}

function schemaRules(schema: Schema): ReadonlyMap<string, CelRule> {
  const found = listAt(schema, VALIDATIONS).map((value, index) => ({ rule: jsonObject(value), index }));
  return new Map(found.map((entry) => [textAt(entry.rule, "rule") ?? "", entry]));
}

/** A rule that uses the old value is evaluated for updates, and for creations only with `optionalOldSelf`. */
function attempts(old: Schema, text: string, { rule }: CelRule): Pick<Note, "values" | "updates" | "refusal"> {
  const isOfChanges = /\boldSelf\b/.test(text);
  const isOfCreation = !isOfChanges || rule["optionalOldSelf"] === true;
  const hasOwnMessage = rule["messageExpression"] === undefined && rule["reason"] !== "FieldValueDuplicate";
  return {
    ...(hasOwnMessage && { refusal: (textAt(rule, "message") ?? text).trim() }),
    ...(isOfCreation && { values: () => guesses(old, text).slice(0, isOfChanges ? MOST_GUESSES / 2 : MOST_GUESSES) }),
    ...(isOfChanges && { updates: () => replacements(old, text) }),
  };
}

function changed(pair: SchemaPair, text: string, before: JsonObject, after: CelRule): readonly Note[] {
  if (canonicalMeaning(before) === canonicalMeaning(after.rule)) return [];
  const at = [VALIDATIONS, after.index];
  const isSameTime = before["optionalOldSelf"] === after.rule["optionalOldSelf"];
  if (isSameTime) {
    return [
      {
        check: "rule-message-changed",
        message: `${called(pair)} gets another message when it violates the rule ${cut(text)}.`,
        at,
      },
    ];
  }
  const message = `${called(pair)} has to fulfil the rule ${cut(text)} at other times now: optionalOldSelf has changed.`;
  return [{ check: "rule-changed", message, at, ...attempts(pair.old, text, after) }];
}

function cut(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > 120 ? `${line.slice(0, 117)}...` : line;
}

const MOST_GUESSES = 10;

/** Values that the rule may refuse: just above and below the numbers in it, and with and without the fields in it. */
function guesses(schema: Schema, text: string): readonly Json[] {
  const kind = schemaKinds(schema)[0];
  const [lower, upper] = SIZES[String(kind)] ?? ["minimum", "maximum"];
  const named = [...text.matchAll(/\b\d+\b/g)].slice(0, 3).flatMap(([digits]) => {
    const number = Number(digits);
    return [sample(refined(schema, { [lower]: number + 1 })), sample(refined(schema, { [upper]: number - 1 }))];
  });
  const usual = kind === "object" ? objectsBy(schema, text) : samples(schema, 4);
  const all = [...named, ...usual].filter((value) => value !== undefined);
  return distinct(all).slice(0, MOST_GUESSES);
}

const SIZES: Readonly<Record<string, readonly [string, string]>> = {
  string: ["minLength", "maxLength"],
  array: ["minItems", "maxItems"],
  object: ["minProperties", "maxProperties"],
};

/** Updates that the rule may refuse, as pairs of samples of the schema and of texts in the rule. */
function replacements(schema: Schema, text: string): readonly (readonly [Json, Json])[] {
  const isObject = schemaKinds(schema)[0] === "object";
  const usual = [...(isObject ? guesses(schema, text) : []), ...samples(schema, 3)];
  const quotes = schemaKinds(schema).includes("string") ? [...text.matchAll(/'[^']*'|"[^"]*"/g)] : [];
  const named = quotes.map(([quoted]) => quoted.slice(1, -1));
  const values = distinct([...usual, ...named]);
  const tried = [...values.slice(0, 3), ...named];
  const pairs = tried.flatMap((from) => tried.map((to) => [from, to] as const));
  return pairs.filter(([from, to]) => from !== to).slice(0, MOST_GUESSES);
}
