import type { Catalogue } from "../../catalogue/catalogue.ts";
import { Fault, type Log, type Run } from "../../ports.ts";
import { isOutageFault } from "../../sync/apply.ts";
import { keepLandscape, type ControllerReport, type KeptLandscape } from "../../sync/controller/controller.ts";
import { TIMING } from "../../sync/controller/pass.ts";
import type { ServableCommit } from "../../sync/controller/revisions.ts";
import { Wake } from "../../sync/controller/wake.ts";
import type { PlanOptions } from "../../sync/plan/input.ts";
import { prepare, type ControlPlaneLook, type Prepared } from "../../sync/prepare.ts";
import type { SyncResult } from "../../sync/sync.ts";
import { openHistory } from "../compose/compose.ts";
import type { EmbeddedLandscape } from "../compose/demo.ts";
import { controllerHolder, plannedRevision, repositoryIdentity } from "../compose/sync.ts";
import { clock, openRepository } from "../compose/systems.ts";

/** A demo may do at once what a real landscape refuses or does only when it is told to. */
const OPTIONS: PlanOptions = {
  adopt: false,
  prune: true,
  maxPrune: Number.POSITIVE_INFINITY,
  changedContent: "apply",
  now: "a demo shows every change at once",
  takeOverSet: true,
  switchGeneration: true,
  rewind: true,
};

/** What the control planes of a demo are to serve: the working tree, in place of a commit. */
export interface DemoTarget extends ServableCommit {
  readonly repository: string;
  /** Whose set it is, and of which commit, as `sync --worktree` says it: so that `plan` finds nothing to change. */
  readonly claim: { readonly repository: string; readonly revision: string };
}

/** The catalogue as it lies in the working tree, and what Git says of it. */
export async function wantedOf(repository: string, catalogue: Catalogue, run: Run): Promise<DemoTarget> {
  const [identity, { recorded }] = await Promise.all([
    repositoryIdentity(catalogue, openRepository(repository), run),
    plannedRevision(openRepository(repository), { revision: undefined, worktree: true }, run),
  ]);
  return { repository, catalogue, commit: recorded, claim: { repository: identity, revision: recorded } };
}

/** What came of making a landscape serve something. */
export type DemoOutcome = { readonly result: SyncResult } | { readonly fault: Fault };

/** What a keeper did, and how long it took. Milliseconds. */
export interface DemoDeed {
  readonly outcome: DemoOutcome;
  readonly tookMs: number;
}

/** One landscape of a demo, kept by the loop of the controller. Holds and waves are passed over, artifacts not looked up. */
export class DemoKeeper {
  readonly landscape: EmbeddedLandscape;
  readonly #wake = new Wake(clock);
  #wanted: DemoTarget;
  /** What nobody took yet, the oldest first. */
  #deeds: DemoDeed[] = [];
  #onServed: (wanted: ServableCommit | undefined) => void = () => undefined;

  constructor(landscape: EmbeddedLandscape, wanted: DemoTarget) {
    this.landscape = landscape;
    this.#wanted = wanted;
  }

  /** Keeps the landscape until `run` is aborted. */
  keep(run: Run): Promise<never> {
    const onReport = (_: string, report: ControllerReport): void => {
      this.#hear(report);
    };
    const world = { clock, random: Math.random, holder: controllerHolder(), timing: TIMING, onReport, onSeen: () => undefined };
    // What is tried again meanwhile is not an event.
    return keepLandscape(this.#kept(), this.#wake, world, { ...run, log: quiet(run.log) });
  }

  /** Makes the landscape serve `wanted` from now on; waits until a pass that began with this very object has tried to. */
  async serve(wanted: DemoTarget, { signal }: Run): Promise<void> {
    const served = new Promise<void>((resolve, reject) => {
      signal.addEventListener("abort", () => {
        reject(signal.reason as Error);
      });
      this.#onServed = (serves) => {
        if (serves === undefined || serves === wanted) resolve();
      };
    });
    signal.throwIfAborted();
    this.#wanted = wanted;
    this.#wake.raise();
    await served;
  }

  /** What happened since this was asked last. */
  take(): readonly DemoDeed[] {
    return this.#deeds.splice(0);
  }

  #hear(report: ControllerReport): void {
    if (report.kind === "passed") {
      this.#deeds.push({ outcome: { result: report.pass.result }, tookMs: report.pass.tookMs });
      this.#onServed(report.choice.serves);
    }
    // A control plane that ends is told of by who starts it again.
    if (report.kind !== "failed" || isOutageFault(report.fault)) return;
    this.#deeds.push({ outcome: { fault: report.fault }, tookMs: 0 });
    this.#onServed(undefined);
  }

  #kept(): KeptLandscape {
    const { name, namespace, controlPlane } = this.landscape;
    return {
      ...{ name, namespace, controlPlane },
      choose: () => Promise.resolve({ serves: this.#wanted, held: undefined }),
      prepare: (_, look, __, run) => prepareDemo(this.#wanted, this.landscape, look, run),
    };
  }
}

function prepareDemo(
  { repository, catalogue, claim }: DemoTarget,
  { name, namespace, generation }: EmbeddedLandscape,
  look: ControlPlaneLook,
  run: Run,
): Promise<Prepared> {
  const landscape = catalogue.settings.landscapes.find((one) => one.name === name);
  if (landscape === undefined)
    throw new Fault("CONFIGURATION", `kyma-modules.yaml no longer has the landscape ${name}.`);
  const target = { landscape: name, namespace, generation };
  const request = { catalogue, landscape, target, options: OPTIONS, claim: { ...claim, landscape: name, generation } };
  const world = {
    ...{ look, clock },
    history: openHistory(repository),
    artifacts: { kind: "none", because: "a demo has no registry" } as const,
    ancestry: () => Promise.resolve("forward" as const),
    earlier: () => Promise.resolve({ kind: "none" } as const),
    decreases: () => Promise.resolve([]),
  };
  return prepare(request, world, run);
}

function quiet(log: Log): Log {
  return {
    ...log,
    warn: (message, fields) => {
      log.info(message, fields);
    },
  };
}
