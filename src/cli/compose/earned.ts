import type { Unearned } from "../../check/facts.ts";
import type { AskUnearned, StepToEarn } from "../../check/gather/unearned.ts";
import { gatherPromotion, type Gathered, type PromotionWorld } from "../../promote/gather.ts";
import { assessAlone } from "../../promote/verdict/decide.ts";
import { heldPeriods } from "../../promote/verdict/holding.ts";
import { judgeHolds } from "../../promote/verdict/people.ts";
import { placeIn, subjectIn } from "../../promote/verdict/subject.ts";
import { instantText } from "../../promote/verdict/text.ts";
import { isUnmet, type Reason, type Topic } from "../../promote/verdict/verdict.ts";

/**
 * What the gate asks of promotion. It has no evidence, and when a change is merged is not its business: so neither smoke,
 * approval, exposure and health count, nor windows and freezes.
 */
const COUNTED: readonly Topic[] = ["soak", "hold", "withdrawal", "hot-fix", "files"];

/** The gate's question, answered by promotion. No forge is asked: merges count from the committers' clocks. */
export function openUnearned(world: Omit<PromotionWorld, "openForge">): AskUnearned {
  return async (base, steps, run) => {
    const question = { revision: base, atMs: undefined, evidence: [] };
    const gathered = await gatherPromotion(question, { ...world, openForge: () => Promise.resolve(undefined) }, run);
    return steps.flatMap((step) => (gathered.kind === "unreadable" ? stuck(step) : unearned(gathered, step)));
  };
}

/** As for promotion: it moves nothing before the files are mended. */
function stuck({ channel, module, to: { version } }: StepToEarn): Unearned {
  const why = "The files of the base are broken, so nobody can tell.";
  return { channel: channel.name, module, version, why, remedy: "Mend them first: kyma-modules check says where." };
}

function unearned(gathered: Gathered, step: StepToEarn): readonly Unearned[] {
  const { channel, module, to } = step;
  const reasons = step.question === "verdict" ? verdictReasons(gathered, step) : holdReasons(gathered, step);
  const missing = reasons.filter((reason) => COUNTED.includes(reason.topic) && isUnmet(reason));
  if (missing.length === 0) return [];
  const why = missing.map(({ message }) => message).join(" ");
  return [{ channel: channel.name, module, version: to.version, why, remedy: remedyOf(missing) }];
}

/** The very version of the step is assessed, also where promotion would choose another, or has it for no candidate. */
function verdictReasons({ catalogue, factsOf }: Gathered, { channel, module, to }: StepToEarn): readonly Reason[] {
  const subject = subjectIn(catalogue, module, channel.name);
  if (subject === undefined) return [];
  return assessAlone(to.version, subject, factsOf(subject)).reasons;
}

/** Also of a channel that follows none. */
function holdReasons(
  { catalogue, histories, nowMs }: Gathered,
  { channel, module, to }: StepToEarn,
): readonly Reason[] {
  const held = heldPeriods(placeIn(catalogue, channel), histories.of(module));
  return judgeHolds({ module, channel, said: catalogue.modules.get(module) }, to.version, held, nowMs);
}

function remedyOf(missing: readonly Reason[]): string {
  const untilMs = Math.max(...missing.map(({ metAtMs = Number.POSITIVE_INFINITY }) => metAtMs));
  if (Number.isFinite(untilMs)) return `Wait until ${instantText(untilMs)}: promotion proposes it by itself.`;
  return [...new Set(missing.flatMap(({ remedy }) => remedy ?? []))].join("\n");
}
