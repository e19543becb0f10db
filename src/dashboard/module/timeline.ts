import type { ChannelName } from "../../catalogue/names.ts";

import type { PictureLink, PictureMark, PictureRow, PictureSpan, TimelinePicture } from "../picture/picture.ts";
import type { Status } from "../../promote/status.ts";
import type { ServedStep } from "../../promote/timeline/timeline.ts";
import { type HeldPeriod, heldPeriods } from "../../promote/verdict/holding.ts";
import { placeIn, subjectStates } from "../../promote/verdict/subject.ts";
import type { DashboardState } from "../state.ts";
import type { ModuleChannel, ModuleFacts } from "./facts.ts";

/** The least and the most future time, as a share of the past. Now stays visible when the picture starts at its end. */
const [LEAST_AHEAD, MOST_AHEAD] = [0.06, 0.24] as const;
/** The shortest past that is drawn. Milliseconds. */
const LEAST_MS = 3_600_000;

/** The timeline of a module by channel, with expected promotions; `undefined` if no channel ever served it. */
export function timelineOfModule(
  facts: ModuleFacts,
  { nowMs, gathered }: Pick<DashboardState, "nowMs" | "gathered">,
): TimelinePicture | undefined {
  const { module, history, channels, events } = facts;
  const steps = events.flatMap((event) => (event.kind === "step" ? [event] : []));
  const fromMs = Math.min(nowMs - LEAST_MS, ...steps.map(({ revision }) => revision.atMs));
  if (steps.length === 0) return undefined;
  const expectedMs = channels.flatMap(({ status }) => expectedAt(status) ?? []);
  const pastMs = nowMs - fromMs;
  const wantedMs = Math.max(pastMs * LEAST_AHEAD, ...expectedMs.map((atMs) => (atMs - nowMs) * 1.5));
  const untilMs = nowMs + Math.min(wantedMs, pastMs * MOST_AHEAD);
  const rows = channels.map(({ channel, status }): PictureRow => {
    const held = heldPeriods(placeIn(gathered.catalogue, channel), history);
    const past = channelSpans(channel.name, facts, held, nowMs);
    return { label: channel.name, style: "channel-bar", spans: [...past, ...expected(status, untilMs)] };
  });
  return {
    id: "timeline",
    title: `Versions of ${module} by channel`,
    description: `${rows.map(describeRow).join(" ")} The table of versions below has the same data.`,
    ...{ fromMs, untilMs, nowMs, rows, gaps: [] },
    marks: steps.flatMap((step) => stepMarks(step, channels)),
    links: steps.flatMap((step) => stepLinks(step, channels)),
  };
}

/** When a version may enter a channel, if it only waits for time. Unix milliseconds. */
export function expectedAt(status: Status | undefined): number | undefined {
  const verdict = status?.verdict;
  const earliest = verdict?.kind === "wait" ? verdict.chosen?.earliest : undefined;
  return earliest?.kind === "at" ? earliest.atMs : undefined;
}

/** The versions that a channel served, up to now. New content of the same version continues its span. */
function channelSpans(
  channel: ChannelName,
  { history, events }: ModuleFacts,
  held: readonly HeldPeriod[],
  nowMs: number,
): readonly PictureSpan[] {
  const states = subjectStates(history, channel);
  const begins = states.filter(({ version }, place) => version !== states[place - 1]?.version);
  return begins.flatMap(({ version, revision }, place): PictureSpan[] => {
    if (version === undefined) return [];
    const endMs = begins[place + 1]?.revision.atMs ?? nowMs;
    const span = { version, startMs: Math.min(revision.atMs, endMs), endMs };
    const isFix = events.some(
      (event) => event.kind === "step" && event.how === "hot-fix" && event.channel === channel && event.to === version,
    );
    const within = held
      .filter((period) => period.version === version)
      .map((period) => ({
        startMs: Math.max(period.startMs, span.startMs),
        endMs: Math.min(period.endMs, span.endMs),
      }))
      .filter((period) => period.startMs < period.endMs);
    return [{ ...span, ...(isFix && { style: "hotfix-bar", note: "hot-fix" }), held: within }];
  });
}

/** A bar that starts when a version is expected. */
function expected(status: Status | undefined, untilMs: number): readonly PictureSpan[] {
  const startMs = expectedAt(status);
  const version = status?.verdict?.chosen?.version;
  if (startMs === undefined || version === undefined || startMs >= untilMs) return [];
  return [{ version, startMs, endMs: untilMs, style: "expected-bar", note: "expected" }];
}

const MARKS: Readonly<Partial<Record<ServedStep["how"], PictureMark["kind"]>>> = {
  "hot-fix": "hot-fix",
  withdrawal: "withdrawal",
  decrease: "downgrade",
  removal: "removal",
};

function stepMarks(step: ServedStep, channels: readonly ModuleChannel[]): readonly PictureMark[] {
  const [kind, row] = [MARKS[step.how], channelRow(step.channel, channels)];
  if (kind === undefined || row < 0) return [];
  const title = `${step.how}: ${step.from ?? "nothing"} to ${step.to ?? "nothing"}`;
  return [{ row, kind, atMs: step.revision.atMs, title }];
}

/** A promotion is linked from the channel that is followed. */
function stepLinks({ how, channel, revision }: ServedStep, channels: readonly ModuleChannel[]): readonly PictureLink[] {
  const toRow = channelRow(channel, channels);
  const follows = channels[toRow]?.channel.follows;
  const fromRow = follows === undefined ? -1 : channelRow(follows, channels);
  return how === "promotion" && fromRow >= 0 ? [{ fromRow, toRow, atMs: revision.atMs }] : [];
}

function channelRow(name: ChannelName, channels: readonly ModuleChannel[]): number {
  return channels.findIndex(({ channel }) => channel.name === name);
}

/** `fast: 1.4.0, 1.5.0 (hot-fix).` */
function describeRow({ label, spans }: PictureRow): string {
  const told = spans.map(({ version, note, held = [] }) => {
    const notes = [...(note === undefined ? [] : [note]), ...(held.length === 0 ? [] : ["held for a time"])];
    return notes.length === 0 ? version : `${version} (${notes.join(", ")})`;
  });
  return `${label}: ${told.join(", ") || "nothing"}.`;
}
