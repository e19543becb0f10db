import type { Landscape } from "../../catalogue/settings.ts";
import { asFault, type Fault, type Clock, type Run, type Upstream } from "../../ports.ts";
import { Wake } from "./wake.ts";

/** The context in which a branch is followed. */
export interface BranchWorld {
  readonly upstream: Pick<Upstream, "fetch">;
  readonly clock: Clock;
  /** From 0 to 1. */
  readonly random: () => number;
  /** Between two fetches, give or take a tenth. Milliseconds. */
  readonly intervalMs: number;
  /** Raised when the branch may have moved. */
  readonly wake: Wake;
  /** Called when the branch is at another commit, which the clone has. An error counts as a failed fetch. */
  readonly onTip: (commit: string) => Promise<void>;
  /** Receives the result of each fetch; a Fault is retried. */
  readonly onFetched: (result: "moved" | "unchanged" | Fault) => void;
}

/** Follows a branch until `run` is aborted. Fetches at an interval, and when `wake` is raised. */
export async function followBranch(world: BranchWorld, run: Run): Promise<never> {
  const { upstream, random, intervalMs, wake, onTip, onFetched } = world;
  let tip: string | undefined;
  for (;;) {
    try {
      const commit = await upstream.fetch(run);
      const isMoved = commit !== tip;
      if (isMoved) await onTip(commit);
      tip = commit;
      // Not before: the landscapes are known only after the first `onTip`.
      onFetched(isMoved ? "moved" : "unchanged");
    } catch (error) {
      run.signal.throwIfAborted();
      onFetched(asFault(error));
    }
    await wake.wait(intervalMs * (0.9 + random() / 5), run);
  }
}

/** The pause before the next attempt to open a control plane, for example one without a kubeconfig. Milliseconds. */
export const REOPEN_MS = 30_000;

/** Does `work` until `run` is aborted. After any error, calls `onFault`, waits, and starts again. */
export async function reopening(
  work: () => Promise<never>,
  onFault: (fault: Fault) => void,
  clock: Pick<Clock, "pause">,
  run: Run,
): Promise<never> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      run.signal.throwIfAborted();
      onFault(asFault(error));
      await clock.pause(REOPEN_MS, run);
    }
  }
}

/** Runs a task for each landscape until its settings change or the landscape is gone. */
export class Landscapes {
  readonly #start: (landscape: Landscape, wake: Wake, run: Run) => Promise<never>;
  readonly #clock: Clock;
  readonly #running = new Map<string, RunningLandscape>();
  readonly #failed = new AbortController();

  /** `start` runs a landscape; an error ends all of them. */
  constructor(clock: Clock, start: (landscape: Landscape, wake: Wake, run: Run) => Promise<never>) {
    this.#clock = clock;
    this.#start = start;
  }

  /** Aborted with the error of a task. */
  get failed(): AbortSignal {
    return this.#failed.signal;
  }

  /** Starts and stops tasks so that each of `wanted` has one, and wakes all of them. */
  async keep(wanted: readonly Landscape[], run: Run): Promise<void> {
    const settings = new Map(wanted.map((landscape) => [landscape.name as string, JSON.stringify(landscape)]));
    const stale = [...this.#running].filter(([name, { key }]) => settings.get(name) !== key);
    await Promise.all(stale.map(([name, running]) => this.#stop(name, running)));
    for (const landscape of wanted) {
      const key = JSON.stringify(landscape);
      if (!this.#running.has(landscape.name)) this.#running.set(landscape.name, this.#begin(landscape, key, run));
    }
    for (const { wake } of this.#running.values()) wake.raise();
  }

  /** Stops all tasks, and waits for the writes that they have begun. */
  async stop(): Promise<void> {
    await Promise.all([...this.#running].map(([name, running]) => this.#stop(name, running)));
  }

  #begin(landscape: Landscape, key: string, run: Run): RunningLandscape {
    const stop = new AbortController();
    const wake = new Wake(this.#clock);
    const signal = AbortSignal.any([run.signal, stop.signal]);
    const within: Run = { signal, log: run.log.with({ landscape: landscape.name }) };
    const done = this.#start(landscape, wake, within).catch((error: unknown) => {
      if (!signal.aborted) this.#failed.abort(error);
    });
    return { key, wake, stop, done };
  }

  async #stop(name: string, { stop, done }: RunningLandscape): Promise<void> {
    this.#running.delete(name);
    stop.abort();
    await done;
  }
}

interface RunningLandscape {
  /** The settings with which it was started. */
  readonly key: string;
  readonly wake: Wake;
  readonly stop: AbortController;
  readonly done: Promise<void>;
}
