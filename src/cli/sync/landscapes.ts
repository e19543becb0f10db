import type { Landscape, Settings } from "../../catalogue/settings.ts";
import { Fault, type ControlPlane, type Run } from "../../ports.ts";
import { CAREFUL, type PlanOptions } from "../../sync/plan/input.ts";
import { type ControlPlaneLook, lookAt, type PlanLandscape, prepare, type Prepared } from "../../sync/prepare.ts";
import { targetOf } from "../../sync/target.ts";
import { openSource } from "../compose/compose.ts";
import { connect, openRepository } from "../compose/systems.ts";
import { planRequest, planWorld, plannedRevision, repositoryIdentity, type SyncScope } from "../compose/sync.ts";
import { loadCatalogue } from "../loadCatalogue.ts";
import { exitCodeOf, type Output } from "../terminal/output.ts";

/** The arguments that select the catalogue to serve. */
export interface ScopeArguments {
  /** The folder of the repository. */
  readonly repo: string;
  readonly revision?: string | undefined;
  readonly worktree: boolean;
  readonly withoutRegistry: boolean;
}

/** The arguments that `plan` and `sync` share. */
export interface SyncArguments extends ScopeArguments {
  /** Empty for all. */
  readonly landscapes: readonly string[];
  readonly options: PlanOptions;
}

/** The named landscapes, by default all, in roll-out order. Throws CONFIGURATION for an unknown name. */
export function chosenLandscapes(
  { landscapes }: Pick<Settings, "landscapes">,
  names: readonly string[],
): readonly Landscape[] {
  const known = landscapes.map(({ name }): string => name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new Fault("CONFIGURATION", `kyma-modules.yaml has no landscape ${unknown}. It has: ${known.join(", ")}.`);
  return landscapes.filter(({ name }) => names.length === 0 || names.includes(name));
}

/** Reads the catalogue to serve, and its commit. Returns `undefined` when the catalogue is broken. */
export async function openScope(
  { repo: repository, revision, worktree, withoutRegistry }: ScopeArguments,
  output: Output,
  run: Run,
  load: typeof loadCatalogue = loadCatalogue,
): Promise<SyncScope | undefined> {
  const git = openRepository(repository);
  const planned = await plannedRevision(git, { revision, worktree }, run);
  const source = openSource(repository, worktree ? undefined : planned.commit);
  const catalogue = await load(source, output, run);
  if (catalogue === undefined) return undefined;
  const identity = await repositoryIdentity(catalogue, git, run);
  return { repository, git, catalogue, revision: planned, identity, withoutRegistry };
}

/** The planned revision as text: `commit 0123456789`, `the working tree on 0123456789`. */
export function revisionText({ commit, recorded }: SyncScope["revision"], { worktree }: SyncArguments): string {
  if (commit === undefined) return "the files in the folder";
  const short = commit.slice(0, 10);
  if (!worktree) return `commit ${short}`;
  return `the working tree on ${short}${recorded === commit ? "" : ", which has uncommitted changes"}`;
}

/** A control plane, and how to read it. */
export interface LandscapeSite {
  readonly controlPlane: ControlPlane;
  readonly look: ControlPlaneLook;
}

/** A control plane that is read by requests, without watches. */
export function siteOf(controlPlane: ControlPlane, { namespace }: Landscape): LandscapeSite {
  return { controlPlane, look: lookAt(controlPlane, namespace) };
}

/** The report on a landscape, and its exit code. */
export interface LandscapeAccount<T> {
  readonly told: T;
  readonly code: number;
}

/** The result of `look`, or `unknown` when it fails: a landscape that does not answer does not hide the others. */
export async function accountOf<T>(
  look: () => Promise<LandscapeAccount<T>>,
  unknown: (because: string) => T,
  run: Run,
): Promise<LandscapeAccount<T>> {
  try {
    return await look();
  } catch (error) {
    if (!(error instanceof Fault) || run.signal.aborted) throw error;
    return { told: unknown(error.message), code: exitCodeOf(error) };
  }
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
  return async (catalogue, commit, landscape, run) => {
    const git = openRepository(repository);
    const identity = await repositoryIdentity(catalogue, git, run);
    const scope = {
      repository,
      git,
      catalogue,
      revision: { commit, recorded: commit },
      identity,
      withoutRegistry: true,
    };
    const controlPlane = await connect(landscape.controlPlane, repository);
    return (await prepareLandscape(scope, landscape, siteOf(controlPlane, landscape), CAREFUL, run)).plan;
  };
}
