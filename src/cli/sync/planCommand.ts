import type { Landscape } from "../../catalogue/settings.ts";
import { Fault, type Run } from "../../ports.ts";
import { codeOfPlan } from "../../sync/exitCode.ts";
import { planEntries, isAct, planItems, type Plan } from "../../sync/plan/item.ts";
import { type Prepared, landscapeAccess } from "../../sync/prepare.ts";
import { clock, connect } from "../compose/systems.ts";
import { prepareLandscape, type SyncScope } from "../compose/sync.ts";
import { chosenLandscapes, openScope, revisionText, type SyncArguments } from "./landscapes.ts";
import { EXIT, faultExitCode, jsonDocument, type Output } from "../terminal/output.ts";
import { planText, supersededText } from "./report.ts";
import { failureJson, planJson, supersededJson } from "./reportJson.ts";
import { codeOfCatalogue } from "../loadCatalogue.ts";

/**
 * `kyma-modules plan`: plans a sync of all landscapes in parallel, and prints the plans in order. Returns the exit
 * code.
 */
export async function planCommand(
  arguments_: SyncArguments & { readonly exitCode: boolean },
  output: Output,
  run: Run,
): Promise<number> {
  const scope = await openScope(arguments_, output, run);
  if (scope === undefined) return EXIT.findings;
  const landscapes = chosenLandscapes(scope.catalogue.settings, arguments_.landscapes);
  output.say(`Planning ${revisionText(scope.revision, arguments_)}.`);
  const items: object[] = [];
  let worst = scope.catalogue.findings.some(({ severity }) => severity === "error") ? EXIT.findings : EXIT.fine;
  const plannings = landscapes.map(async (one) => ({
    landscape: one,
    prepared: await planOne(scope, one, arguments_, run),
  }));
  // A rejection of a later planning is handled in its turn.
  void Promise.allSettled(plannings);
  for (const planning of plannings) {
    const { landscape, prepared } = await planning;
    if (prepared instanceof Fault) {
      output.say(`${landscape.name}: ${output.paint("bad", "not planned")}: ${prepared.message}`);
      worst = Math.max(worst, faultExitCode(prepared));
      items.push(failureJson(landscape.name, prepared));
    } else if (prepared.supersededBy === undefined) {
      items.push(...planJson(prepared.plan));
      output.report({ text: (paper) => planText(prepared.plan, paper) });
      worst = Math.max(worst, planExitCode(prepared.plan, arguments_.exitCode));
    } else {
      items.push(supersededJson(landscape.name, prepared.supersededBy));
      output.report({ text: () => supersededText(landscape.name, prepared) });
    }
  }
  const facts = { revision: scope.catalogue.revision, decidedAt: clock.nowMs() };
  output.report({ json: () => jsonDocument("Plan", facts, items) });
  return Math.max(worst, codeOfCatalogue(scope.catalogue));
}

/** A landscape that cannot be reached does not stop the plans of the others. */
async function planOne(
  scope: SyncScope,
  landscape: Landscape,
  { options }: SyncArguments,
  run: Run,
): Promise<Prepared | Fault> {
  try {
    const controlPlane = await connect(landscape.controlPlane, scope.repository);
    return await prepareLandscape(scope, landscape, landscapeAccess(controlPlane, landscape.namespace), options, run);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return error;
  }
}

function planExitCode(plan: Plan, exitCode: boolean): number {
  const isPending = planItems(plan).some(isAct) || planEntries(plan).some(({ kind }) => kind === "waiting");
  return Math.max(codeOfPlan(plan), exitCode && isPending ? EXIT.findings : EXIT.fine);
}
