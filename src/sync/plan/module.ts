import { compareText } from "../../document/order.ts";
import { type KubernetesObject, RESOURCES } from "../../kubernetes/object.ts";
import { changedRestrictions, templateRestrictions } from "../../kubernetes/releaseMeta.ts";
import { decideEntries, type EntryDecision } from "./entries.ts";
import { flipOf, flipRefusal, flipWhole } from "./flip.ts";
import { isOurs } from "./input.ts";
import { isAct, type ModulePlan, type PlanItem } from "./item.ts";
import { judgeMeta, judgeTerms, keepWhole, type Terms } from "./meta.ts";
import { asRecorded, isMandatoryTemplate, knownTemplate, liveEntries, type ModuleInput } from "./moduleInput.ts";
import type { Blockers } from "./moves.ts";
import { asBlocker, blockerTo, judgeDesired, judgeLeftOver, nameOf, refused } from "./object.ts";
import { isApplied } from "./records.ts";
import { acceptedKey, endangered, restrictionRefusal } from "./refusals.ts";
import { isWithheld } from "./slice.ts";

/** Plans one module, independent of other modules. */
export function planModule(module: ModuleInput): ModulePlan {
  const { input } = module;
  if (!isWithheld(module.module, input.desired)) return planUsable(module);
  const recorded = asRecorded(module);
  if (recorded === undefined) return { module: module.module, entries: [], terms: undefined, items: leftAlone(module) };
  const plan = planUsable(recorded);
  return { ...plan, items: plan.items.filter(({ kind }) => kind !== "prune") };
}

function planUsable(module: ModuleInput): ModulePlan {
  return module.input.desired.target.generation === "channel-templates"
    ? planChannelTemplates(module)
    : planVersionTemplates(module);
}

/** Leaves a module unchanged whose files cannot be used, and whose recorded content is not known. */
function leftAlone({ module, templates, meta, input }: ModuleInput): readonly PlanItem[] {
  return [...templates.values(), ...(meta ? [meta] : [])]
    .filter((live) => isOurs(live, input))
    .map((live) => ({
      kind: "retained",
      object: nameOf(live),
      because: `left alone: the files of ${module} cannot be used`,
    }));
}

function planVersionTemplates(module: ModuleInput): ModulePlan {
  const wantedTemplates = new Map(
    module.wanted.map(({ template, version }) => {
      const { name } = template.metadata;
      return [name, unlessEndangering(judgeDesired(template, module.templates.get(name), module), version, module)];
    }),
  );
  const terms = judgeTerms(module);
  const blockers = blockersOf(module, wantedTemplates, terms);
  const decided = flipWhole(decideEntries(module, blockers), module, blockers);
  const decisions = keepWhole(decided, module);
  const meta = judgeMeta(decisions, terms.effective, module);
  return {
    module: module.module,
    entries: decisions.map(({ item }) => item),
    terms: terms.applied,
    accepted: terms.accepted,
    items: [...judgeTemplates(wantedTemplates, decisions, { module, terms }), ...terms.refused, ...meta],
  };
}

function blockersOf(
  module: ModuleInput,
  templates: ReadonlyMap<string, PlanItem>,
  { restriction, component }: Terms,
): Blockers {
  const { meta, input } = module;
  const blocker = meta && blockerTo(meta, input);
  return {
    meta: asBlocker(blocker ?? restriction ?? component, module.module),
    template: ({ template }) => asBlocker(templates.get(template.metadata.name), module.module),
    flip: flipOf(module),
  };
}

/** The context in which templates of versions are judged. */
interface TemplateContext {
  readonly module: ModuleInput;
  readonly terms: Terms;
}

/** Judges the templates of a module, given the decisions on its entries. `wanted` by name. */
function judgeTemplates(
  wanted: ReadonlyMap<string, PlanItem>,
  decisions: readonly EntryDecision[],
  context: TemplateContext,
): readonly PlanItem[] {
  const { module } = context;
  const nameFor = (version: string): string => `${module.module}-${version}`;
  const served = new Set(decisions.flatMap(({ serves }) => (serves === undefined ? [] : [nameFor(serves)])));
  const moved = new Set(
    decisions.flatMap(({ item, serves }) => {
      const isAsWanted = item.kind !== "refused" && item.kind !== "waiting" && serves === item.to;
      return serves !== undefined && isAsWanted ? [nameFor(serves)] : [];
    }),
  );
  const names = new Set([...wanted.keys(), ...served, ...module.templates.keys()]);
  return [...names].sort(compareText).flatMap((name) => {
    const live = module.templates.get(name);
    const judged = wanted.get(name);
    if (live !== undefined)
      return judgeLive(live, judged, served.has(name), context).map((item) => guarded(item, decisions, context));
    // A template is created only once an entry moves to it.
    if (!served.has(name)) return [];
    const item = moved.has(name) && judged !== undefined ? judged : judgeLost(name, context);
    return [guarded(item, decisions, context)];
  });
}

/** Repairs a live template, and keeps it while a release meta names it. */
function judgeLive(
  live: KubernetesObject,
  wanted: PlanItem | undefined,
  isServed: boolean,
  context: TemplateContext,
): readonly PlanItem[] {
  if (wanted !== undefined) return [wanted];
  const { module } = context;
  const { name } = live.metadata;
  const namer = isServed ? module.module : module.namedElsewhere.get(name);
  const use = namer && `still named by ModuleReleaseMeta ${namer}`;
  return judgeLeftOver(live, use, module.input.known.get(name), module);
}

/**
 * Refuses to restore or repair a template of a named version under a restriction that a person set by hand:
 * lifecycle-manager would uninstall what still runs.
 */
function guarded(
  item: PlanItem,
  decisions: readonly EntryDecision[],
  { module, terms: { restriction } }: TemplateContext,
): PlanItem {
  const version = item.object.name.slice(module.module.length + 1);
  const isNamed = decisions.some(({ item: { from, to }, serves }) => [from, to, serves].includes(version));
  const judged = unlessEndangering(item, version, module);
  if (judged.kind === "refused" || restriction === undefined || !isNamed || !isAct(item) || item.kind === "prune")
    return judged;
  return refused(item.object, restriction.refusal, restriction.reason, restriction.remedy);
}

/**
 * Refuses to restore a template that a live entry names if lifecycle-manager may have forgotten the versions of its
 * users: it would install this version over a higher one.
 */
function unlessEndangering(item: PlanItem, version: string, module: ModuleInput): PlanItem {
  if (!isAct(item) || item.kind === "prune") return item;
  const named = liveEntries(module).filter((entry) => entry.version === version && !entry.mandatory);
  const [found] = named.flatMap((entry) =>
    endangered({ ...entry, module: module.module, from: version, to: version }, version, module),
  );
  return found === undefined ? item : refused(item.object, ...found);
}

/**
 * Restores a missing template that the release meta still names: its users are in Error until it is back. A version
 * that we never applied is not restored, because no commit decided to serve it.
 */
function judgeLost(name: string, { module }: TemplateContext): PlanItem {
  const version = name.slice(module.module.length + 1);
  const { live, known } = module.input;
  const template = known.get(name) ?? module.wanted.find((entry) => entry.version === version)?.template;
  const isOurs = isApplied(version, live.records, module.recorded);
  if (template === undefined || !isOurs) return missing(name, version, isOurs, module);
  // Without records, it is unknown whether the lost template had the same restrictions.
  const isUnsure = live.records.kind === "none" && module.users.length > 0;
  const restricting = isUnsure ? changedRestrictions({}, templateRestrictions(template)) : [];
  return restricting.length > 0
    ? refused(nameOf(template), ...restrictionRefusal(restricting, module))
    : judgeDesired(template, undefined, module);
}

function missing(name: string, version: string, isOurs: boolean, { module }: ModuleInput): PlanItem {
  const why = isOurs
    ? "and neither the repository nor its history has it"
    : "and we never applied it: another client wrote the entry";
  const reason = `ModuleReleaseMeta ${module} names it, but it does not exist, ${why}.`;
  const remedy = `Add modules/${module}/${version}/template.yaml; or fetch the whole history, if the clone is shallow.`;
  return refused({ kind: RESOURCES.moduleTemplate.kind, name }, "template-missing", reason, remedy);
}

/** Plans a module for lifecycle-manager up to 1.7, where the template of a channel is its entry. */
function planChannelTemplates(module: ModuleInput): ModulePlan {
  const blockers: Blockers = {
    meta: undefined,
    // A foreign template, one that is being deleted, or one of the other kind blocks its entry.
    template: ({ template, channel, version }) =>
      asBlocker(judgeTemplate(template, channel, version, module), module.module),
    flip: flipOf(module),
  };
  const decisions = flipWhole(decideEntries(module, blockers), module, blockers);
  const items = decisions.flatMap((decision) => judgeEntry(decision, module));
  const seen = new Set(items.map(({ object }) => object.name));
  const rest = [...module.templates.values()].filter(({ metadata }) => !seen.has(metadata.name));
  return {
    module: module.module,
    entries: decisions.map(({ item }) => item),
    terms: undefined,
    items: [...items, ...rest.flatMap((live) => judgeLeftOver(live, undefined, undefined, module))],
  };
}

function judgeEntry({ item, serves }: EntryDecision, module: ModuleInput): readonly PlanItem[] {
  const wanted = module.wanted.find(({ channel }) => channel === item.channel);
  const name = wanted?.template.metadata.name ?? `${module.module}-${item.channel}`;
  const live = module.templates.get(name);
  if (serves === undefined || item.kind === "remove") {
    const carriedOut = item.kind === "remove" && item.carriedOut;
    return live === undefined ? [] : [{ kind: "prune", object: nameOf(live), live, carriedOut }];
  }
  // An entry that does not move is repaired, if the repository has the template of its version.
  const template = wanted?.version === serves ? wanted.template : knownTemplate(serves, item.channel, module);
  const object = { kind: RESOURCES.moduleTemplate.kind, name };
  return [
    template === undefined ? { kind: "unchanged", object } : judgeTemplate(template, item.channel, serves, module),
  ];
}

/** Judges the template of a channel. A change of `mandatory` installs or uninstalls the module on clusters. */
function judgeTemplate(desired: KubernetesObject, channel: string, version: string, module: ModuleInput): PlanItem {
  const live = module.templates.get(desired.metadata.name);
  const isMandatory = isMandatoryTemplate(desired);
  if (live !== undefined && isOurs(live, module.input) && isMandatoryTemplate(live) !== isMandatory) {
    const found = flipRefusal(isMandatory, module);
    const step = { module: module.module, channel, from: version, to: version };
    const isAccepted =
      found !== undefined && module.input.gate.accepted.has(acceptedKey({ refusal: found[0], ...step }));
    if (found !== undefined && !isAccepted) return refused(nameOf(desired), ...found);
  }
  return judgeDesired(desired, live, module);
}
