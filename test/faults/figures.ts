/** How long ago `sinceMs` of the performance clock is, for people. */
export function seconds(sinceMs: number): string {
  return `${((performance.now() - sinceMs) / 1000).toFixed(1)} s`;
}
