import type { Run } from "../ports.ts";

/** Runs what it is given, but only so many at once; the others wait for their turn, first come, first served. */
export type Limiter = <T>(work: () => Promise<T>, run: Run) => Promise<T>;

/** A limiter for `most` at once. Whoever waits when the run is aborted is told its reason, and never starts. */
export function limiter(most: number): Limiter {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work, run) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      run.signal.throwIfAborted();
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running--;
      else next();
    }
  };
}
