import type { ValidationVerdict } from "../../kubernetes/validation.ts";

/** An object to judge, or for an update, the old and the new one. */
export interface ValidationItem {
  readonly kind: "create" | "update" | "read";
  /** JSON of the object, or of `{ old, new }`. */
  readonly json: string;
}

/** A definition as JSON, and objects to judge by it. */
export interface Job {
  readonly definition: string;
  readonly items: readonly ValidationItem[];
}

/**
 * A message of a worker: a verdict on the definition, then one on each item as soon as it is known, then the memory
 * that the program holds. If the definition is not accepted, no verdicts on items follow.
 */
export type Reply =
  | { readonly kind: "verdict"; readonly verdict: ValidationVerdict }
  | { readonly kind: "done"; readonly memoryBytes: number };

/** The start data of a worker: the compiled program, which all workers share. */
export interface WorkerData {
  readonly module: WebAssembly.Module;
}
