import type { Evidence } from "../../catalogue/evidence.ts";
import type { LandscapeName } from "../../catalogue/names.ts";
import { evidenceOf } from "../../fleet/evidenceOf.ts";
import { Fault, type Clock, type Run } from "../../ports.ts";
import { controllerOf } from "../observedLandscape.ts";
import type { FleetSeen } from "./observer.ts";
import { Wake } from "./wake.ts";

/** What publishing needs; it gives a `T`. */
export interface PublisherWorld<T> {
  readonly clock: Clock;
  /** Publishes evidence of several landscapes at once. */
  readonly publish: (evidence: readonly Evidence[], run: Run) => Promise<T>;
  /** Hears what became of each attempt. */
  readonly onTried: (result: T | Fault) => void;
}

/** A landscape is published no more often, and after a Fault not before. Milliseconds. */
const OFTEN_MS = 3_600_000;
const RETRY_MS = 300_000;

/** Publishes hourly what the controllers of this process see: of all landscapes that are due, at once. */
export class Publisher<T> {
  readonly #world: PublisherWorld<T>;
  readonly #news: Wake;
  /** By landscape, what is to be published. */
  readonly #due = new Map<LandscapeName, readonly Evidence[]>();
  /** By landscape, when it was published or tried, and for how long it rests. */
  readonly #rests = new Map<LandscapeName, { readonly atMs: number; readonly restMs: number }>();

  constructor(world: PublisherWorld<T>) {
    this.#world = world;
    this.#news = new Wake(world.clock);
  }

  /** Hears of a look at the clusters of a landscape. */
  hear(landscape: LandscapeName, seen: FleetSeen): void {
    if (seen.kind === "blind" || this.#isResting(landscape)) return;
    const { contents: served, exposure } = seen;
    const evidence = evidenceOf({ landscape, source: controllerOf(landscape), served, exposure });
    if (evidence.length === 0) return;
    this.#due.set(landscape, evidence);
    this.#news.raise();
  }

  /** Publishes what is due until `run` is aborted. */
  async keep(run: Run): Promise<never> {
    for (;;) {
      await this.#news.wait(Infinity, run);
      const landscapes = [...this.#due.keys()];
      const evidence = [...this.#due.values()].flat();
      this.#due.clear();
      this.#rest(landscapes, OFTEN_MS);
      if (!(await this.#isPublished(evidence, run))) this.#rest(landscapes, RETRY_MS);
    }
  }

  #rest(landscapes: readonly LandscapeName[], restMs: number): void {
    const atMs = this.#world.clock.nowMs();
    for (const landscape of landscapes) this.#rests.set(landscape, { atMs, restMs });
  }

  /** A clock that was set back does not silence a landscape for long. */
  #isResting(landscape: LandscapeName): boolean {
    const rest = this.#rests.get(landscape);
    return rest !== undefined && Math.abs(this.#world.clock.nowMs() - rest.atMs) < rest.restMs;
  }

  async #isPublished(evidence: readonly Evidence[], run: Run): Promise<boolean> {
    const { publish, onTried } = this.#world;
    try {
      onTried(await publish(evidence, run));
      return true;
    } catch (error) {
      run.signal.throwIfAborted();
      if (!(error instanceof Fault)) throw error;
      onTried(error);
      return false;
    }
  }
}
