import { SMOKE_STEPS } from "../catalogue/evidence.ts";
import { hashOf } from "../document/canonical.ts";
import { Fault, type Run, type SteadyClock, type TakenCluster } from "../ports.ts";
import { requested } from "./judge/footprint.ts";
import { neighboursOf, possibleNeighbours } from "./neighbours.ts";
import type { PathResult, SmokePath, StepResult } from "./path.ts";
import { runPath, type PathContents } from "./runPath.ts";
import type { GetContents, Means } from "./world.ts";
import type { Neighbour } from "./step.ts";

/** A cluster that fails is not the module's fault: the path is tried once more on another one, where there are others. */
export async function tryPath(path: SmokePath, means: Means, run: Run): Promise<PathResult> {
  const { supply } = means.world;
  for (let attempt = 1; ; attempt++) {
    try {
      return await onCluster(path, means, run);
    } catch (error) {
      if (!(error instanceof Fault) || error.code === "CONFIGURATION" || run.signal.aborted) throw error;
      const mayRetry = attempt === 1 && supply.isRenewable && error.code.startsWith("CLUSTER_");
      if (!mayRetry) return { path, kubernetes: "", pods: supply.pods, steps: [], world: error.message };
      means.options.onRetry(path, error.message);
    }
  }
}

async function onCluster(path: SmokePath, means: Means, run: Run): Promise<PathResult> {
  const { supply, clock } = means.world;
  const got = await getContents(path, means.contents, clock, run);
  const neighbours = path.from === undefined ? await neighboursIn(got.to, path, means, run) : [];
  const taken = await supply.take(imagesOf(got), run);
  let isClean = false;
  try {
    const kubernetes = await taken.cluster.version(run);
    const key = keyOf(path, got, neighbours, { kubernetes, place: supply.place });
    const known = await recall(key, means, run);
    isClean = known !== undefined;
    if (known !== undefined) return { path, kubernetes, pods: supply.pods, ...known, isRemembered: true };
    const ran = await runOn(taken, { path, got, neighbours }, means, run);
    isClean = ran.isClean;
    const { steps, footprint } = ran;
    const outcome = { steps, ...(footprint && { footprint }) };
    if (isClean && supply.isRenewable) await means.world.memory?.write(key, JSON.stringify(outcome), run);
    return { path, kubernetes, pods: supply.pods, ...outcome };
  } finally {
    await taken.giveBack(isClean);
  }
}

/** Every image that a path runs. */
function imagesOf({ from, to }: PathContents): readonly string[] {
  const contents = [from, to].flatMap((content) => (content !== undefined && "objects" in content ? [content] : []));
  return [...new Set(contents.flatMap(({ objects }) => requested(objects).images))];
}

interface Prepared {
  readonly path: SmokePath;
  readonly got: PathContents;
  readonly neighbours: readonly Neighbour[];
}

function runOn(
  { cluster }: TakenCluster,
  { path, got, neighbours }: Prepared,
  { gathered, options, world }: Means,
  run: Run,
): ReturnType<typeof runPath> {
  const { supply, clock } = world;
  const requires = gathered.head.modules.get(path.module)?.says.requires ?? [];
  const onStep = (result: StepResult): void => {
    options.onStep(path, result);
  };
  const place = { cluster, isKept: !supply.isRenewable, pods: supply.pods, clock, limits: options.limits };
  return runPath(path, got, { ...place, requires, neighbours, onStep }, run);
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

async function neighboursIn(
  own: PathContents["to"],
  { module }: SmokePath,
  { contents, gathered }: Means,
  run: Run,
): Promise<readonly Neighbour[]> {
  if ("said" in own) return [];
  const { head } = gathered;
  const possible = possibleNeighbours(module, head).map(async ({ role, version }) => {
    return { role, content: await contents(version, run) };
  });
  return neighboursOf(own, await Promise.all(possible), head);
}

/** The digest of all that decides what becomes of a path. */
function keyOf(
  path: SmokePath,
  { from, to }: PathContents,
  neighbours: readonly Neighbour[],
  place: { readonly kubernetes: string; readonly place: string },
): string {
  const digests = [from, to].map((content) => (content !== undefined && "digest" in content ? content.digest : null));
  const beside = neighbours.map(({ role, content }) => [role, content.digest]);
  return hashOf([path.module, digests, beside, SMOKE_STEPS, place]).replace(":", "-");
}

type Remembered = Pick<PathResult, "steps" | "footprint">;

/** What an earlier run came to; only what passed is remembered. */
async function recall(key: string, { world }: Means, run: Run): Promise<Remembered | undefined> {
  // What else is on a cluster of others is not known: nothing is remembered of it.
  const text = world.supply.isRenewable ? await world.memory?.read(key, run) : undefined;
  if (text === undefined) return undefined;
  const value = JSON.parse(text) as Remembered | null;
  return Array.isArray(value?.steps) ? value : undefined;
}
