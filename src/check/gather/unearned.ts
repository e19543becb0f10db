import type { Template } from "../../catalogue/template.ts";
import { Fault, type Run } from "../../ports.ts";
import type { ChannelStep, Context } from "../context.ts";
import type { Fact, Unearned } from "../facts.ts";
import { versionArrivals } from "../rules/steps.ts";
import { questionAbout, type StepQuestion } from "../rules/channel/wayInto.ts";

/** A step that a version must have earned. */
type StepToEarn = Pick<ChannelStep, "channel" | "module"> & {
  readonly to: Template;
  readonly question: StepQuestion;
};

/**
 * Gives those of `steps` that promotion would not make at the commit `base`.
 * Throws HISTORY_TOO_SHALLOW for a shallow clone.
 */
export type AskUnearned = (base: string, steps: readonly StepToEarn[], run: Run) => Promise<readonly Unearned[]>;

/** The history of a shallow clone is unknown. */
export const TOO_SHALLOW: Fact<never> = {
  kind: "unknown",
  why: "the clone is too shallow to tell: git fetch --unshallow (in GitHub Actions: fetch-depth: 0)",
};

/**
 * Asks promotion about the steps that must be earned. Most changes have none, and ask nothing.
 *
 * Takes:  `context` with every other fact.
 */
export async function gatherUnearned(
  context: Context,
  ask: AskUnearned | undefined,
  run: Run,
): Promise<Fact<readonly Unearned[]>> {
  const steps = [...versionArrivals(context)].flatMap((arrival): StepToEarn[] => {
    const question = "kind" in arrival ? undefined : questionAbout(context, arrival);
    return "kind" in arrival || question === undefined ? [] : [{ ...arrival, question }];
  });
  if (steps.length === 0) return { kind: "known", value: [] };
  const revision = context.base?.revision;
  if (ask === undefined || revision === undefined)
    return { kind: "unknown", why: "it was not asked how long the channels have served their versions" };
  try {
    return { kind: "known", value: await ask(revision, steps, run) };
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== "HISTORY_TOO_SHALLOW") throw error;
    return TOO_SHALLOW;
  }
}
