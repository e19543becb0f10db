import { signatureOf, type Mergeability } from "./doubleBodies.ts";
import type { CommitObject, Signature } from "./doubleGit.ts";
import { instant } from "./doubleGit.ts";
import { QUEUE } from "./doubleQueue.ts";
import { Refusal, type Answer, type Call } from "./doubleRoute.ts";
import { newestCheck } from "./doubleChecks.ts";
import { recordMerge } from "./doubleFollow.ts";
import { protectionOf, type Actor, type Pull, type World } from "./doubleWorld.ts";

/** What GitHub says of merging `pull`; the first question about a head and a base is answered with `unknown`. */
export function mergeabilityOf(world: World, pull: Pull): Mergeability {
  if (pull.state === "closed") return { mergeable: null, state: "unknown" };
  const looked = `${pull.headSha} ${pull.baseSha}`;
  const isFirst = pull.lookedAt !== looked;
  pull.lookedAt = looked;
  if (isFirst && world.settings.mergeability === "at the second look") return { mergeable: null, state: "unknown" };
  if (world.git.merge(pull.baseSha, pull.headSha) === undefined) return { mergeable: false, state: "dirty" };
  return { mergeable: true, state: stateOf(world, pull) };
}

function stateOf(world: World, pull: Pull): string {
  if (pull.draft) return "draft";
  if (isBehind(world, pull)) return "behind";
  if (blocker(world, pull) !== undefined) return "blocked";
  const ofHead = world.state.checks.filter(
    (check) => check.sha === pull.headSha && newestCheck(world, check.sha, check.name) === check,
  );
  const statuses = world.state.statuses.filter(({ sha }) => sha === pull.headSha);
  const isGreen = ofHead.every(({ state }) => state === "green") && statuses.every(({ state }) => state === "success");
  return isGreen ? "clean" : "unstable";
}

function isBehind(world: World, pull: Pull): boolean {
  const isStrict = protectionOf(world, pull.base)?.isStrict === true;
  return isStrict && !world.git.isAncestor(pull.baseSha, pull.headSha);
}

/** Why the rules of the base branch do not allow the merge now; a sentence of GitHub's. */
export function blocker(world: World, pull: Pull): string | undefined {
  const protection = protectionOf(world, pull.base);
  if (protection?.writes === "none") return "Repository rule violations found\n\nCannot update this protected ref.\n\n";
  const [unmet] = (protection?.checks ?? []).filter((name) => checkWord(world, pull, name) !== undefined);
  if (unmet !== undefined) return `Required status check "${unmet}" is ${checkWord(world, pull, unmet) ?? ""}.`;
  const approvals = protection?.approvals ?? 0;
  return pull.reviews.filter(({ state }) => state === "APPROVED").length < approvals
    ? `At least ${approvals} approving review is required by reviewers with write access.`
    : undefined;
}

/** Protection sees the checks of a pull request's own events, and the statuses of its head. */
function checkWord(world: World, pull: Pull, name: string): string | undefined {
  const own = world.state.checks.filter(({ isDispatched }) => !isDispatched);
  const check = own.findLast((one) => one.sha === pull.headSha && one.name === name);
  const status = world.state.statuses.findLast(({ sha, context }) => sha === pull.headSha && context === name);
  switch (check?.state ?? (status && STATUS_WORDS[status.state])) {
    case undefined:
      return "expected";
    case "pending":
      return "in progress";
    case "red":
    case "cancelled":
      return "failing";
    case "skipped":
    case "green":
      return undefined;
  }
}

const STATUS_WORDS = { success: "green", failure: "red", error: "red", pending: "pending" } as const;

interface AskedMerge {
  readonly commit_title?: string;
  readonly commit_message?: string;
  readonly sha?: string;
  readonly merge_method?: "merge" | "squash" | "rebase";
}

const REFUSED_METHOD = {
  merge: "Merge commits are not allowed on this repository.",
  squash: "Squash merges are not allowed on this repository.",
  rebase: "Rebase merges are not allowed on this repository.",
};

/** Merges a pull request, as `PUT …/merge` does. */
export function mergePull(call: Call, world: World, pull: Pull): Answer {
  const asked = (call.body ?? {}) as AskedMerge;
  const method = asked.merge_method ?? "merge";
  refuseMerge(world, pull, method, asked.sha);
  const tree = world.git.merge(pull.baseSha, pull.headSha);
  if (tree === undefined) throw new Refusal(405, "Pull Request is not mergeable");
  refuseUnmet(world, pull, call.actor);
  const commits = world.git.between(pull.baseSha, pull.headSha);
  const brought = bring(world, pull, { method, asked, tree, commits, actor: call.actor });
  const commit = brought.at(-1) ?? pull.headSha;
  // exactly the base that was merged with: a git push may come between
  if (!world.git.moveRef(`refs/heads/${pull.base}`, commit, pull.baseSha)) {
    throw new Refusal(405, "Base branch was modified. Review and try the merge again.");
  }
  recordMerge(world, pull, { commit, introduced: [...new Set([...brought, ...commits])], by: call.actor });
  return { status: 200, body: { sha: commit, merged: true, message: "Pull Request successfully merged" } };
}

function refuseMerge(world: World, pull: Pull, method: keyof typeof REFUSED_METHOD, sha: string | undefined): void {
  if (pull.state === "closed" || pull.draft) throw new Refusal(405, "Pull Request is not mergeable");
  if (!world.settings.mergeMethods.includes(method)) throw new Refusal(405, REFUSED_METHOD[method]);
  if (sha !== undefined && sha !== pull.headSha) {
    throw new Refusal(409, "Head branch was modified. Review and try the merge again.");
  }
}

/** The state of a pull request says nothing of who may pass the rules: the attempt does. */
function refuseUnmet(world: World, pull: Pull, actor: Actor): void {
  const protection = protectionOf(world, pull.base);
  if (protection?.bypass?.includes(actor.login) === true) return;
  if (protection?.hasQueue === true && actor !== QUEUE)
    throw new Refusal(405, "Changes must be made through the merge queue");
  if (isBehind(world, pull)) throw new Refusal(405, "The head branch is not up to date with the base branch.");
  const why = blocker(world, pull);
  if (why !== undefined) throw new Refusal(405, why);
}

interface Merging {
  readonly method: "merge" | "squash" | "rebase";
  readonly asked: AskedMerge;
  readonly tree: string;
  readonly commits: readonly string[];
  readonly actor: Actor;
}

/** Writes the commits that the base branch gets, oldest first. */
function bring(world: World, pull: Pull, merging: Merging): readonly string[] {
  const { method, asked, tree, commits, actor } = merging;
  const own = commits.map((sha) => world.git.commit(sha)).filter(({ parents }) => parents.length < 2);
  const github = { name: "GitHub", email: "noreply@github.com", date: instant(world.now()) };
  const titles = {
    merge: [`Merge pull request #${pull.number} from ${world.owner}/${pull.head}`, pull.title],
    squash: [`${pull.title} (#${pull.number})`, own.map(({ message }) => `* ${message.trim()}`).join("\n\n")],
  };
  if (method === "rebase") return rebase(world, pull, own, github);
  const [title = "", message = ""] = [
    asked.commit_title ?? titles[method][0],
    asked.commit_message ?? titles[method][1],
  ];
  const signed = signatureOf(world, method === "squash" ? pull.author : actor);
  const parents = method === "squash" ? [pull.baseSha] : [pull.baseSha, pull.headSha];
  const text = message === "" ? title : `${title}\n\n${message}`;
  return [world.git.writeCommit({ tree, parents, message: text, author: signed, committer: github })];
}

function rebase(world: World, pull: Pull, own: readonly CommitObject[], committer: Signature): readonly string[] {
  const written: string[] = [];
  for (const { sha, tree: _, parents, author, message } of own) {
    const onto = written.at(-1) ?? pull.baseSha;
    // git 2.39 merges by commits alone: one with the tree of `onto` on the old parent makes that parent the merge base
    const stand = { tree: world.git.commit(onto).tree, parents, author, committer, message: "stand-in" };
    const tree = world.git.merge(world.git.writeCommit(stand), sha);
    if (tree === undefined) throw new Refusal(405, "This branch can't be rebased");
    written.push(world.git.writeCommit({ tree, parents: [onto], author, committer, message }));
  }
  return written;
}
