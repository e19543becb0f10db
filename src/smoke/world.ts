import type { Catalogue } from "../catalogue/catalogue.ts";
import type { ModuleName } from "../catalogue/names.ts";
import type { InventoryEntry } from "./judge/leftOver.ts";
import type { ClusterSupply, Links, ManagerSite, Registry, Run, SteadyClock } from "../ports.ts";
import type { ModuleContent, NoContent } from "./content.ts";
import type { GatheredSmoke } from "./gather.ts";
import type { PathResult, SmokePath, SmokeVersion, StepResult } from "./path.ts";
import type { SmokeLimits } from "./step.ts";

/** What `smoke` asks of the world in order to run paths. */
export interface SmokeWorld {
  readonly clock: SteadyClock;
  readonly supply: ClusterSupply;
  /** For manifests that only a link leads to. */
  readonly links: () => Promise<Links>;
  /** Gives the lifecycle-manager by which versions come; `undefined`: their manifests are applied. */
  readonly manager: ((run: Run) => Promise<ManagerSite>) | undefined;
  /** What earlier runs came to; `undefined`: nothing is remembered. */
  readonly memory: SmokeMemory | undefined;
  /** For manifests in component versions. */
  readonly registry: (settings: Catalogue["settings"]["registry"]) => Promise<Registry>;
}

/** What earlier runs on this machine came to, by the digest of all that decides it. */
export interface SmokeMemory {
  /** `undefined` where nothing is known. */
  read(key: string, run: Run): Promise<string | undefined>;
  /** Remembers a text. */
  write(key: string, text: string, run: Run): Promise<void>;
}

/** How paths are run. */
export interface SmokeOptions {
  readonly limits: SmokeLimits;
  /** How many modules at once; each on a cluster of its own. */
  readonly concurrency: number;
  /** Hears of each step when it is over. */
  readonly onStep: (path: SmokePath, result: StepResult) => void;
  /** Hears of a path that is tried again, and why. */
  readonly onRetry: (path: SmokePath, why: string) => void;
  /** Hears what became of each path. */
  readonly onPath: (result: PathResult) => void;
}

/** Gives what a version installs; each is got once. */
export type GetContents = (version: SmokeVersion, run: Run) => Promise<ModuleContent | NoContent>;

/** What trying a path needs. */
export interface SmokeContext {
  readonly contents: GetContents;
  readonly gathered: GatheredSmoke;
  readonly options: SmokeOptions;
  readonly world: SmokeWorld;
  /** What paths of a module left on a cluster that is kept, by `objectKey`. */
  readonly left: Map<ModuleName, Map<string, InventoryEntry>>;
}
