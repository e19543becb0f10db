import type { Catalogue } from "../catalogue/catalogue.ts";
import { Fault, type ClusterSupply, type Registry, type Run, type SteadyClock, type Links } from "../ports.ts";
import { contentOf, type ContentWorld, type ModuleContent, type NoContent } from "./content.ts";
import type { Gathered } from "./gather.ts";
import { isFailed, type PathResult, type SmokePath, type SmokeVersion, type StepResult } from "./path.ts";
import { runPath, type PathContents } from "./runPath.ts";
import type { SmokeLimits } from "./step.ts";

/** What `smoke` asks of the world in order to run paths. */
export interface SmokeWorld {
  readonly clock: SteadyClock;
  readonly supply: ClusterSupply;
  readonly links: () => Promise<Links>;
  readonly registry: (settings: Catalogue["settings"]["registry"]) => Promise<Registry>;
}

/** How paths are run. */
export interface SmokeOptions {
  readonly limits: SmokeLimits;
  /** How many modules at once; each on a cluster of its own. */
  readonly concurrency: number;
  /** Hears of each step when it is over, and of a path that is tried again. */
  readonly onStep: (path: SmokePath, result: StepResult) => void;
  readonly onRetry: (path: SmokePath, why: string) => void;
}

/** Runs every path: those of one module in turn, different modules side by side. In the order of the matrix. */
export async function smoke(
  paths: readonly SmokePath[],
  gathered: Gathered,
  options: SmokeOptions,
  world: SmokeWorld,
  run: Run,
): Promise<readonly PathResult[]> {
  const contents = contentsOf(gathered, world);
  const results = new Map<SmokePath, PathResult>();
  const queue = [...Map.groupBy(paths, ({ module }) => module).values()].values();
  const worker = async (): Promise<void> => {
    for (const ofModule of queue)
      for (const path of ofModule) {
        run.signal.throwIfAborted();
        results.set(path, await tryPath(path, contents, gathered, { options, world }, run));
      }
  };
  await Promise.all(Array.from({ length: options.concurrency }, worker));
  return paths.flatMap((path) => results.get(path) ?? []);
}

type GetContents = (version: SmokeVersion, run: Run) => Promise<ModuleContent | NoContent>;

/** Each content is got once, whichever paths need it. */
function contentsOf({ head, base, files }: Gathered, world: SmokeWorld): GetContents {
  const known = new Map<string, Promise<ModuleContent | NoContent>>();
  const { registry } = base.settings;
  const source: ContentWorld = {
    catalogue: head,
    files,
    links: world.links,
    registry: registry && (() => world.registry(registry)),
  };
  return (version, run) => {
    const key = `${version.template.module} ${version.version} ${version.specHash}`;
    const content = known.get(key) ?? contentOf(version, source, run);
    known.set(key, content);
    return content;
  };
}

interface Means {
  readonly options: SmokeOptions;
  readonly world: SmokeWorld;
}

/** A cluster that fails is not the module's fault: the path is tried once more on another one, where there are others. */
async function tryPath(
  path: SmokePath,
  contents: GetContents,
  gathered: Gathered,
  means: Means,
  run: Run,
): Promise<PathResult> {
  const { supply } = means.world;
  for (let attempt = 1; ; attempt++) {
    try {
      return await onCluster(path, contents, gathered, means, run);
    } catch (error) {
      if (!(error instanceof Fault) || error.code === "CONFIGURATION" || run.signal.aborted) throw error;
      const mayRetry = attempt === 1 && supply.isRenewable && error.code.startsWith("CLUSTER_");
      if (!mayRetry) return { path, kubernetes: "", pods: supply.pods, steps: [], world: error.message };
      means.options.onRetry(path, error.message);
    }
  }
}

async function onCluster(
  path: SmokePath,
  contents: GetContents,
  gathered: Gathered,
  { options, world }: Means,
  run: Run,
): Promise<PathResult> {
  const { supply, clock } = world;
  const got = await getContents(path, contents, clock, run);
  const taken = await supply.take(run);
  let isClean = false;
  try {
    const kubernetes = await taken.cluster.version(run);
    const { clock } = world;
    const requires = gathered.head.modules.get(path.module)?.says.requires ?? [];
    const { cluster } = taken;
    const onStep = (result: StepResult): void => {
      options.onStep(path, result);
    };
    const place = {
      cluster,
      isKept: !supply.isRenewable,
      pods: supply.pods,
      clock,
      limits: options.limits,
      requires,
      neighbours: [],
      onStep,
    };
    const ran = await runPath(path, got, place, run);
    isClean = ran.isClean;
    const { steps, footprint } = ran;
    return { path, kubernetes, pods: supply.pods, steps, ...(footprint && { footprint }) };
  } finally {
    await taken.giveBack(isClean);
  }
}

async function getContents(
  { from, to }: SmokePath,
  contents: GetContents,
  clock: SteadyClock,
  run: Run,
): Promise<PathContents> {
  const startedMs = clock.elapsedMs();
  const [before, after] = await Promise.all([from && contents(from, run), contents(to, run)]);
  return { from: before, to: after, seconds: (clock.elapsedMs() - startedMs) / 1000 };
}

/** Whether a module failed, or only the world, or neither. */
export function verdictOn(results: readonly PathResult[]): "passed" | "failed" | "world" {
  if (results.some(isFailed)) return "failed";
  return results.some(({ world }) => world !== undefined) ? "world" : "passed";
}
