import type { Catalogue } from "../../catalogue/catalogue.ts";
import type { Landscape } from "../../catalogue/settings.ts";
import { Fault, type ControlPlane, type Run } from "../../ports.ts";
import { CAREFUL, type PlanOptions } from "../../sync/plan/input.ts";
import { type PlanLandscape, prepare, type Prepared } from "../../sync/prepare.ts";
import { targetOf } from "../../sync/target.ts";
import { openSource } from "../compose/compose.ts";
import { connect } from "../compose/systems.ts";
import { claimOf, planWorld, plannedRevision, repositoryIdentity, type SyncScope } from "../compose/sync.ts";
import { loadCatalogue } from "../loadCatalogue.ts";
import type { Output } from "../terminal/output.ts";

/** What `plan` and `sync` have in common on the command line. */
export interface SyncArguments {
  /** The folder of the repository. */
  readonly repo: string;
  readonly revision?: string | undefined;
  readonly worktree: boolean;
  readonly withoutRegistry: boolean;
  readonly landscape: string | undefined;
  readonly options: PlanOptions;
}

/** The named landscape, or all of them in roll-out order. Throws CONFIGURATION for a name that is not there. */
export function chosenLandscapes({ settings }: Catalogue, name: string | undefined): readonly Landscape[] {
  const chosen = settings.landscapes.filter((landscape) => name === undefined || landscape.name === name);
  if (chosen.length > 0) return chosen;
  const known = settings.landscapes.map((landscape) => landscape.name).join(", ");
  throw new Fault("CONFIGURATION", `kyma-modules.yaml has no landscape ${name ?? ""}. It has: ${known}.`);
}

/** Reads the catalogue that is to be served, and says which commit it is; `undefined` when it is broken. */
export async function openScope(
  { repo: repository, revision, worktree, withoutRegistry }: SyncArguments,
  output: Output,
  run: Run,
): Promise<SyncScope | undefined> {
  const planned = await plannedRevision(repository, { revision, worktree }, run);
  const source = openSource(repository, worktree ? undefined : planned.commit);
  const catalogue = await loadCatalogue(source, output, run);
  if (catalogue === undefined) return undefined;
  const identity = await repositoryIdentity(catalogue, repository, run);
  return { repository, catalogue, revision: planned, identity, withoutRegistry };
}

/** How people are told what is planned: `commit 0123456789`, `the working tree on 0123456789`. */
export function revisionText({ commit, recorded }: SyncScope["revision"], { worktree }: SyncArguments): string {
  if (commit === undefined) return "the files as they lie there";
  const short = commit.slice(0, 10);
  if (!worktree) return `commit ${short}`;
  return `the working tree on ${short}${recorded === commit ? "" : ", which has changes that are not committed"}`;
}

/** Plans a landscape on its control plane. */
export async function prepareLandscape(
  scope: SyncScope,
  landscape: Landscape,
  controlPlane: ControlPlane,
  options: PlanOptions,
  run: Run,
): Promise<Prepared> {
  const target = await targetOf(landscape, controlPlane, run);
  const request = { catalogue: scope.catalogue, landscape, target, options, claim: claimOf(scope, target) };
  return prepare(request, planWorld(scope, landscape, controlPlane), run);
}

/** Plans catalogues that are about to be committed on top of a revision of `repository`; nobody asks for artifacts. */
export function planOf(repository: string): PlanLandscape {
  return async (catalogue, commit, landscape, run) => {
    const identity = await repositoryIdentity(catalogue, repository, run);
    const scope = { repository, catalogue, revision: { commit, recorded: commit }, identity, withoutRegistry: true };
    const controlPlane = await connect(landscape.controlPlane, repository);
    return (await prepareLandscape(scope, landscape, controlPlane, CAREFUL, run)).plan;
  };
}
