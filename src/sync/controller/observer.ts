import { deadlineIn } from "../../catalogue/wave.ts";
import { advanceExposure, isSameExposure, type ExposureSums, type LiveContent } from "../../fleet/exposure.ts";
import type { RatedEntry } from "../../fleet/figures.ts";
import { advanceReady, NO_WATCH, type ReadyArrival, type ReadyWatch } from "../../fleet/readyTimes.ts";
import type { KnownUsers } from "../../fleet/users.ts";
import { asFault, type Clock, type Run } from "../../ports.ts";
import { readObservations, writeObservations, type ObservedPlace, type StoredObservations } from "../observedStore.ts";
import { servedContents, servedEntriesOf } from "../plan/served.ts";
import { entriesIn } from "../plan/records.ts";
import type { RecordOwner } from "../recordStore.ts";
import type { LandscapeStore } from "./store.ts";

/** The result of one observation of the clusters of a landscape. */
export type FleetSeen =
  | {
      readonly kind: "seen";
      /** The owner of the records; `undefined`: unknown. */
      readonly owner: RecordOwner | undefined;
      readonly users: KnownUsers;
      readonly served: readonly RatedEntry[];
      readonly contents: readonly LiveContent[];
      readonly exposure: ExposureSums;
      /** Since the previous observation. */
      readonly arrivals: readonly ReadyArrival[];
      /** Unix milliseconds. */
      readonly atMs: number;
    }
  | { readonly kind: "blind"; readonly because: string };

/** The context of an observer. */
interface ObserverWorld extends ObservedPlace {
  /** The name of the landscape. */
  readonly name: string;
  readonly store: LandscapeStore;
  readonly clock: Clock;
  /** Receives each result. */
  readonly onSeen: (seen: FleetSeen) => void;
}

/** The least time between two writes of observations. Milliseconds. */
const OFTEN_MS = 60_000;

/**
 * Adds up observations of the clusters of a landscape, and stores the sums on its control plane, from where another
 * process continues. Sums that are not written yet are lost with this process.
 */
export class Observer {
  readonly #world: ObserverWorld;
  #exposure: ExposureSums = new Map();
  #watch: ReadyWatch = NO_WATCH;
  /** `undefined` until it has been read, and after another process wrote. */
  #stored: StoredObservations | undefined;
  #isNews = false;
  #writtenMs = -Infinity;

  constructor(world: ObserverWorld) {
    this.#world = world;
  }

  /** Observes every `everyMs` until `run` is aborted. Writes only while the signal of `held` is not aborted. */
  async keep(everyMs: number, held: () => AbortSignal, run: Run): Promise<never> {
    // Another process may have observed since this one last led.
    this.#stored = undefined;
    this.#watch = NO_WATCH;
    for (;;) {
      try {
        await this.#look(held, run);
      } catch (error) {
        run.signal.throwIfAborted();
        const { code, message: because } = asFault(error);
        if (code === "CLUSTER_CONFLICT") this.#stored = undefined;
        else this.#world.onSeen({ kind: "blind", because });
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
    const deadlineMs = deadlineIn(this.#world.name, store.catalogue?.settings);
    const served = servedEntriesOf(records, deadlineMs);
    const { watch, arrivals } = advanceReady(this.#watch, users, served, nowMs);
    this.#watch = watch;
    this.#isNews ||= arrivals.length > 0;
    const contents = servedContents(records, live.templates, deadlineMs);
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

  /** Continues from the stored observations. */
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
    // A write that fails is not retried at once.
    this.#writtenMs = nowMs;
    this.#stored = await writeObservations(observations, stored, this.#world, run);
    this.#isNews = false;
  }
}
