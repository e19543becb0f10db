import { resolve } from "node:path";
import type { LandscapeSource } from "../../dashboard/keep.ts";
import type { PageHost } from "../../dashboard/serve.ts";
import type { Run } from "../../ports.ts";
import { fillFolder } from "../../systems/files/ownedFolder.ts";
import { PageChanges } from "../../systems/http/pageChanges.ts";
import { isLoopback, openPageServer, type PageAuth, type PageServerOptions } from "../../systems/http/pageServer.ts";
import { openAssets } from "./pageAssets.ts";
import { gatherLandscape, scopeAt, watchLandscapes } from "./sync.ts";
import { clock } from "./systems.ts";

export { isLoopback, type PageAuth };

/** Writes pages into a folder, and replaces the earlier ones. Throws as `fillFolder` does. */
export function writePages(folder: string, files: ReadonlyMap<string, string>, run: Run): Promise<void> {
  return fillFolder(resolve(folder), files, run);
}

/** Serves pages at an address. The ids of their changes are unique for this process. */
export function openPageHost(where: Pick<PageServerOptions, "host" | "port" | "auth">): PageHost {
  const [assets, changes] = [openAssets(), new PageChanges(clock.nowMs().toString(36))];
  return {
    clock,
    assets,
    open: (page, run) => openPageServer({ ...where, assets, changes, page, nowMs: () => clock.nowMs() }, run),
    raise: () => {
      changes.raise();
    },
  };
}

/** The token that grants access to pages; empty if the environment has none. */
export function pageToken(): string {
  return process.env["KYMA_MODULES_DASHBOARD_TOKEN"] ?? "";
}

/** The landscapes of the settings, read by requests until they are watched. */
export function openLandscapes(repository: string): LandscapeSource {
  const watched = watchLandscapes(repository);
  return {
    isRehearsal: false,
    at: async (commit, catalogue, run) => {
      const scope = await scopeAt(repository, { catalogue, commit, withoutRegistry: false }, run);
      return catalogue.settings.landscapes.map((landscape) => ({
        landscape,
        gather: (within) => gatherLandscape(scope, landscape, watched, within),
      }));
    },
    watch: (landscapes, run) => watched.keep(landscapes, run),
    stop: () => watched.stop(),
    wait: (ms, run) => watched.changed.wait(ms, run),
  };
}

/** No landscapes: control planes are not contacted. */
export const NO_LANDSCAPES: LandscapeSource = {
  isRehearsal: false,
  at: () => Promise.resolve([]),
  watch: () => Promise.resolve(),
  stop: () => Promise.resolve(),
  wait: (ms, run) => clock.pause(ms, run),
};
