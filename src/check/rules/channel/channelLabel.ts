import { EFFECTIVE_LABELS } from "../../../catalogue/import/place.ts";
import type { Template } from "../../../catalogue/template.ts";
import { acceptanceOf } from "../../acceptance.ts";
import type { Context, Step } from "../../context.ts";
import { BUMP, bumpTemplate, FAST } from "../../example.ts";
import { inTemplate, type Rule, type Violation } from "../../rule.ts";
import { eachStep } from "../steps.ts";

const LABEL = "operator.kyma-project.io/module-name: sample\n";

/** A module in service does not become beta or internal. */
export const channelLabel: Rule = {
  id: "channel-label",
  group: "channel",
  severity: "error",
  waivable: false,
  demand: "A module in service gets no label beta or internal, unless that is accepted.",
  rationale: "lifecycle-manager uninstalls the module from every cluster that does not have the same label.",
  source: 'lifecycle-manager, "What LM does with a change"',
  judge: (context) => eachStep(context, (step) => added(context, step)),
  bad: {
    change: bumpTemplate(LABEL, `${LABEL}    operator.kyma-project.io/beta: "true"\n`),
    at: { file: FAST, line: "operator.kyma-project.io/beta" },
  },
  good: { change: BUMP },
};

function added(context: Context, step: Step): readonly Violation[] {
  const { from, to, channel, module } = step;
  if (from === undefined || to === undefined) return [];
  const labels = EFFECTIVE_LABELS.filter((label) => isSet(to, label) && !isSet(from, label));
  if (labels.length === 0 || acceptanceOf(context, "channel-label", step) !== undefined) return [];
  return labels.map((label) => {
    const message = `${channel.name} serves ${module} without ${label}: with it, lifecycle-manager uninstalls the module from clusters without that label.`;
    const remedy = "Remove the label, or have it accepted: accepts in module.yaml, with refusal channel-label.";
    return inTemplate(to, ["metadata", "labels", label], { message, remedy });
  });
}

function isSet({ object }: Template, label: string): boolean {
  return object.metadata.labels?.[label]?.toLowerCase() === "true";
}
