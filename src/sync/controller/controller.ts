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

/** A landscape that the controller keeps in sync with the repository. */
export interface KeptLandscape {
  readonly name: LandscapeName;
  readonly namespace: string;
  readonly controlPlane: ControlPlane;
  /** Chooses the commit to serve, given the one that it serves; `undefined` until the repository has been read. */
  choose(recorded: string | undefined, run: Run): Promise<RevisionChoice | undefined>;
  /** Plans a revision, with the options that a person allows once. */
  prepare(
    revision: ServableCommit,
    look: ControlPlaneLook,
    allowed: AllowedOnce | undefined,
    run: Run,
  ): Promise<Prepared>;
}

/** The commit that a landscape is to serve, and the request for it. */
interface RequestedChoice {
  readonly choice: RevisionChoice | undefined;
  readonly asked: SyncRequest | undefined;
}

/** What a controller needs besides the landscape itself. */
export interface ControllerWorld {
  readonly clock: SteadyClock;
  /** From 0 to 1. */
  readonly random: () => number;
  /** The holder of Leases: unique for each process. */
  readonly holder: string;
  readonly timing: ControllerTiming;
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
  /** The objects that it needs before it can plan; `reading` is normal. */
  | MissingObjects
  | { readonly kind: "passed"; readonly choice: RevisionChoice; readonly pass: PassReport }
  | { readonly kind: "failed"; readonly fault: Fault; readonly retryMs: number };

/** Events within this time share one pass. Milliseconds. */
const TOGETHER_MS = 50;

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
  readonly #backoff: Backoff;
  /** Raised when only the fleet changed, which happens all the time. */
  readonly #fleet: Wake;
  /** Raised when the API server answers again. */
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

  /** Keeps the store up to date; also as a standby, so that it can take over at once. */
  follow(run: Run): readonly Promise<never>[] {
    const { clock, random, timing } = this.#world;
    const { controlPlane, namespace } = this.#kept;
    const onState = ({ kind }: ReflectorState): void => {
      if (kind === "current") this.#answered.raise();
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

  /** Reads, plans and acts once. Returns how long to wait for the next event, in milliseconds. */
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

  /**
   * Chooses the commit and the request to serve. A request for another commit waits until that is fetched, without
   * blocking others.
   */
  async #choose(requests: readonly SyncRequest[], served: string | undefined, run: Run): Promise<RequestedChoice> {
    const forCommit = (choice: RevisionChoice | undefined, some: readonly SyncRequest[]): SyncRequest | undefined =>
      some.find(({ commit }) => commit === choice?.serves?.commit);
    const rewinds = requests.filter(({ allowed }) => allowed.rewind);
    if (rewinds.length > 0) {
      // A rewind wants the tip, independent of the served commit.
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
    // Another commit or a person may have fixed the failure.
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
