import { findingItem } from "../../check/report/json.ts";
import { printable, printableJson, printableLines } from "../../document/printable.ts";
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
import type { Proposal, Run } from "../../ports.ts";
import type { Proposed } from "../../promote/change.ts";
import type { PromotionPorts } from "../compose/promotion.ts";
import { EXIT, jsonDocument, type Output } from "../terminal/output.ts";
import { contextOf } from "../promote/context.ts";
import { readRequest, type InterveneArguments } from "./request.ts";
import { findingText } from "../../document/finding.ts";
import { fileText } from "../../document/snapshot.ts";
import { entryLines } from "../sync/report.ts";
import { entryJson, failureJson } from "../sync/reportJson.ts";
import { entryOnLandscapes, type EntryThere } from "./withdrawnEntry.ts";
import { type PlanLandscape } from "../../sync/prepare.ts";

/** `kyma-modules hold`, `unhold`, `withdraw`: a change of what may move, proposed. Gives the exit code. */
export async function interveneCommand(
  arguments_: InterveneArguments,
  ports: PromotionPorts & { readonly plan: PlanLandscape },
  output: Output,
  run: Run,
): Promise<number> {
  const request = await readRequest(arguments_, ports.world, run);
  const { channel } = request;
  const context = await contextOf({ revision: "HEAD", isUrgent: true, channel }, ports.world, output, run);
  if (context === undefined) return EXIT.findings;
  const { gathered } = context;
  const decided = decideIntervention(request, gathered);
  refuseUsage(decided);
  // Before it is carried out: who is concerned may change somebody's mind, and --dry-run is how to ask.
  const there = await withdrawnThere(request, decided, gathered, ports, run);
  const isToDo = decided.kind === "change" && arguments_.dryRun !== true;
  const done = isToDo ? await carryOut(request, decided, gathered, ports, run) : undefined;
  const isPlanned = decided.kind === "change" && done === undefined;
  const diff = isPlanned ? await diffLines(decided.files, gathered, ports, run) : [];
  const report = { request, decided, there, done, diff, isDirect: arguments_.direct ?? false, gathered };
  output.report({ text: (paper) => reportText(report, paper).join("\n"), json: () => reportJson(report) });
  // Last: by now people know what was proposed.
  return exitCode(decided, done);
}

/** Throws what kept it from being carried out in full. */
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

/** What a withdrawal does on each landscape. */
async function withdrawnThere(
  request: InterventionRequest,
  decided: Decided,
  gathered: Gathered,
  ports: Pick<PromotionPorts, "world"> & { readonly plan: PlanLandscape },
  run: Run,
): Promise<readonly EntryThere[]> {
  if (request.kind !== "withdraw" || decided.kind !== "change") return [];
  const { module, channel } = request;
  return entryOnLandscapes({ module, channel, files: decided.files }, gathered, ports, run);
}

interface InterventionReport {
  readonly request: InterventionRequest;
  readonly decided: Decided;
  readonly there: readonly EntryThere[];
  readonly done: Intervened | undefined;
  /** Of what would be proposed. */
  readonly diff: readonly string[];
  /** Whether no branch of its own is made for it. */
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
    ...there.flatMap((one) => thereLines(one, output)),
    ...(done === undefined
      ? [...diff, `nothing was done (--dry-run); ${wouldGo(request, isDirect)}`]
      : doneLines(request, done, output)),
  ];
}

function thereLines(there: EntryThere, output: Output): readonly string[] {
  if (there.kind === "unknown")
    return [
      `  ${there.landscape}: ${output.paint("change", "not known")} who has it: ${printable(there.fault.message)}`,
    ];
  return [`  ${there.landscape}:`, ...entryLines(there.entry, output)];
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
      `${output.paint("bad", "refused")}: the gate does not let it in; nothing was proposed`,
      ...done.findings.map((finding) => findingText(finding, output)),
    ];
  const { closed, merged } = done;
  const late = "merged before it could be closed: kyma-modules withdraw takes it back";
  return [
    ...proposedLines(request, done, output),
    ...closed.map((one) => `${output.paint("change", "closed")}: ${placeOf(one)}`),
    ...merged.map((one) => `${output.paint("bad", "not closed")}: ${placeOf(one)} was ${late}`),
  ];
}

function wouldGo(request: InterventionRequest, isDirect: boolean): string {
  return isDirect
    ? "it would be committed to the base branch itself"
    : `it would be proposed on ${interventionBranch(request)}`;
}

function placeOf({ pull, branch }: Proposal): string {
  return pull?.url ?? branch;
}

const PROPOSED = {
  opened: "proposed",
  unchanged: "proposed already",
  updated: "proposed anew, in place of what stood there",
} as const;

function proposedLines(request: InterventionRequest, { proposal, kind }: Proposed, output: Output): readonly string[] {
  const { pull, branch, tip } = proposal;
  const place = `${branch} at ${tip.slice(0, 10)}`;
  if (branch !== interventionBranch(request)) {
    const effect = request.kind === "unhold" ? "proposes what may move again" : "closes what may not move any more";
    return [
      `${output.paint("good", "committed")}: ${place}`,
      `next: git pull, if ${branch} has an upstream; then promote --apply ${effect}`,
    ];
  }
  const said = `${output.paint("good", PROPOSED[kind])}: ${pull?.url ?? place}`;
  return pull === undefined ? [said, `next: git merge --no-ff ${branch}, then git push where it is shared`] : [said];
}

/** schemas/output/intervention.schema.json. */
function reportJson({ request, decided, there, done, gathered: { revision, nowMs } }: InterventionReport): string {
  const { kind, module, version, channel } = request;
  const about = { kind, module, version, channel: channel ?? null };
  const item = { ...about, ...decidedItem(decided), landscapes: there.map(thereJson), ...doneItem(done) };
  return printableJson(jsonDocument("Intervention", { revision, decidedAt: nowMs }, [item]));
}

function thereJson(there: EntryThere): object {
  const { landscape } = there;
  return there.kind === "unknown" ? failureJson(landscape, there.fault) : entryJson(landscape, there.entry);
}

function decidedItem(decided: Decided): object {
  if (decided.kind !== "change") {
    const remedy = decided.kind === "refused" ? decided.remedy : null;
    return { decision: decided.kind, sentences: [decided.why], protects: [], exposes: [], remedy, files: [] };
  }
  const { sentences, protects = [], exposes = [], remedy = null, files } = decided;
  return { decision: "change", sentences, protects, exposes, remedy, files: [...files.keys()] };
}

/** All empty where nothing was to be done. */
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
