import { planChannelTemplates } from "./channelTemplates.ts";
import { decideEntries } from "./entries.ts";
import type { Obstacles } from "./moves.ts";
import type { ModulePlan, PlanItem } from "./item.ts";
import { flipOf, judgeMeta, judgeTerms, keepWhole, type Terms } from "./meta.ts";
import { isOurs, type ModuleInput } from "./moduleInput.ts";
import { asObstacle, judgeDesired, nameOf, obstacleTo } from "./object.ts";
import { judgeTemplates } from "./templates.ts";

/** Decides everything about one module; what becomes of other modules does not matter. */
export function planModule(module: ModuleInput): ModulePlan {
  const { input } = module;
  const isWithheld = [...input.desired.withheld].some((name) => name === module.module);
  if (isWithheld) return { module: module.module, entries: [], terms: undefined, items: leftAlone(module) };
  return input.desired.target.generation === "channel-templates"
    ? planChannelTemplates(module)
    : planVersionTemplates(module);
}

/** Of a module whose files contradict one another, nothing is changed. */
function leftAlone({ module, templates, meta, input }: ModuleInput): readonly PlanItem[] {
  return [...templates.values(), ...(meta ? [meta] : [])]
    .filter((live) => isOurs(live, input.desired.target))
    .map((live) => ({
      kind: "retained",
      object: nameOf(live),
      because: `left alone: the files of ${module} contradict one another`,
    }));
}

function planVersionTemplates(module: ModuleInput): ModulePlan {
  const wantedTemplates = new Map(
    module.wanted.map(({ template }) => [
      template.metadata.name,
      judgeDesired(template, module.templates.get(template.metadata.name), module),
    ]),
  );
  const terms = judgeTerms(module);
  const decided = decideEntries(module, obstaclesOf(module, wantedTemplates, terms));
  const decisions = keepWhole(decided, module);
  const meta = judgeMeta(decisions, terms.effective, module);
  return {
    module: module.module,
    entries: decisions.map(({ item }) => item),
    terms: terms.applied,
    items: [...judgeTemplates(wantedTemplates, decisions, { module, terms }), ...terms.refused, ...meta],
  };
}

function obstaclesOf(module: ModuleInput, templates: ReadonlyMap<string, PlanItem>, { restriction }: Terms): Obstacles {
  const { meta, input } = module;
  const obstacle = meta && obstacleTo(meta, input);
  return {
    meta: asObstacle(obstacle ?? restriction, module.module),
    template: ({ template }) => asObstacle(templates.get(template.metadata.name), module.module),
    flip: flipOf(module),
  };
}
