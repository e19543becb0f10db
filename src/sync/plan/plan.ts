import { oncePer } from "../../document/once.ts";
import { type KubernetesObject, RESOURCES } from "../../kubernetes/object.ts";
import { writeBlocker } from "./difference.ts";
import { decideEntries } from "./entries.ts";
import { type EntryMoveRequest, isOurs, type LiveState, type ModuleSlice, type PlanInput } from "./input.ts";
import { type ModulePlan, objectName, type Plan, type PlanItem, type Refused } from "./item.ts";
import { asBlocker } from "./moves.ts";
import { channelTemplate, channelTemplates, versionTemplates, wantedTemplates } from "./objects.ts";
import { judgeReleaseMeta, judgeTerms, keepWhole } from "./releaseMeta.ts";
import { judgeParent } from "./set.ts";
import { isWithheld, remember, settledPlan, planSlices, unsettledSlices } from "./slices.ts";
import { type ModuleState, moduleState, recordedSlice, requestedMoves } from "./state.ts";

/**
 * Plans the changes that bring a control plane to the desired state. The plan is deterministic, and is empty after it
 * was carried out. Objects that are neither desired nor ours do not appear.
 */
export function plan(input: PlanInput): Plan {
  const { landscape } = input.desired.target;
  const parent = judgeParent(input);
  if (parent.kind === "refused") return { landscape, parent, modules: [], noRemoval: undefined, notes: [] };
  const modules = planModules(input, undefined);
  const refusal = refusalOfRemovals(modules, input);
  return {
    landscape,
    parent,
    modules: refusal === undefined ? modules : planModules(input, refusal),
    noRemoval: refusal,
    notes: notesOn(input),
  };
}

function planModules(input: PlanInput, noRemoval: Refused | undefined): readonly ModulePlan[] {
  return [...planSlices(input).values()]
    .map((slice) => planSlice(slice, input, noRemoval))
    .filter(({ entries, items }) => entries.length + items.length > 0);
}

/** Plans one module, independent of other modules. */
function planSlice(slice: ModuleSlice, input: PlanInput, noRemoval: Refused | undefined): ModulePlan {
  const settled = settledPlan(slice, input);
  if (settled !== undefined) return settled;
  const state = moduleState(slice, input, noRemoval);
  if (isWithheld(slice.module, input.desired)) return planWithheld(slice, state, input);
  const planned = planModule(state);
  remember(planned, slice, input);
  return planned;
}

/** A module whose files cannot be used is served as recorded, or is left alone if that content is not known. */
function planWithheld(slice: ModuleSlice, state: ModuleState, input: PlanInput): ModulePlan {
  const { module, templates, meta, noRemoval } = state;
  const recorded = recordedSlice(state);
  if (recorded !== undefined) {
    const planned = planModule(moduleState({ ...slice, ...recorded }, input, noRemoval));
    return { ...planned, items: planned.items.filter(({ kind }) => kind !== "prune") };
  }
  const because = `left alone: the files of ${module} cannot be used`;
  const items = [...templates.values(), ...(meta ? [meta] : [])]
    .filter((live) => isOurs(live, state))
    .map((live) => ({ kind: "retained" as const, object: objectName(live), because }));
  return { module, entries: [], terms: undefined, items };
}

/** Decides on the entries of a module, then on the objects that hold them: templates first, then the release meta. */
function planModule(state: ModuleState): ModulePlan {
  const { module, meta, desired } = state;
  if (desired.target.generation === "channel-templates") {
    // A foreign template, one that is being deleted, or one of the other kind blocks its entry.
    const decisions = decideEntries(state, {
      meta: undefined,
      template: ({ template, channel, version }) =>
        asBlocker(channelTemplate(template, channel, version, state), module),
    });
    const entries = decisions.map(({ item }) => item);
    return { module, entries, terms: undefined, items: channelTemplates(decisions, state) };
  }
  const templates = wantedTemplates(state);
  const { effective, applied, accepted, refused, restriction, component } = judgeTerms(state);
  const blocker = (meta && writeBlocker(meta, state)) ?? restriction ?? component;
  const decided = decideEntries(state, {
    meta: asBlocker(blocker, module),
    template: ({ template }) => asBlocker(templates.get(template.metadata.name), module),
  });
  const decisions = keepWhole(decided, state);
  return {
    module,
    entries: decisions.map(({ item }) => item),
    terms: applied,
    accepted,
    items: [
      ...versionTemplates(templates, decisions, restriction, state),
      ...refused,
      ...judgeReleaseMeta(decisions, effective, state),
    ],
  };
}

/** The entries whose wanted version differs from the live one, whether they may move or not. */
export function planMoves(input: PlanInput): readonly EntryMoveRequest[] {
  return unsettledSlices(input).flatMap((slice) => requestedMoves(moduleState(slice, input)));
}

function notesOn({ live, artifacts, options, desired }: PlanInput): readonly string[] {
  const isFirst = live.records.kind === "none" && live.templates.length > 0;
  return [
    ...(isFirst ? [`${desired.target.landscape} has no records yet: the live versions count as served.`] : []),
    ...(artifacts.kind === "not-asked" ? [`Artifacts are not looked up: ${artifacts.because}.`] : []),
    ...(options.now === undefined ? [] : [`Holds and waves are ignored (--now): ${options.now}`]),
  ];
}

/** Plans one module again, after part of its input was read again. */
export function planModuleAgain(name: string, input: PlanInput, noRemoval: Refused | undefined): ModulePlan {
  const slice = planSlices(input).get(name);
  return slice === undefined
    ? { module: name, entries: [], terms: undefined, items: [] }
    : planSlice(slice, input, noRemoval);
}

/** The context in which an object is judged again. */
interface AgainContext {
  readonly module: string;
  readonly input: PlanInput;
  readonly noRemoval: Refused | undefined;
}

/** The decision on an object that changed since the plan, and on the entries of its module. */
export interface DecidedAgain extends Pick<ModulePlan, "entries"> {
  readonly item: PlanItem;
}

/** Judges one object again for its current state `live`. All other input is unchanged since the plan. */
export function judgeAgain(
  item: PlanItem,
  live: KubernetesObject | undefined,
  { module, input, noRemoval }: AgainContext,
): DecidedAgain {
  if (item.object.kind === "ConfigMap")
    return { item: judgeParent({ ...input, live: { ...input.live, parent: live } }), entries: [] };
  const again = planModuleAgain(module, { ...input, live: replaced(input.live, item, live) }, noRemoval);
  const { kind, name } = item.object;
  const same = again.items.find(({ object }) => {
    return object.kind === kind && object.name === name && object.field === undefined;
  });
  return { item: same ?? { kind: "unchanged", object: item.object }, entries: again.entries };
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

/** The default limits on removals per sync: a number of objects, and a share of the set. */
const FEW = 5;
const PART = 0.1;

/**
 * Refuses removals that are too many, or that would leave nothing: a repository that was read wrongly is then more
 * likely than a real wish to remove everything. `undefined`: the removals are allowed.
 *
 * Entries that only the control plane has do not count, because their removal is a repair.
 */
function refusalOfRemovals(modules: readonly ModulePlan[], input: PlanInput): Refused | undefined {
  const { live, options } = input;
  const removals = modules.map(removalsOf);
  const objects = removals.reduce((sum, { objects }) => sum + objects, 0);
  const count = removals.reduce((sum, { entries }) => sum + entries, objects);
  if (count === 0) return undefined;
  const members = [...live.templates, ...live.releaseMetas].filter((object) => isOurs(object, input)).length;
  const limit = options.maxPrune ?? Math.max(FEW, Math.floor(members * (options.maxPart ?? PART)));
  const isEverything = members > 0 && objects >= members;
  if (count <= limit && !isEverything) return undefined;
  return {
    refusal: "too-many-prunes",
    reason: isEverything
      ? `${count} objects would be removed, and nothing would be left.`
      : `${count} objects and entries would be removed, more than ${limit}.`,
    remedy: isEverything
      ? "Check the repository; if this is intended, delete them by hand."
      : `Check them, then allow it: --max-prune ${count}.`,
  };
}

/** The removals of a module: its objects, and the entries that are not counted with the object that holds them. */
const removalsOf = oncePer(({ module, entries, items }: ModulePlan) => {
  const pruned = items.filter((item) => item.kind === "prune" && item.carriedOut).map(({ object }) => object);
  const isMetaGone = pruned.some(({ kind }) => kind === RESOURCES.moduleReleaseMeta.kind);
  const removed = entries.filter(
    (entry) =>
      entry.kind === "remove" &&
      entry.carriedOut &&
      entry.cause !== "drift" &&
      !isMetaGone &&
      !pruned.some(({ name }) => name === `${module}-${entry.channel}`),
  );
  return { objects: pruned.length, entries: removed.length };
});
