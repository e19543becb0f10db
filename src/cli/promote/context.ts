import { gatherContext, type DecisionContext, type DecisionQuestion } from "../../promote/context.ts";
import { shortCommit } from "../../document/printable.ts";
import type { PromotionWorld } from "../../promote/gather.ts";
import type { Run } from "../../ports.ts";
import { sayFindings, sayUnreadable } from "../loadCatalogue.ts";
import type { Output } from "../terminal/output.ts";

/**
 * Gathers the facts to decide on, and prints their errors. Returns `undefined` when the catalogue is unreadable. Throws
 * as `gatherContext` does, and CONFIGURATION when there is no catalogue.
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
  const commit = shortCommit(context.revision ?? "");
  output.say(`nothing is decided on commit ${commit}; uncommitted changes do not count`);
  return undefined;
}
