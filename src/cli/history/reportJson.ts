import { printableJson } from "../../document/printable.ts";
import type { LifeEvent, ServedStep } from "../../promote/history/life.ts";
import { jsonDocument } from "../terminal/output.ts";
import type { HistoryReport } from "./report.ts";

/** schemas/output/history.schema.json. */
export function historyJson(report: HistoryReport): string {
  const { revision, decidedAt, life, module, repositoryUrl } = report;
  const items = life.map((event) => ({
    kind: event.kind,
    module,
    channel: event.channel ?? null,
    at: new Date(event.revision.atMs).toISOString(),
    commit: event.revision.commit,
    subject: event.subject,
    author: event.author,
    by: event.by ?? null,
    reason: event.reason ?? null,
    pullRequest: pullItem(event, repositoryUrl),
    ...(event.kind === "step"
      ? { ...stepItem(event), verdict: verdictItem(event, report) }
      : { version: event.version, until: event.until ?? null }),
  }));
  return printableJson(jsonDocument("History", { revision, decidedAt }, items));
}

function pullItem({ pull }: LifeEvent, repositoryUrl: string | undefined): object | null {
  if (pull === undefined) return null;
  return { number: pull, url: repositoryUrl === undefined ? null : `${repositoryUrl}/pull/${String(pull)}` };
}

function stepItem({ from, to, level, how, hotfix, soak }: ServedStep): object {
  return {
    from: from ?? null,
    to: to ?? null,
    level: level ?? null,
    how,
    incident: hotfix?.incident ?? null,
    soak: soak.map(({ level: each, what, ms }) => ({ level: each, what, servedMs: ms })),
  };
}

function verdictItem(step: ServedStep, { claims }: HistoryReport): object | null {
  const { claim } = step;
  const known = claims.get(step);
  if (claim === undefined || known === undefined) return null;
  const { verdict, decidedOn, decidedAtMs, follows, evidence } = claim;
  return {
    result: known.kind,
    why: "why" in known ? [known.why].flat() : [],
    digest: verdict ?? null,
    follows: follows ?? null,
    decidedOn: decidedOn ?? null,
    decidedAt: decidedAtMs === undefined ? null : new Date(decidedAtMs).toISOString(),
    evidence,
  };
}
