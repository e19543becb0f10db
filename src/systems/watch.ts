import { watch, type FSWatcher } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Run } from "../ports.ts";

/** Editors save in several steps: what comes within this time is one change. */
const SETTLE_MS = 100;

/**
 * Yields after each change below `directory` that may concern a catalogue, and `patienceMs` after the last time without
 * one, since file systems may report nothing, and folders come back after a checkout: whoever asks looks at the files
 * again, and has to do nothing when they are as they were. Ends when `run` is aborted.
 */
export async function* changes(directory: string, patienceMs: number, run: Run): AsyncGenerator<undefined> {
  let watched = watchOnce(directory);
  try {
    for (;;) {
      const ended = AbortSignal.any([run.signal, watched.changed]);
      await sleep(patienceMs, undefined, { signal: ended }).catch(ignoreAbort);
      await sleep(SETTLE_MS, undefined, { signal: run.signal }).catch(ignoreAbort);
      watched.close();
      if (run.signal.aborted) return;
      // Anew, since folders may have been replaced; and before anybody looks, so that what is saved meanwhile is seen.
      watched = watchOnce(directory);
      yield;
    }
  } finally {
    watched.close();
  }
}

/** A watch for the next change. */
interface Watched {
  readonly changed: AbortSignal;
  close(): void;
}

function watchOnce(directory: string): Watched {
  const stop = new AbortController();
  const watchers = [
    open(directory, false, stop),
    open(join(directory, "channels"), true, stop),
    open(join(directory, "modules"), true, stop),
  ];
  const close = (): void => {
    for (const watcher of watchers) watcher?.close();
  };
  return { changed: stop.signal, close };
}

function open(path: string, recursive: boolean, stop: AbortController): FSWatcher | undefined {
  try {
    const watcher = watch(path, { recursive }, () => {
      stop.abort();
    });
    watcher.on("error", () => {
      stop.abort();
    });
    return watcher;
  } catch (error) {
    // A folder that is not there yet, or no watches left: the look from time to time finds what changes.
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}

function ignoreAbort(error: unknown): void {
  if (!(error instanceof Error && error.name === "AbortError")) throw error;
}
