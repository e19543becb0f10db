/** An SVG element of a drawing. Its texts are not escaped. */
export interface Shape {
  readonly tag: "circle" | "desc" | "g" | "line" | "path" | "polygon" | "rect" | "svg" | "text" | "title";
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly children: readonly (Shape | string)[];
}

/** Makes an element. */
export function shape(
  tag: Shape["tag"],
  attributes: Shape["attributes"],
  ...children: readonly (Shape | string)[]
): Shape {
  return { tag, attributes, children };
}

/** A coordinate with one decimal. */
export function round(value: number): number {
  return Math.round(value * 10) / 10;
}
