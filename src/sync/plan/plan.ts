import { isOurs } from "../../kubernetes/applySet.ts";
import type { KubernetesObject } from "../../kubernetes/object.ts";
import type { LiveState, PlanInput, PlanOptions } from "./input.ts";
import type { EntryItem, ModulePlan, Plan, PlanItem, Refused } from "./item.ts";
import { planModule } from "./module.ts";
import { moduleInput } from "./moduleInput.ts";
import { judgeParent } from "./set.ts";
import { remember, settledPlan } from "./settled.ts";
import { slicesOf, type ModuleSlice } from "./slice.ts";

/**
 * What has to be done for a control plane to hold what is desired. Deciding twice gives the same; once it is carried
 * out, deciding again gives nothing to do. Objects that are neither desired nor ours do not appear.
 */
export function plan(input: PlanInput): Plan {
  const { desired, live, options } = input;
  const { landscape } = desired.target;
  const parent = judgeParent(input);
  if (parent.kind === "refused") return { landscape, parent, modules: [], noRemoval: undefined, notes: [] };
  const modules = planModules(input, undefined);
  const members = [...live.templates, ...live.releaseMetas].filter((object) => isOurs(object, desired.target)).length;
  const refusal = refusalOfRemovals(modules, members, options);
  return {
    landscape,
    parent,
    modules: refusal === undefined ? modules : planModules(input, refusal),
    noRemoval: refusal,
    notes: notesOn(input),
  };
}

function planModules(input: PlanInput, noRemoval: Refused | undefined): readonly ModulePlan[] {
  return [...slicesOf(input).values()]
    .map((slice) => planSlice(slice, input, noRemoval))
    .filter(({ entries, items }) => entries.length + items.length > 0);
}

function planSlice(slice: ModuleSlice, input: PlanInput, noRemoval: Refused | undefined): ModulePlan {
  const settled = settledPlan(slice, input);
  if (settled !== undefined) return settled;
  const planned = planModule(moduleInput(slice, input, noRemoval));
  remember(planned, slice, input);
  return planned;
}

function notesOn({ live, artifacts, options, desired }: PlanInput): readonly string[] {
  const isFirst = live.records.kind === "none" && live.templates.length > 0;
  return [
    ...(isFirst ? [`Nothing is recorded of ${desired.target.landscape} yet: what is live counts as served.`] : []),
    ...(artifacts.kind === "not-asked" ? [`Artifacts are not looked up: ${artifacts.because}.`] : []),
    ...(options.now === undefined ? [] : [`Holds and waves are passed over (--now): ${options.now}`]),
  ];
}

/** What is decided about one module once part of what it was decided on has been read again. */
export function planModuleAgain(name: string, input: PlanInput, noRemoval: Refused | undefined): ModulePlan {
  const slice = slicesOf(input).get(name);
  return slice === undefined
    ? { module: name, entries: [], terms: undefined, items: [] }
    : planSlice(slice, input, noRemoval);
}

/** What an object is judged again on. */
export interface AgainContext {
  readonly module: string;
  readonly input: PlanInput;
  readonly noRemoval: Refused | undefined;
}

/** Judges one object of a module again, now that it is `live`; all else is as it was when the plan was made. */
export function judgeAgain(
  item: PlanItem,
  live: KubernetesObject | undefined,
  { module, input, noRemoval }: AgainContext,
): PlanItem {
  if (item.object.kind === "ConfigMap") return judgeParent({ ...input, live: { ...input.live, parent: live } });
  const again = planModuleAgain(module, { ...input, live: replaced(input.live, item, live) }, noRemoval);
  const { kind, name } = item.object;
  const same = again.items.find(({ object }) => {
    return object.kind === kind && object.name === name && object.field === undefined;
  });
  return same ?? { kind: "unchanged", object: item.object };
}

function replaced(state: LiveState, { object }: PlanItem, live: KubernetesObject | undefined): LiveState {
  const replace = (objects: readonly KubernetesObject[]): readonly KubernetesObject[] => [
    ...objects.filter(({ kind, metadata }) => kind !== object.kind || metadata.name !== object.name),
    ...(live === undefined ? [] : [live]),
  ];
  return object.kind === "ModuleTemplate"
    ? { ...state, templates: replace(state.templates) }
    : { ...state, releaseMetas: replace(state.releaseMetas) };
}

/** A set may always lose so many objects at once, and so large a part of it. */
const FEW = 5;
const PART = 0.1;

/**
 * Why nothing is removed, although that was asked for: there are too many removals, or nothing of what was there before
 * would be left. Then it is more likely that the repository was read wrongly than that everything shall go. `undefined`:
 * as many may go.
 *
 * Takes:  `members`, the objects of the set that live before anything is done. What nobody but the control plane knows
 * does not count: that is repaired, and not removed.
 */
function refusalOfRemovals(modules: readonly ModulePlan[], members: number, options: PlanOptions): Refused | undefined {
  const objects = modules.flatMap(({ items }) => items.filter((item) => item.kind === "prune" && item.carriedOut));
  const entries = modules.flatMap(({ entries, items }) =>
    entries.filter((entry) => isRemoval(entry) && !items.some((item) => item.kind === "prune" && item.carriedOut)),
  );
  const count = objects.length + entries.length;
  const limit = options.maxPrune ?? Math.max(FEW, Math.floor(members * (options.maxPart ?? PART)));
  const isEverything = members > 0 && objects.length >= members;
  if (count <= limit && !isEverything) return undefined;
  return {
    refusal: "too-many-prunes",
    reason: isEverything
      ? `${count} objects would go, and nothing would be left of what is there.`
      : `${count} objects and entries would go, more than ${limit}.`,
    remedy: isEverything
      ? "Check the repository; delete by hand if it is meant."
      : `Check them, then allow it: --max-prune ${count}.`,
  };
}

/** An entry that goes from a release meta that stays; with a release meta that goes, that one counts. */
function isRemoval(entry: EntryItem): boolean {
  return entry.kind === "remove" && entry.carriedOut && entry.cause !== "drift";
}
