import type { Catalogue } from "../catalogue/catalogue.ts";
import type { Landscape } from "../catalogue/settings.ts";
import type { Run } from "../ports.ts";
import type { Outcome } from "../sync/apply.ts";
import { sync, type SyncResult } from "../sync/sync.ts";
import { clock, openSource } from "./compose.ts";
import { chosenLandscapes, prepareLandscape, type SyncArguments } from "./landscapes.ts";
import { loadCatalogue } from "./loadCatalogue.ts";
import { EXIT, jsonDocument, type Output } from "./output.ts";
import { itemJson, outcomeLines, planSummary, planText } from "./reportPlan.ts";

/** `kyma-modules sync`: carries out what `plan` prints, landscape after landscape. Gives the exit code. */
export async function syncCommand(arguments_: SyncArguments, output: Output, run: Run): Promise<number> {
  const catalogue = await loadCatalogue(openSource(arguments_.repository, arguments_.revision), output, run);
  if (catalogue === undefined) return EXIT.findings;
  const landscapes = chosenLandscapes(catalogue, arguments_.landscape);
  if (landscapes.length > 1)
    output.say(`Acting at once, without waiting for soaks, on ${landscapes.map(({ name }) => name).join(", then ")}.`);
  const items: object[] = [];
  let code = catalogue.findings.some(({ severity }) => severity === "error") ? EXIT.findings : EXIT.fine;
  for (const [index, landscape] of landscapes.entries()) {
    const result = await syncLandscape(catalogue, landscape, arguments_, { output, run });
    items.push(...result.outcomes.map((outcome) => outcomeJson(landscape, outcome)));
    if (isClean(result)) continue;
    code = EXIT.findings;
    const rest = landscapes.slice(index + 1).map(({ name }) => name);
    if (rest.length > 0) output.say(`${rest.join(", ")} not synced, since ${landscape.name} is not in order.`);
    break;
  }
  if (output.format === "json") {
    output.result(jsonDocument("Sync", { revision: catalogue.revision, decidedAt: clock.nowMs() }, items));
  }
  return code;
}

async function syncLandscape(
  catalogue: Catalogue,
  landscape: Landscape,
  arguments_: SyncArguments,
  { output, run }: { readonly output: Output; readonly run: Run },
): Promise<SyncResult> {
  const prepared = await prepareLandscape(catalogue, landscape, arguments_, run);
  if (arguments_.options.adopt) output.say(planText(prepared.plan, output));
  const result = await sync(
    prepared,
    prepared.controlPlane,
    (outcome) => {
      printOutcome(outcome, output);
    },
    run,
  );
  const done = result.outcomes.map(({ item }) => item);
  const summary = `${landscape.name}: ${planSummary(done)}`;
  if (result.interrupted) {
    const left = prepared.plan.items.length - done.length;
    output.say(
      `${summary}; interrupted with ${left} objects left. Nothing is half-written: run it again to complete it.`,
    );
    run.signal.throwIfAborted();
  }
  if (output.format === "text") output.result(summary);
  return result;
}

function printOutcome(outcome: Outcome, output: Output): void {
  if (output.format === "json") return;
  for (const line of outcomeLines(outcome, output)) output.result(line);
}

function isClean({ outcomes }: SyncResult): boolean {
  return outcomes.every(({ item, result }) => (result === "done" || result === "left") && item.kind !== "refused");
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
