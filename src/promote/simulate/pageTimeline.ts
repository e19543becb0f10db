import { durationText, instantText } from "../../document/times.ts";
import { escapeMarkup } from "./markup.ts";
import type { JudgedChange, ModuleReplay, Simulation, Span } from "./simulation.ts";
import type { Gap } from "./replayInput.ts";

/** The measures of a drawing, in its own units; it grows with the page. */
const [WIDTH, LEFT, RIGHT] = [1000, 150, 990] as const;
const ROWS = { followed: 14, real: 48, policy: 82 } as const;
const [ROW_HEIGHT, AXIS, HEIGHT] = [24, 122, 142] as const;
/** A label needs about this much for each character. */
const CHARACTER_WIDTH = 6.2;

/** Where an instant lies on the time line. */
type Scale = (ms: number) => number;

/** The time line of one module: the followed channel above, what the following one served, what it would have. */
export function timelineMarkup(
  replay: ModuleReplay,
  { fromMs, untilMs }: Pick<Simulation, "fromMs" | "untilMs">,
  gaps: readonly Gap[],
  id: string,
): string {
  const scale: Scale = (ms) => round(LEFT + ((ms - fromMs) / Math.max(1, untilMs - fromMs)) * (RIGHT - LEFT));
  const { spans, follows, channel, changes } = replay;
  return [
    `<svg viewBox="0 0 ${String(WIDTH)} ${String(HEIGHT)}" role="img" aria-labelledby="${id}-title ${id}-text">`,
    `<title id="${id}-title">${escapeMarkup(`${channel} / ${replay.module}`)}</title>`,
    `<desc id="${id}-text">${escapeMarkup(descriptionOf(replay))}</desc>`,
    ...gaps.map(({ startMs, endMs }) => gapMarkup(scale(Math.max(startMs, fromMs)), scale(Math.max(endMs, fromMs)))),
    ...ticks(fromMs, untilMs).map((ms) => tickMarkup(ms, scale)),
    ...rowMarkup(follows, "followed", spans.followed, scale),
    ...rowMarkup(`${channel}, really`, "real", spans.real, scale),
    ...rowMarkup(`${channel}, by policy`, "policy", spans.policy, scale),
    ...changes.flatMap((change) => markMarkup(change, scale)),
    "</svg>",
  ].join("\n");
}

function descriptionOf({ follows, channel, changes, promotions }: ModuleReplay): string {
  return `${follows} above, ${channel} below: ${String(changes.length)} changes happened, the policy would have made ${String(promotions.length)} promotions. The table below lists them.`;
}

function rowMarkup(label: string, row: keyof typeof ROWS, spans: readonly Span[], scale: Scale): readonly string[] {
  const top = ROWS[row];
  return [
    `<text class="row" x="${String(LEFT - 8)}" y="${String(top + 16)}">${escapeMarkup(label)}</text>`,
    ...spans.map((span, place) => spanMarkup(span, `${row} ${place % 2 === 0 ? "even" : "odd"}`, top, scale)),
  ];
}

function spanMarkup({ version, startMs, endMs }: Span, style: string, top: number, scale: Scale): string {
  const [x, width] = [scale(startMs), Math.max(1, round(scale(endMs) - scale(startMs)))];
  const label = escapeMarkup(version);
  const title = `${label}: ${instantText(startMs)} to ${instantText(endMs)} (${durationText(endMs - startMs)})`;
  const text =
    width < version.length * CHARACTER_WIDTH + 6
      ? ""
      : `<text x="${String(x + 4)}" y="${String(top + 16)}">${label}</text>`;
  return `<g class="${style}"><title>${title}</title><rect x="${String(x)}" y="${String(top)}" width="${String(width)}" height="${String(ROW_HEIGHT)}"/>${text}</g>`;
}

function gapMarkup(start: number, end: number): string {
  return `<rect class="gap" x="${String(start)}" y="6" width="${String(round(end - start))}" height="${String(AXIS - 12)}"><title>Not observed</title></rect>`;
}

/**
 * Signs beside colours: a diamond for a hot-fix, a triangle for a downgrade, hollow for a withdrawal, a cross for a removal,
 * a ring for what nobody saw before.
 */
function markMarkup({ how, revision, from, to }: JudgedChange, scale: Scale): readonly string[] {
  const [x, y] = [scale(revision.atMs), ROWS.real - 5];
  const shape = shapeOf(how.kind, x, y);
  if (shape === undefined) return [];
  const title = `${how.kind}: ${from ?? "nothing"} to ${to ?? "nothing"}, ${instantText(revision.atMs)}`;
  return [`<g class="mark ${how.kind}"><title>${escapeMarkup(title)}</title>${shape}</g>`];
}

function shapeOf(kind: JudgedChange["how"]["kind"], x: number, y: number): string | undefined {
  const path = (...points: readonly (readonly [number, number])[]): string =>
    `<polygon points="${points.map(([dx, dy]) => `${String(round(x + dx))},${String(y + dy)}`).join(" ")}"/>`;
  switch (kind) {
    case "hot-fix":
      return path([0, -5], [5, 0], [0, 5], [-5, 0]);
    case "withdrawal":
    case "downgrade":
      return path([-5, -4], [5, -4], [0, 5]);
    case "unknown":
      return `<circle cx="${String(x)}" cy="${String(y)}" r="4"/>`;
    case "removal":
      return `<path d="M${String(round(x - 4))} ${String(y - 4)}l8 8m0 -8l-8 8"/>`;
    case "first":
    case "promotion":
      return undefined;
  }
}

/** The signs of the legend. */
export const LEGEND: readonly (readonly [shape: string, meaning: string])[] = (
  [
    ["hot-fix", "hot-fix"],
    ["downgrade", "downgrade"],
    ["withdrawal", "withdrawal"],
    ["removal", "removal"],
    ["unknown", "not seen in the followed channel before"],
  ] as const
).map(([kind, meaning]) => [`<g class="mark ${kind}">${shapeOf(kind, 8, 8) ?? ""}</g>`, meaning]);

function tickMarkup(ms: number, scale: Scale): string {
  const x = String(scale(ms));
  return `<line class="tick" x1="${x}" y1="6" x2="${x}" y2="${String(AXIS)}"/><text class="tick" x="${x}" y="${String(AXIS + 14)}">${instantText(ms).slice(0, 7)}</text>`;
}

/** The first of every month, or of every so many of them: twelve at most. */
function ticks(fromMs: number, untilMs: number): readonly number[] {
  const [from, until] = [new Date(fromMs), new Date(untilMs)];
  const first = from.getUTCFullYear() * 12 + from.getUTCMonth() + 1;
  const last = until.getUTCFullYear() * 12 + until.getUTCMonth();
  const step = Math.max(1, Math.ceil((last - first + 1) / 12));
  const count = Math.max(0, Math.floor((last - first) / step) + 1);
  return Array.from({ length: count }, (_, place) => {
    const months = first + place * step;
    return Date.UTC(Math.floor(months / 12), months % 12);
  });
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
