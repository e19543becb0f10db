/** Prints the time since `sinceMs` of the performance clock. */
export function seconds(sinceMs: number): string {
  return `${((performance.now() - sinceMs) / 1000).toFixed(1)} s`;
}
