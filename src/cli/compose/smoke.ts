import type { SmokeWorld } from "../../smoke/smoke.ts";
import type { ClusterSupply, History } from "../../ports.ts";
import { contextSupply } from "../../systems/clusters/context.ts";
import { embeddedSupply } from "../../systems/clusters/embedded.ts";
import { environmentFrom } from "../../systems/environment.ts";
import { gitHistory } from "../../systems/git/history.ts";
import { openLinks } from "../../systems/http/web.ts";
import { openRegistry } from "../../systems/registry/registry.ts";
import { type CheckPorts, openCheck } from "./compose.ts";
import { clock, openRepository } from "./systems.ts";

/** What `smoke` asks of the world. */
export interface SmokePorts {
  /** The working tree, and what it changes. */
  readonly check: CheckPorts;
  readonly history: History;
  readonly world: Omit<SmokeWorld, "supply">;
  /** Clusters of the place that `--cluster` names; `isAgreed`: whether they may be anywhere. */
  readonly supply: (place: string, isAgreed: boolean) => ClusterSupply;
}

const CONTEXT = "context:";

/** What `smoke` needs in order to try the modules of `directory`. */
export function openSmoke(directory: string): SmokePorts {
  return {
    check: openCheck(directory),
    history: gitHistory(openRepository(directory)),
    world: {
      clock,
      links: () => Promise.resolve(openLinks(process.env, { staysOnHost: true })),
      registry: (settings) => Promise.resolve(openRegistry(settings, process.env)),
    },
    supply: (place, isAgreed) =>
      place.startsWith(CONTEXT)
        ? contextSupply(place.slice(CONTEXT.length), { isAgreed })
        : embeddedSupply(environmentFrom(process.env)),
  };
}
