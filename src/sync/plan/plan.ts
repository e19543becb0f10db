import type { KubernetesObject } from "../../kubernetes/object.ts";
import type { LiveState, PlanInput } from "./input.ts";
import type { ModulePlan, Plan, PlanItem, Refused } from "./item.ts";
import { planModule } from "./module.ts";
import { isOurs, splitByModule } from "./moduleInput.ts";
import { refusalOfRemovals } from "./prunes.ts";
import { judgeParent } from "./set.ts";

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
  return splitByModule(input, noRemoval)
    .map(planModule)
    .filter(({ entries, items }) => entries.length + items.length > 0);
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
  const module = splitByModule(input, noRemoval).find((one) => one.module === name);
  return module === undefined ? { module: name, entries: [], terms: undefined, items: [] } : planModule(module);
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
