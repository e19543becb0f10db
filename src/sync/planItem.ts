import type { Compilation } from "../catalogue/compile.ts";
import type { Difference, Extent } from "../kubernetes/compare.ts";
import type { KubernetesObject } from "../kubernetes/object.ts";
import type { References } from "./references.ts";

/** Why a change is due: the repository moved on, somebody edited the object, or it is taken over. */
export type Cause = "repository" | "drift" | "adoption";

/** What becomes of one object of a control plane. `name` is unique within its kind. */
export type PlanItem = { readonly object: ObjectName } & (
  | {
      readonly kind: "create";
      readonly desired: KubernetesObject;
      /** Who names it although it is missing. */ readonly missedBy?: string;
    }
  | ({ readonly kind: "change" } & Change)
  | { readonly kind: "unchanged" }
  /** An older version that is still in use (`because` says by whom); `repair` when it is not what the repository says of that version. */
  | { readonly kind: "retained"; readonly because: string; readonly repair?: Change }
  /** Nobody wants it and nobody uses it. Carried out only when `carriedOut`. */
  | { readonly kind: "prune"; readonly live: KubernetesObject; readonly carriedOut: boolean }
  | { readonly kind: "refused"; readonly refusal: Refusal; readonly reason: string; readonly remedy: string }
  | { readonly kind: "waiting"; readonly reason: string }
);

/** What cannot be carried out, and is not. */
export type Refusal =
  | "not-ours"
  | "content-changed"
  | "channel-in-use"
  | "module-in-use"
  | "mandatory-downgrade"
  | "references-unknown"
  | "too-many-prunes";

/** An object as messages and JSON name it. */
export interface ObjectName {
  readonly kind: string;
  readonly name: string;
}

/** How a live object becomes what is wanted. */
export interface Change {
  readonly desired: KubernetesObject;
  /** What the change was planned on. */
  readonly live: KubernetesObject;
  readonly cause: Cause;
  readonly differences: readonly Difference[];
  /** Who made the differences, as far as the API server knows; empty unless the cause is drift. */
  readonly by: readonly string[];
  /** Whose fields must become ours first, so that applying removes them. */
  readonly takeOver?: Extent;
  /** Something that the reader should know, though it is done. */
  readonly warning?: string;
}

/** Everything that one sync does, in order: the set's parent, templates, release metas, then removals. */
export interface Plan {
  readonly landscape: string;
  readonly items: readonly PlanItem[];
}

/** What a control plane holds of the two kinds, whoever made it. */
export interface LiveState {
  readonly parent: KubernetesObject | undefined;
  readonly templates: readonly KubernetesObject[];
  readonly releaseMetas: readonly KubernetesObject[];
}

/** What the user allows. */
export interface PlanOptions {
  readonly adopt: boolean;
  readonly prune: boolean;
  /** The most objects that one sync prunes; `undefined`: 5, or 10 % of the set if that is more. */
  readonly maxPrune: number | undefined;
  /** Other content under a version that is served already: refused, but in the demo. */
  readonly changedContent: "refuse" | "apply";
}

/** All that a plan depends on. */
export interface PlanInput {
  readonly desired: Compilation;
  /** What the repository says of older versions that live on, by the name of the template. */
  readonly known: ReadonlyMap<string, KubernetesObject>;
  readonly live: LiveState;
  readonly references: References;
  readonly options: PlanOptions;
}

/** Whether carrying the item out writes to the control plane. */
export function isAct(item: PlanItem): boolean {
  switch (item.kind) {
    case "create":
    case "change":
      return true;
    case "retained":
      return item.repair !== undefined;
    case "prune":
      return item.carriedOut;
    case "unchanged":
    case "refused":
    case "waiting":
      return false;
  }
}
