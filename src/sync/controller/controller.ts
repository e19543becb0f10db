import type { LandscapeName } from "../../catalogue/names.ts";
import { Fault, type ControlPlane, type Run, type SteadyClock } from "../../ports.ts";
import { withLease } from "../lease.ts";
import type { ControlPlaneLook, Prepared } from "../prepare.ts";
import type { AllowedOnce, SyncRequest } from "../plan/requests.ts";
import { recordedRevision } from "../plan/set.ts";
import { Backoff } from "./backoff.ts";
import { RequestDesk } from "./desk.ts";
import { followAll } from "./following.ts";
import { Observer, type FleetSeen } from "./observer.ts";
import { pass, type ControllerTiming, type PassReport } from "./pass.ts";
import type { ReflectorState } from "./reflector.ts";
import { whyNothing, type ServableCommit, type RevisionChoice } from "./revisions.ts";
import { LandscapeStore, type MissingObjects } from "./store.ts";
import { Teller } from "./teller.ts";
import { together } from "./together.ts";
import { Wake } from "./wake.ts";

/** A landscape that is kept as the repository says. */
export interface KeptLandscape {
  readonly name: LandscapeName;
  readonly namespace: string;
  readonly controlPlane: ControlPlane;
  /** What it is to serve, given the commit that it serves; `undefined` until the repository was read. */
  choose(recorded: string | undefined, run: Run): Promise<RevisionChoice | undefined>;
  /** Plans a revision, and what a person allows this once. */
  prepare(
    revision: ServableCommit,
    look: ControlPlaneLook,
    allowed: AllowedOnce | undefined,
    run: Run,
  ): Promise<Prepared>;
}

/** What a landscape is to serve, and the request that it is served for. */
interface RequestedChoice {
  readonly choice: RevisionChoice | undefined;
  readonly asked: SyncRequest | undefined;
}

/** What keeping a landscape needs beside its control plane. */
export interface ControllerWorld {
  readonly clock: SteadyClock;
  /** From 0 to 1. */
  readonly random: () => number;
  /** The holder of Leases: unique for each process. */
  readonly holder: string;
  readonly timing: ControllerTiming;
  /** Hears what a controller tells of a landscape. */
  readonly onReport: (landscape: string, report: ControllerReport) => void;
  /** Hears of every look at the clusters of a landscape. */
  readonly onSeen: (landscape: LandscapeName, seen: FleetSeen) => void;
}

/** What a controller tells of a landscape. */
export type ControllerReport =
  | { readonly kind: "leads"; readonly isLeading: boolean }
  /** Someone else leads; told again and again. */
  | { readonly kind: "stands by" }
  /** What it waits for before it can plan; `reading` is as it should be. */
  | MissingObjects
  | { readonly kind: "passed"; readonly choice: RevisionChoice; readonly pass: PassReport }
  | { readonly kind: "failed"; readonly fault: Fault; readonly retryMs: number };

/** Events that come together are looked at together. Milliseconds. */
const TOGETHER_MS = 50;

/** Keeps a landscape as the repository says, as the only writer, until `run` is aborted. `wake` is raised for a new commit. */
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
  readonly #backoff: Backoff;
  /** Raised when only the fleet changed, which it does all the time. */
  readonly #fleet: Wake;
  /** Raised where the API server answers again. */
  readonly #answered: Wake;
  /** The commit of the last pass. */
  #served: string | undefined;
  readonly #desk: RequestDesk;
  readonly #teller: Teller;
  readonly #observer: Observer;

  constructor(kept: KeptLandscape, wake: Wake, world: ControllerWorld) {
    this.#kept = kept;
    this.#world = world;
    this.#wake = wake;
    this.#backoff = new Backoff(world.random);
    this.#desk = new RequestDesk(kept);
    this.#teller = new Teller({ ...kept, holder: world.holder });
    this.#fleet = new Wake(world.clock);
    this.#answered = new Wake(world.clock);
    const { controlPlane, namespace } = kept;
    this.#store = new LandscapeStore(namespace, {
      controlPlane,
      clock: world.clock,
      onChange: (what) => {
        (what === "kymas" || what === "manifests" ? this.#fleet : wake).raise();
      },
    });
    const onSeen = (seen: FleetSeen): void => {
      world.onSeen(kept.name, seen);
    };
    this.#observer = new Observer({ ...kept, store: this.#store, clock: world.clock, onSeen });
  }

  /** Keeps the store in step; a standby, too, so that it can take over at once. */
  follow(run: Run): readonly Promise<never>[] {
    const { clock, random, timing } = this.#world;
    const { controlPlane, namespace } = this.#kept;
    const onState = ({ kind }: ReflectorState): void => {
      if (kind === "current") this.#answered.raise();
    };
    const world = { controlPlane, namespace, clock, random, relistMs: timing.relistMs, onState };
    return [this.#relayFleet(run), ...followAll(this.#store, world, run)];
  }

  /** A fleet that changes all the time causes a pass now and then; everything else causes one at once. */
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
        if (run.signal.aborted || !(error instanceof Fault)) throw error;
        const { dueMs } = this.#backoff.failed("", error, clock.nowMs());
        onReport(name, { kind: "failed", fault: error, retryMs: dueMs - clock.nowMs() });
        await this.#answered.wait(dueMs - clock.nowMs(), run);
      }
    }
  }

  async #work(run: Run, held: () => AbortSignal): Promise<never> {
    const { onReport, timing } = this.#world;
    onReport(this.#kept.name, { kind: "leads", isLeading: true });
    this.#backoff.clear();
    try {
      return await together(
        (within) => [this.#passOn(within, held), this.#observer.keep(timing.observeMs, held, within)],
        run,
      );
    } finally {
      onReport(this.#kept.name, { kind: "leads", isLeading: false });
    }
  }

  async #passOn(run: Run, held: () => AbortSignal): Promise<never> {
    for (;;) {
      const waitMs = await this.#passOnce(run, held);
      await this.#wake.wait(waitMs, run);
      await this.#world.clock.pause(TOGETHER_MS, run);
    }
  }

  /** Looks, plans and acts once. Gives how long to wait for something to happen, in milliseconds. */
  async #passOnce(run: Run, held: () => AbortSignal): Promise<number> {
    const { onReport, clock } = this.#world;
    const { name } = this.#kept;
    const { missing } = this.#store;
    if (missing !== undefined) {
      onReport(name, missing);
      return Infinity;
    }
    try {
      return await this.#passWith(run, held);
    } catch (error) {
      run.signal.throwIfAborted();
      if (!(error instanceof Fault)) throw error;
      const retryMs = this.#backoff.failed("", error, clock.nowMs()).dueMs - clock.nowMs();
      onReport(name, { kind: "failed", fault: error, retryMs });
      return retryMs;
    }
  }

  async #passWith(run: Run, held: () => AbortSignal): Promise<number> {
    const { clock, timing, onReport } = this.#world;
    const { live, controls } = await this.#store.observe(run);
    const requests = await this.#desk.pending(controls, clock.nowMs(), run);
    const { choice, asked } = await this.#choose(requests, recordedRevision(live.parent), run);
    const serves = choice?.serves;
    if (choice === undefined || serves === undefined) {
      onReport(this.#kept.name, { kind: "missing", because: whyNothing(choice) });
      return timing.pollMs;
    }
    const report = await this.#serve(serves, asked, held, run);
    onReport(this.#kept.name, { kind: "passed", choice, pass: report });
    if (asked !== undefined) this.#desk.answer(asked, report, clock.nowMs());
    const results = this.#desk.print(clock.nowMs());
    await this.#teller.tell({ choice, report, requests: results }, this.#store, clock.nowMs(), run);
    return asked === undefined ? report.waitMs : 0;
  }

  /** What is served, and for whom. A request for another commit waits until that is fetched, and keeps no other waiting. */
  async #choose(requests: readonly SyncRequest[], served: string | undefined, run: Run): Promise<RequestedChoice> {
    const forCommit = (choice: RevisionChoice | undefined, some: readonly SyncRequest[]): SyncRequest | undefined =>
      some.find(({ commit }) => commit === choice?.serves?.commit);
    const rewinds = requests.filter(({ allowed }) => allowed.rewind);
    if (rewinds.length > 0) {
      // Who rewinds wants the tip, whatever was served before.
      const choice = await this.#kept.choose(undefined, run);
      const asked = forCommit(choice, rewinds);
      if (asked !== undefined) return { choice, asked };
    }
    const choice = await this.#kept.choose(served, run);
    return { choice, asked: forCommit(choice, requests) };
  }

  #serve(
    serves: ServableCommit,
    asked: SyncRequest | undefined,
    held: () => AbortSignal,
    run: Run,
  ): Promise<PassReport> {
    const { clock, timing } = this.#world;
    // Another commit, or a person, may have mended what failed.
    if (serves.commit !== this.#served || asked !== undefined) this.#backoff.clear();
    this.#served = serves.commit;
    this.#store.resemble(serves.catalogue);
    return pass(
      { revision: serves, prepare: (look) => this.#kept.prepare(serves, look, asked?.allowed, run) },
      { store: this.#store, clock, backoff: this.#backoff, timing, held },
      run,
    );
  }
}
