import type { LandscapeName } from "../../catalogue/names.ts";
import { oneLine } from "../../document/printable.ts";
import { asFault, type Fault, type ControlPlane, type Run, type SteadyClock } from "../../ports.ts";
import {
  type Controls,
  pendingRequests,
  printResults,
  type AllowedOnce,
  type RequestResult,
  type SyncRequest,
} from "../plan/controls.ts";
import { recordedRevision } from "../plan/input.ts";
import type { ControlPlaneLook, Prepared } from "../prepare.ts";
import { Backoff, EVERYTHING } from "./backoff.ts";
import { pass, type ControllerTiming, type PassReport } from "./pass.ts";
import { heldText, whyNothing, type RevisionChoice, type ServableCommit } from "./revisions.ts";
import { readResults, passResult } from "./status.ts";
import type { LandscapeStore, MissingObjects } from "./store.ts";
import { CHECK_MS, Teller, type PassNews } from "./teller.ts";
import type { Wake } from "./wake.ts";

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
  /** Asks for a fetch, because a request names a commit that has not been read yet. */
  fetchSoon(): void;
}

/** What the passes need besides the landscape itself. */
export interface PassesWorld {
  readonly clock: SteadyClock;
  /** From 0 to 1. */
  readonly random: () => number;
  /** Unique for each process. */
  readonly holder: string;
  readonly timing: ControllerTiming;
  /** Receives the reports. */
  readonly onReport: (landscape: string, report: PassesReport) => void;
}

/** A report of the passes over a landscape. */
export type PassesReport =
  /** The objects that it needs before it can plan; `reading` is normal. */
  | MissingObjects
  | {
      readonly kind: "passed";
      readonly choice: RevisionChoice;
      readonly pass: PassReport;
      /** Whether a person asked to serve a commit that does not descend from the served one. */
      readonly isRewind: boolean;
    }
  | { readonly kind: "failed"; readonly fault: Fault; readonly retryMs: number };

/** Events within this time share one pass. Milliseconds. */
const TOGETHER_MS = 50;

/** The commit that a landscape is to serve, and the request for it. */
interface RequestedChoice {
  readonly choice: RevisionChoice | undefined;
  readonly asked: SyncRequest | undefined;
}

/**
 * The passes over a landscape while this process is its only writer. Made anew each time it becomes that: what it
 * remembers of status and requests is only true until another process writes.
 */
export class Passes {
  readonly #kept: KeptLandscape;
  readonly #world: PassesWorld;
  readonly #store: LandscapeStore;
  readonly #wake: Wake;
  readonly #backoff: Backoff;
  readonly #teller: Teller;
  /** The commit of the last pass. */
  #served: string | undefined;
  /** The results of requests; `undefined` until they have been read. */
  #results: Map<string, RequestResult> | undefined;
  /** The requests for which a fetch was asked for, once each. */
  #fetchedFor: ReadonlySet<string> = new Set();

  constructor(kept: KeptLandscape, store: LandscapeStore, wake: Wake, world: PassesWorld) {
    this.#kept = kept;
    this.#world = world;
    this.#store = store;
    this.#wake = wake;
    this.#backoff = new Backoff(world.random);
    this.#teller = new Teller({ ...kept, holder: world.holder });
  }

  /** Tries again at once what failed because no server answered. */
  answered(): void {
    if (this.#backoff.answered()) this.#wake.raise();
  }

  /** Tries again at once what concerns everything: a person may have fixed its cause. */
  changed(): void {
    this.#backoff.succeeded(EVERYTHING);
  }

  /** Makes passes until `run` is aborted. */
  async keep(run: Run, held: () => AbortSignal): Promise<never> {
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
      const fault = asFault(error);
      const { dueMs } = this.#backoff.failed(EVERYTHING, fault, clock.elapsedMs());
      const retryMs = dueMs - clock.elapsedMs();
      onReport(name, { kind: "failed", fault, retryMs });
      const failures = `everything: ${oneLine(fault.message)}`;
      await this.#teller.tellFailure({ failures }, clock.nowMs(), run);
      return retryMs;
    }
  }

  async #passWith(run: Run, held: () => AbortSignal): Promise<number> {
    const { clock, timing, onReport } = this.#world;
    const { live, controls } = await this.#store.observe(run);
    const requests = await this.#pending(controls, run);
    const { choice, asked } = await this.#choose(requests, recordedRevision(live.parent), run);
    if (choice?.serves === undefined) {
      onReport(this.#kept.name, { kind: "missing", because: whyNothing(choice) });
      if (choice?.held) await this.#teller.tellFailure({ held: heldText(choice.held) }, clock.nowMs(), run);
      return timing.pollMs;
    }
    // Another commit or a person may have fixed what failed.
    if (choice.serves.commit !== this.#served || asked !== undefined) this.#backoff.clear();
    const waitMs = this.#backoff.waitOf(EVERYTHING, clock.elapsedMs());
    if (waitMs > 0) return waitMs;
    const report = await this.#serve(choice.serves, asked, held, run);
    const isTold = await this.#tell({ choice, report }, asked, run);
    if (asked !== undefined) return 0;
    return Math.min(report.waitMs, isTold ? CHECK_MS : timing.pollMs);
  }

  async #tell(
    { choice, report }: Pick<PassNews, "choice" | "report">,
    asked: SyncRequest | undefined,
    run: Run,
  ): Promise<boolean> {
    const nowMs = this.#world.clock.nowMs();
    const isRewind = asked?.allowed.rewind === true;
    this.#world.onReport(this.#kept.name, { kind: "passed", choice, pass: report, isRewind });
    if (asked !== undefined) this.#results = new Map([...(this.#results ?? []), [asked.id, passResult(report, nowMs)]]);
    const requests = printResults(this.#results ?? new Map(), nowMs);
    return this.#teller.tell({ choice, report, requests }, this.#store, nowMs, run);
  }

  /** The requests to carry out, oldest first. */
  async #pending({ requests }: Controls, run: Run): Promise<readonly SyncRequest[]> {
    if (requests.length === 0) return [];
    this.#results ??= new Map(await readResults(this.#kept, run));
    return pendingRequests(requests, this.#results, this.#world.clock.nowMs());
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
    const asked = forCommit(choice, requests);
    const isNew = requests.some(({ id }) => !this.#fetchedFor.has(id));
    if (isNew && asked === undefined) this.#kept.fetchSoon();
    this.#fetchedFor = new Set(requests.map(({ id }) => id));
    return { choice, asked };
  }

  #serve(
    serves: ServableCommit,
    asked: SyncRequest | undefined,
    held: () => AbortSignal,
    run: Run,
  ): Promise<PassReport> {
    const { clock, timing } = this.#world;
    this.#served = serves.commit;
    this.#store.resemble(serves.catalogue);
    return pass(
      { revision: serves, prepare: (look) => this.#kept.prepare(serves, look, asked?.allowed, run) },
      { store: this.#store, clock, backoff: this.#backoff, timing, held },
      run,
    );
  }
}
