import { setTimeout as delay } from "node:timers/promises";
import type { SSEStreamingApi } from "hono/streaming";

/** A page without an event for three times as long considers itself disconnected. Milliseconds. */
const HEARTBEAT_MS = 10_000;

/** The minimum interval between two change events of a page. Milliseconds. */
const COALESCED_MS = 500;

/** Counts the changes of the data behind the pages. */
export class PageChanges {
  readonly #started: string;
  #count = 0;
  #next = new AbortController();

  /** `started` distinguishes the changes of different processes. */
  constructor(started: string) {
    this.#started = started;
  }

  /** Records a change. */
  raise(): void {
    this.#count += 1;
    this.#next.abort();
    this.#next = new AbortController();
  }

  /** The id of the last change. */
  get last(): string {
    return `${this.#started}-${String(this.#count)}`;
  }

  /** Aborted by the next change. */
  get next(): AbortSignal {
    return this.#next.signal;
  }
}

/** Sends changes to a page until it disconnects. `known` is the id of the last change that it received. */
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

/** Waits for `ms` milliseconds, or until `signal` is aborted. */
async function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await delay(ms, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
