import { shortCommit } from "../../document/printable.ts";
import { counted } from "../../document/counted.ts";
import { plain } from "../body.ts";
import type { Debt } from "../status.ts";
import type { HeldPeriod } from "../verdict/holding.ts";
import { instantText } from "../../document/times.ts";
import { firstUnmet, waitingTopics, type Assessment } from "../verdict/verdict.ts";
import { boxLine, type TickedBox } from "./boxes.ts";
import { MARK, cacheLine, type DashboardCache } from "./cache.ts";
import { placeName, type DashboardRow } from "./rows.ts";

/** The content of the dashboard, and the input of its decisions. */
interface Dashboard {
  readonly rows: readonly DashboardRow[];
  /** The commit. */
  readonly revision: string;
  /** Unix milliseconds. It is used for comparisons and not shown: an unchanged text is not written again. */
  readonly nowMs: number;
}

/** GitHub accepts 65,536 characters, and counts some twice. */
const MOST_CHARACTERS = 60_000;

/**
 * The text of the issue: first what needs a person, then the boxes, then everything. Markdown. Its length is limited:
 * the last lines of a section that is too long are only counted.
 */
export function dashboardBody({ rows, revision, nowMs }: Dashboard, cache: DashboardCache): string {
  const frame = [`${MARK}\n${INTRODUCTION}`, `Decided on ${revision}.\n\n${cacheLine(cache)}`] as const;
  // Rows with news come first, since the last lines are left out if there are too many.
  const following = rows.filter(({ status: { verdict } }) => verdict !== undefined);
  const ordered = [...following.filter((row) => !isIdle(row)), ...following.filter(isIdle)];
  const table = ordered.map((row) => `| ${dashboardCells(row, nowMs).join(" | ")} |`);
  const sections = [
    section("Blocked", "", rows.flatMap(blockedLine)),
    section("Debt", "", rows.flatMap(debtLines)),
    section("Holds", "", [...new Set(rows.flatMap(holdLines))]),
    section("Ask for", ASKING, rows.flatMap(askLines)),
    section("Every module", TABLE_HEAD, table),
  ].filter(({ lines }) => lines.length > 0);
  // Each section is followed by an empty line.
  let left = MOST_CHARACTERS - frame.join(APART).length - sections.length * APART.length;
  const texts = sections.map((one, place) => {
    // The first sections must leave room for the rest.
    const text = fitted(one, place === sections.length - 1 ? left : left / 2);
    left -= text.length;
    return text;
  });
  return [frame[0], ...texts, frame[1]].join(APART);
}

const APART = "\n\n";

const INTRODUCTION =
  "The status of every module in the channels that follow another. `promote --apply` writes this text, and overwrites what you " +
  "write here. Close the issue, and it is left alone. Keep its label: it identifies the issue.";

const ASKING =
  "Tick a box, and the workflow `dashboard` carries it out if you may write to this repository. A hold becomes a pull request.\n";

const TABLE_HEAD =
  "| Channel | Module | Serves | Next | Verdict | Pull request |\n| --- | --- | --- | --- | --- | --- |";

interface BodySection {
  readonly head: string;
  readonly lines: readonly string[];
}

function section(title: string, introduction: string, lines: readonly string[]): BodySection {
  return { head: [`## ${title}\n`, ...(introduction === "" ? [] : [introduction])].join("\n"), lines };
}

/** As many lines as fit into `most` characters, and the number of those left out. */
function fitted({ head, lines }: BodySection, most: number): string {
  const whole = [head, ...lines].join("\n");
  if (whole.length <= most) return whole;
  const note = (count: number): string =>
    `${APART}… and ${counted(count, "more line")}: \`kyma-modules status\` shows all.`;
  let left = most - head.length - note(lines.length).length;
  const end = lines.findIndex((line) => (left -= line.length + 1) < 0);
  return [head, ...lines.slice(0, end)].join("\n") + note(lines.length - end);
}

/** The most characters to show of a text that others wrote; the whole text is in the repository. */
const MOST_OF_TEXT = 300;

/** Markdown that shows a text by others literally, on one line, without invisible characters. */
export function quoted(text: string): string {
  const seen = Array.from(text.replace(/[\p{Cc}\p{Cf}]/gu, " "));
  return plain(seen.length > MOST_OF_TEXT ? `${seen.slice(0, MOST_OF_TEXT).join("")}…` : seen.join(""));
}

function blockedLine({ status, blocked }: DashboardRow): readonly string[] {
  const chosen = status.verdict?.chosen;
  if (blocked === undefined || chosen === undefined) return [];
  const { message = "", remedy = "" } = firstUnmet(chosen) ?? {};
  const since = `${blocked.isSeen ? "seen since" : "since"} ${instantText(blocked.sinceMs)}`;
  return [`- **${placeName(status)} ${chosen.version}**, ${since}: ${quoted(message)} ${quoted(remedy)}`.trimEnd()];
}

function debtLines({ status: { channel, module, debts } }: DashboardRow): readonly string[] {
  return debts.map(
    ({ hotfix: { version, incident }, since, kinds }: Debt) =>
      `- **${placeName({ channel, module })} ${version}** owes ${kinds.join(", ")} since ${instantText(since.atMs)}: ${quoted(incident)}`,
  );
}

function holdLines({ status: { module, holds, interventions } }: DashboardRow): readonly string[] {
  const proposed = interventions.map(
    ({ kind, version, channel, source }) =>
      `- **${module} ${version}** ${whereText(channel)}: ${kind} proposed, ${quoted(source)}`,
  );
  return [...holds.map((period) => holdLine(module, period)), ...proposed];
}

function holdLine(module: string, { version, why, endMs }: HeldPeriod): string {
  if (why.kind === "decrease") {
    const { channel, to, at } = why;
    return `- **${module} ${version}** ${whereText(channel)}: ${channel} went down to ${to} at ${instantText(at.atMs)}`;
  }
  const { by, channel, reason } = why.hold;
  const end = Number.isFinite(endMs) ? ` until ${instantText(endMs)}` : "";
  const who = `held by ${quoted(by)} since ${instantText(why.from.atMs)}${end}`;
  return `- **${module} ${version}** ${whereText(channel)}: ${who}: ${quoted(reason)}`;
}

function whereText(channel: string | undefined): string {
  return channel === undefined ? "in all channels" : `in ${channel}`;
}

/** The boxes: to promote a version that may move now, and to hold a version that may come. */
function askLines({ status: { channel, module, verdict }, mergedAs }: DashboardRow): readonly string[] {
  const chosen = verdict?.chosen;
  if (chosen === undefined || mergedAs !== undefined) return [];
  const { version, kind } = chosen;
  const apply: TickedBox = { kind: "apply", channel, module };
  const hold: TickedBox = { kind: "hold", channel, module, version };
  return [
    ...(kind === "promote" ? [boxLine(apply, `Apply now: promote ${module} ${version} to ${channel}`)] : []),
    ...(kind === "blocked" ? [] : [boxLine(hold, `Hold ${module} ${version} out of ${channel}`)]),
  ];
}

function isIdle({ status: { verdict, proposal } }: DashboardRow): boolean {
  return verdict?.kind === "nothing" && proposal === undefined;
}

function dashboardCells({ status, mergedAs }: DashboardRow, nowMs: number): readonly string[] {
  const { channel, module, version, verdict, proposal } = status;
  const chosen = verdict?.chosen;
  const next = chosen === undefined ? "" : `${chosen.version} (${chosen.level})`;
  const said = mergedAs === undefined ? verdictText(chosen, nowMs) : `merged as ${shortCommit(mergedAs)}`;
  const pull = proposal?.pull;
  const place = pull === undefined ? (proposal?.branch ?? "") : `[#${String(pull.number)}](${pull.url})`;
  return [channel, module, version ?? "", next, said, place];
}

/** Leaves out what changes with time alone: otherwise every run would write the text. */
function verdictText(chosen: Assessment | undefined, nowMs: number): string {
  switch (chosen?.kind) {
    case undefined:
      return "nothing to do";
    case "promote":
      return "promote now";
    case "wait":
      return `waits${waitText(chosen, nowMs)}`;
    case "blocked":
      return `blocked: ${quoted(firstUnmet(chosen)?.message ?? "")}`;
  }
}

function waitText(chosen: Assessment, nowMs: number): string {
  const { earliest } = chosen;
  switch (earliest?.kind) {
    case "at":
      return ` until ${instantText(earliest.atMs)} because of ${waitingTopics(chosen)}`;
    case "not-before": {
      const when = earliest.notBeforeMs > nowMs ? ` Not before ${instantText(earliest.notBeforeMs)}.` : "";
      return `: ${quoted(earliest.awaiting.join(" "))}${when}`;
    }
    case undefined:
      return " until something changes";
  }
}
