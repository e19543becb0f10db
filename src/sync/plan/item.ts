import type { ModuleTerms } from "../../catalogue/compile.ts";
import type { Named } from "../../fleet/users.ts";
import type { Difference, Extent } from "../../kubernetes/compare.ts";
import type { KubernetesObject } from "../../kubernetes/object.ts";

/** Why a change is due: the repository moved on, somebody edited the object, or it is taken over. */
export type ChangeCause = "repository" | "drift" | "adoption";

/** What becomes of one object of a control plane. `name` is unique within its kind. */
export type PlanItem = { readonly object: ObjectName } & (
  | {
      readonly kind: "create";
      readonly desired: KubernetesObject;
      /** Who names it although it is missing. */
      readonly missedBy?: string;
    }
  | ({ readonly kind: "change" } & ObjectChange)
  | { readonly kind: "unchanged" }
  /** An older version that is still in use (`because` says by whom); `repair` when it is not what the repository says of that version. */
  | { readonly kind: "retained"; readonly because: string; readonly repair?: ObjectChange }
  /** Nobody wants it and nobody uses it. Carried out only when `carriedOut`. */
  | { readonly kind: "prune"; readonly live: KubernetesObject; readonly carriedOut: boolean }
  | ({ readonly kind: "refused" } & Refused)
  /** Someone else undoes a repair again and again: left alone until something changes. */
  | { readonly kind: "contested"; readonly by: readonly string[]; readonly fields: readonly Difference[] }
  /** For a deletion to end; `paused`: what is done once a person resumes it. */
  | { readonly kind: "waiting"; readonly reason: string; readonly paused?: PlanItem }
);

/** One of the forms of an item. */
export type ItemOf<Kind extends PlanItem["kind"]> = PlanItem & { readonly kind: Kind };

/** Why something is not carried out, and what a person can do; whole sentences. */
export interface Refused {
  readonly refusal: Refusal;
  readonly reason: string;
  readonly remedy: string;
}

/** What is not carried out, by the rule that refuses it. */
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
  /** Where only one field of it is meant. */
  readonly field?: string;
  readonly kind: string;
  readonly name: string;
}

/** What becomes of one entry: what a channel serves of a module. */
export type EntryItem = EntryStep &
  (
    | { readonly kind: "unchanged" }
    | ({ readonly kind: "create" | "raise" | "lower" } & EntryMove)
    /** `cause` drift: nobody but the control plane knows the entry. Carried out only when `carriedOut`. */
    | {
        readonly kind: "remove";
        readonly cause: ChangeCause;
        readonly carriedOut: boolean;
        readonly accepted: readonly string[];
      }
    | ({ readonly kind: "refused"; readonly users?: EntryUsers } & Refused)
    | ({ readonly kind: "waiting" } & Waiting)
  );

/** From what to what an entry is to go: versions, `undefined` where the channel serves none. */
export interface EntryStep {
  readonly module: string;
  readonly channel: string;
  readonly mandatory: boolean;
  /** What is live. */
  readonly from: string | undefined;
  /** What is wanted. */
  readonly to: string | undefined;
}

/** How an entry moves. */
export interface EntryMove {
  readonly cause: ChangeCause;
  readonly specHash: string;
  /** Where the version goes down: who is concerned. */
  readonly users?: EntryUsers;
  /** The acceptances by which it moves although it is refused. */
  readonly accepted: readonly string[];
  /** What would keep it waiting, were it not for --now. */
  readonly passed?: string;
}

/** What lifecycle-manager does with the users of an entry that goes down to a version. */
export interface EntryUsers {
  /** Status and Manifest say a higher version: lifecycle-manager refuses to lower them. */
  readonly protected: Named;
  /** A Manifest says a higher version, and no status does: lifecycle-manager would lower them. */
  readonly endangered: Named;
  /** They have not got a higher version. */
  readonly behind: Named;
}

/** Why an entry does not move yet. */
export interface Waiting {
  readonly reason: string;
  /** When it moves, where that is known. Unix milliseconds. */
  readonly untilMs?: number;
  /** Whether it waits since something could not be read: then a sync exits with 3. */
  readonly isUnknown?: boolean;
}

/** How a live object becomes what is wanted. */
export interface ObjectChange {
  readonly desired: KubernetesObject;
  /** What the change was planned on. */
  readonly live: KubernetesObject;
  readonly cause: ChangeCause;
  readonly differences: readonly Difference[];
  /** Who made the differences, as far as the API server knows; empty unless the cause is drift. */
  readonly by: readonly string[];
  /** Whose fields must become ours first, so that applying removes them. */
  readonly takeOver?: Extent;
  /** Something that the reader should know, though it is done. */
  readonly warning?: string;
}

/** What one module needs; modules do not wait for one another. */
export interface ModulePlan {
  readonly module: string;
  readonly entries: readonly EntryItem[];
  /** What holds for the module in every channel, once the plan is carried out; `undefined` where nothing is known. */
  readonly terms: ModuleTerms | undefined;
  /** Templates first, then the release meta, then removals: the order in which they are carried out. */
  readonly items: readonly PlanItem[];
}

/** Everything that one sync does. */
export interface Plan {
  readonly landscape: string;
  /** The parent of the set. Where it is refused, there are no modules. */
  readonly parent: PlanItem;
  /** In the order of their names. */
  readonly modules: readonly ModulePlan[];
  /** Why nothing is removed although it was asked for; `undefined` where nothing keeps it from that. */
  readonly noRemoval: Refused | undefined;
  /** What the reader should know beside the items; whole sentences. */
  readonly notes: readonly string[];
}

/** All items of a plan: the parent, then templates, release metas and removals. */
export function itemsOf({ parent, modules }: Plan): readonly PlanItem[] {
  const items = modules.flatMap((module) => module.items);
  return [parent, ...items.toSorted((a, b) => rankOf(a) - rankOf(b))];
}

function rankOf(item: PlanItem): number {
  const isTemplate = item.object.kind === "ModuleTemplate";
  return item.kind === "prune" ? (isTemplate ? 3 : 2) : isTemplate ? 0 : 1;
}

/** All entries of a plan, module by module. */
export function entriesOf({ modules }: Plan): readonly EntryItem[] {
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

/** Whether an entry waits since something could not be read. */
export function isUnknown(entry: EntryItem): boolean {
  return entry.kind === "waiting" && entry.isUnknown === true;
}

/** Whether something is not as the repository wants it, and nothing is done about it. */
export function isAmiss({ kind }: { readonly kind: string }): boolean {
  return kind === "refused" || kind === "contested";
}

/** Whether an object waits for what may never come. What people paused goes on once they say so. */
export function isStuck(item: PlanItem): boolean {
  return item.kind === "waiting" && item.paused === undefined;
}

/** What keeps every entry of a module, or the one that needs a template, where it is. */
export type MoveBlocker = ({ readonly kind: "refused" } & Refused) | ({ readonly kind: "waiting" } & Waiting);
