import type { Closing, Proposal, Run } from "../../ports.ts";
import { removeBranch } from "./branches.ts";
import type { Answer, Rest } from "./client.ts";
import type { Act } from "./faults.ts";
import { closedBody } from "./marker.ts";
import { readPull } from "./pullNow.ts";
import { latestPull } from "./pulls.ts";
import type { Place } from "./signIn.ts";
import type { Site } from "./site.ts";

/**
 * Closes a proposal. Its branch stays, so that it can be opened again; only the one that a kill left after the merge of
 * its pull request goes, as `merge` would have had it.
 */
export async function close(site: Site, proposal: Proposal, why: string, run: Run): Promise<Closing> {
  const { pull, branch, tip } = proposal;
  if (pull?.isOpen === true) return closePull(site, { number: pull.number, tip }, why, run);
  if (await isLeftByMerge(site, proposal, run)) await removeBranch(site, branch, tip, run);
  return { kind: "closed" };
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
async function closePull(
  site: Site,
  { number, tip }: { readonly number: number; readonly tip: string },
  why: string,
  run: Run,
): Promise<Closing> {
  const before = site.pulls.get(number)?.body ?? (await readPull(site, number, run)).body;
  const body = closedBody(before, why, tip);
  const mergedAs = await write(site, number, body, run);
  if (mergedAs === undefined) return { kind: "closed" };
  // Somebody merged it first, and it shall not say that it was closed.
  await write(site, number, before, run);
  return { kind: "merged", commit: mergedAs };
}

/** Gives the commit as which it was merged, if it was. */
function write({ github }: Site, number: number, body: string, run: Run): Promise<string | undefined> {
  const doing = `Closing the pull request #${number}`;
  const act: Act = { doing, kind: "write", permission: "pull-requests: write" };
  const send = async (rest: Rest, place: Place): Promise<Answer<string | undefined>> => {
    const { data, headers } = await rest.pulls.update({ ...place, pull_number: number, state: "closed", body });
    return { data: data.merged ? (data.merge_commit_sha ?? data.head.sha) : undefined, headers };
  };
  return github.ask(act, send, run);
}
