import type { Json } from "../object.ts";
import type { Check } from "./checks.ts";
import { joined, sample, samples } from "./example.ts";
import { called, type NodeCheck, type Note, type SchemaPair } from "./pair.ts";
import { INT_OR_STRING, isSet, listAt, lost, canonicalMeaning, jsonObject, schemaAt, type Schema } from "./schema.ts";

/** A keyword that combines schemas, and the checks for removed and added ones. */
interface Combination {
  readonly keyword: "allOf" | "anyOf" | "oneOf";
  readonly gone: Check;
  readonly come: Check;
  /** The checks for the whole keyword: added, or removed. */
  readonly begun: Check;
  readonly ended: Check;
}

const COMBINATIONS: readonly Combination[] = [
  {
    keyword: "allOf",
    gone: "all-of-widened",
    come: "all-of-narrowed",
    begun: "all-of-narrowed",
    ended: "all-of-widened",
  },
  {
    keyword: "anyOf",
    gone: "any-of-narrowed",
    come: "any-of-widened",
    begun: "any-of-narrowed",
    ended: "any-of-widened",
  },
  {
    keyword: "oneOf",
    gone: "one-of-narrowed",
    come: "one-of-changed",
    begun: "one-of-narrowed",
    ended: "one-of-widened",
  },
];

/** `allOf`, `anyOf`, `oneOf` and `not`. Their branches are compared as a whole. */
export const combinations: NodeCheck = (pair) => [
  ...COMBINATIONS.flatMap((combination) => combine(pair, combination)),
  ...negation(pair),
];

function combine(pair: SchemaPair, { keyword, gone, come, begun, ended }: Combination): readonly Note[] {
  const [before, after] = [schemaBranches(pair.old, keyword), schemaBranches(pair.new, keyword)];
  const [fewer, more] = [lost(before, after), lost(after, before)];
  const at = [keyword];
  const say = (text: string): string => `${called(pair)} ${text}.`;
  const notes: Note[] = [];
  if (fewer.length > 0) {
    const check = after.length === 0 ? ended : gone;
    const message = say(`has lost ${count(fewer)} of ${keyword}`);
    notes.push({
      check,
      message,
      at,
      refusal: `(${keyword})`,
      values: () => fewer.flatMap((branch) => within(pair.old, [branch])).slice(0, 6),
    });
  }
  if (more.length > 0) {
    const check = before.length === 0 ? begun : come;
    const message = say(`has ${count(more)} of ${keyword} that ${more.length === 1 ? "is" : "are"} new`);
    notes.push({
      check,
      message,
      at,
      refusal: `(${keyword})`,
      values: () => [...both(pair.old, before, more), ...samples(pair.old, 4)].slice(0, 8),
    });
  }
  return notes;
}

function count(branches: readonly Json[]): string {
  return branches.length === 1 ? "one alternative" : `${branches.length} alternatives`;
}

const OBVIOUS: ReadonlySet<string> = new Set(["integer", "string"].map((type) => canonicalMeaning({ type })));

/** The branches of a keyword, without those that only repeat that an int-or-string is an integer or a string. */
function schemaBranches(schema: Schema, keyword: string): readonly Json[] {
  const branches = listAt(schema, keyword);
  const isObvious = isSet(schema, INT_OR_STRING) && branches.every((branch) => OBVIOUS.has(canonicalMeaning(branch)));
  return isObvious ? [] : branches;
}

/** Samples of the schema with only the given branches instead of its unions. */
function within(schema: Schema, branches: readonly Json[]): readonly (Json | undefined)[] {
  const bare: Schema = { ...schema, oneOf: undefined, anyOf: undefined };
  const whole = branches.reduce<Schema>((all, branch) => joined(all, jsonObject(branch)), bare);
  return [sample(whole), sample(whole, 1)];
}

/** Values that fit both an old and a new alternative, and values that fit only new ones. */
function both(schema: Schema, before: readonly Json[], more: readonly Json[]): readonly (Json | undefined)[] {
  return [
    ...before.slice(0, 2).flatMap((branch) => within(schema, [branch, ...more.slice(0, 1)])),
    ...within(schema, more.slice(0, 2)),
  ];
}

function negation(pair: SchemaPair): readonly Note[] {
  const [before, after] = [schemaAt(pair.old, "not"), schemaAt(pair.new, "not")];
  if (canonicalMeaning(before) === canonicalMeaning(after)) return [];
  if (after === undefined)
    return [{ check: "not-widened", message: `${called(pair)} accepts the values that its keyword not excluded.` }];
  const message = `${called(pair)} excludes ${before === undefined ? "values" : "other values"} with the keyword not now.`;
  return [
    {
      check: "not-narrowed",
      message,
      at: ["not"],
      refusal: "(not)",
      values: () => [sample(joined(pair.old, after)), sample(joined(pair.old, after), 1), ...samples(pair.old, 3)],
    },
  ];
}
