import type { Compilation } from "../../catalogue/compile.ts";
import type { Generation } from "../../catalogue/settings.ts";
import type { Users } from "../../fleet/users.ts";
import type { KubernetesObject } from "../../kubernetes/object.ts";
import type { Artifacts } from "./artifacts.ts";
import type { EntryGate } from "./gate.ts";
import type { Records } from "./records.ts";

/** What a control plane holds of the two kinds, whoever made it, and what we recorded there. */
export interface LiveState {
  readonly parent: KubernetesObject | undefined;
  readonly templates: readonly KubernetesObject[];
  readonly releaseMetas: readonly KubernetesObject[];
  readonly records: Records;
}

/** What the user allows. */
export interface PlanOptions {
  readonly adopt: boolean;
  /** Entries and whole modules that the repository no longer has, and templates that nobody uses. */
  readonly prune: boolean;
  /** Only the latter: they come back from the history when they are wanted again. Unset: as `prune`. */
  readonly pruneTemplates?: boolean;
  /** The most objects that one sync prunes; `undefined`: 5, or 10 % of the set if that is more. */
  readonly maxPrune: number | undefined;
  /** The most that one sync prunes, as a part of the set; 0 to 1. Unset: a tenth. */
  readonly maxPart?: number | undefined;
  /** Other content under a version that is served already: refused, but in the demo. */
  readonly changedContent: "refuse" | "apply";
  /** Why holds and waves are passed over; `undefined`: they are not. */
  readonly now: string | undefined;
  /** Whether the set is taken over from another repository or landscape. */
  readonly takeOverSet: boolean;
  /** Whether the set may change to the model of another generation of lifecycle-manager. */
  readonly switchGeneration: boolean;
  /** Whether a revision is applied that does not descend from the recorded one. */
  readonly rewind: boolean;
}

/** What a person allows who gives no option. */
export const CAREFUL: PlanOptions = {
  adopt: false,
  prune: false,
  maxPrune: undefined,
  changedContent: "refuse",
  now: undefined,
  takeOverSet: false,
  switchGeneration: false,
  rewind: false,
};

/** All that a plan depends on. */
export interface PlanInput {
  readonly desired: Compilation;
  readonly claim: SetClaim;
  /** What the repository says of versions that no channel of it serves now, by `knownKey`. */
  readonly known: ReadonlyMap<string, KubernetesObject>;
  readonly live: LiveState;
  readonly users: Users;
  readonly artifacts: Artifacts;
  readonly gate: EntryGate;
  readonly options: PlanOptions;
  /** Unix milliseconds. */
  readonly nowMs: number;
}

/** Who makes the control plane serve what, and by which commit. */
export interface SetClaim {
  /** The repository, and the folder in it; empty for a folder that is in no Git repository. */
  readonly repository: string;
  readonly landscape: string;
  readonly generation: Generation;
  /** The commit; with `+dirty` for a working tree, empty for a folder that is in no Git repository. */
  readonly revision: string;
  /** How `revision` stands to the one that the parent records. */
  readonly ancestry: Ancestry;
}

/**
 * How a commit stands to the one that was applied last.
 *
 * - `forward`: it is the same one, descends from it, or none is recorded;
 * - `behind`: it is an ancestor, as in a job that runs late;
 * - `unrelated`: neither, as after a rewritten history.
 */
export type Ancestry = "forward" | "behind" | "unrelated";
