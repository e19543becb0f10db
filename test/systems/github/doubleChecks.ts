import type { Actor, Check, ChecksState, World } from "./doubleWorld.ts";

/** Starts the checks of a new head, as the settings say; those of the workflow's own token do not start. */
export function startChecks(world: World, sha: string, actor: Actor): void {
  const { checks, checkNames } = world.settings;
  if (checks === "none" || actor.isWorkflow === true) return;
  for (const name of checkNames) {
    const isThere = world.state.checks.some((check) => check.sha === sha && check.name === name);
    if (!isThere) setCheck(world, sha, name, checks);
  }
}

/** Sets one check run of a commit, the newest of that name when there is one. */
export function setCheck(world: World, sha: string, name: string, state: Exclude<ChecksState, "none">): void {
  const standing = newestCheck(world, sha, name);
  if (standing !== undefined) standing.state = state;
  else addCheck(world, sha, name, state);
}

/** Adds a check run to a commit: GitHub goes on listing those of the same name that other events started before. */
export function addCheck(
  world: World,
  sha: string,
  name: string,
  state: Exclude<ChecksState, "none">,
  given: Partial<Pick<Check, "workflow" | "isDispatched">> = {},
): void {
  const { checks } = world.state;
  const made = { workflow: "submission.yaml", isDispatched: false, ...given };
  checks.push({ id: checks.length + 1, sha, name, state, startedAtMs: world.now(), ...made });
}

/** The check run that counts of those of one name. */
export function newestCheck({ state }: World, sha: string, name: string): Check | undefined {
  return state.checks.findLast((check) => check.sha === sha && check.name === name);
}
