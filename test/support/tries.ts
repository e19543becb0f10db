/** How many times as many inputs as `npm test`, where a person waits. `npm run test:long` sets it. */
const TIMES = Number(process.env["TRIES_TIMES"] ?? 1);
const SEED = 20_261_121;

/** The inputs that a property is tried with: `count`, each time the same; at night many times as many, and new ones. */
export function tries(count: number): { readonly numRuns: number; readonly seed?: number } {
  return TIMES === 1 ? { numRuns: count, seed: SEED } : { numRuns: count * TIMES };
}
