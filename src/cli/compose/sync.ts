import { randomUUID } from "node:crypto";
import type { Catalogue } from "../../catalogue/catalogue.ts";
import type { Landscape, RegistrySettings } from "../../catalogue/settings.ts";
import type { CompileTarget } from "../../catalogue/compile.ts";
import { dateHistory } from "../../catalogue/history/dates.ts";
import { filesOfModules, historiesOf } from "../../catalogue/history/moduleHistory.ts";
import { manualDecreases } from "../../promote/verdict/holding.ts";
import { instantText } from "../../document/times.ts";
import { Fault, type ControlPlane, type History, type Run } from "../../ports.ts";
import type { ArtifactSource } from "../../sync/artifacts.ts";
import { readUsers } from "../../sync/observe.ts";
import type { EarlierRecords, HeldByDecrease } from "../../sync/plan/gate.ts";
import type { PlanOptions } from "../../sync/plan/input.ts";
import type { Records } from "../../sync/plan/records.ts";
import { isAnyUncounted, withLook } from "../../sync/plan/waves.ts";
import type { ControlPlaneLook, PlanRequest, PlanWorld } from "../../sync/prepare.ts";
import { readRecords } from "../../sync/recordStore.ts";
import { ancestryOf, rootCommit } from "../../systems/git/ancestry.ts";
import { uncommittedFiles } from "../../systems/git/changes.ts";
import { gitHistory } from "../../systems/git/history.ts";
import type { Repository } from "../../systems/git/repository.ts";
import { processIdentity } from "../../systems/process.ts";
import { clock, connect } from "./systems.ts";
import { isOfCatalogue } from "../../catalogue/paths.ts";

/** The commit to plan, and the name under which it is recorded. */
export interface PlannedRevision {
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

/** The ports to plan a landscape. */
export function planWorld(
  { repository, git, catalogue, revision: { commit }, withoutRegistry, identity }: SyncScope,
  landscape: Landscape,
  look: ControlPlaneLook,
  history: History = gitHistory(git),
): PlanWorld {
  return {
    look,
    clock,
    history,
    artifacts: artifactSource(landscape.registry, withoutRegistry),
    ancestry: (recorded, run) =>
      commit === undefined ? Promise.resolve("unrelated") : ancestryOf(git, commit, recorded, run),
    earlier: (before, run) => readEarlier(before, landscape, { repository, identity, catalogue }, run),
    decreases: (modules, run) => readDecreases(history, modules, commit, run),
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

/**
 * Reads the records of an earlier landscape, which needs permission to read one ConfigMap. Lists its Kymas and
 * Manifests, which needs permission as well, if no controller counted the clusters. Records of another landscape are
 * refused.
 */
async function readEarlier(
  before: Landscape,
  { after }: Landscape,
  { repository, identity, catalogue }: Pick<SyncScope, "repository" | "identity" | "catalogue">,
  run: Run,
): Promise<EarlierRecords> {
  const address = (after?.landscape === before.name ? after.record : undefined) ?? before.controlPlane;
  try {
    const controlPlane = await connect(address, repository);
    const { records, owner } = await readRecords(controlPlane, before.namespace, run);
    const isOwn = owner === undefined || (owner.landscape === before.name && owner.repository === identity);
    if (isOwn) return await withClusters(records, { before, catalogue, controlPlane }, run);
    const whose = `${owner.landscape} of ${owner.repository || "a folder"}`;
    return { kind: "unknown", because: `its records belong to ${whose}: check the address` };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { kind: "unknown", because: error.message };
  }
}

interface EarlierPlace {
  readonly before: Landscape;
  readonly catalogue: Catalogue;
  readonly controlPlane: ControlPlane;
}

async function withClusters(
  records: Records,
  { before: { name, namespace }, catalogue, controlPlane }: EarlierPlace,
  run: Run,
): Promise<Records> {
  const scope = { catalogue, landscape: name };
  if (records.kind === "none" || !isAnyUncounted(records.entries, scope)) return records;
  const users = await readUsers(controlPlane, namespace, run);
  if (users.kind === "unknown")
    run.log.warn("clusters are not counted, and versions move on by their age", {
      landscape: name,
      because: users.because,
    });
  return { kind: "known", entries: withLook(records.entries, { ...scope, users, nowMs: clock.nowMs() }) };
}

/** The manual decreases of these modules in the history up to `commit`. Throws HISTORY_TOO_SHALLOW. */
export async function readDecreases(
  history: History,
  modules: readonly string[],
  commit: string | undefined,
  run: Run,
  nowMs: number = clock.nowMs(),
): Promise<readonly HeldByDecrease[]> {
  if (commit === undefined) return [];
  const { cut, ...recorded } = await history.read(commit, filesOfModules(modules), run);
  if (cut !== undefined) throw cut;
  const histories = historiesOf(dateHistory(recorded, new Map(), nowMs));
  return histories.modules.flatMap((module) =>
    manualDecreases(histories.of(module), nowMs).flatMap(({ version, why }) => {
      const reason = `${why.channel} went down from ${version} to ${why.to} at ${instantText(why.at.atMs)}, which was not lifted`;
      return [{ module, version, reason }];
    }),
  );
}

/** The name of this writer in Leases, unique for this process. */
export function leaseHolder(): string {
  return processIdentity();
}

/** A unique id for a request to a controller. */
export function requestId(): string {
  return randomUUID();
}

const CONTROLLER = "controller_";

/** The name of this controller in Leases. A controller keeps a Lease until it stops. */
export function controllerHolder(): string {
  return CONTROLLER + processIdentity();
}

/** Whether the holder of a Lease is a controller. */
export function isController(holder: string): boolean {
  return holder.startsWith(CONTROLLER);
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
