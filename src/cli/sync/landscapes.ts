import { shortCommit } from "../../document/printable.ts";
import type { Landscape, Settings } from "../../catalogue/settings.ts";
import { Fault, type Run } from "../../ports.ts";
import type { PlanOptions } from "../../sync/plan/input.ts";
import { openSource } from "../compose/compose.ts";
import { plannedRevision, repositoryIdentity, type SyncScope } from "../compose/sync.ts";
import { openRepository } from "../compose/systems.ts";
import { loadCatalogue } from "../loadCatalogue.ts";
import { faultExitCode, type Output } from "../terminal/output.ts";

/** The arguments that select the catalogue to serve. */
interface ScopeArguments {
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
  settings: Pick<Settings, "landscapes">,
  names: readonly string[],
): readonly Landscape[] {
  const { landscapes, unknown } = namedLandscapes(settings, names);
  for (const fault of unknown.values()) throw fault;
  return landscapes;
}

/** The landscapes that the settings have, and why the others are unknown, by name. */
export interface NamedLandscapes {
  readonly landscapes: readonly Landscape[];
  readonly unknown: ReadonlyMap<string, Fault>;
}

/** The named landscapes, by default all, in roll-out order. */
export function namedLandscapes(
  { landscapes }: Pick<Settings, "landscapes">,
  names: readonly string[],
): NamedLandscapes {
  const known = landscapes.map(({ name }): string => name);
  const unknown = names
    .filter((name) => !known.includes(name))
    .map((name): [string, Fault] => {
      const message = `kyma-modules.yaml has no landscape ${name}. It has: ${known.join(", ")}.`;
      return [name, new Fault("CONFIGURATION", message)];
    });
  const chosen = landscapes.filter(({ name }) => names.length === 0 || names.includes(name));
  return { landscapes: chosen, unknown: new Map(unknown) };
}

/** Reads the catalogue to serve, and its commit. Returns `undefined` when nothing of the catalogue is usable. */
export async function openScope(
  { repo: repository, revision, worktree, withoutRegistry }: ScopeArguments,
  output: Output,
  run: Run,
): Promise<SyncScope | undefined> {
  const git = openRepository(repository);
  const planned = await plannedRevision(git, { revision, worktree }, run);
  const source = openSource(repository, worktree ? undefined : planned.commit);
  const catalogue = await loadCatalogue(source, output, run);
  if (catalogue === undefined) return undefined;
  const identity = await repositoryIdentity(catalogue, git, run);
  return { repository, git, catalogue, revision: planned, identity, withoutRegistry };
}

/** The planned revision as text: `commit 0123456789`, `the working tree on 0123456789`. */
export function revisionText({ commit, recorded }: SyncScope["revision"], { worktree }: SyncArguments): string {
  if (commit === undefined) return "the files in the folder";
  const short = shortCommit(commit);
  if (!worktree) return `commit ${short}`;
  return `the working tree on ${short}${recorded === commit ? "" : ", which has uncommitted changes"}`;
}

/** The report on a landscape, and its exit code. */
export interface LandscapeAccount<T> {
  readonly told: T;
  readonly code: number;
}

/** The result of `look`, or `unknown` when it fails: a landscape that does not answer does not hide the others. */
export async function landscapeAccount<T>(
  look: () => Promise<LandscapeAccount<T>>,
  unknown: (because: string) => T,
  run: Run,
): Promise<LandscapeAccount<T>> {
  try {
    return await look();
  } catch (error) {
    if (!(error instanceof Fault) || run.signal.aborted) throw error;
    return { told: unknown(error.message), code: faultExitCode(error) };
  }
}
