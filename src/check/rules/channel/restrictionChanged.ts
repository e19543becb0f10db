import type { ModuleFile } from "../../../catalogue/draft.ts";
import { EFFECTIVE_LABELS } from "../../../catalogue/import/place.ts";
import { changedRestrictions, templateRestrictions, type Restrictions } from "../../../kubernetes/releaseMeta.ts";
import { acceptanceFor, acceptFieldText, acceptStepText, fieldAcceptance } from "../../acceptance.ts";
import type { ChannelStep, Context } from "../../context.ts";
import { edit, MODULE, SAMPLE } from "../../example.ts";
import { inTemplate, type Rule, type Violation } from "../../rule.ts";
import { eachServedModule, eachStep, inModuleFile, type ServedModule } from "../steps.ts";
import { acceptingField } from "./kind.ts";

const ID = "restriction-changed";
const ACCEPTED = acceptingField(ID, "beta", null, true);
const EFFECT = "lifecycle-manager uninstalls the module from clusters, or installs it there, within seconds.";
const beta = (text: string): string => edit(text, "ocmComponentName", "beta: true\nocmComponentName");

/** A module in service is offered to the same clusters as before. */
export const restrictionChanged: Rule = {
  id: ID,
  group: "channel",
  severity: "error",
  waivable: false,
  demand:
    "The fields kymaSelector, beta and internal of a module in service, and the labels beta and internal of its templates, change only when that is accepted.",
  rationale:
    "They decide which clusters get the module. lifecycle-manager uninstalls the module from every cluster that no longer matches, and custom resources are deleted together with their definitions.",
  source: "https://github.com/kyma-project/kyma-modules/blob/main/.github/docs/sync.md#what-a-sync-refuses",
  judge: function* (context) {
    yield* eachStep(context, (step) => labels(context, step));
    yield* eachServedModule(context, (module) => fields(context, module));
  },
  bad: { change: { [MODULE]: beta(String(SAMPLE[MODULE])) }, at: { file: MODULE, line: "beta: true" } },
  good: { base: { [MODULE]: ACCEPTED }, change: { [MODULE]: beta(ACCEPTED) } },
};

function labels(context: Context, step: ChannelStep): readonly Violation[] {
  const { channel, module, from, to } = step;
  if (from === undefined || to === undefined) return [];
  const changed = changedRestrictions(templateRestrictions(from.object), templateRestrictions(to.object));
  if (changed.length === 0 || acceptanceFor(context, ID, step) !== undefined) return [];
  const remedy = `Keep the label as it is, or have the change accepted: ${acceptStepText(ID, step)}.`;
  return EFFECTIVE_LABELS.filter((label) => changed.some((field) => label.endsWith(`/${field}`))).map((label) => {
    const message = `The label ${label} of ${module} in ${channel.name} would change: ${EFFECT}`;
    return inTemplate(to, ["metadata", "labels", label], { message, remedy });
  });
}

function fields(context: Context, module: ServedModule): readonly Violation[] {
  const { name, before, after, file } = module;
  if (file === undefined) return [];
  const [old, now] = [before.says, after.says];
  return changedRestrictions(old, now).flatMap((field) => {
    const change = { module: name, field, from: restrictionValue(old, field), to: restrictionValue(now, field) };
    if (fieldAcceptance(context, ID, change) !== undefined) return [];
    const message = `${field} of ${name} would change from ${restrictionText(change.from)} to ${restrictionText(change.to)}: ${EFFECT}`;
    const remedy = `Keep it as it is, or have the change accepted: ${acceptFieldText(ID, change)}.`;
    return [inModuleFile(file, module, field, { message, remedy })];
  });
}

/** Treats `false` like an unset field. */
function restrictionValue(says: ModuleFile, field: keyof Restrictions): unknown {
  const value = says[field] ?? false;
  return value === false ? null : value;
}

function restrictionText(value: unknown): string {
  return value === null ? "unset" : JSON.stringify(value);
}
