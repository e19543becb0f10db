import type { Log, Run } from "../../src/ports.ts";

const silent: Log = { info: () => undefined, warn: () => undefined, with: () => silent };

/** A run without an abort and without a log. */
export function quietRun(signal: AbortSignal = new AbortController().signal): Run {
  return { signal, log: silent };
}
