import { randomUUID } from "node:crypto";
import type { Catalogue } from "../../catalogue/catalogue.ts";
import type { CompileTarget } from "../../catalogue/compile.ts";
import { isOfCatalogue } from "../../catalogue/paths.ts";
import type { Landscape, RegistrySettings } from "../../catalogue/settings.ts";
import { Fault, type History, type Run } from "../../ports.ts";
import { readDecreases } from "../../promote/decreases.ts";
import type { ArtifactSource } from "../../sync/artifacts.ts";
import { WatchedLandscapes } from "../../sync/controller/watched.ts";
import { EarlierUsers, readEarlier } from "../../sync/earlier.ts";
import { gatherStatus } from "../../sync/gatherStatus.ts";
import type { StatusInput } from "../../sync/landscapeStatus.ts";
import { CAREFUL, type PlanOptions } from "../../sync/plan/input.ts";
import {
  prepare,
  landscapeAccess,
  type ControlPlaneLook,
  type LandscapeAccess,
  type PlanLandscape,
  type PlanRequest,
  type PlanWorld,
  type Prepared,
} from "../../sync/prepare.ts";
import { compileTarget } from "../../sync/target.ts";
import { compareAncestry, rootCommit } from "../../systems/git/ancestry.ts";
import { uncommittedFiles } from "../../systems/git/changes.ts";
import { gitHistory } from "../../systems/git/history.ts";
import type { Repository } from "../../systems/git/repository.ts";
import { processIdentity } from "../../systems/process.ts";
import { clock, connect, openRepository, untilAborted } from "./systems.ts";

/** The commit to plan, and the name under which it is recorded. */
interface PlannedRevision {
  /** The commit; `undefined` for a folder outside of a Git repository. */
  readonly commit: string | undefined;
  /** The recorded name: the commit, with `+dirty` for a working tree that differs from it. */
  readonly recorded: string;
}

/** The commit that `revision` names, or the working tree. Throws REVISION_UNKNOWN. */
export async function plannedRevision(
  git: Repository,
  { revision, worktree }: { readonly revision: string | undefined; readonly worktree: boolean },
  run: Run,
): Promise<PlannedRevision> {
  if (worktree && (await git.head(run)) === undefined) return { commit: undefined, recorded: "" };
  try {
    const commit = await git.resolve(revision ?? "HEAD", run);
    const edited = worktree ? (await uncommittedFiles(git, run)).filter(isOfCatalogue) : [];
    return { commit, recorded: edited.length > 0 ? `${commit}+dirty` : commit };
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== "REVISION_UNKNOWN" || revision !== undefined) throw error;
    const remedy = "Commit the files, or use the working tree: --worktree.";
    throw new Fault("REVISION_UNKNOWN", `${git.directory} is not a Git repository with a commit. ${remedy}`, {
      cause: error,
    });
  }
}

/** The owner of the set: the repository, and the folder in it. Throws HISTORY_TOO_SHALLOW. */
export async function repositoryIdentity(
  { settings: { forge } }: Catalogue,
  git: Repository,
  run: Run,
): Promise<string> {
  const isGit = (await git.head(run)) !== undefined;
  const name = forge.kind === "github" ? forge.repository : isGit ? `root-${(await rootCommit(git, run)) ?? ""}` : "";
  const prefix = isGit ? await git.prefix(run) : "";
  return prefix === "" ? name : `${name}:${prefix.replace(/\/$/, "")}`;
}

/** The inputs that all landscapes of one run share. */
export interface SyncScope {
  /** The folder that relative kubeconfigs are relative to. */
  readonly repository: string;
  readonly git: Repository;
  readonly catalogue: Catalogue;
  readonly revision: PlannedRevision;
  readonly identity: string;
  readonly withoutRegistry: boolean;
}

/** Reads that a controller shares between plans. */
interface PlanReading {
  readonly history: History;
  readonly users: EarlierUsers;
}

/** The ports to plan a landscape. */
export function planWorld(
  { repository, git, catalogue, revision: { commit }, withoutRegistry, identity }: SyncScope,
  landscape: Landscape,
  look: ControlPlaneLook,
  { history, users }: PlanReading = { history: gitHistory(git), users: new EarlierUsers(clock) },
): PlanWorld {
  return {
    look,
    clock,
    history,
    artifacts: artifactSource(landscape.registry, withoutRegistry),
    ancestry: (recorded, run) =>
      commit === undefined ? Promise.resolve("unrelated") : compareAncestry(git, commit, recorded, run),
    earlier: (before, run) =>
      readEarlier(
        before,
        landscape,
        { catalogue, identity, users, connect: (address) => connect(address, repository) },
        run,
      ),
    decreases: (modules, run) => readDecreases(history, modules, commit, clock.nowMs(), run),
  };
}

function artifactSource(settings: RegistrySettings | undefined, withoutRegistry: boolean): ArtifactSource {
  if (withoutRegistry) return { kind: "none", because: "--without-registry" };
  if (settings === undefined) return { kind: "none", because: "kyma-modules.yaml names no registry" };
  return {
    kind: "registry",
    settings,
    registry: async () => (await import("../../systems/registry/registry.ts")).openRegistry(settings, process.env),
  };
}

/** The name of this writer in Leases, unique for this process. */
export function leaseHolder(): string {
  return processIdentity();
}

/** A unique id for a request to a controller. */
export function requestId(): string {
  return randomUUID();
}

/** The request to plan a landscape. */
export function planRequest(
  { catalogue, identity, revision }: SyncScope,
  landscape: Landscape,
  target: CompileTarget,
  options: PlanOptions,
): PlanRequest {
  const { generation } = target;
  const claim = { repository: identity, landscape: landscape.name, generation, revision: revision.recorded };
  return { catalogue, landscape, target, options, claim };
}

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
  { controlPlane, look }: LandscapeAccess,
  options: PlanOptions,
  run: Run,
): Promise<Prepared> {
  const target = await compileTarget(landscape, controlPlane, run);
  return prepare(planRequest(scope, landscape, target, options), planWorld(scope, landscape, look), run);
}

/** Plans catalogues that will be committed on top of a revision of `repository`. Artifacts are not looked up. */
export function landscapePlanner(repository: string): PlanLandscape {
  return async (catalogue: Catalogue, commit, landscape, run) => {
    const scope = await scopeAt(repository, { catalogue, commit, withoutRegistry: true }, run);
    return (await prepareLandscape(scope, landscape, await openAccess(scope, landscape), CAREFUL, run)).plan;
  };
}

/** Watches landscapes whose kubeconfigs are relative to the folder `repository`. */
export function watchLandscapes(repository: string): WatchedLandscapes {
  return new WatchedLandscapes({
    clock,
    random: Math.random,
    connect: (landscape) => connect(landscape.controlPlane, repository),
  });
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
  const access = following?.site ?? (await openAccess(scope, landscape));
  const plan = (): Promise<Prepared> => prepareLandscape(scope, landscape, access, CAREFUL, run);
  return gatherStatus({ catalogue: scope.catalogue, landscape, clock, plan, ...access }, run);
}

/** Connects to the control plane of a landscape, to read it by requests. */
async function openAccess({ repository }: SyncScope, { controlPlane, namespace }: Landscape): Promise<LandscapeAccess> {
  return landscapeAccess(await connect(controlPlane, repository), namespace);
}
