import { join, resolve } from "node:path";
import type { Catalogue } from "../../catalogue/catalogue.ts";
import type { Run } from "../../ports.ts";
import { fillFolder } from "../../systems/files/ownedFolder.ts";
import { readPageAssets, type PageAssets } from "../../systems/http/pageAssets.ts";
import { PageChanges } from "../../systems/http/pageChanges.ts";
import { isLoopback, openPageServer, type PageAuth, type PageServerOptions } from "../../systems/http/pageServer.ts";
import { repositoryIdentity, type SyncScope } from "./sync.ts";
import { clock, openRepository } from "./systems.ts";

export { isLoopback, type PageAssets, type PageAuth, type PageChanges };

/** The style sheets and scripts of the pages, which are stored beside their code. */
export function openAssets(): PageAssets {
  return readPageAssets(join(import.meta.dirname, "../../dashboard"));
}

/** The change counter of the pages, unique for this process. */
export function openChanges(): PageChanges {
  return new PageChanges(clock.nowMs().toString(36));
}

/** Writes pages into a folder, and replaces the earlier ones. Throws as `fillFolder` does. */
export function writePages(folder: string, files: ReadonlyMap<string, string>, run: Run): Promise<void> {
  return fillFolder(resolve(folder), files, run);
}

/** Serves pages. Throws CONFIGURATION if the address is in use. */
export function openPages(options: Omit<PageServerOptions, "nowMs">, run: Run): ReturnType<typeof openPageServer> {
  return openPageServer({ ...options, nowMs: () => clock.nowMs() }, run);
}

/** The token that grants access to pages; empty if the environment has none. */
export function pageToken(): string {
  return process.env["KYMA_MODULES_DASHBOARD_TOKEN"] ?? "";
}

/** The scope for a commit whose catalogue was read: landscapes are compared with it. */
export async function openSeen(
  repository: string,
  { catalogue, commit }: { readonly catalogue: Catalogue; readonly commit: string },
  run: Run,
): Promise<SyncScope> {
  const git = openRepository(repository);
  const identity = await repositoryIdentity(catalogue, git, run);
  return { repository, git, catalogue, revision: { commit, recorded: commit }, identity, withoutRegistry: false };
}
