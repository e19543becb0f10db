import type { Run } from "../../ports.ts";

/** Waits for all tasks to end; an error in one of them ends all. */
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
