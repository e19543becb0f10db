import { printableJson } from "../../document/printable.ts";
import type { Status } from "../../promote/status.ts";
import type { HeldPeriod } from "../../promote/verdict/holding.ts";
import { firstUnmet, type Verdict } from "../../promote/verdict/verdict.ts";
import type { Proposal } from "../../ports.ts";
import { jsonDocument } from "../terminal/output.ts";
import { earliestItem } from "../promote/reportJson.ts";
import { laneText, type StatusReport } from "./report.ts";

/** schemas/output/status.schema.json. */
export function statusJson({ revision, decidedAt, statuses, isForgeAsked }: StatusReport): string {
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

function placeItem({ branch, pull }: Proposal): object {
  return { branch, pullRequest: pull?.url ?? null };
}
