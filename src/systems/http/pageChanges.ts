import { setTimeout as delay } from "node:timers/promises";
import type { SSEStreamingApi } from "hono/streaming";

/** A page that hears nothing for three times as long takes itself for cut off. Milliseconds. */
const HEARTBEAT_MS = 10_000;

/** No page hears of changes more often than this, however many there are. Milliseconds. */
const COALESCED_MS = 500;

/** What pages are made of, as something that changes from time to time. */
export class PageChanges {
  readonly #started: string;
  #count = 0;
  #next = new AbortController();

  /** `started` tells the changes of one process from those of another. */
  constructor(started: string) {
    this.#started = started;
  }

  /** Something changed. */
  raise(): void {
    this.#count += 1;
    this.#next.abort();
    this.#next = new AbortController();
  }

  /** What the last change is called. */
  get last(): string {
    return `${this.#started}-${String(this.#count)}`;
  }

  /** Aborted by the next change. */
  get next(): AbortSignal {
    return this.#next.signal;
  }
}

/** Tells a page of changes until it goes away. `known` is the last change that it heard of before. */
export async function tellChanges(
  stream: SSEStreamingApi,
  changes: PageChanges,
  known: string | undefined,
  nowMs: () => number,
): Promise<void> {
  const gone = new AbortController();
  stream.onAbort(() => {
    gone.abort();
  });
  let told = known ?? changes.last;
  while (!stream.aborted) {
    const { last: id, next } = changes;
    const event = id === told ? "beat" : "change";
    told = id;
    await stream.writeSSE({ event, id, data: String(nowMs()), retry: 2000 + Math.floor(Math.random() * 3000) });
    await waitFor(COALESCED_MS, gone.signal);
    await waitFor(HEARTBEAT_MS, AbortSignal.any([gone.signal, next]));
  }
}

/** Waits, or until `signal` is aborted. */
async function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await delay(ms, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
