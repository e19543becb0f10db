import { round, shape, type Shape } from "./drawing.ts";

/** The kinds of signs: a diamond, a triangle, a hollow triangle, a cross, a ring. */
export type MarkKind = "hot-fix" | "downgrade" | "withdrawal" | "removal" | "unknown";

/** A sign around a point: its shape tells what a colour alone would not. */
export function markSign(kind: MarkKind, x: number, y: number): Shape {
  const polygon = (...points: readonly (readonly [number, number])[]): Shape =>
    shape("polygon", { points: points.map(([dx, dy]) => `${round(x + dx)},${y + dy}`).join(" ") });
  switch (kind) {
    case "hot-fix":
      return polygon([0, -5], [5, 0], [0, 5], [-5, 0]);
    case "withdrawal":
    case "downgrade":
      return polygon([-5, -4], [5, -4], [0, 5]);
    case "unknown":
      return shape("circle", { cx: x, cy: y, r: 4 });
    case "removal":
      return shape("path", { d: `M${round(x - 4)} ${y - 4}l8 8m0 -8l-8 8` });
  }
}

/** The signs of a legend, each about (8, 8). */
export const LEGEND: readonly (readonly [sign: Shape, meaning: string])[] = (
  [
    ["hot-fix", "hot-fix"],
    ["downgrade", "downgrade"],
    ["withdrawal", "withdrawal"],
    ["removal", "removal"],
    ["unknown", "not seen in the followed channel before"],
  ] as const
).map(([kind, meaning]) => [shape("g", { class: `timeline-mark ${kind}-mark` }, markSign(kind, 8, 8)), meaning]);
