import type { Landscape } from "../../catalogue/settings.ts";
import type { Run } from "../../ports.ts";
import { followAll } from "../../sync/controller/following.ts";
import { TIMING } from "../../sync/controller/pass.ts";
import { LandscapeStore } from "../../sync/controller/store.ts";
import { Landscapes, reopening } from "../../sync/controller/supervisor.ts";
import { together } from "../../sync/controller/together.ts";
import { Wake } from "../../sync/controller/wake.ts";
import type { StatusInput } from "../../sync/landscapeStatus.ts";
import { type ControlPlaneLook, lookAt } from "../../sync/prepare.ts";
import type { SyncScope } from "../compose/sync.ts";
import { clock, connect, untilAborted } from "../compose/systems.ts";
import type { LandscapeSite } from "../sync/landscapes.ts";
import { gatherSeen, gatherStatus } from "./gather.ts";

/** Watched landscapes. After the first look, a look at one needs few requests to its control plane. */
export class WatchedLandscapes {
  /** Raised on a change of any landscape. */
  readonly changed: Wake = new Wake(clock);
  readonly #repository: string;
  readonly #tasks: Landscapes;
  /** The sites by landscape; rejected if the landscape cannot be opened. */
  readonly #sites = new Map<string, Promise<WatchedSite>>();

  /** `repository` is the folder that relative kubeconfigs are relative to. */
  constructor(repository: string) {
    this.#repository = repository;
    this.#tasks = new Landscapes(clock, (landscape, _, run) => this.#follow(landscape, run));
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

  /** Reads the state of a landscape: from its watches, or by requests if it is not watched. */
  async gather(scope: SyncScope, landscape: Landscape, run: Run): Promise<StatusInput> {
    const opening = this.#sites.get(landscape.name);
    if (opening === undefined) return gatherStatus(scope, landscape, run);
    const { site, settled } = await opening;
    await untilAborted(settled, run.signal);
    return gatherSeen(scope, landscape, site, run);
  }

  async #follow(landscape: Landscape, run: Run): Promise<never> {
    const follow = async (): Promise<never> => {
      const opening = this.#open(landscape);
      this.#sites.set(landscape.name, opening);
      return (await opening).follow(run);
    };
    try {
      return await reopening(follow, () => undefined, clock, run);
    } finally {
      this.#sites.delete(landscape.name);
    }
  }

  async #open({ controlPlane: address, namespace }: Landscape): Promise<WatchedSite> {
    const controlPlane = await connect(address, this.#repository);
    const { promise: settled, resolve } = Promise.withResolvers<undefined>();
    const store = new LandscapeStore(namespace, {
      controlPlane,
      clock,
      onChange: () => {
        if (store.missing?.kind !== "reading") resolve(undefined);
        this.changed.raise();
      },
    });
    const { relistMs } = TIMING;
    const world = { controlPlane, namespace, clock, random: Math.random, relistMs, onState: (): void => undefined };
    const asking = lookAt(controlPlane, namespace);
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
  readonly site: LandscapeSite;
  /** Resolves once everything was listed, or listing failed. */
  readonly settled: Promise<undefined>;
  readonly follow: (run: Run) => Promise<never>;
}
