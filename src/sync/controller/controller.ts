import { asFault, type Run } from "../../ports.ts";
import type { LandscapeName } from "../../catalogue/names.ts";
import { withLease } from "../lease.ts";
import { Backoff, EVERYTHING } from "./backoff.ts";
import { followAll } from "./following.ts";
import { Observer, type FleetSeen } from "./observer.ts";
import { Passes, type KeptLandscape, type PassesReport, type PassesWorld } from "./passes.ts";
import type { ReflectorState } from "./reflector.ts";
import { LandscapeStore } from "./store.ts";
import { together } from "./together.ts";
import { Wake } from "./wake.ts";

/** What a controller needs besides the landscape itself. */
export interface ControllerWorld extends PassesWorld {
  /** Receives the reports on a landscape. */
  readonly onReport: (landscape: string, report: ControllerReport) => void;
  /** Receives every observation of the clusters of a landscape. */
  readonly onSeen: (landscape: LandscapeName, seen: FleetSeen) => void;
}

/** A report of a controller on a landscape. */
export type ControllerReport =
  | { readonly kind: "leads"; readonly isLeading: boolean }
  /** Another process leads; reported repeatedly. */
  | { readonly kind: "stands by" }
  | PassesReport;

/** Keeps a landscape in sync, as its only writer, until `run` is aborted. `wake` is raised for a new commit. */
export async function keepLandscape(kept: KeptLandscape, wake: Wake, world: ControllerWorld, run: Run): Promise<never> {
  const keeper = new Keeper(kept, wake, world);
  return together((within) => [...keeper.follow(within), keeper.lead(within)], run);
}

/** One landscape under a controller. */
class Keeper {
  readonly #kept: KeptLandscape;
  readonly #world: ControllerWorld;
  readonly #wake: Wake;
  readonly #store: LandscapeStore;
  /** Of the Lease. */
  readonly #backoff: Backoff;
  /** Raised when only the fleet changed, which happens all the time. */
  readonly #fleet: Wake;
  /** Raised when the API server answers again. */
  readonly #answered: Wake;
  readonly #observer: Observer;
  /** `undefined`: another process is the writer. */
  #passes: Passes | undefined;

  constructor(kept: KeptLandscape, wake: Wake, world: ControllerWorld) {
    this.#kept = kept;
    this.#world = world;
    this.#wake = wake;
    this.#backoff = new Backoff(world.random);
    this.#fleet = new Wake(world.clock);
    this.#answered = new Wake(world.clock);
    const { controlPlane, namespace } = kept;
    this.#store = new LandscapeStore(namespace, {
      controlPlane,
      clock: world.clock,
      isGate: true,
      onChange: (what) => {
        if (["parent", "records", "controls"].includes(what)) this.#passes?.changed();
        (what === "kymas" || what === "manifests" ? this.#fleet : wake).raise();
      },
    });
    const onSeen = (seen: FleetSeen): void => {
      world.onSeen(kept.name, seen);
    };
    this.#observer = new Observer({ ...kept, store: this.#store, clock: world.clock, onSeen });
  }

  /** Keeps the store up to date; also as a standby, so that it can take over at once. */
  follow(run: Run): readonly Promise<never>[] {
    const { clock, random, timing } = this.#world;
    const { controlPlane, namespace } = this.#kept;
    const onState = ({ kind }: ReflectorState): void => {
      if (kind !== "current") return;
      this.#answered.raise();
      this.#passes?.answered();
    };
    const world = { controlPlane, namespace, clock, random, relistMs: timing.relistMs, onState };
    return [this.#relayFleet(run), ...followAll(this.#store, world, run)];
  }

  /** Limits how often changes of the fleet cause a pass. All other changes cause one at once. */
  async #relayFleet(run: Run): Promise<never> {
    for (;;) {
      await this.#fleet.wait(Infinity, run);
      await this.#world.clock.pause(this.#world.timing.fleetMs, run);
      this.#wake.raise();
    }
  }

  /** Holds the Lease, or waits for it. */
  async lead(run: Run): Promise<never> {
    const { clock, holder, onReport } = this.#world;
    const { name, namespace, controlPlane } = this.#kept;
    const onHeld = (): void => {
      onReport(name, this.#store.missing ?? { kind: "stands by" });
    };
    const request = { namespace, holder, waitMs: Infinity, onHeld };
    for (;;) {
      try {
        await withLease(request, { controlPlane, clock }, (leased, held) => this.#work(leased, held), run);
      } catch (error) {
        run.signal.throwIfAborted();
        const fault = asFault(error);
        const retryMs = this.#backoff.failed(EVERYTHING, fault, clock.elapsedMs()).dueMs - clock.elapsedMs();
        onReport(name, { kind: "failed", fault, retryMs });
        await this.#answered.wait(retryMs, run);
      }
    }
  }

  async #work(run: Run, held: () => AbortSignal): Promise<never> {
    const { onReport, timing } = this.#world;
    onReport(this.#kept.name, { kind: "leads", isLeading: true });
    this.#backoff.clear();
    // Another process may have written them meanwhile: not every part of them is watched.
    this.#store.forgetRecords();
    const passes = new Passes(this.#kept, this.#store, this.#wake, this.#world);
    this.#passes = passes;
    try {
      return await together(
        (within) => [passes.keep(within, held), this.#observer.keep(timing.observeMs, held, within)],
        run,
      );
    } finally {
      this.#passes = undefined;
      onReport(this.#kept.name, { kind: "leads", isLeading: false });
    }
  }
}
