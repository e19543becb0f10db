import { gatherContext, type DecisionContext, type DecisionQuestion } from "../../promote/context.ts";
import { shortCommit } from "../../document/printable.ts";
import type { PromotionWorld } from "../../promote/gather.ts";
import type { Run } from "../../ports.ts";
import { sayFindings, sayUnreadable, withheldText } from "../loadCatalogue.ts";
import type { Output } from "../terminal/output.ts";

/**
 * Gathers the facts to decide on, and prints their errors. Returns `undefined` when the catalogue is unreadable. Throws
 * as `gatherContext` does, and CONFIGURATION when there is no catalogue.
 */
export async function gatherDecision(
  question: DecisionQuestion,
  world: PromotionWorld,
  output: Output,
  run: Run,
): Promise<DecisionContext | undefined> {
  const context = await gatherContext(question, world, run);
  const isRead = context.kind === "context";
  if (isRead) sayFindings(context.errors, output);
  else sayUnreadable(context.findings, output);
  const withheld = isRead ? withheldText(context.gathered.catalogue) : "nothing";
  const commit = shortCommit((isRead ? context.gathered.revision : context.revision) ?? "");
  if (withheld !== "")
    output.say(
      `nothing is decided${isRead ? ` about ${withheld}` : ""} on commit ${commit}; uncommitted changes do not count`,
    );
  return isRead ? context : undefined;
}
