import { durationText, instantText, secondText } from "../../document/times.ts";
import type { Gap } from "../../promote/simulate/replayInput.ts";
import type { Span } from "../../promote/simulate/simulation.ts";
import { round, shape, type Shape } from "./drawing.ts";
import { type MarkKind, markSign } from "./marks.ts";

/** The versions of one module in channels over time: a row for each channel. All times are Unix milliseconds. */
export interface TimelinePicture {
  /** Unique in the page. */
  readonly id: string;
  /** A description, for people who do not see the picture. */
  readonly title: string;
  readonly description: string;
  readonly fromMs: number;
  readonly untilMs: number;
  readonly rows: readonly PictureRow[];
  readonly gaps: readonly Gap[];
  readonly marks: readonly PictureMark[];
  /** Where a version moved from one row to another. */
  readonly links?: readonly PictureLink[];
  /** `undefined`: the end is now. */
  readonly nowMs?: number;
}

/** The versions that one channel served. */
export interface PictureRow {
  readonly label: string;
  /** The class of its bars. */
  readonly style: string;
  readonly spans: readonly PictureSpan[];
}

/** A bar. */
export interface PictureSpan extends Span {
  /** A class beside that of the row; `undefined`: neighbouring bars differ a little. */
  readonly style?: string | undefined;
  /** A remark beside the version and the time. */
  readonly note?: string | undefined;
  /** When the version was held, drawn at the foot of the bar. */
  readonly held?: readonly Pick<Span, "startMs" | "endMs">[];
}

/** A sign at the head of a row. */
export interface PictureMark {
  readonly row: number;
  readonly kind: MarkKind;
  readonly atMs: number;
  readonly title: string;
}

/** A line between two rows. */
export interface PictureLink {
  readonly fromRow: number;
  readonly toRow: number;
  readonly atMs: number;
}

/** The dimensions of a drawing, in its own units; it grows with the page. */
const [WIDTH, RIGHT] = [1000, 990] as const;
const [TOP, PITCH, ROW_HEIGHT, HELD_HEIGHT] = [14, 34, 24, 6] as const;
/** The default width of the row labels on the left. */
const LABELS = 150;
/** A label needs about this much for each character. */
const CHARACTER_WIDTH = 6.2;

/** Where an instant lies on the time line. */
type Scale = (ms: number) => number;

/** The whole picture, with the labels of its rows. */
export function drawPicture(picture: TimelinePicture): Shape {
  return chart(picture, { left: 0, labels: LABELS }, pictureLabels(picture, LABELS));
}

/**
 * The same in two drawings with one scale, so that the labels (`labels` of 1000 wide) stay in place while the rest
 * scrolls.
 */
export function drawApart(picture: TimelinePicture, labels: number): { readonly labels: Shape; readonly chart: Shape } {
  const box = { class: "row-labels", viewBox: `0 0 ${labels} ${pictureHeight(picture)}`, "aria-hidden": "true" };
  return {
    labels: shape("svg", box, ...pictureLabels(picture, labels)),
    chart: chart(picture, { left: labels, labels }, []),
  };
}

/** The part of the picture right of `left`. */
function chart(
  picture: TimelinePicture,
  { left, labels }: { readonly left: number; readonly labels: number },
  before: readonly Shape[],
): Shape {
  const { id, title, description } = picture;
  const viewBox = `${left} 0 ${WIDTH - left} ${pictureHeight(picture)}`;
  return shape(
    "svg",
    { viewBox, role: "img", "aria-labelledby": `${id}-title ${id}-text` },
    shape("title", { id: `${id}-title` }, title),
    shape("desc", { id: `${id}-text` }, description),
    ...before,
    ...pictureContent(picture, labels),
  );
}

/** Where the axis is, below all rows. */
function pictureAxis({ rows }: TimelinePicture): number {
  return TOP + rows.length * PITCH + 6;
}

function pictureHeight(picture: TimelinePicture): number {
  return pictureAxis(picture) + 20;
}

function rowTop(row: number): number {
  return TOP + row * PITCH;
}

function pictureLabels({ rows }: TimelinePicture, left: number): readonly Shape[] {
  const textLength = left - 12;
  return rows.map(({ label }, row) => {
    // A label that is too long is made narrower: cut in half, it could be another name.
    const isTooLong = label.length * (CHARACTER_WIDTH + 1) > textLength;
    const squeezed = isTooLong && { textLength, lengthAdjust: "spacingAndGlyphs" };
    return shape("text", { class: "row-label", x: left - 8, y: rowTop(row) + 16, ...squeezed }, label);
  });
}

function pictureContent(picture: TimelinePicture, left: number): readonly Shape[] {
  const { fromMs, untilMs, rows, gaps, marks, links = [], nowMs } = picture;
  const scale: Scale = (ms) => round(left + ((ms - fromMs) / Math.max(1, untilMs - fromMs)) * (RIGHT - left));
  const axis = pictureAxis(picture);
  const months = monthTicks(fromMs, untilMs);
  const ticks = months.length >= MONTHS_FROM ? months : dayTicks(fromMs, untilMs);
  return [
    ...gaps.map(({ startMs, endMs }) => {
      const [x, end] = [scale(Math.max(startMs, fromMs)), scale(Math.max(endMs, fromMs))];
      const place = { x, y: 6, width: round(end - x), height: axis - 12 };
      return shape("rect", { class: "unseen-gap", ...place }, shape("title", {}, "Not observed"));
    }),
    ...ticks.flatMap(({ atMs, text }) => {
      const x = scale(atMs);
      const line = shape("line", { class: "axis-tick", x1: x, y1: 6, x2: x, y2: axis });
      return [line, shape("text", { class: "axis-tick", x, y: axis + 14 }, text)];
    }),
    ...rows.flatMap(({ style, spans }, row) =>
      spans.map((span, place) => {
        const own = span.style ?? (place % 2 === 0 ? "even-bar" : "odd-bar");
        return spanShape(span, `${style} ${own}`, rowTop(row), scale);
      }),
    ),
    ...links.map(({ fromRow, toRow, atMs }) => {
      const [x, above, below] = [scale(atMs), Math.min(fromRow, toRow), Math.max(fromRow, toRow)];
      return shape("line", { class: "row-link", x1: x, y1: rowTop(above) + ROW_HEIGHT, x2: x, y2: rowTop(below) });
    }),
    ...marks.map(({ row, kind, atMs, title }) =>
      shape(
        "g",
        { class: `timeline-mark ${kind}-mark` },
        shape("title", {}, title),
        markSign(kind, scale(atMs), rowTop(row) - 5),
      ),
    ),
    ...(nowMs === undefined ? [] : [nowShape(scale(nowMs), axis)]),
  ];
}

function spanShape(span: PictureSpan, style: string, top: number, scale: Scale): Shape {
  const { version, startMs, endMs, note, held = [] } = span;
  const [x, width] = [scale(startMs), spanWidth(span, scale)];
  const more = note === undefined ? "" : `; ${note}`;
  const title = `${version}: ${secondText(startMs)} to ${secondText(endMs)} (${durationText(endMs - startMs)})${more}`;
  const foot = held.map((part) => {
    const place = { x: scale(part.startMs), y: top + ROW_HEIGHT, width: spanWidth(part, scale) };
    return shape("rect", { class: "held-bar", ...place, height: HELD_HEIGHT });
  });
  const isWide = width >= version.length * CHARACTER_WIDTH + 6;
  return shape(
    "g",
    { class: style },
    shape("title", {}, title),
    shape("rect", { x, y: top, width, height: ROW_HEIGHT }),
    ...foot,
    ...(isWide ? [shape("text", { x: x + 4, y: top + 16 }, version)] : []),
  );
}

function spanWidth({ startMs, endMs }: Pick<Span, "startMs" | "endMs">, scale: Scale): number {
  return Math.max(1, round(scale(endMs) - scale(startMs)));
}

function nowShape(x: number, axis: number): Shape {
  return shape("line", { class: "now-line", x1: x, y1: 2, x2: x, y2: axis }, shape("title", {}, "now"));
}

/** A tick of the axis. */
interface Tick {
  readonly atMs: number;
  readonly text: string;
}

/** The fewest months for an axis of months; shorter periods have days. */
const MONTHS_FROM = 3;
const DAY_MS = 86_400_000;

/** The first of every month, or of every n-th month: at most twelve. */
function monthTicks(fromMs: number, untilMs: number): readonly Tick[] {
  const [from, until] = [new Date(fromMs), new Date(untilMs)];
  const first = from.getUTCFullYear() * 12 + from.getUTCMonth() + 1;
  const last = until.getUTCFullYear() * 12 + until.getUTCMonth();
  const step = Math.max(1, Math.ceil((last - first + 1) / 12));
  const count = Math.max(0, Math.floor((last - first) / step) + 1);
  return Array.from({ length: count }, (_, place) => {
    const months = first + place * step;
    const atMs = Date.UTC(Math.floor(months / 12), months % 12);
    return { atMs, text: instantText(atMs).slice(0, 7) };
  });
}

/** Midnight of every day, or of every n-th day: at most eight. A date at the very end would be cut off. */
function dayTicks(fromMs: number, untilMs: number): readonly Tick[] {
  const first = Math.floor(fromMs / DAY_MS) + 1;
  const last = Math.floor((untilMs - (untilMs - fromMs) / 40) / DAY_MS);
  const step = Math.max(1, Math.ceil((last - first + 1) / 8));
  const count = Math.max(0, Math.floor((last - first) / step) + 1);
  return Array.from({ length: count }, (_, place) => {
    const atMs = (first + place * step) * DAY_MS;
    return { atMs, text: instantText(atMs).slice(0, 10) };
  });
}
