import type { Log, Run } from "../../src/ports.ts";

const silent: Log = { info: () => undefined, warn: () => undefined, with: () => silent };

/** A run that nobody stops and nobody hears. */
export function quietRun(signal: AbortSignal = new AbortController().signal): Run {
  return { signal, log: silent };
}
