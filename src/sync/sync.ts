import pLimit from "p-limit";
import type { Generation } from "../catalogue/settings.ts";
import { templateUse } from "../fleet/users.ts";
import { RESOURCES, type KubernetesObject } from "../kubernetes/object.ts";
import { namedTemplates } from "../kubernetes/releaseMeta.ts";
import { Fault, type Clock, type ControlPlane, type Run } from "../ports.ts";
import { applyItem, isOutage, type ObjectOutcome } from "./apply.ts";
import { freshUsers, type FreshUsers } from "./freshUsers.ts";
import { isAct, type EntryItem, type ModulePlan, type PlanItem } from "./plan/item.ts";
import type { PlanInput } from "./plan/input.ts";
import { judgeAgain, planModuleAgain, type DecidedAgain } from "./plan/plan.ts";
import type { Prepared } from "./prepare.ts";
import { FRESH_MS, isUnsettled, maxAgeOfUsersMs, newlyNamed, applyPhases, skipped, type Phases } from "./phases.ts";
import { announce, entryOutcome, settle, type EntryOutcome, type RecordKeeper } from "./record.ts";
import { RECORDS_NAME, writeRecords } from "./recordStore.ts";

/** The result of a sync. */
export interface SyncResult {
  readonly entries: readonly EntryOutcome[];
  readonly outcomes: readonly ObjectOutcome[];
  /** Whether it was interrupted; the next run completes it. */
  readonly interrupted: boolean;
}

/** The control plane and the clock of a sync. */
interface SyncWorld {
  readonly controlPlane: ControlPlane;
  readonly clock: Pick<Clock, "nowMs">;
  /** Called before each write. The signal is aborted when another writer may have begun; then nothing more is sent. */
  readonly writes: () => AbortSignal;
}

/** Receives each outcome as soon as it is known. */
export interface Reporter {
  /** An object. */
  outcome(outcome: ObjectOutcome): void;
  /** An entry. */
  entry(outcome: EntryOutcome): void;
}

/** The number of modules at a time. Twenty writes keep an API server busy; more are not faster. */
const CONCURRENCY = 20;

/**
 * Carries out a plan. Writes the parent of the set, then the records of what is about to be served, then each module:
 * its templates, the release meta that names them, and removals in reverse order. The process may be killed at any
 * moment: no release meta ever names an absent template, and the next run completes the plan.
 *
 * An abort takes effect between writes: a write that was sent is awaited, so that its outcome is known.
 */
export async function sync(prepared: Prepared, world: SyncWorld, report: Reporter, run: Run): Promise<SyncResult> {
  const work = new Work(prepared, world, report, run);
  return work.carryOut();
}

/** The entries and phases of a module. */
type ModuleTurn = Phases & Pick<ModulePlan, "entries">;

/** A running sync. */
class Work {
  readonly #prepared: Prepared;
  readonly #world: SyncWorld;
  readonly #report: Reporter;
  readonly #run: Run;
  readonly #users: FreshUsers;
  readonly #outcomes: ObjectOutcome[] = [];
  readonly #entries: EntryOutcome[] = [];
  /** The input of each module that was planned again. */
  readonly #inputs = new Map<string, PlanInput>();
  #lost: Fault | undefined;

  constructor(prepared: Prepared, world: SyncWorld, report: Reporter, run: Run) {
    this.#prepared = prepared;
    this.#world = world;
    this.#report = report;
    this.#run = run;
    this.#users = freshUsers(world.controlPlane, this.#namespace, world.clock, run);
  }

  /** An interruption does not abort a write that was sent: each has its own deadline. */
  get #writing(): Run {
    return { ...this.#run, signal: this.#world.writes() };
  }

  get #generation(): Generation {
    return this.#prepared.input.desired.target.generation;
  }

  get #namespace(): string {
    return this.#prepared.input.desired.target.namespace;
  }

  async carryOut(): Promise<SyncResult> {
    const { plan } = this.#prepared;
    if (!this.#run.signal.aborted) await this.#carryOutAll();
    const planned = plan.modules.reduce((sum, { items }) => sum + items.length, 1);
    const interrupted = this.#run.signal.aborted && this.#outcomes.length < planned;
    return { entries: this.#entries, outcomes: this.#outcomes, interrupted };
  }

  async #carryOutAll(): Promise<void> {
    const { plan } = this.#prepared;
    const parent = await this.#act(plan.parent, "");
    const isOurs = parent.result === "done" || (parent.result === "left" && parent.item.kind === "unchanged");
    if (!isOurs) {
      this.#skipAll("the ConfigMap of the set is not in place");
      return;
    }
    const keeper = await this.#announce();
    if (keeper === undefined) return;
    await pLimit(CONCURRENCY).map(plan.modules, async (module) => {
      if (!this.#run.signal.aborted) await this.#carryOutModule(module);
    });
    await this.#settle(keeper);
  }

  /**
   * Records what is about to be served, so that a kill before or after the write of the release meta never looks like
   * drift.
   */
  async #announce(): Promise<RecordKeeper | undefined> {
    const { plan, input } = this.#prepared;
    const keeper = announce(plan, input, this.#world.clock.nowMs());
    return (await this.#record(keeper)) ? keeper : undefined;
  }

  async #settle(keeper: RecordKeeper): Promise<void> {
    await this.#record(settle(keeper, this.#entries, this.#world.clock.nowMs()));
  }

  /** Writes the records; returns whether that succeeded. */
  async #record(keeper: RecordKeeper): Promise<boolean> {
    const { input, stored } = this.#prepared;
    const { repository, landscape } = input.claim;
    if (keeper.isEmpty) return true;
    try {
      const where = {
        controlPlane: this.#world.controlPlane,
        namespace: this.#namespace,
        owner: { repository, landscape },
      };
      keeper.stored = await writeRecords(keeper.entries, keeper.stored ?? stored, where, this.#writing);
      return true;
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      const object = { kind: RESOURCES.configMap.kind, name: RECORDS_NAME };
      this.#note({ item: { kind: "unchanged", object }, result: "failed", fault: error });
      this.#skipAll("the records could not be written");
      return false;
    }
  }

  #skipAll(because: string): void {
    if (this.#entries.length > 0) return;
    for (const { entries, items } of this.#prepared.plan.modules) {
      const outcomes = items.map((item) => this.#note(skipped(item, because)));
      this.#noteEntries(entries, outcomes);
    }
  }

  async #carryOutModule({ module, entries, items }: ModulePlan): Promise<void> {
    const outcomes: ObjectOutcome[] = [];
    const planned = { entries, ...applyPhases(items, this.#generation) };
    const first = await this.#decidedLately(planned, planned.templates, module);
    for (const item of first.templates) outcomes.push(await this.#actUnlessStopped(item, module));
    const then = await this.#decidedLately(first, [...first.holders, ...first.prunes], module);
    for (const item of then.holders) outcomes.push(await this.#actOnHolder(item, module, outcomes));
    for (const item of then.prunes) outcomes.push(await this.#actUnlessStopped(item, module));
    this.#noteEntries(then.entries, outcomes);
  }

  /**
   * Plans a module again with fresh users right before a version goes down, an entry is removed or a template comes
   * back: lifecycle-manager may have lost a status meanwhile, or a Kyma may have begun to use the entry.
   */
  async #decidedLately(decided: ModuleTurn, next: readonly PlanItem[], module: string): Promise<ModuleTurn> {
    const ageMs = next.some(isAct) ? maxAgeOfUsersMs(decided.entries, next, this.#prepared) : undefined;
    if (ageMs === undefined) return decided;
    const users = await this.#users.within(ageMs);
    // The read was interrupted, and nothing more is done: its failure decides nothing.
    if (this.#run.signal.aborted) return decided;
    const { plan, input } = this.#prepared;
    const fresh = { ...input, users };
    this.#inputs.set(module, fresh);
    const { entries, items } = planModuleAgain(module, fresh, plan.noRemoval);
    return { entries, ...applyPhases(items, this.#generation) };
  }

  #actUnlessStopped(item: PlanItem, module: string): Promise<ObjectOutcome> {
    return this.#run.signal.aborted && isAct(item)
      ? Promise.resolve<ObjectOutcome>({ item, result: "skipped", because: "interrupted" })
      : this.#act(item, module);
  }

  /** A release meta waits for the templates that it newly names. */
  async #actOnHolder(item: PlanItem, module: string, before: readonly ObjectOutcome[]): Promise<ObjectOutcome> {
    const named = newlyNamed(item);
    const absent = new Set(before.filter(isUnsettled).map(({ item: { object } }) => object.name));
    const blocking = named.find((name) => absent.has(name));
    return blocking === undefined
      ? this.#actUnlessStopped(item, module)
      : this.#note(skipped(item, `ModuleTemplate ${blocking}, which it names, is not as wanted`));
  }

  async #act(item: PlanItem, module: string): Promise<ObjectOutcome> {
    // Each write retries for a while; a thousand such writes in turn would take hours.
    if (this.#lost !== undefined) return this.#note(skipped(item, `the control plane was lost: ${this.#lost.message}`));
    const { plan, input } = this.#prepared;
    const context = { module, input: this.#inputs.get(module) ?? input, noRemoval: plan.noRemoval };
    const world = {
      controlPlane: this.#world.controlPlane,
      namespace: this.#namespace,
      judgeAgain: (one: PlanItem, live: KubernetesObject | undefined): DecidedAgain => judgeAgain(one, live, context),
      blockerTo: (one: PlanItem): Promise<string | undefined> => this.#blockerTo(one, module),
      writing: () => this.#writing,
    };
    const outcome = await applyItem(item, world);
    if (isOutage(outcome)) this.#lost = outcome.fault;
    return this.#note(outcome);
  }

  /** Why an object that the plan found unused must stay. Reads the release meta right before the removal. */
  async #blockerTo({ object: { kind, name } }: PlanItem, module: string): Promise<string | undefined> {
    if (kind !== RESOURCES.moduleTemplate.kind) return undefined;
    const users = await this.#users.within(FRESH_MS);
    if (users.kind === "unknown") return `it is unknown who uses it: ${users.because}`;
    const ref = { resource: RESOURCES.moduleReleaseMeta, namespace: this.#namespace, name: module };
    if (this.#generation !== "version-templates") return undefined;
    const meta = await this.#world.controlPlane.read(ref, this.#writing);
    const isNamed = meta !== undefined && namedTemplates(meta).includes(name);
    return isNamed || templateUse(name, module, users) !== undefined ? "a Kyma has begun to use it" : undefined;
  }

  #note(outcome: ObjectOutcome): ObjectOutcome {
    this.#outcomes.push(outcome);
    this.#report.outcome(outcome);
    return outcome;
  }

  #noteEntries(entries: readonly EntryItem[], outcomes: readonly ObjectOutcome[]): void {
    for (const entry of entries) {
      const outcome = entryOutcome(entry, outcomes, this.#generation);
      this.#entries.push(outcome);
      this.#report.entry(outcome);
    }
  }
}
