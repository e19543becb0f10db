import type { SmokeStep } from "../catalogue/evidence/evidence.ts";
import type { RequiredApi } from "../catalogue/policy.ts";
import type { Cluster, Run, SteadyClock } from "../ports.ts";
import type { ModuleContent, NoContent } from "./content.ts";
import { type Footprint, type SmokePath, type StepResult, smokeSteps } from "./path.ts";
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
import { claimCluster, type ClaimedCluster, cleanUp, createHome, leaveOwn, type Leftovers } from "./tidy.ts";
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
  /** What earlier paths of the module left there; a path adds what it leaves. */
  readonly left: Leftovers;
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
    const result = stepResult(step, outcome, seconds);
    results.push(result);
    world.onStep(result);
  };
  const steps = smokeSteps(path).filter((step): step is Exclude<SmokeStep, "manifests"> => step !== "manifests");
  const judged = judgeContents(contents);
  tell("manifests", judged.outcome, contents.seconds);
  if (judged.contents === undefined) {
    for (const step of steps) tell(step, { kind: "notChecked", why: "manifests failed" }, 0);
    return { steps: results, isClean: true };
  }
  const bare = bareContext(judged.contents, world);
  const claimed = world.isKept ? await claimCluster(bare, world.left, run) : undefined;
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
  await createHome(bare, run);
  const { leftEarlier = bare.seen.leftEarlier } = claimed ?? {};
  let context = await withInventory({ ...bare, seen: { ...bare.seen, leftEarlier } }, run);
  let seen: Seen | undefined;
  let isClean: boolean;
  try {
    context = await joined(context, run);
    seen = await runSteps(steps, context, tell, run);
  } finally {
    isClean = seen !== undefined;
    if (claimed !== undefined) await cleanUp(context, { ...claimed, isClean, left }, run);
    else if (isClean) isClean = await leaveOwn(context, run);
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
  const { cluster, pods, clock, limits, requires, neighbours, delivery } = world;
  return {
    ...{ cluster, pods, clock, limits, requires, neighbours, delivery, ...contents },
    seen: { before: new Map(), leftEarlier: new Map(), used: [], starts: {}, memory: {} },
  };
}

function stepResult(step: SmokeStep, outcome: StepOutcome, seconds: number): StepResult {
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
