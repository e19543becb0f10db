import type { Run } from "../../ports.ts";

/** Waits for the end of all tasks; what one of them throws ends all of them. */
export async function together(start: (run: Run) => readonly Promise<never>[], run: Run): Promise<never> {
  const failed = new AbortController();
  const signal = AbortSignal.any([run.signal, failed.signal]);
  const tasks = start({ ...run, signal }).map(async (task) => {
    try {
      await task;
    } catch (error) {
      failed.abort(error);
    }
  });
  await Promise.all(tasks);
  run.signal.throwIfAborted();
  throw failed.signal.reason;
}
