import { unknownChannelText } from "../../catalogue/holdStrength.ts";
import { holdsPath, hotfixesPath } from "../../catalogue/paths.ts";
import { printable, shortCommit, type Style } from "../../document/printable.ts";
import { compareVersions } from "../../catalogue/version.ts";
import type { ProposedIntervention } from "../../promote/proposedHolds.ts";
import type { OpenPromotion, Status } from "../../promote/status.ts";
import type { HeldPeriod } from "../../promote/verdict/holding.ts";
import { durationText, instantText } from "../../document/times.ts";
import { firstUnmet, type Verdict } from "../../promote/verdict/verdict.ts";
import { type Output, table } from "../terminal/output.ts";

/** The state of modules, and its source. */
export interface StatusReport {
  readonly revision: string;
  /** Unix milliseconds. */
  readonly decidedAt: number;
  readonly statuses: readonly Status[];
  /** Whether the forge was asked for proposals. */
  readonly isForgeAsked: boolean;
}

/** A row for each channel and module, and below them the troubles. */
export function statusText({ revision, decidedAt, statuses, isForgeAsked }: StatusReport, output: Output): string {
  const rows = statuses.map((status) => statusRow(status, decidedAt).map(printable));
  const troubles = statuses.flatMap((status) => statusTroubles(status, decidedAt));
  const asked = isForgeAsked ? "" : "; the forge was not contacted: open promotions are not known";
  return [
    table(["CHANNEL", "MODULE", "SERVES", "FOR", "NEXT", "VERDICT", "NOTES"], rows, output),
    `from the repository at ${shortCommit(revision)}, at ${instantText(decidedAt)}; clusters may run other versions${asked}`,
    // A hold in all channels, or in the followed one, is reported once.
    ...new Set(troubles.map((trouble) => troubleLine(trouble, output))),
  ].join("\n");
}

function statusRow(status: Status, nowMs: number): readonly string[] {
  const { channel, module, version, since, verdict } = status;
  const age = since === undefined ? "–" : durationText(nowMs - since.atMs);
  return [
    channel,
    module,
    version ?? "–",
    age,
    verdict?.chosen?.version ?? "–",
    verdictWord(verdict, nowMs),
    statusNotes(status).join(", "),
  ];
}

/** The verdict in a word. `wait 6d 23h` is exact; `wait 6d 23h+` is the earliest time. */
function verdictWord(verdict: Verdict | undefined, nowMs: number): string {
  const earliest = verdict?.chosen?.earliest;
  if (verdict?.kind !== "wait" || earliest === undefined) return verdict?.kind ?? "–";
  const [atMs, more] = earliest.kind === "at" ? [earliest.atMs, ""] : [earliest.notBeforeMs, "+"];
  return atMs > nowMs ? `wait ${durationText(atMs - nowMs)}${more}` : "wait";
}

function statusNotes(status: Status): readonly string[] {
  const { holds, debts, aheadOf, hotfix, isWithheld } = status;
  const notes: readonly (string | false)[] = [
    isWithheld && "withheld",
    (holds.length > 0 || statusHolds(status).length > 0) && "held",
    aheadOf !== undefined && `${hotfix === undefined ? "" : "hot-fix "}ahead`,
    debts.length > 0 && "debt",
    proposalNote(status),
  ];
  return notes.filter((note) => note !== false);
}

/** The open proposal, named if it is not the next version. */
function proposalNote({ proposal, verdict }: Status): string | false {
  if (proposal === undefined) return false;
  const { pull, step } = proposal;
  const place = pull === undefined ? "proposed" : `#${String(pull.number)}`;
  const isNext = step?.version === verdict?.chosen?.version && step?.lane === "promotion";
  return isNext || step === undefined ? place : `${place} ${stepText(step)}`;
}

function stepText({ lane, version }: NonNullable<OpenPromotion["step"]>): string {
  return lane === "promotion" ? version : `${laneText(lane)} ${version}`;
}

/** The lane of a proposal as text. */
export function laneText(lane: string): string {
  return lane === "hotfix" ? "hot-fix" : lane;
}

/** The proposed holds of the served version and candidates. A proposed hold stops promotions at once. */
function statusHolds({ interventions, version: current }: Status): readonly ProposedIntervention[] {
  return interventions.filter(
    ({ kind, version }) => kind !== "unhold" && (current === undefined || compareVersions(version, current) >= 0),
  );
}

/** A trouble: its kind, its subject, and a sentence. */
export interface TroubleLine {
  readonly style: Style;
  readonly word: string;
  readonly about: string;
  readonly message: string;
}

function statusTroubles(status: Status, nowMs: number): readonly TroubleLine[] {
  const { channel, module, version, holds, interventions } = status;
  const place = `${channel}/${module}`;
  return [
    ...withheldTroubles(status),
    ...blockedTroubles(status),
    ...awaitingTroubles(status),
    ...holds.map((period) => heldTrouble(module, period)),
    ...holds.filter((period) => period.version === version).map((period) => servedTrouble(place, period)),
    ...aheadTroubles(status),
    ...debtTroubles(status, nowMs),
    ...interventions.map(proposedTrouble),
    ...openTroubles(status),
  ];
}

function debtTroubles({ channel, module, debts }: Status, nowMs: number): readonly TroubleLine[] {
  return debts.map(({ hotfix: { version, incident }, since, kinds }) => {
    const owed = `${kinds.join(", ")}, for ${durationText(nowMs - since.atMs)}: ${incident}`;
    const message = `${owed}; once it is done, set paidBy in ${hotfixesPath(module)}`;
    return { style: "bad", word: "owed", about: `${channel}/${module} ${version}`, message };
  });
}

const INTERVENTIONS = { hold: "hold", unhold: "lifting of the hold", withdraw: "withdrawal" } as const;

function proposedTrouble({ kind, module, version, channel, source }: ProposedIntervention): TroubleLine {
  const where = channel === undefined ? "everywhere" : `in ${channel}`;
  const about = `${INTERVENTIONS[kind]} of ${module} ${version} ${where}`;
  return { style: "change", word: "proposed", about, message: source };
}

function openTroubles({ channel, module, proposal }: Status): readonly TroubleLine[] {
  if (proposal === undefined) return [];
  const { step, pull, branch } = proposal;
  const about = [`${channel}/${module}`, ...(step === undefined ? [] : [stepText(step)])].join(" ");
  return [{ style: "change", word: "open", about, message: pull?.url ?? branch }];
}

function withheldTroubles({ module, isWithheld }: Status): readonly TroubleLine[] {
  const message = "its files contradict each other, so it is not compiled. Find the errors: kyma-modules check";
  return isWithheld ? [{ style: "bad", word: "withheld", about: module, message }] : [];
}

/** A hold has a trouble of its own. */
function blockedTroubles(status: Status): readonly TroubleLine[] {
  const { channel, module, verdict, holds } = status;
  const chosen = verdict?.kind === "blocked" ? verdict.chosen : undefined;
  const reason = chosen && firstUnmet(chosen);
  const held = [...holds, ...statusHolds(status)];
  if (reason === undefined || held.some(({ version }) => version === chosen?.version)) return [];
  const { message, remedy = "" } = reason;
  const about = `${channel}/${module} ${chosen?.version ?? ""}`;
  return [{ style: "bad", word: "blocked", about, message: `${message} ${remedy}`.trim() }];
}

/** Waits for more than time. */
function awaitingTroubles({ channel, module, verdict }: Status): readonly TroubleLine[] {
  const chosen = verdict?.kind === "wait" ? verdict.chosen : undefined;
  if (chosen?.earliest?.kind !== "not-before") return [];
  const message = chosen.earliest.awaiting.join(" ");
  return [{ style: "change", word: "awaits", about: `${channel}/${module} ${chosen.version}`, message }];
}

function heldTrouble(module: string, { version, why, endMs }: HeldPeriod): TroubleLine {
  const end = Number.isFinite(endMs) ? ` until ${instantText(endMs)}` : "";
  const about = `${module} ${version}`;
  const common = { style: "change", word: "held" } as const;
  if (why.kind === "decrease") {
    const message = `${why.channel} went down to ${why.to} at ${instantText(why.at.atMs)}`;
    return { ...common, about: `${why.channel}/${about}`, message };
  }
  const { channel, by, reason } = why.hold;
  const stray = why.isChannelUnknown ? ` (${unknownChannelText(channel, holdsPath(module))})` : "";
  const message = `by ${by} since ${instantText(why.from.atMs)}${end}: ${reason}${stray}`;
  return { ...common, about: channel === undefined ? `${about} everywhere` : `${channel}/${about}`, message };
}

function servedTrouble(place: string, { version }: HeldPeriod): TroubleLine {
  const message = "it is held but still served: clusters keep it. Put an earlier version back: kyma-modules withdraw";
  return { style: "bad", word: "serves", about: `${place} ${version}`, message };
}

function aheadTroubles({ channel, module, version, follows, aheadOf, hotfix }: Status): readonly TroubleLine[] {
  if (aheadOf === undefined) return [];
  const how = hotfix === undefined ? "without a declared hot-fix" : `by the hot-fix of ${hotfix.by}`;
  const message = `${follows ?? ""} serves ${aheadOf}, which is lower; ${how}`;
  return [{ style: "change", word: "ahead", about: `${channel}/${module} ${version ?? ""}`, message }];
}

/** A trouble as text. */
export function troubleLine({ style, word, about, message }: TroubleLine, output: Output): string {
  return `${output.paint(style, word.padEnd(8))}  ${printable(about)}: ${printable(message)}`;
}
