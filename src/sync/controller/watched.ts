import type { Landscape } from "../../catalogue/settings.ts";
import type { ControlPlane, Run, SteadyClock } from "../../ports.ts";
import { type ControlPlaneLook, type LandscapeAccess, landscapeAccess } from "../prepare.ts";
import { followAll } from "./following.ts";
import { TIMING } from "./pass.ts";
import { LandscapeStore } from "./store.ts";
import { Landscapes, reopening } from "./supervisor.ts";
import { together } from "./together.ts";
import { Wake } from "./wake.ts";

/** How to open landscapes. */
interface WatchedWorld {
  readonly clock: SteadyClock;
  /** From 0 to 1. */
  readonly random: () => number;
  /** Reads, writes and watches the objects of one landscape. */
  readonly connect: (landscape: Landscape) => Promise<ControlPlane>;
}

/** Watched landscapes. After the first look, a look at one needs few requests to its control plane. */
export class WatchedLandscapes {
  /** Raised on a change of any landscape. */
  readonly changed: Wake;
  readonly #world: WatchedWorld;
  readonly #tasks: Landscapes;
  /** The sites by landscape; rejected if the landscape cannot be opened. */
  readonly #sites = new Map<string, Promise<WatchedSite>>();

  constructor(world: WatchedWorld) {
    this.changed = new Wake(world.clock);
    this.#world = world;
    this.#tasks = new Landscapes(world.clock, (landscape, _, run) => this.#follow(landscape, run));
  }

  /** Watches exactly these landscapes from now on, until `run` is aborted. */
  async keep(landscapes: readonly Landscape[], run: Run): Promise<void> {
    this.#tasks.failed.throwIfAborted();
    await this.#tasks.keep(landscapes, run);
  }

  /** Ends all watches. */
  stop(): Promise<void> {
    return this.#tasks.stop();
  }

  /**
   * The watched landscape of this name, and a promise that resolves once everything was listed, or listing failed.
   * `undefined` if it is not watched. Rejects with the Fault that kept it from opening.
   */
  async site(name: string): Promise<Pick<WatchedSite, "site" | "settled"> | undefined> {
    return this.#sites.get(name);
  }

  async #follow(landscape: Landscape, run: Run): Promise<never> {
    const follow = async (): Promise<never> => {
      const opening = this.#open(landscape);
      this.#sites.set(landscape.name, opening);
      return (await opening).follow(run);
    };
    try {
      return await reopening(follow, () => undefined, this.#world.clock, run);
    } finally {
      this.#sites.delete(landscape.name);
    }
  }

  async #open(landscape: Landscape): Promise<WatchedSite> {
    const { clock, random, connect } = this.#world;
    const { namespace } = landscape;
    const controlPlane = await connect(landscape);
    const { promise: settled, resolve } = Promise.withResolvers<undefined>();
    const store = new LandscapeStore(namespace, {
      controlPlane,
      clock,
      isGate: false,
      onChange: () => {
        if (store.missing?.kind !== "reading") resolve(undefined);
        this.changed.raise();
      },
    });
    const { relistMs } = TIMING;
    const world = { controlPlane, namespace, clock, random, relistMs, onState: (): void => undefined };
    const asking = landscapeAccess(controlPlane, namespace).look;
    // Without current watches, use requests: listing may be allowed without watching, and faults are up to date.
    const look: ControlPlaneLook = {
      observe: (run) => (store.isCurrent ? store : asking).observe(run),
      users: (run) => (store.isCurrent ? store : asking).users(run),
    };
    return {
      site: { controlPlane, look },
      settled,
      follow: (run) => together((within) => followAll(store, world, within), run),
    };
  }
}

interface WatchedSite {
  readonly site: LandscapeAccess;
  readonly settled: Promise<undefined>;
  readonly follow: (run: Run) => Promise<never>;
}
