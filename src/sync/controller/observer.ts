import { advanceExposure, isSameExposure, type ExposureSums, type LiveContent } from "../../fleet/exposure.ts";
import type { RatedEntry } from "../../fleet/figures.ts";
import { advanceReady, NO_WATCH, type ReadyArrival, type ReadyWatch } from "../../fleet/readyTimes.ts";
import type { KnownUsers } from "../../fleet/users.ts";
import { Fault, type Clock, type Run } from "../../ports.ts";
import { readObservations, writeObservations, type ObservedPlace, type StoredObservations } from "../observedStore.ts";
import { servedContents, servedEntriesOf } from "../plan/contents.ts";
import { entriesIn } from "../plan/records.ts";
import type { RecordOwner } from "../recordStore.ts";
import type { LandscapeStore } from "./store.ts";

/** What one look at the clusters of a landscape found. */
export type FleetSeen =
  | {
      readonly kind: "seen";
      /** Who recorded what is served; `undefined`: that is not known. */
      readonly owner: RecordOwner | undefined;
      readonly users: KnownUsers;
      readonly served: readonly RatedEntry[];
      readonly contents: readonly LiveContent[];
      readonly exposure: ExposureSums;
      /** Since the look before. */
      readonly arrivals: readonly ReadyArrival[];
      /** Unix milliseconds. */
      readonly atMs: number;
    }
  | { readonly kind: "blind"; readonly because: string };

/** What an observer stands on. */
export interface ObserverWorld extends ObservedPlace {
  readonly store: LandscapeStore;
  readonly clock: Clock;
  /** Hears what each look came to. */
  readonly onSeen: (seen: FleetSeen) => void;
}

/** What is observed is written no more often. Milliseconds. */
const OFTEN_MS = 60_000;

/**
 * Adds up what is seen of the clusters of a landscape, and keeps the sums on its control plane: another process goes on from
 * there. What was not written yet is lost with this one.
 */
export class Observer {
  readonly #world: ObserverWorld;
  #exposure: ExposureSums = new Map();
  #watch: ReadyWatch = NO_WATCH;
  /** `undefined` until it was read, and once someone else wrote. */
  #stored: StoredObservations | undefined;
  #isNews = false;
  #writtenMs = -Infinity;

  constructor(world: ObserverWorld) {
    this.#world = world;
  }

  /** Looks every `everyMs` until `run` is aborted; writes only while `held` gives no aborted signal. */
  async keep(everyMs: number, held: () => AbortSignal, run: Run): Promise<never> {
    // Another process may have looked since this one led last.
    this.#stored = undefined;
    this.#watch = NO_WATCH;
    for (;;) {
      try {
        await this.#look(held, run);
      } catch (error) {
        run.signal.throwIfAborted();
        if (!(error instanceof Fault)) throw error;
        if (error.code === "CLUSTER_CONFLICT") this.#stored = undefined;
        else this.#world.onSeen({ kind: "blind", because: error.message });
      }
      await this.#world.clock.pause(everyMs, run);
    }
  }

  async #look(held: () => AbortSignal, run: Run): Promise<void> {
    const { store, clock, onSeen } = this.#world;
    if (store.missing !== undefined) {
      onSeen({ kind: "blind", because: store.missing.because });
      return;
    }
    const { live, stored } = await store.observe(run);
    const users = await store.users(run);
    if (users.kind === "unknown") {
      onSeen({ kind: "blind", because: users.because });
      return;
    }
    await this.#resume(run);
    const nowMs = clock.nowMs();
    const records = entriesIn(live.records);
    const served = servedEntriesOf(records);
    const { watch, arrivals } = advanceReady(this.#watch, users, served, nowMs);
    this.#watch = watch;
    this.#isNews ||= arrivals.length > 0;
    const contents = servedContents(records, live.templates);
    this.#exposure = advanceExposure(this.#exposure, users, contents, nowMs);
    onSeen({
      kind: "seen",
      owner: stored.owner,
      users,
      served,
      contents,
      exposure: this.#exposure,
      arrivals,
      atMs: nowMs,
    });
    await this.#write(nowMs, { ...run, signal: held() });
  }

  /** Goes on from what is stored. */
  async #resume(run: Run): Promise<void> {
    if (this.#stored !== undefined) return;
    const stored = await readObservations(this.#world, run);
    this.#exposure = stored.observations.exposure;
    this.#watch = { ...this.#watch, times: stored.observations.times };
    this.#isNews = false;
    this.#stored = stored;
  }

  async #write(nowMs: number, run: Run): Promise<void> {
    const stored = this.#stored;
    if (stored === undefined || (nowMs >= this.#writtenMs && nowMs - this.#writtenMs < OFTEN_MS)) return;
    if (!this.#isNews && isSameExposure(stored.observations.exposure, this.#exposure)) return;
    const observations = { exposure: this.#exposure, times: this.#watch.times };
    // A write that fails is not tried again at once.
    this.#writtenMs = nowMs;
    this.#stored = await writeObservations(observations, stored, this.#world, run);
    this.#isNews = false;
  }
}
