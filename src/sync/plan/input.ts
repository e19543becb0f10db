import type { ChannelEntry, Compilation } from "../../catalogue/compile.ts";
import type { Generation } from "../../catalogue/settings.ts";
import type { ModuleUser, Users } from "../../fleet/users.ts";
import { applySetOwner } from "../../kubernetes/applySet.ts";
import { DESIRED_ANNOTATION, type KubernetesObject } from "../../kubernetes/object.ts";
import { managesSpec } from "../../kubernetes/ownership.ts";
import type { ModuleTerms } from "../../kubernetes/releaseMeta.ts";
import type { Waiting } from "./item.ts";
import { appliedNames, type EntryRecord, type Records } from "./records.ts";

/** The live objects of a control plane, of any owner, and our records there. */
export interface LiveState {
  readonly parent: KubernetesObject | undefined;
  readonly templates: readonly KubernetesObject[];
  readonly releaseMetas: readonly KubernetesObject[];
  readonly records: Records;
  /** The owner that the records name; `undefined`: none, or unknown. */
  readonly owner?: Partial<SetClaim> | undefined;
}

/** The options of a plan, by which a person allows more. */
export interface PlanOptions {
  readonly adopt: boolean;
  /** Whether to remove entries and modules that the repository no longer has, and unused templates. */
  readonly prune: boolean;
  /**
   * Whether to remove only unused templates. The history restores them when they are wanted again. Unset: as `prune`.
   */
  readonly pruneTemplates?: boolean;
  /** The maximum number of objects that one sync removes; `undefined`: 5, or 10 % of the set if that is more. */
  readonly maxPrune: number | undefined;
  /** The maximum share of the set that one sync removes; 0 to 1. Unset: 0.1. */
  readonly maxPart?: number | undefined;
  /** How to treat different content for a served version. Only the demo applies it. */
  readonly changedContent: "refuse" | "apply";
  /** Why holds and waves are ignored; `undefined`: they apply. */
  readonly now: string | undefined;
  /** Whether to take over the set of another repository or landscape. */
  readonly takeOverSet: boolean;
  /** Whether the set may change to another generation of lifecycle-manager. */
  readonly switchGeneration: boolean;
  /** Whether to apply a revision that does not descend from the recorded one. */
  readonly rewind: boolean;
}

/** The default options. */
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

/** The input of a plan. */
export interface PlanInput {
  readonly desired: Compilation;
  readonly claim: SetClaim;
  /** The templates, from the repository, of versions that no channel serves now, by `knownKey`. */
  readonly known: ReadonlyMap<string, KubernetesObject>;
  readonly live: LiveState;
  readonly users: Users;
  readonly artifacts: Artifacts;
  readonly gate: EntryGate;
  readonly options: PlanOptions;
  /** How long an upgrade may take on a cluster of the landscape, see `deadlineIn`. Milliseconds. */
  readonly deadlineMs: number;
  /** Unix milliseconds. */
  readonly nowMs: number;
}

/** The facts about one module from the repository, the control plane and the records. */
export interface ModuleSlice {
  readonly module: string;
  /** The wanted entries in the channels of the landscape. */
  readonly wanted: readonly ChannelEntry[];
  /** `undefined`: the repository does not serve the module here. */
  readonly terms: ModuleTerms | undefined;
  /** The live templates, by name. */
  readonly templates: ReadonlyMap<string, KubernetesObject>;
  /** The live release meta with the name of the module. */
  readonly meta: KubernetesObject | undefined;
  /** The records of the module's entries; also empty without records. */
  readonly recorded: ReadonlyMap<string, EntryRecord>;
  /** Templates that other release metas name, with the name of that release meta. */
  readonly namedElsewhere: ReadonlyMap<string, string>;
}

/** The clusters that have a module. */
export interface ModuleUsers {
  readonly module: string;
  /** With Manifests that name no module: they count against removals. Empty if users are unknown. */
  readonly all: readonly ModuleUser[];
  /** Why users are unknown; `undefined`: they are known. */
  readonly unknown: string | undefined;
}

/** The owner of a set, and the commit to apply. */
export interface SetClaim {
  /** The repository, and the folder in it; empty for a folder outside of Git. */
  readonly repository: string;
  readonly landscape: string;
  readonly generation: Generation;
  /** The commit, with `+dirty` for a changed working tree; empty for a folder outside of Git. */
  readonly revision: string;
  /** The relation of `revision` to the one that the parent records. */
  readonly ancestry: Ancestry;
}

/**
 * The relation of a commit to the one that was applied last.
 *
 * - `forward`: it is the same commit, has it on its line of first parents, or none is recorded;
 * - `aside`: it contains it, but beside that line, as after `git pull` of a rejected push;
 * - `behind`: it is an ancestor, as in a job that runs late;
 * - `unrelated`: neither, as after a rewritten history.
 */
export type Ancestry = "forward" | "aside" | "behind" | "unrelated";

/** The annotations of the parent that record the owner of the set. */
export const CLAIM_ANNOTATIONS = {
  repository: "kyma-modules/repository",
  landscape: "kyma-modules/landscape",
  generation: "kyma-modules/generation",
  revision: "kyma-modules/revision",
} as const;

/** The commit that the parent records; `undefined`: none. */
export function recordedRevision(parent: KubernetesObject | undefined): string | undefined {
  const revision = parent?.metadata.annotations?.[CLAIM_ANNOTATIONS.revision]?.replace(/\+dirty$/, "");
  return revision === "" ? undefined : revision;
}

/** An entry whose wanted version differs from the live one. */
export interface EntryMoveRequest extends ChannelEntry {
  readonly from: string | undefined;
  /** Whether the version goes down. */
  readonly isLower: boolean;
  /** Whether the landscape served the version before, in any channel. */
  readonly hadBefore: boolean;
}

/** Holds, waves and acceptances for the entries of a landscape. */
export interface EntryGate {
  /** Why entries may not move to their wanted version because it is held, by `entryKey`. */
  readonly holds: ReadonlyMap<string, Waiting>;
  /** Likewise, because an earlier landscape has not served the version for long enough. A withdrawal does not wait. */
  readonly waves: ReadonlyMap<string, Waiting>;
  /** The accepted refusals, by `acceptedKey`. */
  readonly accepted: ReadonlySet<string>;
}

/** A gate that blocks nothing and accepts nothing. */
export const OPEN_GATE: EntryGate = { holds: new Map(), waves: new Map(), accepted: new Set() };

/** Whether lifecycle-manager finds the artifact of a version. */
export type Artifact =
  | { readonly kind: "present" }
  | { readonly kind: "missing"; readonly where: string }
  /** The registry is unreachable, or denies read access. */
  | { readonly kind: "unknown"; readonly because: string };

/** The artifacts of versions that entries are to name, by `artifactKey`; or why they were not looked up. */
export type Artifacts =
  | { readonly kind: "asked"; readonly found: ReadonlyMap<string, Artifact> }
  | { readonly kind: "not-asked"; readonly because: string };

/** The key of an artifact: `<module>@<version>`. */
export function artifactKey(module: string, version: string): string {
  return `${module}@${version}`;
}

/** Looks up an artifact; `undefined`: it was not looked up in the registry. */
export function foundArtifact(artifacts: Artifacts, module: string, version: string): Artifact | undefined {
  return artifacts.kind === "asked" ? artifacts.found.get(artifactKey(module, version)) : undefined;
}

/**
 * Whether an object is ours. The label of the set says so. If another client removed the label, two of three have to say
 * so: our annotation, our field manager, and the records. One alone does not count: an annotation may have been copied, a
 * killed adoption leaves our field manager, and another client may have made the object again under a recorded name.
 */
export function isOurs(object: KubernetesObject, { desired, live }: Pick<PlanInput, "desired" | "live">): boolean {
  const set = applySetOwner(object, desired.target);
  if (set !== "none") return set === "ours";
  const managed = managesSpec(object);
  // Others made it, or took it over completely.
  if (managed === false) return false;
  const { name, annotations } = object.metadata;
  const said = [managed, annotations?.[DESIRED_ANNOTATION] !== undefined, appliedNames(live.records).has(name)];
  return said.filter((one) => one === true).length >= 2;
}
