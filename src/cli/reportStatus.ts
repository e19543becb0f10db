import { printable, printableJson } from "../check/report/printable.ts";
import type { Status } from "../promote/status.ts";
import type { HeldPeriod } from "../promote/verdict/holding.ts";
import { durationText, instantText } from "../promote/verdict/text.ts";
import type { Verdict } from "../promote/verdict/verdict.ts";
import { jsonDocument, type Output, type Style } from "./output.ts";
import { firstUnmet } from "./reportPromote.ts";
import { earliestItem } from "./reportPromoteJson.ts";
import { table } from "./table.ts";

/** How modules stand, and where that comes from. */
export interface StatusReport {
  readonly revision: string;
  /** Unix milliseconds. */
  readonly decidedAt: number;
  readonly statuses: readonly Status[];
  /** Whether somebody was asked what is proposed. */
  readonly isForgeAsked: boolean;
}

/** One row a channel and module; below them what somebody should look at. */
export function statusText({ revision, decidedAt, statuses, isForgeAsked }: StatusReport, output: Output): string {
  const rows = statuses.map((status) => rowOf(status, decidedAt).map(printable));
  const troubles = statuses.flatMap((status) => troublesOf(status, decidedAt));
  const asked = isForgeAsked ? "" : "; no forge was asked: open promotions are not known";
  return [
    table(["CHANNEL", "MODULE", "SERVES", "FOR", "NEXT", "VERDICT", "NOTES"], rows, output),
    `as ${revision.slice(0, 10)} says at ${instantText(decidedAt)}, whatever clusters run${asked}`,
    // What holds a module in all channels, or in the followed one, is said once.
    ...new Set(troubles.map((trouble) => troubleLine(trouble, output))),
  ].join("\n");
}

function rowOf(status: Status, nowMs: number): readonly string[] {
  const { channel, module, version, since, verdict } = status;
  const age = since === undefined ? "–" : durationText(nowMs - since.atMs);
  return [
    channel,
    module,
    version ?? "–",
    age,
    verdict?.chosen?.version ?? "–",
    wordOf(verdict, nowMs),
    notesOf(status).join(", "),
  ];
}

/** `wait 6d 23h`: exactly then; with a `+`: then at the earliest. */
function wordOf(verdict: Verdict | undefined, nowMs: number): string {
  const earliest = verdict?.chosen?.earliest;
  if (verdict?.kind !== "wait" || earliest === undefined) return verdict?.kind ?? "–";
  const [atMs, more] = earliest.kind === "at" ? [earliest.atMs, ""] : [earliest.notBeforeMs, "+"];
  return atMs > nowMs ? `wait ${durationText(atMs - nowMs)}${more}` : "wait";
}

function notesOf({ holds, debts, aheadOf, hotfix, proposal, isWithheld }: Status): readonly string[] {
  const pull = proposal?.pull;
  const notes: readonly (string | false)[] = [
    isWithheld && "withheld",
    holds.length > 0 && "held",
    aheadOf !== undefined && `${hotfix === undefined ? "" : "hot-fix "}ahead`,
    debts.length > 0 && "debt",
    proposal !== undefined && (pull === undefined ? "proposed" : `#${String(pull.number)}`),
  ];
  return notes.filter((note) => note !== false);
}

/** One thing to look at: what it is, what it is about, and a sentence. */
interface Trouble {
  readonly style: Style;
  readonly word: string;
  readonly about: string;
  readonly message: string;
}

function troublesOf(status: Status, nowMs: number): readonly Trouble[] {
  const { channel, module, version, holds, debts, proposal } = status;
  const place = `${channel}/${module}`;
  const open = proposal?.pull?.url ?? proposal?.branch;
  return [
    ...withheldTroubles(status),
    ...blockedTroubles(status),
    ...awaitingTroubles(status),
    ...holds.map((period) => heldTrouble(module, period)),
    ...holds.filter((period) => period.version === version).map((period) => servedTrouble(place, period)),
    ...aheadTroubles(status),
    ...debts.map(({ hotfix, since, kinds }): Trouble => {
      const message = `${kinds.join(", ")}, for ${durationText(nowMs - since.atMs)} now: ${hotfix.incident}`;
      return { style: "bad", word: "owed", about: `${place} ${hotfix.version}`, message };
    }),
    ...(open === undefined ? [] : [{ style: "change" as const, word: "open", about: place, message: open }]),
  ];
}

function withheldTroubles({ module, isWithheld }: Status): readonly Trouble[] {
  const message = "its files contradict one another, and nothing of it is compiled: kyma-modules check";
  return isWithheld ? [{ style: "bad", word: "withheld", about: module, message }] : [];
}

/** A hold says so itself. */
function blockedTroubles({ channel, module, verdict, holds }: Status): readonly Trouble[] {
  const chosen = verdict?.kind === "blocked" ? verdict.chosen : undefined;
  const reason = chosen && firstUnmet(chosen);
  if (reason === undefined || holds.some(({ version }) => version === chosen?.version)) return [];
  const { message, remedy = "" } = reason;
  const about = `${channel}/${module} ${chosen?.version ?? ""}`;
  return [{ style: "bad", word: "blocked", about, message: `${message} ${remedy}`.trim() }];
}

/** More than time is missing. */
function awaitingTroubles({ channel, module, verdict }: Status): readonly Trouble[] {
  const chosen = verdict?.kind === "wait" ? verdict.chosen : undefined;
  if (chosen?.earliest?.kind !== "not-before") return [];
  const message = chosen.earliest.awaiting.join(" ");
  return [{ style: "change", word: "awaits", about: `${channel}/${module} ${chosen.version}`, message }];
}

function heldTrouble(module: string, { version, why, endMs }: HeldPeriod): Trouble {
  const end = Number.isFinite(endMs) ? ` until ${instantText(endMs)}` : "";
  const about = `${module} ${version}`;
  const common = { style: "change", word: "held" } as const;
  if (why.kind === "decrease") {
    const message = `${why.channel} went down to ${why.to} at ${instantText(why.at.atMs)}`;
    return { ...common, about: `${why.channel}/${about}`, message };
  }
  const { channel, by, reason } = why.hold;
  const message = `by ${by} since ${instantText(why.from.atMs)}${end}: ${reason}`;
  return { ...common, about: channel === undefined ? `${about} everywhere` : `${channel}/${about}`, message };
}

function servedTrouble(place: string, { version }: HeldPeriod): Trouble {
  const message = "it is held, and served nevertheless: clusters keep it; withdraw puts an earlier one back";
  return { style: "bad", word: "serves", about: `${place} ${version}`, message };
}

function aheadTroubles({ channel, module, version, follows, aheadOf, hotfix }: Status): readonly Trouble[] {
  if (aheadOf === undefined) return [];
  const how = hotfix === undefined ? "nobody declared a hot-fix" : `by the hot-fix of ${hotfix.by}`;
  const message = `${follows ?? ""} serves ${aheadOf}, which is lower; ${how}`;
  return [{ style: "change", word: "ahead", about: `${channel}/${module} ${version ?? ""}`, message }];
}

function troubleLine({ style, word, about, message }: Trouble, output: Output): string {
  return `${output.paint(style, word.padEnd(8))}  ${printable(about)}: ${printable(message)}`;
}

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
  return { branch: proposal.branch, pullRequest: proposal.pull?.url ?? null };
}
