import type { Json, JsonObject } from "../object.ts";
import type { Check, Impact } from "./checks.ts";
import type { Drawing } from "./draw.ts";

/** A difference between two versions of a CustomResourceDefinition. */
export interface SchemaChange {
  readonly check: Check;
  readonly class: Impact;
  /**
   * Whether the class follows from the schemas alone. Otherwise (patterns, unions, CEL) it depends on running them: such
   * a change is breaking when a counterexample is confirmed, and risky when none is.
   */
  readonly certain: boolean;
  /** Whether to try objects that may prove a break. If one does, a risky change is breaking. */
  readonly isTried: boolean;
  /** The version of the definition; `undefined` for the definition as a whole. */
  readonly version: string | undefined;
  /**
   * The field of an object, `.spec.foo[].bar` (`.*` for the values of a map, `.` for the whole object). Without a
   * version, the field of the definition, `.spec.scope`.
   */
  readonly field: string;
  /** The place in the wanted document, or its nearest existing parent. */
  readonly path: WantedPath;
  /** The change, with old and new value; a full sentence. */
  readonly message: string;
  /** The fix; a full sentence. */
  readonly remedy: string;
  /**
   * At most ten small objects. An object that the old version accepts and the new one refuses proves the break; a
   * validator decides that. Empty when none could be made.
   */
  readonly counterexamples: readonly Counterexample[];
  /** What the message of a refusal for this change contains; `undefined` if only the field tells. */
  readonly refusal: string | undefined;
  /** The content of an object that can prove the break; `undefined` when the change has no place in objects. */
  readonly sought: Sought | undefined;
}

/** The steps from the root of a parsed document to a value in it. */
export type WantedPath = readonly (string | number)[];

/** A request that the old version of a definition should accept, and the new one should refuse or answer with less. */
export type Counterexample =
  | { readonly kind: "create"; readonly object: JsonObject }
  /** Created, and read again: the new version returns less. */
  | { readonly kind: "read"; readonly object: JsonObject }
  | { readonly kind: "update"; readonly old: JsonObject; readonly new: JsonObject };

/** The position of a value in its parent: under a name, or as an item of a list. */
export type Nesting = { readonly name: string } | "item";

/** The content that makes an accepted object prove a change. */
export interface Sought {
  /** From the whole object to the place. */
  readonly steps: readonly Nesting[];
  /** The request that proves the change. */
  readonly act: "create" | "read";
  /** Values for the place; in an object, they are merged with the existing value. */
  readonly values: readonly Json[];
  /** Pairs of a value for the place and its replacement in an update. */
  readonly updates: readonly (readonly [from: Json, to: Json])[];
  /** The only relevant field there; it must be present or absent. */
  readonly field: string | undefined;
  readonly isAbsent: boolean;
  /** From what further values for the place can be drawn. */
  readonly drawing: Drawing;
}
