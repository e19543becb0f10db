import { watch, type FSWatcher } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Run } from "../../ports.ts";
import { errorCode } from "../errno.ts";

/** Editors save in several steps, and Git removes a file before it writes it: a change is over after so long without one. */
const SETTLE_MS = 150;

/** What never settles is looked at all the same after so many steps. */
const MOST_STEPS = 10;

/**
 * Yields after each change below `directory` that may concern a catalogue, and `patienceMs` after the last time without
 * one, since file systems may report nothing, and folders come back after a checkout: whoever asks looks at the files
 * again, and has to do nothing when they are as they were. Ends when `run` is aborted.
 */
export async function* changes(directory: string, patienceMs: number, run: Run): AsyncGenerator<undefined> {
  let watched = watchOnce(directory);
  try {
    for (;;) {
      await quietFor(patienceMs, watched, run);
      let steps = 0;
      do {
        // Anew, since folders may have been replaced; and before anybody looks, so that what is saved meanwhile is seen.
        watched.close();
        watched = watchOnce(directory);
        await quietFor(SETTLE_MS, watched, run);
      } while (watched.changed.aborted && ++steps < MOST_STEPS && !run.signal.aborted);
      if (run.signal.aborted) return;
      yield;
    }
  } finally {
    watched.close();
  }
}

/** A watch for the next change. */
interface OpenWatch {
  readonly changed: AbortSignal;
  close(): void;
}

/** Waits so long, or until something changes. */
function quietFor(ms: number, { changed }: OpenWatch, run: Run): Promise<void> {
  return sleep(ms, undefined, { signal: AbortSignal.any([run.signal, changed]) }).catch(ignoreAbort);
}

function watchOnce(directory: string): OpenWatch {
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
    if (errorCode(error) !== undefined) return undefined;
    throw error;
  }
}

function ignoreAbort(error: unknown): void {
  if (!(error instanceof Error && error.name === "AbortError")) throw error;
}
