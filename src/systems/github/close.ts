import type { Proposal, Run } from "../../ports.ts";
import { removeBranch } from "./branches.ts";
import type { Act } from "./faults.ts";
import { latestPull } from "./pulls.ts";
import type { Site } from "./site.ts";

/**
 * Closes a proposal. Its branch stays, so that it can be opened again; only the one that a kill left after the merge of
 * its pull request goes, as `merge` would have had it.
 */
export async function close(site: Site, proposal: Proposal, why: string, run: Run): Promise<void> {
  const { pull, branch } = proposal;
  if (pull?.isOpen === true) await closePull(site, pull.number, why, run);
  else if (await isLeftByMerge(site, proposal, run)) await removeBranch(site, branch, run);
}

/** Asked once: a branch without an open pull request is closed in every run. */
async function isLeftByMerge(site: Site, { branch, tip }: Proposal, run: Run): Promise<boolean> {
  const { parked } = await site.memory.recall();
  if (parked.has(tip)) return false;
  const pull = await latestPull(site, branch, run);
  if (pull?.state === "merged" && pull.tip === tip) return true;
  parked.add(tip);
  await site.memory.keep(run);
  return false;
}

/** Closes a pull request that says `why` then, in one request, so that nobody sees the one without the other. */
async function closePull(site: Site, number: number, why: string, run: Run): Promise<void> {
  const body = `${why}\n\n${site.bodies.get(number) ?? (await bodyOf(site, number, run))}`;
  const doing = `Closing the pull request #${number}`;
  const act: Act = { doing, kind: "write", permission: "pull-requests: write" };
  await site.github.ask(
    act,
    (rest, place) => rest.pulls.update({ ...place, pull_number: number, state: "closed", body }),
    run,
  );
  site.bodies.set(number, body);
}

async function bodyOf({ github }: Site, number: number, run: Run): Promise<string> {
  const doing = `Reading the pull request #${number}`;
  const act: Act = { doing, kind: "read", permission: "pull-requests: read" };
  return (await github.ask(act, (rest, place) => rest.pulls.get({ ...place, pull_number: number }), run)).body ?? "";
}
