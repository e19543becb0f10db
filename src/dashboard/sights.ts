import type { Landscape } from "../catalogue/settings.ts";
import { type Clock, Fault, type Run } from "../ports.ts";
import { landscapeStatus, type StatusInput } from "../sync/landscapeStatus.ts";
import type { LandscapeSight } from "./state.ts";

/** A landscape, and how to read its state. */
export interface SeenLandscape {
  readonly landscape: Landscape;
  /** Throws a Fault if the landscape does not answer. */
  readonly gather: (run: Run) => Promise<StatusInput>;
}

/** The timeout of a look, in milliseconds. */
const DEADLINE_MS = 30_000;

/** The last known state of landscapes. A landscape that does not answer keeps its last state, with its time. */
export class Sights {
  readonly #clock: Pick<Clock, "nowMs">;
  readonly #seen = new Map<string, LandscapeSight>();
  readonly #looking = new Map<string, Promise<void>>();

  constructor(clock: Pick<Clock, "nowMs">) {
    this.#clock = clock;
  }

  /** Reads all landscapes in parallel, except those whose previous look has not ended. */
  async look(landscapes: readonly SeenLandscape[], run: Run): Promise<void> {
    for (const one of landscapes) {
      const { name } = one.landscape;
      if (this.#looking.has(name)) continue;
      const looking = this.#lookAt(one, run).then(() => void this.#looking.delete(name));
      this.#looking.set(name, looking);
    }
    await Promise.all(this.#looking.values());
  }

  /** The state of these landscapes, in their order. */
  of(landscapes: readonly SeenLandscape[]): readonly LandscapeSight[] {
    return landscapes.map(({ landscape: { name } }) => this.#seen.get(name) ?? unseen(name));
  }

  async #lookAt({ landscape: { name }, gather }: SeenLandscape, run: Run): Promise<void> {
    const startedMs = this.#clock.nowMs();
    const late = AbortSignal.timeout(DEADLINE_MS);
    try {
      const input = await gather({ ...run, signal: AbortSignal.any([run.signal, late]) });
      const status = landscapeStatus(input);
      this.#seen.set(name, { name, input, status, seenMs: input.nowMs, blind: undefined });
    } catch (error) {
      run.signal.throwIfAborted();
      if (!(error instanceof Fault) && !late.aborted) throw error;
      const because = error instanceof Fault ? error.message : `It did not answer within ${DEADLINE_MS / 1000} s.`;
      const before = this.#seen.get(name) ?? unseen(name);
      const sinceMs = before.seenMs ?? before.blind?.sinceMs ?? startedMs;
      this.#seen.set(name, { ...before, blind: { sinceMs, because } });
    }
  }
}

function unseen(name: string): LandscapeSight {
  return { name, input: undefined, status: undefined, seenMs: undefined, blind: undefined };
}
