import type { Catalogue } from "../catalogue/catalogue.ts";
import type { ClusterSupply, Links, Registry, Run, SteadyClock } from "../ports.ts";
import { contentOf, type ContentWorld, type ModuleContent, type NoContent } from "./content.ts";
import type { Gathered } from "./gather.ts";
import { isFailed, type PathResult, type SmokePath, type SmokeVersion, type StepResult } from "./path.ts";
import { tryPath } from "./tryPath.ts";
import { sideBySide, type SmokeLimits } from "./step.ts";

/** What `smoke` asks of the world in order to run paths. */
export interface SmokeWorld {
  readonly clock: SteadyClock;
  readonly supply: ClusterSupply;
  readonly links: () => Promise<Links>;
  /** What earlier runs came to; `undefined`: nothing is remembered. */
  readonly memory: SmokeMemory | undefined;
  readonly registry: (settings: Catalogue["settings"]["registry"]) => Promise<Registry>;
}

/** What earlier runs on this machine came to, by the digest of all that decides it. */
export interface SmokeMemory {
  read(key: string, run: Run): Promise<string | undefined>;
  write(key: string, text: string, run: Run): Promise<void>;
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
        results.set(path, await tryPath(path, { contents, gathered, options, world }, run));
      }
  };
  await sideBySide(options.concurrency, worker);
  return paths.flatMap((path) => results.get(path) ?? []);
}

/** Gives what a version installs; each is got once. */
export type GetContents = (version: SmokeVersion, run: Run) => Promise<ModuleContent | NoContent>;

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

/** Whether a module failed, or only the world, or neither. */
export function verdictOn(results: readonly PathResult[]): "passed" | "failed" | "world" {
  if (results.some(isFailed)) return "failed";
  return results.some(({ world }) => world !== undefined) ? "world" : "passed";
}
