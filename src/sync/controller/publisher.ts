import type { Evidence } from "../../catalogue/evidence/evidence.ts";
import type { LandscapeName } from "../../catalogue/names.ts";
import { fleetEvidence } from "../../fleet/fleetEvidence.ts";
import { asFault, type Fault, type Clock, type Run } from "../../ports.ts";
import { controllerName } from "../observedLandscape.ts";
import type { FleetSeen } from "./observer.ts";
import { Wake } from "./wake.ts";

/** The evidence of a landscape. */
export interface SeenEvidence {
  readonly landscape: LandscapeName;
  /** The owner of the set, from its records. */
  readonly repository: string;
  readonly evidence: readonly Evidence[];
}

/** The context of a publisher; each attempt returns a `T`. */
interface PublisherWorld<T> {
  readonly clock: Clock;
  /** Publishes the evidence of one landscape, if it is new enough. */
  readonly publish: (seen: SeenEvidence, run: Run) => Promise<T>;
  /** Whether the attempt changed the branch. */
  readonly hasPublished: (result: T) => boolean;
  /** Receives the result of each attempt. */
  readonly onTried: (landscape: LandscapeName, result: T | Fault) => void;
}

/** The least time after a published attempt, and after one that published nothing. Milliseconds. */
const PUBLISHED_MS = 3_600_000;
const TRIED_MS = 300_000;

/** Publishes what the controllers of this process observe, one landscape at a time, each at most hourly. */
export class Publisher<T> {
  readonly #world: PublisherWorld<T>;
  readonly #news: Wake;
  /** The evidence to publish, by landscape. */
  readonly #due = new Map<LandscapeName, SeenEvidence>();
  /** The time of the last attempt and the pause after it, by landscape. */
  readonly #rests = new Map<LandscapeName, { readonly atMs: number; readonly restMs: number }>();

  constructor(world: PublisherWorld<T>) {
    this.#world = world;
    this.#news = new Wake(world.clock);
  }

  /** Takes an observation of a landscape. Ignores it if the owner of the set is unknown or is another landscape. */
  hear(landscape: LandscapeName, seen: FleetSeen): void {
    if (seen.kind === "blind" || seen.owner?.landscape !== landscape || this.#isResting(landscape)) return;
    const { contents: served, exposure, owner } = seen;
    const evidence = fleetEvidence({ landscape, source: controllerName(landscape), served, exposure });
    if (evidence.length === 0) return;
    this.#due.set(landscape, { landscape, repository: owner.repository, evidence });
    this.#news.raise();
  }

  /** Publishes due evidence until `run` is aborted. */
  async keep(run: Run): Promise<never> {
    for (;;) {
      await this.#news.wait(Infinity, run);
      for (const seen of [...this.#due.values()]) await this.#publish(seen, run);
    }
  }

  async #publish(seen: SeenEvidence, run: Run): Promise<void> {
    const { landscape } = seen;
    const { publish, hasPublished, onTried } = this.#world;
    this.#due.delete(landscape);
    this.#rest(landscape, TRIED_MS);
    try {
      const result = await publish(seen, run);
      if (hasPublished(result)) this.#rest(landscape, PUBLISHED_MS);
      onTried(landscape, result);
    } catch (error) {
      run.signal.throwIfAborted();
      onTried(landscape, asFault(error));
    }
  }

  #rest(landscape: LandscapeName, restMs: number): void {
    this.#rests.set(landscape, { atMs: this.#world.clock.nowMs(), restMs });
  }

  /** Compares absolute differences, so that a clock that was set back does not silence a landscape for long. */
  #isResting(landscape: LandscapeName): boolean {
    const rest = this.#rests.get(landscape);
    return rest !== undefined && Math.abs(this.#world.clock.nowMs() - rest.atMs) < rest.restMs;
  }
}
