import type { Channel } from "../catalogue/catalogue.ts";
import type { ChannelName, ModuleName } from "../catalogue/names.ts";
import type { ModuleVersion } from "../catalogue/version.ts";
import type { Run } from "../ports.ts";
import { gatherPromotion, type DecisionWorld, type Gathered } from "./gather.ts";
import { assessAlone } from "./verdict/decide.ts";
import { heldPeriods } from "./verdict/holding.ts";
import { judgeHolds } from "./verdict/people.ts";
import { placeIn, subjectIn } from "./verdict/subject.ts";
import { instantText } from "../document/times.ts";
import { isUnmet, type Reason, type Topic } from "./verdict/verdict.ts";

/** A step that a person proposes by hand, into a channel. */
export interface ManualStep {
  readonly channel: Channel;
  readonly module: ModuleName;
  readonly to: { readonly version: ModuleVersion };
  /** Whether the version has to be earned, or only must not be held. */
  readonly question: "verdict" | "holds";
}

/** A step that promotion would not make yet. */
export interface UnearnedStep {
  readonly channel: ChannelName;
  readonly module: ModuleName;
  readonly version: ModuleVersion;
  /** What is missing, or who is against it, as full sentences. */
  readonly why: string;
  /** Says what to do; full sentences. */
  readonly remedy: string;
}

/**
 * What the gate asks of promotion. It has no evidence, and when a change is merged is not its business: so neither smoke,
 * approval, exposure and health count, nor windows and freezes.
 */
const COUNTED: readonly Topic[] = ["soak", "hold", "withdrawal", "hot-fix", "files"];

/**
 * Which of `steps` promotion would not make now, by what was merged up to the commit `base`. No forge is asked: merges
 * count from the committers' clocks. Throws HISTORY_TOO_SHALLOW for a clone that is cut off.
 */
export async function unearnedSteps(
  base: string,
  steps: readonly ManualStep[],
  world: Omit<DecisionWorld, "openForge">,
  run: Run,
): Promise<readonly UnearnedStep[]> {
  const question = { revision: base, atMs: undefined, evidence: [] };
  const gathered = await gatherPromotion(question, { ...world, openForge: () => Promise.resolve(undefined) }, run);
  return steps.flatMap((step) => (gathered.kind === "unreadable" ? stuck(step) : unearned(gathered, step)));
}

/** As for promotion: it moves nothing before the files are mended. */
function stuck({ channel, module, to: { version } }: ManualStep): UnearnedStep {
  const why = "The files of the base are broken, so this cannot be decided.";
  return { channel: channel.name, module, version, why, remedy: "Mend them first: kyma-modules check says where." };
}

function unearned(gathered: Gathered, step: ManualStep): readonly UnearnedStep[] {
  const { channel, module, to } = step;
  const reasons = step.question === "verdict" ? verdictReasons(gathered, step) : holdReasons(gathered, step);
  const missing = reasons.filter((reason) => COUNTED.includes(reason.topic) && isUnmet(reason));
  if (missing.length === 0) return [];
  const why = missing.map(({ message }) => message).join(" ");
  return [{ channel: channel.name, module, version: to.version, why, remedy: remedyOf(missing) }];
}

/** The very version of the step is assessed, also where promotion would choose another, or has it for no candidate. */
function verdictReasons({ catalogue, factsOf }: Gathered, { channel, module, to }: ManualStep): readonly Reason[] {
  const subject = subjectIn(catalogue, module, channel.name);
  if (subject === undefined) return [];
  return assessAlone(to.version, subject, factsOf(subject)).reasons;
}

/** Also of a channel that follows none. */
function holdReasons(
  { catalogue, histories, nowMs }: Gathered,
  { channel, module, to }: ManualStep,
): readonly Reason[] {
  const held = heldPeriods(placeIn(catalogue, channel), histories.of(module));
  return judgeHolds({ module, channel, said: catalogue.modules.get(module) }, to.version, held, nowMs);
}

function remedyOf(missing: readonly Reason[]): string {
  const untilMs = Math.max(...missing.map(({ metAtMs = Number.POSITIVE_INFINITY }) => metAtMs));
  if (Number.isFinite(untilMs)) return `Wait until ${instantText(untilMs)}: promotion proposes it by itself.`;
  return [...new Set(missing.flatMap(({ remedy }) => remedy ?? []))].join("\n");
}
