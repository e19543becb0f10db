import type { Json } from "../object.ts";
import type { WantedPath } from "./change.ts";
import type { Check } from "./checks.ts";
import { basesFor } from "./bases.ts";
import { mayRepeat, sample, wholeRoom } from "./example.ts";
import {
  ANYTHING,
  EMBEDDED,
  numberAt,
  objectAt,
  PRESERVE,
  schemaProperty,
  schemaAt,
  textsAt,
  VALIDATIONS,
  type Schema,
} from "./schema.ts";

/** The same place in two versions of a schema. */
export interface SchemaPair {
  readonly old: Schema;
  readonly new: Schema;
  /** Like `SchemaChange.field`, but empty for the whole object. */
  readonly field: string;
  /** The last steps of the place in the wanted document; the first ones are the parent's. */
  readonly steps: WantedPath;
  readonly parent: SchemaPair | undefined;
  /** The position of the value in the value of the parent: under a name, or as an item. */
  readonly within: { readonly name: string } | "item" | undefined;
  readonly depth: number;
  /** Whether the value is written through the subresource `status`, which users do not write. */
  readonly isStatus: boolean;
}

/** A finding of a check at a place. */
export interface Note {
  readonly check: Check;
  readonly message: string;
  /** Keywords below the place, in the wanted document. */
  readonly at?: WantedPath;
  /** A field of the place, if the change is about it: `.name`, `.*`. */
  readonly below?: string;
  /** See `SchemaChange.refusal`. */
  readonly refusal?: string;
  /** Values for the place that the old version probably accepts and the new one probably refuses. */
  readonly values?: () => readonly (Json | undefined)[];
  /** Pairs of values for the place: replacing the first with the second is probably no longer allowed. */
  readonly updates?: () => readonly (readonly [Json, Json])[];
}

/** Looks for one kind of difference at one place. */
export type NodeCheck = (pair: SchemaPair) => readonly Note[];

/** The name of a place in a sentence. */
export function called({ field }: SchemaPair, below = ""): string {
  return `${field}${below}` === "" ? "The object" : `${field}${below}`;
}

/** A value in a sentence; long ones are cut. */
export function quoted(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}

/** The place of a pair in the wanted document, with `at` below it. It may not exist. */
export function presentPath(pair: SchemaPair, at: WantedPath = []): WantedPath {
  const chain: WantedPath[] = [at];
  for (let current: SchemaPair | undefined = pair; current; current = current.parent) chain.push(current.steps);
  return chain.reverse().flat();
}

/** The schema of a field, with or without its own property; `undefined` when its value is dropped. */
export function wantedField(
  schema: Schema,
  name: string,
): { readonly schema: Schema; readonly steps: WantedPath } | undefined {
  const named = schemaProperty(schema, name);
  if (named !== undefined) return { schema: named, steps: ["properties", name] };
  const other = schemaAt(schema, "additionalProperties");
  if (other !== undefined) return { schema: other, steps: ["additionalProperties"] };
  return schema[PRESERVE] === true ? { schema: ANYTHING, steps: [PRESERVE] } : undefined;
}

const TEXT: Schema = { type: "string" };

/**
 * The schema of a whole object with the fields of every Kubernetes object: apiVersion and kind, which the definition
 * gives, and metadata, of which a schema may restrict the name only. So it makes no difference whether a schema declares
 * them.
 */
export function asResource(schema: Schema): Schema {
  return withFields(schema, { apiVersion: TEXT, kind: TEXT }, ["metadata"]);
}

/** The same for an embedded object, whose user chooses apiVersion and kind, and may leave out its metadata. */
export function asEmbedded(schema: Schema): Schema {
  const [apiVersion = TEXT, kind = TEXT] = ["apiVersion", "kind"].map((name) => schemaProperty(schema, name));
  return withFields(schema, { apiVersion, kind }, []);
}

function withFields(schema: Schema, type: Schema, given: readonly string[]): Schema {
  const metadata = objectAt(objectAt(schema, "properties"), "metadata");
  const known = { name: TEXT, generateName: TEXT, ...objectAt(metadata, "properties") };
  const own = { ...type, metadata: { type: "object", [PRESERVE]: true, properties: known } };
  const required = textsAt(schema, "required").filter((name) => !Object.hasOwn(type, name) && !given.includes(name));
  return { ...schema, required, properties: { ...objectAt(schema, "properties"), ...own } };
}

/**
 * A value of `pair`'s parent that contains `value` at `pair`, and otherwise only required fields. Another `attempt` adds
 * other fields, which the rules of the parent might demand.
 */
export function surround({ parent, within }: SchemaPair, value: Json | undefined, attempt: number): Json | undefined {
  if (parent === undefined || within === undefined || value === undefined) return value;
  if (within === "item") return itemsWith(parent.old, value);
  const bases = basesFor(parent.old, within.name);
  return bases.length === 0 ? undefined : { ...bases[attempt % bases.length], [within.name]: value };
}

/** The maximum number of items. The API server refuses a list that would need more. */
const MOST_ITEMS = 1000;

function itemsWith(list: Schema, value: Json): Json | undefined {
  const count = Math.max(0, (numberAt(list, "minItems") ?? 0) - 1);
  const items = objectAt(list, "items");
  const room = wholeRoom();
  const others = Array.from({ length: Math.min(count, MOST_ITEMS) }, (_, index) =>
    sample(items, mayRepeat(list) ? 0 : index + 1, room),
  );
  return others.includes(undefined) ? undefined : [value, ...(others as readonly Json[])];
}

/** Whether a node of a schema is an embedded object of Kubernetes. */
export function isEmbedded(schema: Schema): boolean {
  return schema[EMBEDDED] === true;
}

/** Keywords with which the parents of a place may refuse all objects that have it. */
const CONDITIONS: readonly string[] = ["allOf", "anyOf", "oneOf", "not", "maxProperties", VALIDATIONS];

/** Whether the schema alone does not show that objects with this place can be accepted. */
export function isConditional(pair: SchemaPair): boolean {
  for (let place = pair.parent; place !== undefined; place = place.parent) {
    const { old } = place;
    if (CONDITIONS.some((keyword) => old[keyword] !== undefined)) return true;
  }
  return false;
}
