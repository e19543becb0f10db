import { findingItem } from "../../check/report/json.ts";
import { printableJson } from "../../document/printable.ts";
import type { Decision } from "../../promote/decisions.ts";
import type { Carried } from "../../promote/promote.ts";
import type { Earliest } from "../../promote/verdict/verdict.ts";
import type { Proposal } from "../../ports.ts";
import { jsonDocument } from "../terminal/output.ts";
import { outcomeReason, type PromotionReport } from "./report.ts";

/** schemas/output/promotion.schema.json. */
export function promotionJson({ revision, decidedAt, decisions, carried, hashOf }: PromotionReport): string {
  const items = decisions.map((decision) => ({
    ...verdictItem(decision, hashOf),
    outcome: outcomeItem(carried?.find((one) => one.decision === decision)?.outcome),
  }));
  return printableJson(jsonDocument("Promotion", { revision, decidedAt }, items));
}

function verdictItem(decision: Decision, hashOf: PromotionReport["hashOf"]): object {
  const { kind, module, channel, follows, current, chosen, candidates } = decision.verdict;
  return {
    kind,
    module,
    channel,
    follows,
    current: current ?? null,
    candidate: chosen?.version ?? null,
    level: chosen?.level ?? null,
    lane: chosen?.isHotfix === true ? "hot-fix" : "promotion",
    earliest: earliestItem(chosen?.earliest),
    candidates: candidates.map(({ version, level, kind, reasons, earliest }) => ({
      kind,
      version,
      specHash: hashOf(decision, version) ?? null,
      level,
      earliest: earliestItem(earliest),
      reasons: reasons.map(({ topic, outcome, message, remedy, metAtMs, source }) => ({
        topic,
        outcome,
        message,
        remedy: remedy ?? null,
        metAt: metAtMs === undefined ? null : new Date(metAtMs).toISOString(),
        source: source ?? null,
      })),
    })),
  };
}

/** When a candidate may move, as JSON. */
export function earliestItem(earliest: Earliest | undefined): object | null {
  switch (earliest?.kind) {
    case "at":
      return { at: new Date(earliest.atMs).toISOString() };
    case "not-before":
      return { notBefore: new Date(earliest.notBeforeMs).toISOString(), awaiting: earliest.awaiting };
    case undefined:
      return null;
  }
}

function outcomeItem(outcome: Carried["outcome"] | undefined): object | null {
  if (outcome === undefined) return null;
  const { kind } = outcome;
  return {
    kind,
    ...whereItem("proposal" in outcome ? outcome.proposal : undefined),
    commit: kind === "merged" ? outcome.commit : null,
    why: outcomeReason(outcome) ?? null,
    findings: kind === "refused" ? outcome.findings.map(findingItem) : [],
  };
}

function whereItem(proposal: Proposal | undefined): object {
  return { branch: proposal?.branch ?? null, pullRequest: proposal?.pull?.url ?? null };
}
