/** Orders text by code unit, the same on every machine. Negative, 0 or positive. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
