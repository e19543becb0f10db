import type { Run } from "../ports.ts";
import { contentOf, type ContentWorld, type ModuleContent, type NoContent } from "./content.ts";
import type { GatheredSmoke } from "./gather.ts";
import { isFailed, type PathResult, type SmokePath } from "./path.ts";
import { sideBySide } from "./step.ts";
import { tryPath } from "./tryPath.ts";
import type { GetContents, SmokeContext, SmokeOptions, SmokeWorld } from "./world.ts";

/**
 * Runs all paths: those of one module one after the other, different modules side by side. Gives the results in the
 * order of `paths`.
 */
export async function smoke(
  paths: readonly SmokePath[],
  gathered: GatheredSmoke,
  options: SmokeOptions,
  world: SmokeWorld,
  run: Run,
): Promise<readonly PathResult[]> {
  const context: SmokeContext = { contents: contentsOf(gathered, world), gathered, options, world, left: new Map() };
  const results = new Map<SmokePath, PathResult>();
  const queue = [...Map.groupBy(paths, ({ module }) => module).values()].values();
  const worker = async (): Promise<void> => {
    for (const ofModule of queue)
      for (const path of ofModule) {
        run.signal.throwIfAborted();
        const result = await tryPath(path, context, run);
        results.set(path, result);
        options.onPath(result);
      }
  };
  await sideBySide(options.concurrency, worker);
  return paths.flatMap((path) => results.get(path) ?? []);
}

/** Fetches each content once, even if several paths need it. */
function contentsOf({ head, base, files }: GatheredSmoke, world: SmokeWorld): GetContents {
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

/** Whether a module failed, only the world failed, or everything passed. */
export function verdictOn(results: readonly PathResult[]): "passed" | "failed" | "world" {
  if (results.some(isFailed)) return "failed";
  return results.some(({ world }) => world !== undefined) ? "world" : "passed";
}
