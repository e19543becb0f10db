import type { JsonObject } from "../../../src/kubernetes/object.ts";
import type { SchemaPair } from "./pairs.ts";

/** What the documentation of crdify says of a change, in the words of this project. */
export interface Documented {
  /** The name of the validation. */
  readonly validation: string;
  /** The change, as its documentation lists it. */
  readonly change: string;
  readonly says: "incompatible" | "compatible" | "to be reviewed";
  /** What the API server shows of it. */
  readonly remark?: string;
}

/** A pair, and what crdify documents of it. */
export type DocumentedPair = SchemaPair & { readonly documented: Documented };

/** Where no object is refused, whatever crdify says. */
export const LOOSER = "stricter than the server: no object is refused";

/** A pair of which crdify says something. */
export function change(
  documented: Documented,
  name: string,
  old: JsonObject,
  next: JsonObject,
  rest: Pick<SchemaPair, "gives" | "probe">,
): DocumentedPair {
  return { documented, name, old, new: next, ...rest };
}

/** Crdify calls it incompatible. */
export function incompatible(validation: string, text: string, remark?: string): Documented {
  return { validation, change: text, says: "incompatible", ...(remark !== undefined && { remark }) };
}

/** Crdify lets it pass. */
export function compatible(validation: string, text: string): Documented {
  return { validation, change: text, says: "compatible" };
}
