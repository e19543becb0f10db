import { shortCommit } from "../../document/printable.ts";
import type { Landscape } from "../../catalogue/settings.ts";
import { codeOfSync } from "../../sync/exitCode.ts";
import { Fault, type Run } from "../../ports.ts";
import { withLease } from "../../sync/lease.ts";
import { isController } from "../../sync/leaseHolder.ts";
import { type Prepared, landscapeAccess } from "../../sync/prepare.ts";
import { readRecords, refuseForeign } from "../../sync/recordStore.ts";
import { sync, type Reporter, type SyncResult } from "../../sync/sync.ts";
import { requestSync } from "../../sync/request.ts";
import { clock, connect, userName } from "../compose/systems.ts";
import { leaseHolder, prepareLandscape, requestId, type SyncScope } from "../compose/sync.ts";
import { chosenLandscapes, openScope, revisionText, type SyncArguments } from "./landscapes.ts";
import { EXIT, faultExitCode, jsonDocument, type Output } from "../terminal/output.ts";
import { entryOutcomeLines, noteLine, outcomeLines, supersededText, syncSummary } from "./report.ts";
import { entryOutcomeJson, failureJson, outcomeJson, supersededJson } from "./reportJson.ts";
import { codeOfCatalogue } from "../loadCatalogue.ts";

interface SyncCommandArguments extends SyncArguments {
  /** How long to wait for another writer, in milliseconds. */
  readonly waitMs: number;
}

/** `kyma-modules sync`: carries out what `plan` prints, one landscape after the other. Returns the exit code. */
export async function syncCommand(arguments_: SyncCommandArguments, output: Output, run: Run): Promise<number> {
  const scope = await openScope(arguments_, output, run);
  if (scope === undefined) return EXIT.findings;
  const landscapes = chosenLandscapes(scope.catalogue.settings, arguments_.landscapes);
  output.say(`Syncing ${revisionText(scope.revision, arguments_)}.`);
  const items: object[] = [];
  let code = scope.catalogue.findings.some(({ severity }) => severity === "error") ? EXIT.findings : EXIT.fine;
  for (const landscape of landscapes) {
    if (run.signal.aborted) {
      code = Math.max(code, sayEnd(`${landscape.name}: not synced`, run, output));
      break;
    }
    // A refusal of one landscape does not stop the others: a withdrawal goes everywhere at once.
    const synced = await syncLandscape(scope, landscape, arguments_, { output, run });
    items.push(...synced.items);
    code = Math.max(code, synced.code);
  }
  const facts = { revision: scope.catalogue.revision, decidedAt: clock.nowMs() };
  output.report({ json: () => jsonDocument("Sync", facts, items) });
  return Math.max(code, codeOfCatalogue(scope.catalogue));
}

interface Synced {
  readonly code: number;
  /** Its JSON items. */
  readonly items: readonly object[];
}

interface SyncContext {
  readonly output: Output;
  readonly run: Run;
}

async function syncLandscape(
  scope: SyncScope,
  landscape: Landscape,
  { options, waitMs }: SyncCommandArguments,
  { output, run }: SyncContext,
): Promise<Synced> {
  const holder = { isController: false };
  try {
    const controlPlane = await connect(landscape.controlPlane, scope.repository);
    return await withLease(
      {
        ...{ namespace: landscape.namespace, holder: leaseHolder(), waitMs },
        isHopeless: (name) => (holder.isController = isController(name)),
      },
      { controlPlane, clock },
      async (leased, held) => {
        // The Lease is ours now.
        holder.isController = false;
        const prepared = await prepareLandscape(
          scope,
          landscape,
          landscapeAccess(controlPlane, landscape.namespace),
          options,
          leased,
        );
        const { supersededBy } = prepared;
        if (supersededBy !== undefined) {
          output.report({ text: () => supersededText(landscape.name, prepared) });
          return { code: EXIT.fine, items: [supersededJson(landscape.name, supersededBy)] };
        }
        const world = { controlPlane, clock, writes: held };
        const result = await sync(prepared, world, reporterTo(output), leased);
        sum(landscape, prepared, result, output);
        return syncedLandscape(landscape, result, leased, output);
      },
      run,
    );
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    if (holder.isController) return askController(scope, landscape, { options, waitMs }, { output, run });
    return notSynced(landscape, error, output);
  }
}

function notSynced({ name }: Landscape, fault: Fault, output: Output): Synced {
  output.say(`${name}: ${output.paint("bad", "not synced")}: ${fault.message}`);
  return { code: faultExitCode(fault), items: [failureJson(name, fault)] };
}

/**
 * Asks the controller that writes to the landscape to carry out the sync, and follows the result. Refuses a set of
 * another owner.
 */
async function askController(
  { repository, identity, revision: { recorded: commit } }: SyncScope,
  landscape: Landscape,
  { options, waitMs }: Pick<SyncCommandArguments, "options" | "waitMs">,
  { output, run }: SyncContext,
): Promise<Synced> {
  try {
    const { name, namespace } = landscape;
    const controlPlane = await connect(landscape.controlPlane, repository);
    const { owner } = await readRecords(controlPlane, namespace, run);
    if (!options.takeOverSet) refuseForeign(owner, { landscape: name, repository: identity }, controlPlane.server);
    output.say(`${name}: its controller is asked to serve ${shortCommit(commit)}`);
    const { adopt, prune, maxPrune, now, takeOverSet, switchGeneration, rewind } = options;
    const allowed = { adopt, prune, maxPrune, now, takeOverSet, switchGeneration, rewind };
    const request = { id: requestId(), by: userName(), atMs: clock.nowMs(), commit, allowed };
    const { code, lines } = await requestSync(request, { controlPlane, namespace, clock }, waitMs, run);
    output.report({ text: () => [...lines, `${name}: carried out by the controller`].join("\n") });
    return { code, items: [{ kind: "asked", landscape: name, lines }] };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return notSynced(landscape, error, output);
  }
}

/** The result of a sync, even if a person, --timeout or the loss of the Lease ended it. */
function syncedLandscape({ name }: Landscape, result: SyncResult, run: Run, output: Output): Synced {
  const items = [
    ...result.outcomes.map((outcome) => outcomeJson(name, outcome)),
    ...result.entries.map((outcome) => entryOutcomeJson(name, outcome)),
  ];
  if (!run.signal.aborted) return { code: codeOfSync(result), items };
  return { code: sayEnd(`${name}: not finished`, run, output), items };
}

/** Prints why a sync was ended, unless a person interrupted it. Returns the exit code. */
function sayEnd(what: string, { signal }: Run, output: Output): number {
  const { reason } = signal as { readonly reason: unknown };
  if (!(reason instanceof Fault)) return EXIT.findings;
  output.say(`${output.paint("bad", what)}: ${reason.message}`);
  return faultExitCode(reason);
}

function reporterTo(output: Output): Reporter {
  return {
    outcome: (outcome) => {
      output.report({ text: (paper) => outcomeLines(outcome, paper).join("\n") });
    },
    entry: (outcome) => {
      output.report({ text: (paper) => entryOutcomeLines(outcome, paper).join("\n") });
    },
  };
}

function sum({ name }: Landscape, { plan }: Prepared, result: SyncResult, output: Output): void {
  const { entries, outcomes, interrupted } = result;
  const summary = [...plan.notes.map(noteLine), `${name}: ${syncSummary(entries, outcomes)}`].join("\n");
  if (!interrupted) {
    output.report({ text: () => summary });
    return;
  }
  const planned = plan.modules.reduce((count, { items }) => count + items.length, 1);
  const left = `${planned - outcomes.length} objects left`;
  output.say(`${summary}; interrupted with ${left}. No object is half-written: run the command again to complete it.`);
}
