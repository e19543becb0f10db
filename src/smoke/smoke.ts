import manifest from "../../package.json" with { type: "json" };
import { SMOKE_STEPS } from "../catalogue/evidence/evidence.ts";
import type { RequiredApi } from "../catalogue/policy.ts";
import { canonicalHash } from "../document/canonical.ts";
import { parseJson } from "../document/json.ts";
import { Fault, type Run, type SteadyClock, type TakenCluster } from "../ports.ts";
import { moduleContent, type ContentWorld, knownContents, type ModuleContent, type NoContent } from "./content.ts";
import { DIRECTLY } from "./delivery/direct.ts";
import { ManagedDelivery } from "./delivery/managed.ts";
import type { GatheredSmoke } from "./gather.ts";
import { requested } from "./judge/footprint.ts";
import { versionNeighbours, possibleNeighbours, servedVersions } from "./neighbours.ts";
import { isFailed, type PathResult, type SmokePath, type StepResult } from "./path.ts";
import { runPath, type PathContents } from "./runPath.ts";
import { type Neighbour, sideBySide } from "./step.ts";
import type { Leftovers } from "./tidy.ts";
import type { GetContents, SmokeContext, SmokeOptions, SmokeWorld } from "./world.ts";

/**
 * Runs all paths: those of one module one after the other, different modules side by side. Returns the results in the
 * order of `paths`.
 */
export async function smoke(
  paths: readonly SmokePath[],
  gathered: GatheredSmoke,
  options: SmokeOptions,
  world: SmokeWorld,
  run: Run,
): Promise<readonly PathResult[]> {
  const context: SmokeContext = { contents: contentReader(gathered, world), gathered, options, world, left: new Map() };
  const results = new Map<SmokePath, PathResult>();
  const byModule = [...Map.groupBy(paths, ({ module }) => module).values()];
  await sideBySide(byModule, options.concurrency, async (ofModule) => {
    for (const path of ofModule) {
      run.signal.throwIfAborted();
      const result = await tryPath(path, context, run);
      results.set(path, result);
      options.onPath(result);
    }
  });
  return paths.flatMap((path) => results.get(path) ?? []);
}

/** Fetches each content once, even if several paths need it. */
function contentReader({ head, base, files }: GatheredSmoke, world: SmokeWorld): GetContents {
  const known = new Map<string, Promise<ModuleContent | NoContent>>();
  const source: ContentWorld = { sides: { head, base }, files, links: world.links, registry: world.registry };
  return (version, run) => {
    const key = `${version.template.module} ${version.version} ${version.specHash}`;
    const content = known.get(key) ?? moduleContent(version, source, run);
    known.set(key, content);
    return content;
  };
}

/**
 * Tries a path. If the cluster fails, the module is not to blame: the path is tried once more on another cluster, if
 * there are others.
 */
async function tryPath(path: SmokePath, context: SmokeContext, run: Run): Promise<PathResult> {
  const { supply } = context.world;
  for (let attempt = 1; ; attempt++) {
    try {
      return await onCluster(path, context, run);
    } catch (error) {
      if (!(error instanceof Fault) || error.code === "CONFIGURATION" || run.signal.aborted) throw error;
      const mayRetry = attempt === 1 && supply.isRenewable && error.code.startsWith("CLUSTER_");
      if (!mayRetry) return { path, kubernetes: "", pods: supply.pods, steps: [], world: error.message };
      context.options.onRetry(path, error.message);
    }
  }
}

async function onCluster(path: SmokePath, context: SmokeContext, run: Run): Promise<PathResult> {
  const { supply, clock } = context.world;
  const got = await getContents(path, context.contents, clock, run);
  const neighbours = path.from === undefined ? await neighboursIn(got.to, path, context, run) : [];
  const contents = knownContents([got.from, got.to, ...neighbours.map(({ content }) => content)]);
  const images = new Set(contents.flatMap(({ objects }) => requested(objects).images));
  const taken = await supply.take([...images], run);
  let isClean = false;
  try {
    const kubernetes = await taken.cluster.version(run);
    const key = rememberedKey({ path, got, neighbours }, requiredBy(path, context), {
      kubernetes,
      place: supply.place,
    });
    const known = key === undefined ? undefined : await recall(key, context);
    isClean = known !== undefined;
    if (known !== undefined) return { path, kubernetes, pods: supply.pods, ...known, isRemembered: true };
    const ran = await runOn(taken, { path, got, neighbours }, context, run);
    isClean = ran.isClean;
    const { steps, footprint } = ran;
    const outcome = { steps, ...(footprint && { footprint }) };
    if (isClean && supply.isRenewable && key !== undefined)
      await context.world.cache?.write(new Map([[key, JSON.stringify(outcome)]]), run);
    return { path, kubernetes, pods: supply.pods, ...outcome };
  } finally {
    await giveBack(taken, isClean, run);
  }
}

/** What was seen on a cluster stays true if its logs cannot be kept, or if it cannot be removed. */
async function giveBack(taken: TakenCluster, isClean: boolean, { log }: Run): Promise<void> {
  try {
    await taken.giveBack(isClean);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    log.warn(`A cluster was not given back, so it may still run: ${error.message}`);
  }
}

function requiredBy({ module }: SmokePath, { gathered }: SmokeContext): readonly RequiredApi[] {
  return gathered.head.modules.get(module)?.says.requires ?? [];
}

interface PreparedPath {
  readonly path: SmokePath;
  readonly got: PathContents;
  readonly neighbours: readonly Neighbour[];
}

async function runOn(
  taken: TakenCluster,
  { path, got, neighbours }: PreparedPath,
  context: SmokeContext,
  run: Run,
): ReturnType<typeof runPath> {
  const { options, world } = context;
  const { supply, clock, manager } = world;
  const delivery = manager === undefined ? DIRECTLY : new ManagedDelivery(await manager(run), taken);
  const requires = requiredBy(path, context);
  const onStep = (result: StepResult): void => {
    options.onStep(path, result);
  };
  const left: Leftovers = context.left.get(path.module) ?? { objects: new Map(), unfinished: undefined };
  context.left.set(path.module, left);
  const place = {
    cluster: taken.cluster,
    left,
    isKept: !supply.isRenewable,
    pods: supply.pods,
    clock,
    limits: options.limits,
    delivery,
  };
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
  path: SmokePath,
  context: SmokeContext,
  run: Run,
): Promise<readonly Neighbour[]> {
  if ("said" in own) return [];
  const { contents, gathered } = context;
  const possible = possibleNeighbours(path, gathered.head);
  if (possible.length === 0) return [];
  const before = servedVersions(path.module, [gathered.head, gathered.base]);
  const [others, inService] = await Promise.all([
    Promise.all(possible.map(async (one) => ({ ...one, content: await contents(one.version, run) }))),
    Promise.all(before.map((version) => contents(version, run))),
  ]);
  return versionNeighbours({ requires: requiredBy(path, context), contents: [own, ...inService] }, others);
}

/**
 * The digest of everything that decides the result of a path, including the version of this program, which may check
 * more. `undefined` if a version has no content: such a path is not tried, and has nothing to recall.
 */
function rememberedKey(
  { path, got: { from, to }, neighbours }: PreparedPath,
  required: readonly RequiredApi[],
  place: { readonly kubernetes: string; readonly place: string },
): string | undefined {
  const wanted = from === undefined ? [to] : [from, to];
  const digests = knownContents(wanted).map(({ digest }) => digest);
  if (digests.length < wanted.length) return undefined;
  const beside = neighbours.map(({ version, content, ...rest }) => ({
    ...{ ...rest, module: version.template.module, version: version.version },
    content: "said" in content ? null : content.digest,
  }));
  return canonicalHash([path.module, digests, required, beside, SMOKE_STEPS, place, manifest.version]).replace(
    ":",
    "-",
  );
}

type CachedPath = Pick<PathResult, "steps" | "footprint">;

/** The cached result of an earlier run; only results of passed paths are cached. */
async function recall(key: string, { world }: SmokeContext): Promise<CachedPath | undefined> {
  // The other contents of a foreign cluster are unknown, so that its results are not cached.
  const text = world.supply.isRenewable ? await world.cache?.read(key) : undefined;
  if (text === undefined) return undefined;
  const value = parseJson(text) as CachedPath | null | undefined;
  return Array.isArray(value?.steps) ? value : undefined;
}

/** Whether a module failed, only the world failed, or everything passed. */
export function verdictOn(results: readonly PathResult[]): "passed" | "failed" | "world" {
  if (results.some(isFailed)) return "failed";
  return results.some(({ world }) => world !== undefined) ? "world" : "passed";
}
