/** A number and what it counts: `1 cluster`, `20 clusters`, `0.5 healthy hours`. */
export function countText(count: number, unit: string): string {
  return `${String(count)} ${unit}${count === 1 ? "" : "s"}`;
}
