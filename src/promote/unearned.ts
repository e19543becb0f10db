import type { Channel } from "../catalogue/catalogue.ts";
import type { ChannelName, ModuleName } from "../catalogue/names.ts";
import type { ModuleVersion } from "../catalogue/version.ts";
import type { Run } from "../ports.ts";
import { gatherPromotion, type DecisionWorld, type Gathered } from "./gather.ts";
import { assessAlone } from "./verdict/decide.ts";
import { periodsNow } from "./verdict/holding.ts";
import { judgeHolds } from "./verdict/people.ts";
import { subjectIn } from "./verdict/subject.ts";
import { instantText } from "../document/times.ts";
import { isUnmet, type Reason, sentence, type Topic } from "./verdict/verdict.ts";

/** A step that a person proposes by hand, into a channel. */
interface ManualStep {
  readonly channel: Channel;
  readonly module: ModuleName;
  readonly to: { readonly version: ModuleVersion };
  /** `verdict`: the version must be earned; `holds`: it only must not be held. */
  readonly question: "verdict" | "holds";
}

/** A step that promotion would not make yet. */
interface UnearnedStep {
  readonly channel: ChannelName;
  readonly module: ModuleName;
  readonly version: ModuleVersion;
  /** What is missing, or who objects, as full sentences. */
  readonly why: string;
  /** What to do; full sentences. */
  readonly remedy: string;
}

/**
 * The topics that the gate asks promotion about. The gate has no evidence, and does not decide when a change is merged.
 * So smoke, approval, exposure and health do not count, nor do windows and freezes.
 */
const COUNTED: readonly Topic[] = ["soak", "hold", "withdrawal", "hot-fix", "files"];

/**
 * The `steps` that promotion would not make now, according to the history up to the commit `base`. It asks no forge, so
 * merge times come from the committers' clocks. Throws HISTORY_TOO_SHALLOW for a shallow clone.
 */
export async function unearnedSteps(
  base: string,
  steps: readonly ManualStep[],
  world: Omit<DecisionWorld, "openForge">,
  run: Run,
): Promise<readonly UnearnedStep[]> {
  const question = { revision: base, atMs: undefined, evidence: [] };
  const gathered = await gatherPromotion(question, { ...world, openForge: () => Promise.resolve(undefined) }, run);
  if (gathered.kind === "gathered") return steps.flatMap((step) => unearned(gathered, step));
  // Promotion, too, moves nothing before the files are fixed.
  const why = "The files of the base are broken, so this cannot be decided.";
  const remedy = "Fix them first: kyma-modules check shows where.";
  return steps.map(({ channel, module, to: { version } }) => ({ channel: channel.name, module, version, why, remedy }));
}

function unearned(gathered: Gathered, step: ManualStep): readonly UnearnedStep[] {
  const { channel, module, to } = step;
  const reasons = step.question === "verdict" ? verdictReasons(gathered, step) : holdReasons(gathered, step);
  const missing = reasons.filter((reason) => COUNTED.includes(reason.topic) && isUnmet(reason));
  if (missing.length === 0) return [];
  const why = missing.map(({ message }) => sentence(message)).join(" ");
  const untilMs = Math.max(...missing.map(({ metAtMs = Number.POSITIVE_INFINITY }) => metAtMs));
  const remedy = Number.isFinite(untilMs)
    ? `Wait until ${instantText(untilMs)}: promotion proposes it by itself.`
    : [...new Set(missing.flatMap((one) => one.remedy ?? []))].join("\n");
  return [{ channel: channel.name, module, version: to.version, why, remedy }];
}

/** Assesses the version of the step, even if promotion would choose another one or it is not a candidate. */
function verdictReasons({ catalogue, factsOf }: Gathered, { channel, module, to }: ManualStep): readonly Reason[] {
  const subject = subjectIn(catalogue, module, channel.name);
  if (subject === undefined) return [];
  return assessAlone(to.version, subject, factsOf(subject)).reasons;
}

/** Works also for a channel that follows none. */
function holdReasons(
  { catalogue, histories, nowMs }: Gathered,
  { channel, module, to }: ManualStep,
): readonly Reason[] {
  const held = periodsNow(catalogue, channel, histories.of(module));
  return judgeHolds({ module, channel, said: catalogue.modules.get(module) }, to.version, held, nowMs);
}
