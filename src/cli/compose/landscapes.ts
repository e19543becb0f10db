import type { Catalogue } from "../../catalogue/catalogue.ts";
import type { Landscape } from "../../catalogue/settings.ts";
import type { Run } from "../../ports.ts";
import { WatchedLandscapes } from "../../sync/controller/watched.ts";
import { gatherStatus } from "../../sync/gatherStatus.ts";
import type { StatusInput } from "../../sync/landscapeStatus.ts";
import { CAREFUL, type PlanOptions } from "../../sync/plan/input.ts";
import { type LandscapeSite, type PlanLandscape, prepare, type Prepared, siteOf } from "../../sync/prepare.ts";
import { targetOf } from "../../sync/target.ts";
import { planRequest, planWorld, repositoryIdentity, type SyncScope } from "./sync.ts";
import { clock, connect, openRepository, untilAborted } from "./systems.ts";

/** The scope for a catalogue that was read from `commit`, or that will be committed on top of it. */
export async function scopeAt(
  repository: string,
  {
    catalogue,
    commit,
    withoutRegistry,
  }: Pick<SyncScope, "catalogue" | "withoutRegistry"> & { readonly commit: string },
  run: Run,
): Promise<SyncScope> {
  const git = openRepository(repository);
  const identity = await repositoryIdentity(catalogue, git, run);
  return { repository, git, catalogue, revision: { commit, recorded: commit }, identity, withoutRegistry };
}

/** Plans a landscape on its control plane. */
export async function prepareLandscape(
  scope: SyncScope,
  landscape: Landscape,
  { controlPlane, look }: LandscapeSite,
  options: PlanOptions,
  run: Run,
): Promise<Prepared> {
  const target = await targetOf(landscape, controlPlane, run);
  return prepare(planRequest(scope, landscape, target, options), planWorld(scope, landscape, look), run);
}

/** Plans catalogues that will be committed on top of a revision of `repository`. Artifacts are not looked up. */
export function planOf(repository: string): PlanLandscape {
  return async (catalogue: Catalogue, commit, landscape, run) => {
    const scope = await scopeAt(repository, { catalogue, commit, withoutRegistry: true }, run);
    return (await prepareLandscape(scope, landscape, await openSite(scope, landscape), CAREFUL, run)).plan;
  };
}

/** Watches landscapes whose kubeconfigs are relative to the folder `repository`. */
export function watchLandscapes(repository: string): WatchedLandscapes {
  const open: ConstructorParameters<typeof WatchedLandscapes>[0]["connect"] = (landscape) =>
    connect(landscape.controlPlane, repository);
  return new WatchedLandscapes({ clock, random: Math.random, connect: open });
}

/** Reads the state of a landscape: from its watches if it is in `watched`, otherwise by requests. */
export async function gatherLandscape(
  scope: SyncScope,
  landscape: Landscape,
  watched: WatchedLandscapes | undefined,
  run: Run,
): Promise<StatusInput> {
  const following = await watched?.site(landscape.name);
  if (following !== undefined) await untilAborted(following.settled, run.signal);
  const site = following?.site ?? (await openSite(scope, landscape));
  const plan = (): Promise<Prepared> => prepareLandscape(scope, landscape, site, CAREFUL, run);
  return gatherStatus({ catalogue: scope.catalogue, landscape, clock, plan, ...site }, run);
}

/** Connects to the control plane of a landscape, to read it by requests. */
async function openSite({ repository }: SyncScope, { controlPlane, namespace }: Landscape): Promise<LandscapeSite> {
  return siteOf(await connect(controlPlane, repository), namespace);
}
