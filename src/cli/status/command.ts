import { unknownChannelText, unservedText } from "../../catalogue/lookup.ts";
import { printableJson } from "../../document/printable.ts";
import { Fault, type BranchElsewhere, type Run } from "../../ports.ts";
import { type Status, promotionStatus } from "../../promote/status.ts";
import type { HeldPeriod } from "../../promote/verdict/holding.ts";
import { firstUnmet, type Verdict } from "../../promote/verdict/verdict.ts";
import type { PromotionPorts } from "../compose/promotion.ts";
import { gatherDecision } from "../promote/context.ts";
import { earliestItem } from "../promote/reportJson.ts";
import { EXIT, jsonDocument, type Output } from "../terminal/output.ts";
import { laneText, type StatusReport, statusText } from "./report.ts";
import { codeOfCatalogue } from "../loadCatalogue.ts";

interface StatusArguments {
  readonly modules: readonly string[];
  readonly channel?: string | undefined;
  /** Paths of files. */
  readonly evidence: readonly string[];
  readonly revision: string;
  /** Only landscapes can be watched. */
  readonly watch: boolean;
}

/** `kyma-modules status`: shows the state of every module in every channel. Returns the exit code. */
export async function statusCommand(
  arguments_: StatusArguments,
  ports: PromotionPorts,
  output: Output,
  run: Run,
): Promise<number> {
  if (arguments_.watch) throw new Fault("CONFIGURATION", "--watch follows landscapes: name one, or add --landscapes.");
  const context = await gatherDecision(arguments_, ports.world, output, run);
  if (context === undefined) return EXIT.findings;
  const { gathered } = context;
  const { revision, nowMs, view } = gathered;
  const statuses = chosen(promotionStatus(gathered), arguments_, [...gathered.catalogue.channels.keys()]);
  const report = { revision, decidedAt: nowMs, statuses, isForgeAsked: view !== undefined };
  output.report({ text: (paper) => statusText(report, paper), json: () => statusJson(report) });
  return codeOfCatalogue(gathered.catalogue);
}

/** The chosen statuses. Throws CONFIGURATION for unknown names. */
function chosen(
  all: readonly Status[],
  { modules, channel }: StatusArguments,
  channels: readonly string[],
): readonly Status[] {
  const known = [...new Set(all.map(({ module }) => module))].sort();
  const unknown = modules.find((name) => !all.some(({ module }) => module === name));
  if (unknown !== undefined) throw new Fault("CONFIGURATION", unservedText(unknown, known));
  refuseUnknownChannel(channel, channels);
  return all.filter((status) => isChosen(status, { modules, channel }));
}

/** Whether an entry is chosen. Without modules and channel, all entries are. */
export function isChosen(
  entry: { readonly module: string; readonly channel: string },
  { modules, channel }: Pick<StatusArguments, "modules" | "channel">,
): boolean {
  return (
    (modules.length === 0 || modules.includes(entry.module)) && (channel === undefined || channel === entry.channel)
  );
}

/** Throws CONFIGURATION for a channel that is not in `channels`. */
export function refuseUnknownChannel(channel: string | undefined, channels: readonly string[]): void {
  if (channel !== undefined && !channels.includes(channel))
    throw new Fault("CONFIGURATION", unknownChannelText(channel, channels));
}

/** schemas/output/status.schema.json. */
function statusJson({ revision, decidedAt, statuses, isForgeAsked }: StatusReport): string {
  const items = statuses.map((status) => ({
    channel: status.channel,
    module: status.module,
    follows: status.follows ?? null,
    version: status.version ?? null,
    since: status.since === undefined ? null : mergeItem(status.since),
    verdict: status.verdict === undefined ? null : verdictItem(status.verdict),
    holds: status.holds.map(holdItem),
    isForgeAsked,
    proposal: proposalItem(status),
    interventions: status.interventions.map(({ kind, version, channel = null, proposal }) => {
      return { kind, version, channel, ...placeItem(proposal) };
    }),
    debts: status.debts.map(({ hotfix, since, kinds }) => {
      const { version, incident, by } = hotfix;
      return { version, incident, by, since: mergeItem(since), kinds };
    }),
    aheadOf: status.aheadOf ?? null,
    isHotfix: status.hotfix !== undefined,
    isWithheld: status.isWithheld,
  }));
  return printableJson(jsonDocument("Status", { revision, decidedAt }, items));
}

function mergeItem({ atMs, commit }: NonNullable<Status["since"]>): object {
  return { at: new Date(atMs).toISOString(), commit };
}

function verdictItem({ kind, chosen }: Verdict): object {
  if (chosen === undefined) return { kind, candidate: null, level: null, earliest: null, reason: null, remedy: null };
  const { version, level, earliest } = chosen;
  const { message = null, remedy = null } = firstUnmet(chosen) ?? {};
  return { kind, candidate: version, level, earliest: earliestItem(earliest), reason: message, remedy };
}

function holdItem({ version, why, endMs }: HeldPeriod): object {
  const until = Number.isFinite(endMs) ? new Date(endMs).toISOString() : null;
  if (why.kind === "decrease")
    return { kind: "decrease", version, channel: why.channel, since: mergeItem(why.at), until, by: null, reason: null };
  const { channel = null, by, reason } = why.hold;
  return { kind: "hold", version, channel, since: mergeItem(why.from), until, by, reason };
}

function proposalItem({ proposal }: Status): object | null {
  if (proposal === undefined) return null;
  const { lane, version = null } = proposal.step ?? {};
  return { version, lane: lane === undefined ? null : laneText(lane), ...placeItem(proposal) };
}

function placeItem({ branch, pull }: BranchElsewhere): object {
  return { branch, pullRequest: pull?.url ?? null };
}
