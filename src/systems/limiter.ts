import type { Run } from "../ports.ts";

/** Runs work with limited concurrency; the rest waits in a first-in, first-out queue. */
type Limiter = <T>(work: () => Promise<T>, run: Run) => Promise<T>;

/** A limiter for `most` at once. Work that waits when its run is aborted never starts and throws the abort reason. */
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
