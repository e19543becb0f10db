import { mergeAdvice } from "../../catalogue/commands.ts";
import { findingItem } from "../../check/report/json.ts";
import { printable, printableJson, printableLines, shortCommit } from "../../document/printable.ts";
import { forgeIn, type Gathered } from "../../promote/gather.ts";
import {
  decideIntervention,
  intervene,
  interventionBranch,
  refuseUsage,
  type Decided,
  type Intervened,
  type InterventionRequest,
} from "../../promote/intervene.ts";
import { Fault, type Proposal, type Run } from "../../ports.ts";
import type { Proposed } from "../../promote/change.ts";
import type { PromotionPorts } from "../compose/promotion.ts";
import { EXIT, jsonDocument, type Output } from "../terminal/output.ts";
import { gatherDecision } from "../promote/context.ts";
import { readRequest, type InterveneArguments } from "./request.ts";
import { findingText } from "../../document/finding.ts";
import { fileText } from "../../document/snapshot.ts";
import { entryLines } from "../sync/report.ts";
import { entryJson, failureJson } from "../sync/reportJson.ts";
import { type PlanLandscape } from "../../sync/prepare.ts";
import { overlay } from "../../reading/overlay.ts";
import type { Landscape } from "../../catalogue/settings.ts";
import { planEntries, type EntryItem } from "../../sync/plan/item.ts";
import { catalogueAt } from "../../reading/catalogue.ts";

/** `kyma-modules hold`, `unhold`, `withdraw`: proposes the change. Returns the exit code. */
export async function interveneCommand(
  arguments_: InterveneArguments,
  ports: PromotionPorts & { readonly plan: PlanLandscape },
  output: Output,
  run: Run,
): Promise<number> {
  const request = await readRequest(arguments_, ports.world, run);
  const { channel } = request;
  const context = await gatherDecision({ revision: "HEAD", isUrgent: true, channel }, ports.world, output, run);
  if (context === undefined) return EXIT.findings;
  const { gathered } = context;
  const decided = decideIntervention(request, gathered);
  refuseUsage(decided);
  // Before it is carried out, and with --dry-run: the affected clusters may change the user's mind.
  const there = await withdrawnThere(request, decided, gathered, ports, run);
  const isToDo = decided.kind === "change" && arguments_.dryRun !== true;
  const done = isToDo ? await carryOut(request, decided, gathered, ports, run) : undefined;
  const isPlanned = decided.kind === "change" && done === undefined;
  const diff = isPlanned ? await diffLines(decided.files, gathered, ports, run) : [];
  const report = { request, decided, there, done, diff, isDirect: arguments_.direct ?? false, gathered };
  output.report({ text: (paper) => reportText(report, paper).join("\n"), json: () => reportJson(report) });
  // After the report, because this may throw.
  return exitCode(decided, done);
}

/** Throws the fault that kept a part of it from being carried out. */
function exitCode(decided: Decided, done: Intervened | undefined): number {
  if (done !== undefined && done.kind !== "refused" && done.stoppedBy !== undefined) throw done.stoppedBy;
  return decided.kind === "refused" || done?.kind === "refused" ? EXIT.findings : EXIT.fine;
}

function carryOut(
  request: InterventionRequest,
  change: Extract<Decided, { kind: "change" }>,
  gathered: Gathered,
  ports: PromotionPorts,
  run: Run,
): Promise<Intervened> {
  return ports.withGate(gathered, (gate) => intervene(request, change, gathered, { ...forgeIn(gathered), gate }, run));
}

/** The plan for the withdrawn entry on a landscape, or why it is not known. */
type EntryThere = { readonly landscape: string } & (
  { readonly kind: "planned"; readonly entry: EntryItem } | { readonly kind: "unknown"; readonly fault: Fault }
);

/** Timeout for all control planes together, in milliseconds: a withdrawal is urgent, and does not depend on them. */
const DEADLINE_MS = 10_000;
const BROKEN = "The catalogue has a file that cannot be read. kyma-modules check says which one.";
const LATE = `Its control plane did not answer within ${DEADLINE_MS / 1000} s.`;

/** Plans a withdrawal on every landscape that serves the channel, with the clusters that it affects. */
async function withdrawnThere(
  request: InterventionRequest,
  decided: Decided,
  { revision, catalogue }: Gathered,
  { world, plan }: Pick<PromotionPorts, "world"> & { readonly plan: PlanLandscape },
  run: Run,
): Promise<readonly EntryThere[]> {
  if (request.kind !== "withdraw" || decided.kind !== "change") return [];
  const { module, channel } = request;
  const { usable } = await catalogueAt(overlay(world.source(revision), decided.files), run);
  const serving = catalogue.channels.get(channel)?.landscapes ?? [];
  const late = AbortSignal.timeout(DEADLINE_MS);
  const limited = { ...run, signal: AbortSignal.any([run.signal, late]) };
  const ask = async (landscape: Landscape): Promise<readonly EntryThere[]> => {
    const { name } = landscape;
    try {
      if (usable === undefined) throw new Fault("CONFIGURATION", BROKEN);
      const planned = await plan(usable, revision, landscape, limited);
      if (planned.parent.kind === "refused") throw new Fault("CLUSTER_REFUSED", planned.parent.reason);
      return planEntries(planned)
        .filter((entry) => entry.module === module && entry.channel === channel)
        .map((entry) => ({ landscape: name, kind: "planned", entry }));
    } catch (error) {
      run.signal.throwIfAborted();
      const fault = late.aborted ? new Fault("CLUSTER_TIMEOUT", LATE, { cause: error }) : error;
      if (!(fault instanceof Fault)) throw fault;
      return [{ landscape: name, kind: "unknown", fault }];
    }
  };
  const asked = catalogue.settings.landscapes.filter(({ name }) => serving.includes(name));
  return (await Promise.all(asked.map(ask))).flat();
}

interface InterventionReport {
  readonly request: InterventionRequest;
  readonly decided: Decided;
  readonly there: readonly EntryThere[];
  readonly done: Intervened | undefined;
  /** The diff of what would be proposed; empty after it was proposed. */
  readonly diff: readonly string[];
  /** Whether it is committed directly to the base branch. */
  readonly isDirect: boolean;
  readonly gathered: Gathered;
}

function reportText(
  { request, decided, there, done, diff, isDirect }: InterventionReport,
  output: Output,
): readonly string[] {
  if (decided.kind === "nothing") return [`${output.paint("good", "nothing to do")}: ${printable(decided.why)}`];
  if (decided.kind === "refused")
    return [`${output.paint("bad", "refused")}: ${printable(decided.why)}`, `    ${printable(decided.remedy)}`];
  const { subject, sentences, protects = [], exposes = [], remedy } = decided;
  return [
    output.paint("strong", subject),
    ...sentences.map((sentence) => `  ${printable(sentence)}`),
    ...protects.map((sentence) => `  ${output.paint("good", "protected")}: ${printable(sentence)}`),
    ...exposes.map((sentence) => `  ${output.paint("bad", "not protected")}: ${printable(sentence)}`),
    ...(remedy === undefined ? [] : [`  ${printable(remedy)}`]),
    ...there.flatMap((one) => {
      if (one.kind !== "unknown") return [`  ${one.landscape}:`, ...entryLines(one.entry, output)];
      const why = printable(one.fault.message);
      return [`  ${one.landscape}: ${output.paint("change", "not known")} which clusters have it: ${why}`];
    }),
    ...(done === undefined
      ? [...diff, `nothing was changed (--dry-run); ${wouldGo(request, isDirect)}`]
      : doneLines(request, done, output)),
  ];
}

async function diffLines(
  files: ReadonlyMap<string, string>,
  { revision }: Gathered,
  { world, diff }: PromotionPorts,
  run: Run,
): Promise<readonly string[]> {
  const before = await world.source(revision).snapshot((path) => files.has(path), run);
  const lines: string[] = [];
  for (const [path, text] of files) {
    const changed = await diff(path, fileText(before.files.get(path)), text, run);
    lines.push(...printableLines(changed.trimEnd()));
  }
  return lines;
}

function doneLines(request: InterventionRequest, done: Intervened, output: Output): readonly string[] {
  if (done.kind === "refused")
    return [
      `${output.paint("bad", "refused")}: the gate finds errors; nothing was proposed`,
      ...done.findings.map((finding) => findingText(finding, output)),
    ];
  const { closed, merged } = done;
  const late = "merged before it could be closed; take it back with kyma-modules withdraw";
  return [
    ...proposedLines(request, done, output),
    ...closed.map((one) => `${output.paint("change", "closed")}: ${proposalPlace(one)}`),
    ...merged.map((one) => `${output.paint("bad", "not closed")}: ${proposalPlace(one)} was ${late}`),
  ];
}

function wouldGo(request: InterventionRequest, isDirect: boolean): string {
  return isDirect
    ? "it would be committed directly to the base branch"
    : `it would be proposed on ${interventionBranch(request)}`;
}

function proposalPlace({ pull, branch }: Proposal): string {
  return pull?.url ?? branch;
}

const PROPOSED = {
  opened: "proposed",
  unchanged: "proposed already",
  updated: "proposed again, in place of the earlier proposal",
} as const;

function proposedLines(request: InterventionRequest, { proposal, kind }: Proposed, output: Output): readonly string[] {
  const { pull, branch, tip } = proposal;
  const place = `${branch} at ${shortCommit(tip)}`;
  if (branch !== interventionBranch(request)) {
    const effect = request.kind === "unhold" ? "proposes the released versions" : "closes what it blocks";
    return [
      `${output.paint("good", "committed")}: ${place}`,
      `next: git pull --rebase, if ${branch} has an upstream; then promote --apply ${effect}`,
    ];
  }
  const said = `${output.paint("good", PROPOSED[kind])}: ${pull?.url ?? place}`;
  return pull === undefined ? [said, `next: ${mergeAdvice(branch)}`] : [said];
}

/** schemas/output/intervention.schema.json. */
function reportJson({ request, decided, there, done, gathered: { revision, nowMs } }: InterventionReport): string {
  const { kind, module, version, channel } = request;
  const about = { kind, module, version, channel: channel ?? null };
  const landscapes = there.map((one) =>
    one.kind === "unknown" ? failureJson(one.landscape, one.fault) : entryJson(one.landscape, one.entry),
  );
  const item = { ...about, ...decidedItem(decided), landscapes, ...doneItem(done) };
  return printableJson(jsonDocument("Intervention", { revision, decidedAt: nowMs }, [item]));
}

function decidedItem(decided: Decided): object {
  if (decided.kind !== "change") {
    const remedy = decided.kind === "refused" ? decided.remedy : null;
    return { decision: decided.kind, sentences: [decided.why], protects: [], exposes: [], remedy, files: [] };
  }
  const { sentences, protects = [], exposes = [], remedy = null, files } = decided;
  return { decision: "change", sentences, protects, exposes, remedy, files: [...files.keys()] };
}

/** Empty values when nothing was done. */
function doneItem(done: Intervened | undefined): object {
  const nowhere = { branch: null, pullRequest: null, closed: [], merged: [], findings: [] };
  if (done === undefined) return { outcome: "none", ...nowhere };
  if (done.kind === "refused") return { outcome: "refused", ...nowhere, findings: done.findings.map(findingItem) };
  const { proposal, closed, merged } = done;
  return {
    outcome: "proposed",
    branch: proposal.branch,
    pullRequest: proposal.pull?.url ?? null,
    closed: closed.map(({ branch }) => branch),
    merged: merged.map(({ branch }) => branch),
    findings: [],
  };
}
