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
  propertyOf,
  schemaAt,
  textsAt,
  VALIDATIONS,
  type Schema,
} from "./schema.ts";

/** The same place in two versions of a schema. */
export interface SchemaPair {
  readonly old: Schema;
  readonly new: Schema;
  /** As `SchemaChange.field`, but empty for the object as a whole. */
  readonly field: string;
  /** The last steps of the place in the wanted document; the first ones are the parent's. */
  readonly steps: WantedPath;
  readonly parent: SchemaPair | undefined;
  /** How a value at this place stands in the value of the parent: under a name, or as an item. */
  readonly within: { readonly name: string } | "item" | undefined;
  readonly depth: number;
  /** Whether the value is written through the subresource `status`, where no user creates anything. */
  readonly isStatus: boolean;
}

/** What a check found at a place. */
export interface Note {
  readonly check: Check;
  readonly message: string;
  /** Keywords below the place, in the wanted document. */
  readonly at?: WantedPath;
  /** A field of the place, where the change is about that: `.name`, `.*`. */
  readonly below?: string;
  /** Values for the place that the old version accepts and the new one refuses, as far as that can be told. */
  readonly values?: () => readonly (Json | undefined)[];
  /** Values for the place of which the first may not be replaced by the second any more. */
  readonly updates?: () => readonly (readonly [Json, Json])[];
}

/** Looks for one kind of difference at one place. */
export type NodeCheck = (pair: SchemaPair) => readonly Note[];

/** How a place is called in a sentence. */
export function called({ field }: SchemaPair, below = ""): string {
  return `${field}${below}` === "" ? "The object" : `${field}${below}`;
}

/** A value in a sentence; long ones are cut. */
export function quoted(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}

/** The place of a pair in the wanted document, with `at` below it, whether or not the document has it. */
export function pathOf(pair: SchemaPair, at: WantedPath = []): WantedPath {
  const chain: WantedPath[] = [at];
  for (let current: SchemaPair | undefined = pair; current; current = current.parent) chain.push(current.steps);
  return chain.reverse().flat();
}

/** The schema of a field, named or not; `undefined` when a value there is dropped. */
export function fieldOf(
  schema: Schema,
  name: string,
): { readonly schema: Schema; readonly steps: WantedPath } | undefined {
  const named = propertyOf(schema, name);
  if (named !== undefined) return { schema: named, steps: ["properties", name] };
  const other = schemaAt(schema, "additionalProperties");
  if (other !== undefined) return { schema: other, steps: ["additionalProperties"] };
  return schema[PRESERVE] === true ? { schema: ANYTHING, steps: [PRESERVE] } : undefined;
}

const TEXT: Schema = { type: "string" };

/**
 * The schema with what every Kubernetes object has, stated or not: apiVersion, kind, and a metadata of which a schema
 * may restrict the name only. The statement itself makes no difference.
 */
export function asResource(schema: Schema): Schema {
  const metadata = objectAt(objectAt(schema, "properties"), "metadata");
  const known = { name: TEXT, generateName: TEXT, ...objectAt(metadata, "properties") };
  const own = { apiVersion: TEXT, kind: TEXT, metadata: { type: "object", [PRESERVE]: true, properties: known } };
  const required = textsAt(schema, "required").filter((name) => !Object.hasOwn(own, name));
  return { ...schema, required, properties: { ...objectAt(schema, "properties"), ...own } };
}

/**
 * The value of `pair`'s parent in which the value of `pair` is `value`, and all else is what is required; with another
 * `attempt`, what the rules of the parent might demand instead.
 */
export function surround({ parent, within }: SchemaPair, value: Json | undefined, attempt: number): Json | undefined {
  if (parent === undefined || within === undefined || value === undefined) return value;
  if (within === "item") return itemsWith(parent.old, value);
  const bases = basesFor(parent.old, within.name);
  return bases.length === 0 ? undefined : { ...bases[attempt % bases.length], [within.name]: value };
}

/** More items are not small list; the API server refuses those that are then missing. */
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

/** Whether a node of a schema is an object of Kubernetes of its own. */
export function isEmbedded(schema: Schema): boolean {
  return schema[EMBEDDED] === true;
}

/** Keywords by which the surroundings of a place may refuse every object that has it. */
const CONDITIONS: readonly string[] = ["allOf", "anyOf", "oneOf", "not", "maxProperties", VALIDATIONS];

/** Whether nobody can tell from the schema alone that an object with this place is accepted at all. */
export function isConditional(pair: SchemaPair): boolean {
  for (let place = pair.parent; place !== undefined; place = place.parent) {
    const { old } = place;
    if (CONDITIONS.some((keyword) => old[keyword] !== undefined)) return true;
  }
  return false;
}
