/** Numbers that look random and are the same for the same seed. */
export interface Random {
  /** A number from 0 up to 1, without 1. */
  readonly next: () => number;
  /** Whether something of this probability happens. */
  readonly chance: (probability: number) => boolean;
  /** One of several values. */
  readonly pick: <T>(values: readonly [T, ...T[]]) => T;
}

/** The generator called mulberry32. */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    chance: (probability) => next() < probability,
    pick: (values) => values[Math.floor(next() * values.length)] ?? values[0],
  };
}
