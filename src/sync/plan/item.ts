import type { Named } from "../../fleet/users.ts";
import type { Difference, Extent } from "../../kubernetes/compare.ts";
import type { KubernetesObject } from "../../kubernetes/object.ts";
import type { ModuleTerms } from "../../kubernetes/releaseMeta.ts";

/** Why a change is due: the repository changed, another client edited the object, or it is adopted. */
type ChangeCause = "repository" | "drift" | "adoption";

/** The decision on one object of a control plane. `name` is unique within its kind. */
export type PlanItem = { readonly object: ObjectName } & (
  | {
      readonly kind: "create";
      readonly desired: KubernetesObject;
      /** The object that names it although it is missing. */
      readonly missedBy?: string;
    }
  | ({ readonly kind: "change" } & ObjectChange)
  | { readonly kind: "unchanged" }
  /**
   * An older version that is still in use, for the reason `because`; with `repair` if it differs from the repository.
   */
  | { readonly kind: "retained"; readonly because: string; readonly repair?: ObjectChange }
  /** Neither wanted nor used. Removed only if `carriedOut`. */
  | { readonly kind: "prune"; readonly live: KubernetesObject; readonly carriedOut: boolean }
  | ({ readonly kind: "refused" } & Refused)
  /** Another client keeps undoing a repair: left alone until something changes. */
  | { readonly kind: "contested"; readonly by: readonly string[]; readonly fields: readonly Difference[] }
  /** Waits for the end of a deletion; `paused`: the item to carry out once a person resumes it. */
  | { readonly kind: "waiting"; readonly reason: string; readonly paused?: PlanItem }
);

/** One of the forms of an item. */
export type ItemOf<Kind extends PlanItem["kind"]> = PlanItem & { readonly kind: Kind };

/** Why something is not carried out, and the remedy; whole sentences. */
export interface Refused {
  readonly refusal: Refusal;
  readonly reason: string;
  readonly remedy: string;
}

/** The rules that refuse items. */
export type Refusal =
  | "artifact-missing"
  | "channel-in-use"
  | "component-changed"
  | "content-changed"
  | "mandatory-downgrade"
  | "mandatory-flip"
  | "mandatory-removed"
  | "module-in-use"
  | "not-ours"
  | "other-set"
  | "references-unknown"
  | "restriction-changed"
  | "template-missing"
  | "too-many-prunes"
  | "user-endangered";

/** An object as messages and JSON name it. */
export interface ObjectName {
  /** Set if only one field of it is meant. */
  readonly field?: string;
  readonly kind: string;
  readonly name: string;
}

/** The kind and the name of an object. */
export function objectName({ kind, metadata }: KubernetesObject): ObjectName {
  return { kind, name: metadata.name };
}

/** The decision on one entry. */
export type EntryItem = EntryStep &
  (
    | { readonly kind: "unchanged" }
    | ({ readonly kind: "create" | "raise" | "lower" } & EntryMove)
    /** `cause` drift: only the control plane has the entry. Removed only if `carriedOut`. */
    | {
        readonly kind: "remove";
        readonly cause: ChangeCause;
        readonly carriedOut: boolean;
        readonly accepted: readonly string[];
        readonly setBack?: SetBack;
      }
    | ({ readonly kind: "refused"; readonly users?: EntryUsers; readonly setBack?: SetBack } & Refused)
    | ({ readonly kind: "waiting"; readonly setBack?: SetBack } & Waiting)
  );

/** The version that an entry gets back while it does not move: another client changed it. */
export interface SetBack {
  readonly version: string;
  /** The affected users, if the version goes down. */
  readonly users?: EntryUsers;
}

/** The live and the wanted version of an entry; `undefined`: none. */
export interface EntryStep {
  readonly module: string;
  readonly channel: string;
  readonly mandatory: boolean;
  /** The live version. */
  readonly from: string | undefined;
  /** The wanted version. */
  readonly to: string | undefined;
}

/** A move of an entry. */
export interface EntryMove {
  readonly cause: ChangeCause;
  readonly specHash: string;
  /** The affected users, if the version goes down. */
  readonly users?: EntryUsers;
  /** The acceptances that override its refusals. */
  readonly accepted: readonly string[];
  /** The reason to wait that --now overrides. */
  readonly passed?: string;
}

/** The users of an entry that goes down to a version, by how lifecycle-manager treats them. */
export interface EntryUsers {
  /** Status and Manifest have a higher version: lifecycle-manager refuses to lower them. */
  readonly protected: Named;
  /** Only the Manifest has a higher version: lifecycle-manager would lower them. */
  readonly endangered: Named;
  /** They do not have a higher version. */
  readonly behind: Named;
}

/** Why an entry does not move yet. */
export interface Waiting {
  readonly reason: string;
  /** The time of the move, if known. Unix milliseconds. */
  readonly untilMs?: number;
  /** Whether it waits because a fact could not be read. A sync then exits with 3. */
  readonly isUnknown?: boolean;
}

/** A change of a live object. */
export interface ObjectChange {
  readonly desired: KubernetesObject;
  /** The object for which the change was planned. */
  readonly live: KubernetesObject;
  readonly cause: ChangeCause;
  readonly differences: readonly Difference[];
  /** The clients that made the differences, as far as the API server knows; empty unless the cause is drift. */
  readonly by: readonly string[];
  /** The fields whose ownership must move to us first, so that the apply removes them. */
  readonly takeOver?: Extent;
  /** A warning to the reader; it does not stop the change. */
  readonly warning?: string;
}

/** The plan of one module. Modules do not wait for one another. */
export interface ModulePlan {
  readonly module: string;
  readonly entries: readonly EntryItem[];
  /** The terms of the module in every channel, after the plan is carried out; `undefined`: unknown. */
  readonly terms: ModuleTerms | undefined;
  /** The keys of the acceptances that the terms needed. */
  readonly accepted?: readonly string[];
  /** Templates first, then the release meta, then removals: the order in which they are carried out. */
  readonly items: readonly PlanItem[];
}

/** A plan for one sync. */
export interface Plan {
  readonly landscape: string;
  /** The parent of the set. If it is refused, there are no modules. */
  readonly parent: PlanItem;
  /** In the order of their names. */
  readonly modules: readonly ModulePlan[];
  /** Modules that are left for later, after a failure. They are not in `modules`, and their records stay as they are. */
  readonly deferred?: ReadonlySet<string>;
  /** Why requested removals are refused; `undefined`: they are not. */
  readonly noRemoval: Refused | undefined;
  /** Notes to the reader; whole sentences. */
  readonly notes: readonly string[];
}

/** All items of a plan: the parent, then templates, release metas and removals. */
export function planItems({ parent, modules }: Plan): readonly PlanItem[] {
  const items = modules.flatMap((module) => module.items);
  return [parent, ...items.toSorted((a, b) => itemRank(a) - itemRank(b))];
}

function itemRank(item: PlanItem): number {
  const isTemplate = item.object.kind === "ModuleTemplate";
  return item.kind === "prune" ? (isTemplate ? 3 : 2) : isTemplate ? 0 : 1;
}

/** All entries of a plan, module by module. */
export function planEntries({ modules }: Plan): readonly EntryItem[] {
  return modules.flatMap(({ entries }) => entries);
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
    case "contested":
    case "waiting":
      return false;
  }
}

/** Whether carrying an entry out changes what it serves. */
export function isMove(entry: EntryItem): boolean {
  const isRemoval = entry.kind === "remove" && entry.carriedOut;
  return isRemoval || entry.kind === "create" || entry.kind === "raise" || entry.kind === "lower";
}

/** Whether an entry waits because a fact could not be read. */
export function isUnknown(entry: EntryItem): boolean {
  return entry.kind === "waiting" && entry.isUnknown === true;
}

/** Whether something is not as wanted and is left as it is. */
export function isAmiss({ kind }: { readonly kind: string }): boolean {
  return kind === "refused" || kind === "contested";
}

/** Whether an object may wait forever. A paused object does not: it continues when a person resumes it. */
export function isStuck(item: PlanItem): boolean {
  return item.kind === "waiting" && item.paused === undefined;
}
