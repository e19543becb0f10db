import type { Entry } from "../../catalogue/compile.ts";
import { RESOURCES, type KubernetesObject } from "../../kubernetes/object.ts";
import { decideEntries, type EntryDecision } from "./entries.ts";
import type { Obstacle } from "./moves.ts";
import { acceptedKey } from "./gate.ts";
import type { ModulePlan, PlanItem } from "./item.ts";
import { flipOf, flipRefusal } from "./meta.ts";
import { isMandatoryTemplate, isOurs, knownTemplate, type ModuleInput } from "./moduleInput.ts";
import { asObstacle, judgeDesired, judgeLeftOver, nameOf, refused } from "./object.ts";

/** What becomes of a module where the template of a channel stands for its entry: lifecycle-manager up to 1.7. */
export function planChannelTemplates(module: ModuleInput): ModulePlan {
  const decisions = decideEntries(module, {
    meta: undefined,
    template: (entry) => obstacleOf(entry, module),
    flip: flipOf(module),
  });
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
  // Where it stands still, what somebody made of it is put right, if the repository knows the version.
  const template = wanted?.version === serves ? wanted.template : knownTemplate(serves, item.channel, module);
  const object = { kind: RESOURCES.moduleTemplate.kind, name };
  return [
    template === undefined ? { kind: "unchanged", object } : judgeTemplate(template, item.channel, serves, module),
  ];
}

/** Somebody else's template, one that somebody deletes, or one of the other kind keeps its entry where it is. */
function obstacleOf(entry: Entry, module: ModuleInput): Obstacle | undefined {
  const { template, channel, version } = entry;
  return asObstacle(judgeTemplate(template, channel, version, module), module.module);
}

/** A template that is mandatory is installed on every cluster; one that ceases to be is uninstalled. */
function judgeTemplate(desired: KubernetesObject, channel: string, version: string, module: ModuleInput): PlanItem {
  const live = module.templates.get(desired.metadata.name);
  const isMandatory = isMandatoryTemplate(desired);
  if (live !== undefined && isOurs(live, module.input.desired.target) && isMandatoryTemplate(live) !== isMandatory) {
    const found = flipRefusal(isMandatory, module);
    const step = { module: module.module, channel, from: version, to: version };
    const isAccepted =
      found !== undefined && module.input.gate.accepted.has(acceptedKey({ refusal: found[0], ...step }));
    if (found !== undefined && !isAccepted) return refused(nameOf(desired), ...found);
  }
  return judgeDesired(desired, live, module);
}
