import type { Catalogue } from "../catalogue/catalogue.ts";
import type { Landscape } from "../catalogue/settings.ts";
import { Fault, type Run } from "../ports.ts";
import { isAct, type Plan } from "../sync/planItem.ts";
import { clock, openSource } from "./compose.ts";
import { chosenLandscapes, prepareLandscape, type SyncArguments } from "./landscapes.ts";
import { loadCatalogue } from "./loadCatalogue.ts";
import { EXIT, exitCodeOf, jsonDocument, type Output } from "./output.ts";
import { failureJson, itemJson, planText } from "./reportPlan.ts";

/** `kyma-modules plan`: what a sync would do, landscape after landscape. Gives the exit code. */
export async function planCommand(
  arguments_: SyncArguments & { readonly exitCode: boolean },
  output: Output,
  run: Run,
): Promise<number> {
  const catalogue = await loadCatalogue(openSource(arguments_.repository, arguments_.revision), output, run);
  if (catalogue === undefined) return EXIT.findings;
  const plans: Plan[] = [];
  const items: object[] = [];
  let worst = EXIT.fine;
  for (const landscape of chosenLandscapes(catalogue, arguments_.landscape)) {
    const plan = await planOne(catalogue, landscape, arguments_, { output, run });
    if (plan instanceof Fault) {
      worst = Math.max(worst, exitCodeOf(plan));
      items.push(failureJson(landscape.name, plan));
    } else {
      plans.push(plan);
      items.push(...plan.items.map((item) => itemJson(plan.landscape, item)));
      output.report({ text: (paper) => planText(plan, paper) });
    }
  }
  const facts = { revision: catalogue.revision, decidedAt: clock.nowMs() };
  output.report({ json: () => jsonDocument("Plan", facts, items) });
  return Math.max(worst, codeOf(plans, catalogue, arguments_.exitCode));
}

/** A landscape that cannot be reached does not keep the others from being planned. */
async function planOne(
  catalogue: Catalogue,
  landscape: Landscape,
  arguments_: SyncArguments,
  { output, run }: { readonly output: Output; readonly run: Run },
): Promise<Plan | Fault> {
  try {
    return (await prepareLandscape(catalogue, landscape, arguments_, run)).plan;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    output.say(`${landscape.name}: ${output.paint("bad", "not planned")}: ${error.message}`);
    return error;
  }
}

function codeOf(plans: readonly Plan[], catalogue: Catalogue, exitCode: boolean): number {
  const items = plans.flatMap((plan) => plan.items);
  const refused =
    items.some(({ kind }) => kind === "refused") || catalogue.findings.some(({ severity }) => severity === "error");
  const isPending = items.some((item) => isAct(item) || item.kind === "waiting");
  return refused || (exitCode && isPending) ? EXIT.findings : EXIT.fine;
}
