import type { Catalogue } from "../catalogue/catalogue.ts";
import type { Landscape } from "../catalogue/settings.ts";
import { Fault, type Run } from "../ports.ts";
import type { Outcome } from "../sync/apply.ts";
import { isInOrder, sync, type SyncResult } from "../sync/sync.ts";
import { clock, openSource } from "./compose.ts";
import { chosenLandscapes, prepareLandscape, type SyncArguments } from "./landscapes.ts";
import { loadCatalogue } from "./loadCatalogue.ts";
import { EXIT, exitCodeOf, jsonDocument, type Output } from "./output.ts";
import { failureJson, itemJson, outcomeLines, planSummary, planText } from "./reportPlan.ts";

/** `kyma-modules sync`: carries out what `plan` prints, landscape after landscape. Gives the exit code. */
export async function syncCommand(arguments_: SyncArguments, output: Output, run: Run): Promise<number> {
  const catalogue = await loadCatalogue(openSource(arguments_.repository, arguments_.revision), output, run);
  if (catalogue === undefined) return EXIT.findings;
  const names = chosenLandscapes(catalogue, arguments_.landscape).map(({ name }) => name);
  if (names.length > 1) output.say(`Acting at once, without waiting for soaks, on ${names.join(", then ")}.`);
  const items: object[] = [];
  let code = catalogue.findings.some(({ severity }) => severity === "error") ? EXIT.findings : EXIT.fine;
  for (const landscape of chosenLandscapes(catalogue, arguments_.landscape)) {
    const synced = await syncLandscape(catalogue, landscape, arguments_, { output, run });
    items.push(...synced.items);
    if (synced.code === EXIT.fine) continue;
    code = synced.code;
    const rest = names.slice(names.indexOf(landscape.name) + 1);
    if (rest.length > 0) output.say(`${rest.join(", ")} not synced, since ${landscape.name} is not in order.`);
    break;
  }
  const facts = { revision: catalogue.revision, decidedAt: clock.nowMs() };
  output.report({ json: () => jsonDocument("Sync", facts, items) });
  return code;
}

interface Synced {
  readonly code: number;
  /** What the JSON says of it. */
  readonly items: readonly object[];
}

async function syncLandscape(
  catalogue: Catalogue,
  landscape: Landscape,
  arguments_: SyncArguments,
  { output, run }: { readonly output: Output; readonly run: Run },
): Promise<Synced> {
  try {
    const prepared = await prepareLandscape(catalogue, landscape, arguments_, run);
    if (arguments_.options.adopt) output.say(planText(prepared.plan, output));
    const report = (outcome: Outcome): void => {
      printOutcome(outcome, output);
    };
    const result = await sync(prepared, prepared.controlPlane, report, run);
    sum(landscape, result, prepared.plan.items.length, output);
    run.signal.throwIfAborted();
    const items = result.outcomes.map((outcome) => outcomeJson(landscape, outcome));
    return { code: isInOrder(result) ? EXIT.fine : EXIT.findings, items };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    output.say(`${landscape.name}: ${output.paint("bad", "not synced")}: ${error.message}`);
    return { code: exitCodeOf(error), items: [failureJson(landscape.name, error)] };
  }
}

function sum({ name }: Landscape, { outcomes, interrupted }: SyncResult, planned: number, output: Output): void {
  const summary = `${name}: ${planSummary(outcomes.map(({ item }) => item))}`;
  if (interrupted) {
    const left = `${planned - outcomes.length} objects left`;
    output.say(`${summary}; interrupted with ${left}. Nothing is half-written: run it again to complete it.`);
  } else output.report({ text: () => summary });
}

function printOutcome(outcome: Outcome, output: Output): void {
  output.report({ text: (paper) => outcomeLines(outcome, paper).join("\n") });
}

function outcomeJson({ name }: Landscape, outcome: Outcome): object {
  const { item, result } = outcome;
  const json = { ...itemJson(name, item), result };
  switch (outcome.result) {
    case "done":
    case "left":
      return json;
    case "contested":
      return { ...json, contestedBy: outcome.by };
    case "failed":
      return { ...json, fault: { code: outcome.fault.code, message: outcome.fault.message } };
    case "skipped":
      return { ...json, skippedBecause: outcome.because };
  }
}
