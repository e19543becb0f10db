import { gatherContext, type DecisionContext, type DecisionQuestion } from "../../promote/context.ts";
import type { PromotionWorld } from "../../promote/gather.ts";
import type { Run } from "../../ports.ts";
import { sayFindings, sayUnreadable } from "../loadCatalogue.ts";
import type { Output } from "../terminal/output.ts";

/**
 * What a command decides on; or says what is wrong with it: `undefined` then. Throws what `gatherContext` throws, and
 * CONFIGURATION where there is no catalogue.
 */
export async function contextOf(
  question: DecisionQuestion,
  world: PromotionWorld,
  output: Output,
  run: Run,
): Promise<DecisionContext | undefined> {
  const context = await gatherContext(question, world, run);
  if (context.kind === "context") {
    sayFindings(context.errors, output);
    return context;
  }
  sayUnreadable(context.findings, output);
  const commit = context.revision?.slice(0, 10) ?? "";
  output.say(`nothing is decided on the commit ${commit}; what is not committed does not count`);
  return undefined;
}
