import { compareText } from "../../catalogue/order.ts";
import { RESOURCES, type KubernetesObject } from "../../kubernetes/object.ts";
import { changedRestrictions, templateRestrictions } from "../../kubernetes/releaseMeta.ts";
import type { EntryDecision } from "./entries.ts";
import { isAct, type PlanItem } from "./item.ts";
import type { Terms } from "./meta.ts";
import type { ModuleInput } from "./moduleInput.ts";
import { judgeDesired, judgeLeftOver, nameOf, refused } from "./object.ts";
import { isApplied } from "./records.ts";
import { endangered, restrictionRefusal } from "./refusals.ts";

/** What the templates of versions are judged on. */
interface TemplateContext {
  readonly module: ModuleInput;
  readonly terms: Terms;
}

/** What becomes of the templates of a module, given what its entries are to serve. `wanted` by name. */
export function judgeTemplates(
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
    // What no entry moves to yet is not created.
    if (!served.has(name)) return [];
    const item = moved.has(name) && judged !== undefined ? judged : judgeLost(name, context);
    return [guarded(item, decisions, context)];
  });
}

/** A template that stands there is put right, and not taken away while a release meta names it. */
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
 * A template that comes back, or is put right, under an entry that named it all the time. lifecycle-manager may have forgotten
 * meanwhile which version its users have, and would install this one over a higher one; and under a restriction that somebody
 * set by hand it would uninstall what still runs.
 */
function guarded(
  item: PlanItem,
  decisions: readonly EntryDecision[],
  { module, terms: { restriction } }: TemplateContext,
): PlanItem {
  const version = item.object.name.slice(module.module.length + 1);
  const named = decisions.filter(({ item: { from, to }, serves }) => [from, to, serves].includes(version));
  if (!isAct(item) || item.kind === "prune" || named.length === 0) return item;
  const live = named.filter(({ item: { from, mandatory } }) => from === version && !mandatory);
  const [found] = live.flatMap((decision) => endangered(decision.item, version, module));
  if (found !== undefined) return refused(item.object, ...found);
  if (restriction === undefined) return item;
  return refused(item.object, restriction.refusal, restriction.reason, restriction.remedy);
}

/**
 * A template that the release meta goes on naming, and that is gone: its users are in Error until it is back. One that we
 * never applied does not come back: nobody decided that its version is to be served.
 */
function judgeLost(name: string, { module }: TemplateContext): PlanItem {
  const version = name.slice(module.module.length + 1);
  const { live, known } = module.input;
  const template = known.get(name) ?? module.wanted.find((entry) => entry.version === version)?.template;
  const isOurs = isApplied(version, live.records, module.recorded);
  if (template === undefined || !isOurs) return missing(name, version, isOurs, module);
  // Where nothing is recorded, nobody can tell whether its users had a template that is offered to fewer clusters.
  const isUnsure = live.records.kind === "none" && module.users.length > 0;
  const restricting = isUnsure ? changedRestrictions({}, templateRestrictions(template)) : [];
  return restricting.length > 0
    ? refused(nameOf(template), ...restrictionRefusal(restricting, module))
    : judgeDesired(template, undefined, module);
}

function missing(name: string, version: string, isOurs: boolean, { module }: ModuleInput): PlanItem {
  const why = isOurs
    ? "and neither the repository nor its history has it"
    : "and we never applied it: somebody else wrote the entry";
  const reason = `ModuleReleaseMeta ${module} names it, it is not there, ${why}.`;
  const remedy = `Add modules/${module}/${version}/template.yaml; or fetch the whole history, if the clone is shallow.`;
  return refused({ kind: RESOURCES.moduleTemplate.kind, name }, "template-missing", reason, remedy);
}
