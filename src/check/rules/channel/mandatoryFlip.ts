import type { Channel } from "../../../catalogue/catalogue.ts";
import { acceptanceFor } from "../../acceptance.ts";
import type { ChannelStep, Context } from "../../context.ts";
import { MODULE } from "../../example.ts";
import { inTemplate, violation, type Complaint, type Rule, type Violation } from "../../rule.ts";
import { eachStep } from "../steps.ts";
import { accepting, MANDATORY, movesKind, MUST, MUST_POLICY } from "./kind.ts";

const ID = "mandatory-flip";

/** A module becomes mandatory, or no longer is, only when that is accepted. */
export const mandatoryFlip: Rule = {
  id: ID,
  group: "channel",
  severity: "error",
  waivable: false,
  demand: "A module becomes mandatory, or ceases to be, only when that is accepted.",
  rationale:
    "A mandatory module is installed on every cluster. One that ceases to be mandatory is removed from every cluster whose users did not enable it.",
  source: "https://github.com/kyma-project/kyma-modules/blob/main/.github/docs/sync.md#what-a-sync-refuses",
  judge: function* (context) {
    yield* eachStep(context, (step) => inStep(context, step));
    for (const channel of context.head.channels.values()) yield* ofChannel(context, channel);
  },
  bad: { base: MUST_POLICY, change: MANDATORY, at: { file: MUST, line: "channel: must" } },
  good: { base: { ...MUST_POLICY, [MODULE]: accepting(ID, "must", "1.1.0", "1.1.0") }, change: MANDATORY },
};

const REMEDY = `Keep it as it is, or have it accepted: accepts in module.yaml, with refusal ${ID}.`;

function inStep(context: Context, step: ChannelStep): readonly Violation[] {
  const { channel, module, to } = step;
  if (to === undefined || !movesKind(context, module) || acceptanceFor(context, ID, step) !== undefined) return [];
  const message = `${module} would move to ${channel.name}, a ${channel.kind} channel.`;
  return [inTemplate(to, ["spec", "channel"], { message, remedy: REMEDY })];
}

/** A channel that changes its kind flips every module that it serves. */
function ofChannel(context: Context, { name, kind, file, templates }: Channel): readonly Violation[] {
  const before = context.base?.channels.get(name);
  if (before === undefined || before.kind === kind) return [];
  const modules = [...before.templates.values()].filter((from) => {
    const step = { channel: before, module: from.module, from, to: templates.get(from.module) };
    return acceptanceFor(context, ID, step) === undefined;
  });
  if (modules.length === 0) return [];
  const names = modules.map(({ module }) => module).join(", ");
  const complaint: Complaint = { message: `${name} would be a ${kind} channel, with ${names} in it.`, remedy: REMEDY };
  return [violation(file, ["kind"], complaint)];
}
