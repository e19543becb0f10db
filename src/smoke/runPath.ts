import type { SmokeStep } from "../catalogue/evidence/evidence.ts";
import type { RequiredApi } from "../catalogue/policy.ts";
import type { Cluster, Run, SteadyClock } from "../ports.ts";
import { objectKey } from "../kubernetes/installOrder.ts";
import type { ModuleContent, NoContent } from "./content.ts";
import { type Footprint, type SmokePath, type StepResult, stepsOf } from "./path.ts";
import type { Inventory, InventoryEntry } from "./judge/leftOver.ts";
import {
  type Delivery,
  failed,
  type Neighbour,
  type Seen,
  type SmokeLimits,
  type Step,
  type StepContext,
  type StepOutcome,
  type Trouble,
} from "./step.ts";
import { claimCluster, type ClaimedCluster, createHome, HOME, removeHome, tidy } from "./tidy.ts";
import { again } from "./steps/again.ts";
import { dependencies } from "./steps/dependencies.ts";
import { footprint } from "./steps/footprint.ts";
import { install } from "./steps/install.ts";
import { served } from "./steps/served.ts";
import { takeInventory, uninstall } from "./steps/uninstall.ts";
import { upgrade } from "./steps/upgrade.ts";
import { use } from "./steps/use.ts";

const STEPS: Readonly<Record<Exclude<SmokeStep, "manifests">, Step>> = {
  install,
  use,
  upgrade,
  served,
  again,
  dependencies,
  uninstall,
  footprint,
};

/** The environment of a path. */
interface PathWorld {
  readonly cluster: Cluster;
  readonly pods: boolean;
  readonly clock: SteadyClock;
  readonly limits: SmokeLimits;
  readonly requires: readonly RequiredApi[];
  readonly neighbours: readonly Neighbour[];
  readonly delivery: Delivery;
  /** Whether the cluster is not ours: then it must have nothing of the module, and nothing may stay there. */
  readonly isKept: boolean;
  /** The objects that earlier paths of the module left there; a path adds what it leaves. */
  readonly left: Map<string, InventoryEntry>;
  /** Called after each step. */
  readonly onStep: (result: StepResult) => void;
}

/** The contents of a path, and how long it took to get them. */
export interface PathContents {
  readonly from: ModuleContent | NoContent | undefined;
  readonly to: ModuleContent | NoContent;
  readonly seconds: number;
}

/** The results of the steps of a path. */
interface PathRun {
  readonly steps: readonly StepResult[];
  readonly footprint?: { readonly from?: Footprint | undefined; readonly to: Footprint } | undefined;
  /** Whether the cluster is as it was before. */
  readonly isClean: boolean;
}

/**
 * Runs the steps of a path one after the other; steps after a failed one are not checked. Throws Faults of the cluster.
 */
export async function runPath(path: SmokePath, contents: PathContents, world: PathWorld, run: Run): Promise<PathRun> {
  const results: StepResult[] = [];
  const tell = (step: SmokeStep, outcome: StepOutcome, seconds: number): void => {
    const result = resultOf(step, outcome, seconds);
    results.push(result);
    world.onStep(result);
  };
  const steps = stepsOf(path).filter((step): step is Exclude<SmokeStep, "manifests"> => step !== "manifests");
  const judged = judgeContents(contents);
  tell("manifests", judged.outcome, contents.seconds);
  if (judged.contents === undefined) {
    for (const step of steps) tell(step, { kind: "notChecked", why: "manifests failed" }, 0);
    return { steps: results, isClean: true };
  }
  const bare = bareContext(judged.contents, world);
  const claimed = world.isKept ? await claimCluster(bare, run) : undefined;
  const within = claimed === undefined ? run : { ...run, signal: AbortSignal.any([run.signal, claimed.claim.lost]) };
  try {
    return { steps: results, ...(await onCluster({ bare, claimed, left: world.left, steps, tell }, within)) };
  } finally {
    await claimed?.claim.end();
  }
}

type ToldSteps = readonly Exclude<SmokeStep, "manifests">[];
type Tell = (step: SmokeStep, outcome: StepOutcome, seconds: number) => void;

/** A path whose contents are known. */
interface ReadyPath extends Pick<PathWorld, "left"> {
  readonly bare: StepContext;
  /** `undefined` for a cluster of our own. */
  readonly claimed: ClaimedCluster | undefined;
  readonly steps: ToldSteps;
  readonly tell: Tell;
}

async function onCluster(
  { bare, claimed, left, steps, tell }: ReadyPath,
  run: Run,
): Promise<Pick<PathRun, "footprint" | "isClean">> {
  const isHomeOurs = left.has(objectKey(HOME)) || claimed?.brings.includes(HOME) === true;
  await createHome(bare, run);
  let context = await withInventory(bare, run);
  let seen: Seen | undefined;
  let isClean: boolean;
  try {
    context = await joined(context, run);
    seen = await runSteps(steps, context, tell, run);
  } finally {
    isClean = seen !== undefined;
    if (claimed !== undefined)
      for (const entry of await cleanUp(context, { isClean, isHomeOurs, ...claimed }, run)) left.set(...entry);
    else if (isClean) isClean = await context.delivery.leave(context, run);
  }
  return { footprint: seen?.footprint, isClean };
}

/** The context with the objects that are there now. */
async function withInventory(context: StepContext, run: Run): Promise<StepContext> {
  return { ...context, seen: { ...context.seen, before: await takeInventory(context, run) } };
}

/**
 * Prepares the cluster for the delivery, and takes the inventory again: the delivery's own changes are not the
 * module's.
 */
async function joined(context: StepContext, run: Run): Promise<StepContext> {
  if (context.delivery.tools.length === 0) return context;
  await context.delivery.join(context, run);
  return withInventory(context, run);
}

/** Returns the observations of the steps; `undefined` if one failed. */
async function runSteps(steps: ToldSteps, context: StepContext, tell: Tell, run: Run): Promise<Seen | undefined> {
  let { seen } = context;
  let broken: SmokeStep | undefined;
  for (const step of steps) {
    const startedMs = context.clock.elapsedMs();
    const outcome = broken === undefined ? await STEPS[step]({ ...context, seen }, run) : unchecked(broken);
    tell(step, outcome, (context.clock.elapsedMs() - startedMs) / 1000);
    if (outcome.kind === "failed") broken = step;
    if (outcome.kind === "passed") seen = { ...seen, ...outcome.seen };
  }
  return broken === undefined ? seen : undefined;
}

/**
 * The time to remove everything that an interrupted path left, even with finalizers and pods in every group.
 * Milliseconds.
 */
const CLEAN_UP_MS = 300_000;

/**
 * Cleans up, even after an interruption, since the user keeps the cluster. The cluster has a list of what stays, for
 * the next run. A run that took the cluster over has cleaned it up.
 */
async function cleanUp(
  context: StepContext,
  { isClean, isHomeOurs, claim }: LeftState,
  { log }: Run,
): Promise<Inventory> {
  const within = { log, signal: AbortSignal.any([claim.lost, AbortSignal.timeout(CLEAN_UP_MS)]) };
  const { server } = context.cluster;
  try {
    const hasLeft = await context.delivery.leave(context, within);
    const left = new Map(isClean && hasLeft ? [] : await tidy(context, within));
    if (isHomeOurs) for (const entry of await removeHome(context, within)) left.set(...entry);
    await claim.release(within);
    const texts = [...left.values()].map(({ text }) => text);
    if (left.size > 0) log.warn(`Left on ${server}, remove it by hand: ${texts.join(", ")}`);
    return left;
  } catch (error) {
    if (claim.lost.aborted) return new Map();
    if (!within.signal.aborted) throw error;
    log.warn(`${server} could not be cleaned up within ${CLEAN_UP_MS / 1000} s: the next run there continues.`);
    return new Map();
  }
}

/** The state in which a path left its cluster. */
interface LeftState extends Pick<ClaimedCluster, "claim"> {
  readonly isClean: boolean;
  readonly isHomeOurs: boolean;
}

function unchecked(broken: SmokeStep): StepOutcome {
  return { kind: "notChecked", why: `${broken} failed` };
}

type KnownContents = Pick<StepContext, "from" | "to">;

function judgeContents({ from, to }: PathContents): {
  readonly outcome: StepOutcome;
  readonly contents: KnownContents | undefined;
} {
  if (from !== undefined && "said" in from) return { outcome: failed(from), contents: undefined };
  if ("said" in to) return { outcome: failed(to), contents: undefined };
  const notes = [...(from === undefined ? [] : [from.source]), to.source];
  return { outcome: { kind: "passed", notes }, contents: { from, to } };
}

function bareContext(contents: KnownContents, world: PathWorld): StepContext {
  const { cluster, pods, clock, limits, requires, neighbours, delivery, left } = world;
  const leftEarlier = new Map([...left].filter(([key]) => key !== objectKey(HOME)));
  return {
    ...{ cluster, pods, clock, limits, requires, neighbours, delivery, ...contents },
    seen: { before: new Map(), leftEarlier, used: [], starts: {}, memory: {} },
  };
}

function resultOf(step: SmokeStep, outcome: StepOutcome, seconds: number): StepResult {
  switch (outcome.kind) {
    case "failed":
      return { step, result: "failed", seconds, ...troubleFields(outcome.trouble) };
    case "notChecked":
      return { step, result: "notChecked", seconds, said: outcome.why };
    case "passed": {
      const { notes = [], unchecked = [] } = outcome;
      return {
        ...{ step, result: "passed", seconds },
        ...(notes.length > 0 && { notes }),
        ...(unchecked.length > 0 && { unchecked }),
      };
    }
  }
}

function troubleFields({
  object,
  said,
  remedy,
  events = [],
}: Trouble): Omit<StepResult, "step" | "result" | "seconds"> {
  return { ...(object !== undefined && { object }), said, remedy, ...(events.length > 0 && { events }) };
}
