import type { Catalogue } from "../catalogue/catalogue.ts";
import type { ModuleName } from "../catalogue/names.ts";
import type { ClusterSupply, Links, ManagerTarget, Registry, Run, SteadyClock } from "../ports.ts";
import type { ModuleContent, NoContent } from "./content.ts";
import type { GatheredSmoke } from "./gather.ts";
import type { PathResult, SmokePath, SmokeVersion, StepResult } from "./path.ts";
import type { SmokeLimits } from "./step.ts";
import type { Leftovers } from "./tidy.ts";

/** The ports that `smoke` needs to run paths. */
export interface SmokeWorld {
  readonly clock: SteadyClock;
  readonly supply: ClusterSupply;
  /** For manifests that are only available by a link. */
  readonly links: () => Promise<Links>;
  /** Returns the lifecycle-manager that delivers versions; if `undefined`, their manifests are applied. */
  readonly manager: ((run: Run) => Promise<ManagerTarget>) | undefined;
  /** The cache of results of earlier runs; `undefined` for no cache. */
  readonly cache: SmokeCache | undefined;
  /** For manifests in component versions. */
  readonly registry: (settings: Catalogue["settings"]["registry"]) => Promise<Registry>;
}

/** A cache of results of earlier runs on this machine, by the digest of everything that decides them. */
export interface SmokeCache {
  /** `undefined` where nothing is known. */
  read(key: string): Promise<string | undefined>;
  /** Stores texts by key. */
  write(texts: ReadonlyMap<string, string>, run: Run): Promise<void>;
}

/** The options of a run. */
export interface SmokeOptions {
  readonly limits: SmokeLimits;
  /** The number of modules that are tried at once, each on a cluster of its own. */
  readonly concurrency: number;
  /** Called after each step. */
  readonly onStep: (path: SmokePath, result: StepResult) => void;
  /** Called when a path is tried again, with the reason. */
  readonly onRetry: (path: SmokePath, why: string) => void;
  /** Called with the result of each path. */
  readonly onPath: (result: PathResult) => void;
}

/** Returns the content of a version, which is fetched once. */
export type GetContents = (version: SmokeVersion, run: Run) => Promise<ModuleContent | NoContent>;

/** The context of trying a path. */
export interface SmokeContext {
  readonly contents: GetContents;
  readonly gathered: GatheredSmoke;
  readonly options: SmokeOptions;
  readonly world: SmokeWorld;
  /** What paths of a module left on a cluster that is kept. */
  readonly left: Map<ModuleName, Leftovers>;
}
