import type { Json, JsonObject } from "../object.ts";
import type { Check, Impact } from "./checks.ts";

/** A difference between two versions of a CustomResourceDefinition. */
export interface SchemaChange {
  readonly check: Check;
  readonly class: Impact;
  /**
   * Whether the class follows from the schemas alone. Otherwise (patterns, unions, CEL) nobody knows without running
   * them: such a change is breaking when a counterexample is confirmed, and risky when none is.
   */
  readonly certain: boolean;
  /** Whether objects are tried that may prove that it breaks; a risky change is breaking where one does. */
  readonly isTried: boolean;
  /** The version of the definition; `undefined` for the definition as a whole. */
  readonly version: string | undefined;
  /**
   * The field of an object, `.spec.foo[].bar` (`.*` for the values of a map, `.` for the object as a whole); without a
   * version the field of the definition, `.spec.scope`.
   */
  readonly field: string;
  /** The place in the wanted document, or its nearest parent that is there. */
  readonly path: WantedPath;
  /** Says what changed, from what to what; a full sentence. */
  readonly message: string;
  /** Says what to do; a full sentence. */
  readonly remedy: string;
  /**
   * Small objects of which the first that the old version accepts and the new one refuses proves the break; at most
   * ten. Empty where none could be made. Whether they do is for a validator to say.
   */
  readonly counterexamples: readonly Counterexample[];
  /** What an object has to hold in order to be one; `undefined` where the change is not about a place in objects. */
  readonly sought: Sought | undefined;
}

/** The steps from the root of a parsed document to a value in it. */
export type WantedPath = readonly (string | number)[];

/** An act that the old version of a definition is expected to accept and the new one to refuse, or to lose something of. */
export type Counterexample =
  | { readonly kind: "create"; readonly object: JsonObject }
  /** Created, and read again: the new version gives back less. */
  | { readonly kind: "read"; readonly object: JsonObject }
  | { readonly kind: "update"; readonly old: JsonObject; readonly new: JsonObject };

/** How a value stands in the one around it: under a name, or as an item of a list. */
export type Nesting = { readonly name: string } | "item";

/** What an object has to hold in order to prove a change, wherever it stands in an object that is accepted. */
export interface Sought {
  /** From the whole object to the place. */
  readonly steps: readonly Nesting[];
  /** What is done with the object. */
  readonly act: "create" | "read";
  /** What stands there; in an object it stands beside what is there. */
  readonly values: readonly Json[];
  /** What stands there, and what takes its place when the object is changed. */
  readonly updates: readonly (readonly [from: Json, to: Json])[];
  /** The only field there that counts: it stands there, or does not. */
  readonly field: string | undefined;
  readonly isAbsent: boolean;
}
