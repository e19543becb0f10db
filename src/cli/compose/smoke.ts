import { join } from "node:path";
import type { SmokeCache, SmokeWorld } from "../../smoke/world.ts";
import type { ClusterSupply, History, ManagerTarget, Run } from "../../ports.ts";
import { contextSupply } from "../../systems/clusters/context.ts";
import { embeddedSupply } from "../../systems/clusters/embedded.ts";
import { kindMissing, type KindOptions, kindSupply } from "../../systems/clusters/kind.ts";
import { managerProgram, startLifecycleManager } from "../../systems/clusters/lifecycleManager.ts";
import { environmentFrom } from "../../systems/environment.ts";
import { fileCache } from "../../systems/files/cache.ts";
import { gitHistory } from "../../systems/git/history.ts";
import { openLinks } from "../../systems/http/web.ts";
import { openRegistry } from "../../systems/registry/registry.ts";
import { type CheckPorts, openCheck } from "./compose.ts";
import { clock, openRepository } from "./systems.ts";

/** The ports of `smoke`. */
export interface SmokePorts {
  /** The working tree and its changes. */
  readonly check: CheckPorts;
  readonly history: History;
  readonly world: Omit<SmokeWorld, "supply" | "cache" | "manager">;
  /** The results of earlier runs on this machine. */
  readonly cache: SmokeCache;
  /** The source of evidence from a place, for people: the workflow run, else the command. */
  readonly source: (place: string) => string;
  /** Why kind cannot run here; `undefined` if it can. */
  readonly kindMissing: (run: Run) => Promise<string | undefined>;
  /**
   * The lifecycle-manager that the environment names, started on demand; it logs into the folder `logs`. Throws
   * CONFIGURATION if the environment names none.
   */
  readonly manager: (logs: string | undefined) => LazyManager;
  /** The clusters of the place that `--cluster` names. */
  readonly supply: (place: string, options: PlaceOptions) => ClusterSupply;
}

/** A lifecycle-manager that the first call of `open` starts. */
interface LazyManager {
  /** Gives the one that runs, after it started. */
  readonly open: (run: Run) => Promise<ManagerTarget>;
  /** Stops it if it was started. */
  readonly close: () => Promise<void>;
}

const CONTEXT = "context:";

interface PlaceOptions extends KindOptions {
  /** Whether a cluster of the kubeconfig may be on another machine. */
  readonly isAgreed: boolean;
}

/** Opens the ports to test the modules of `directory`. */
export function openSmoke(directory: string): SmokePorts {
  const repository = openRepository(directory);
  return {
    check: openCheck(repository),
    history: gitHistory(repository),
    world: {
      clock,
      links: () => Promise.resolve(openLinks(process.env, { staysOnHost: true })),
      registry: (settings) => Promise.resolve(openRegistry(settings, process.env)),
    },
    cache: fileCache(join(environmentFrom(process.env).cacheDir, "kyma-modules", "smoke"), { what: "results" }),
    source: (place) => {
      const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: name, GITHUB_RUN_ID: id } = process.env;
      const isWorkflow = server !== undefined && name !== undefined && id !== undefined;
      return isWorkflow ? `${server}/${name}/actions/runs/${id}` : `kyma-modules smoke --cluster ${place}`;
    },
    kindMissing: (run) => kindMissing(process.env, run),
    manager: (logs) => {
      const program = managerProgram(process.env);
      let target: Promise<ManagerTarget> | undefined;
      return {
        open: (run) => (target ??= startLifecycleManager({ program, logs }, process.env, run)),
        // A failed start was already reported by `open`.
        close: async () => (await target?.catch(() => undefined))?.close(),
      };
    },
    supply: (place, { isAgreed, ...kind }) => {
      if (place === "kind") return kindSupply(process.env, kind);
      return place.startsWith(CONTEXT)
        ? contextSupply(place.slice(CONTEXT.length), { isAgreed })
        : embeddedSupply(environmentFrom(process.env));
    },
  };
}
