import { watch, type FSWatcher } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Run } from "../../ports.ts";
import { errorCode } from "../errno.ts";

/**
 * A change is over after this time without another one: editors save in several steps, and Git removes a file before it
 * writes it.
 */
const SETTLE_MS = 150;

/** Maximum of such waits, for files that never settle. */
const MOST_STEPS = 10;

/**
 * Yields after each change below `directory` that may affect a catalogue, and also every `intervalMs` without one,
 * since file systems may miss changes, and folders may reappear after a checkout. The caller reads the files again, and
 * does nothing if they are unchanged. Ends when `run` is aborted.
 */
export async function* changes(directory: string, intervalMs: number, run: Run): AsyncGenerator<undefined> {
  let watched = watchOnce(directory);
  try {
    for (;;) {
      await quietFor(intervalMs, watched, run);
      let steps = 0;
      do {
        // Watch anew, since folders may have been replaced, and before the yield, so that no change is missed
        // meanwhile.
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

/** Waits for `ms` milliseconds, or until something changes. */
function quietFor(ms: number, { changed }: OpenWatch, run: Run): Promise<void> {
  return sleep(ms, undefined, { signal: AbortSignal.any([run.signal, changed]) }).catch((error: unknown) => {
    if (!(error instanceof Error && error.name === "AbortError")) throw error;
  });
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
    // The folder does not exist yet, or no watches are left: the regular look finds changes.
    if (errorCode(error) !== undefined) return undefined;
    throw error;
  }
}
