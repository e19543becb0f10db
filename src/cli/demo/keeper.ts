import type { Catalogue } from "../../catalogue/catalogue.ts";
import type { Landscape } from "../../catalogue/settings.ts";
import { gatherStatus } from "../../sync/gatherStatus.ts";
import type { StatusInput } from "../../sync/landscapeStatus.ts";
import { Fault, type Log, type Run, type SteadyClock } from "../../ports.ts";
import { readDecreases } from "../../promote/decreases.ts";
import { isOutageFault } from "../../sync/apply.ts";
import { keepLandscape, type ControllerReport } from "../../sync/controller/controller.ts";
import type { KeptLandscape } from "../../sync/controller/passes.ts";
import { TIMING, type PassReport } from "../../sync/controller/pass.ts";
import type { ServableCommit } from "../../sync/controller/revisions.ts";
import { Wake } from "../../sync/controller/wake.ts";
import type { PlanOptions } from "../../sync/plan/input.ts";
import { controllerHolder } from "../../sync/leaseHolder.ts";
import { prepare, landscapeAccess, type ControlPlaneLook, type PlanWorld, type Prepared } from "../../sync/prepare.ts";
import { readRecords } from "../../sync/recordStore.ts";
import { openHistory } from "../compose/compose.ts";
import type { EmbeddedLandscape } from "../compose/demo.ts";
import { leaseHolder, plannedRevision, repositoryIdentity } from "../compose/sync.ts";
import { clock, openRepository, untilAborted } from "../compose/systems.ts";
import type { DemoDeed } from "./journal.ts";

/** A demo does at once what a real landscape refuses, or does only on request. */
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

/** What the control planes of a demo should serve: the working tree, or a commit of the clone. */
export interface DemoTarget extends ServableCommit {
  readonly repository: string;
  /** The owner of the set, the same as for `sync --worktree`, so that `plan` finds nothing to change. */
  readonly identity: string;
}

/** The target for a catalogue of the working tree. */
export async function demoTarget(repository: string, catalogue: Catalogue, run: Run): Promise<DemoTarget> {
  const [identity, { recorded }] = await Promise.all([
    repositoryIdentity(catalogue, openRepository(repository), run),
    plannedRevision(openRepository(repository), { revision: undefined, worktree: true }, run),
  ]);
  return { repository, identity, catalogue, commit: recorded };
}

/** The options and the clock with which a demo plans. */
interface KeeperRules {
  readonly clock: SteadyClock;
  readonly options: PlanOptions;
  /** The ports for holds and waves. */
  readonly gate: (wanted: DemoTarget) => Pick<PlanWorld, "earlier" | "decreases">;
}

/** Rules that ignore holds and waves. */
const AT_ONCE: KeeperRules = {
  clock,
  options: OPTIONS,
  gate: () => ({ earlier: () => Promise.resolve({ kind: "none" }), decreases: () => Promise.resolve([]) }),
};

/** Rules that obey holds and waves, by a clock that may be fast. Later landscapes read the records of earlier ones. */
export function rulesOfTrain(landscapes: readonly EmbeddedLandscape[], on: SteadyClock): KeeperRules {
  const earlier: PlanWorld["earlier"] = async ({ name, namespace }, run) => {
    const before = landscapes.find((one) => one.name === name);
    return before === undefined ? { kind: "none" } : (await readRecords(before.controlPlane, namespace, run)).records;
  };
  const gate: KeeperRules["gate"] = ({ repository, commit }) => ({
    earlier,
    decreases: (modules, run) => readDecreases(openHistory(repository), modules, commit, on.nowMs(), run),
  });
  return { clock: on, options: { ...OPTIONS, now: undefined }, gate };
}

/** Keeps one landscape of a demo with the loop of the controller. Artifacts are not looked up. */
export class DemoKeeper {
  readonly landscape: EmbeddedLandscape;
  /** The rules from the next pass on. */
  rules: KeeperRules;
  readonly #wake = new Wake(clock);
  #wanted: DemoTarget;
  #records: PassReport["records"] = new Map();
  /** The passes that `take` has not returned yet, the oldest first. */
  #deeds: DemoDeed[] = [];
  #onServed: (wanted: ServableCommit | undefined) => void = () => undefined;

  constructor(landscape: EmbeddedLandscape, wanted: DemoTarget, rules: KeeperRules = AT_ONCE) {
    this.landscape = landscape;
    this.rules = rules;
    this.#wanted = wanted;
  }

  /** Keeps the landscape in sync until `run` is aborted. */
  keep(run: Run): Promise<never> {
    const world = {
      clock: this.rules.clock,
      random: Math.random,
      holder: controllerHolder(leaseHolder()),
      timing: TIMING,
      onReport: (_: string, report: ControllerReport): void => {
        this.#hear(report);
      },
      onSeen: (): void => undefined,
    };
    // Retries are not events.
    return keepLandscape(this.#kept(), this.#wake, world, { ...run, log: quiet(run.log) });
  }

  /** Makes the landscape serve `wanted` from now on, and waits until a pass with this object ended. */
  async serve(wanted: DemoTarget, { signal }: Run): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    this.#onServed = (serves) => {
      if (serves === undefined || serves === wanted) resolve(undefined);
    };
    this.#wanted = wanted;
    this.#wake.raise();
    await untilAborted(promise, signal);
  }

  /** Starts another pass, because time has passed. */
  wake(): void {
    this.#wake.raise();
  }

  /** Reads the state of the landscape, planned by the current rules. */
  look(run: Run): Promise<StatusInput> {
    const { controlPlane, namespace } = this.landscape;
    const { catalogue } = this.#wanted;
    const landscape = landscapeIn(catalogue, this.landscape);
    const access = landscapeAccess(controlPlane, namespace);
    const rules = { ...this.rules, look: access.look };
    const question = {
      ...{ catalogue, landscape, ...access, clock: this.rules.clock },
      plan: () => prepareDemo(this.#wanted, this.landscape, rules, run),
    };
    return gatherStatus(question, run);
  }

  /** The records of entries after the last pass. */
  get records(): PassReport["records"] {
    return this.#records;
  }

  /** Returns the passes since the previous call. */
  take(): readonly DemoDeed[] {
    return this.#deeds.splice(0);
  }

  #hear(report: ControllerReport): void {
    if (report.kind === "passed") {
      this.#records = report.pass.records;
      this.#deeds.push({ outcome: { result: report.pass.result }, tookMs: report.pass.tookMs });
      this.#onServed(report.choice.serves);
    }
    // The supervisor that restarts a control plane reports its end.
    if (report.kind !== "failed" || isOutageFault(report.fault)) return;
    this.#deeds.push({ outcome: { fault: report.fault }, tookMs: 0 });
    this.#onServed(undefined);
  }

  #kept(): KeptLandscape {
    const { name, namespace, controlPlane } = this.landscape;
    return {
      ...{ name, namespace, controlPlane },
      choose: () => Promise.resolve({ serves: this.#wanted, held: undefined }),
      fetchSoon: () => undefined,
      prepare: (_, look, __, run) => prepareDemo(this.#wanted, this.landscape, { ...this.rules, look }, run),
    };
  }
}

function prepareDemo(
  wanted: DemoTarget,
  embedded: EmbeddedLandscape,
  { look, clock: on, options, gate }: KeeperRules & { readonly look: ControlPlaneLook },
  run: Run,
): Promise<Prepared> {
  const { repository, identity, catalogue, commit } = wanted;
  const { name, namespace, generation } = embedded;
  const landscape = landscapeIn(catalogue, embedded);
  const target = { landscape: name, namespace, generation };
  const claim = { repository: identity, revision: commit, landscape: name, generation };
  const request = { catalogue, landscape, target, options, claim };
  const world = {
    ...{ look, clock: on },
    history: openHistory(repository),
    artifacts: { kind: "none", because: "a demo has no registry" } as const,
    ancestry: () => Promise.resolve("forward" as const),
    ...gate(wanted),
  };
  return prepare(request, world, run);
}

function landscapeIn({ settings }: Catalogue, { name }: EmbeddedLandscape): Landscape {
  const landscape = settings.landscapes.find((one) => one.name === name);
  if (landscape !== undefined) return landscape;
  throw new Fault("CONFIGURATION", `kyma-modules.yaml no longer has the landscape ${name}.`);
}

function quiet(log: Log): Log {
  return {
    ...log,
    warn: (message, fields) => {
      log.info(message, fields);
    },
  };
}
