import { describe, expect, it } from "vitest";
import type { Forge, Merge, Proposal, ProposalDraft, Run } from "../../src/ports.ts";
import type { GithubForgeOptions } from "../../src/systems/github/forge.ts";
import { readMarker } from "../../src/systems/marker.ts";
import { forgeTown, PERSONS, type ForgeTown } from "../systems/github/forgeTown.ts";

/** One run on one branch, like `promote --apply`: reads the state, and acts on it. */
type Step = (forge: Forge, at: At, run: Run) => Promise<unknown>;

interface At {
  readonly branch: string;
  readonly known: Proposal | undefined;
  readonly draft: (version: string) => ProposalDraft;
}

const WORKFLOWS = { GITHUB_TOKEN: "ghs_workflows" };
const opened: Step = (forge, { known, draft }, run) => forge.propose(draft("1.1.0"), known, run);
const updated: Step = (forge, { known, draft }, run) => forge.propose(draft("1.2.0"), known, run);
const closed: Step = async (forge, { known }, run) => {
  if (known !== undefined) await forge.close(known, "It is held.", run);
};

/** Nothing is proposed any more once the base serves the merged proposal. */
const merged =
  (town: ForgeTown): Step =>
  async (forge, { branch, known, draft }, run): Promise<Merge | undefined> => {
    const isServed = town.bare.git("ls-tree", "-r", "--name-only", "main").includes(`${branch}.yaml`);
    if (!isServed) return forge.merge(await forge.propose(draft("1.1.0"), known, run), draft("1.1.0"), run);
    if (known !== undefined) await forge.close(known, "It is served.", run);
    return undefined;
  };

/** One run: a new adapter that reads the state and does `step`. */
async function once(
  town: ForgeTown,
  branch: string,
  step: Step,
  variables: GithubForgeOptions["variables"],
  run: Run,
): Promise<void> {
  const forge = await town.open({ variables });
  const { base, proposals } = await forge.look(["promote/", "hold/"], run);
  const draft: At["draft"] = (version) =>
    town.draft({ version, base, branch, reviewers: ["ada"], files: new Map([[`${branch}.yaml`, `${version}\n`]]) });
  await step(forge, { branch, known: proposals.find((one) => one.branch === branch), draft }, run);
}

/** The visible state of a branch, without details that differ between two undisturbed runs. */
function shown(town: ForgeTown, branch: string): unknown {
  const tip = town.double.refs().get(`refs/heads/${branch}`);
  const pulls = town.double.pulls().filter(({ head }) => head === branch);
  return {
    content: tip === undefined ? undefined : town.bare.git("show", `${branch}:${branch}.yaml`),
    pulls: pulls.map(({ state, title, body, headSha, reviewers, mergedAtMs, timeline }) => ({
      ...{ state, title, reviewers, isMerged: mergedAtMs !== undefined },
      entries: timeline.filter(({ kind }) => kind === "AddedToMergeQueueEvent").length,
      text: body?.replace(/<!-- .* -->$/, ""),
      marked: readMarker(body)?.head === headSha,
    })),
    isGateStarted: town.double.dispatches.some(({ ref }) => ref === branch),
  };
}

/**
 * Kills a run after its `at`-th write. Returns whether the run made that many writes. Only writes matter, because a
 * kill leaves the same state after any read that follows. A GraphQL query counts as a write: both look the same from
 * outside.
 */
async function killedAfter(town: ForgeTown, at: number, work: (run: Run) => Promise<void>): Promise<boolean> {
  const kill = new AbortController();
  let writes = 0;
  town.double.onRequest((_, phase, description) => {
    if (phase === "after" && !description.startsWith("GET ")) writes++;
    if (writes < at) return undefined;
    kill.abort(new Error("killed"));
    return "drop";
  });
  try {
    await work({ signal: kill.signal, log: town.run.log });
  } catch (error) {
    if (!kill.signal.aborted) throw error;
  }
  town.double.onRequest(undefined);
  return kill.signal.aborted;
}

describe("a run that is killed after any of its writes", () => {
  it.each([
    ["opens a proposal with a workflow's own token", [], opened, WORKFLOWS, 7],
    ["updates a proposal with a workflow's own token", [opened], updated, WORKFLOWS, 7],
    ["closes a proposal", [opened], closed, PERSONS, 1],
    ["opens a closed proposal again", [opened, closed], updated, PERSONS, 6],
    ["opens a closed proposal again as it was", [opened, closed], opened, PERSONS, 3],
    ["merges", [], "merged", PERSONS, 9],
    ["enters a merge queue", [], "merged", PERSONS, 8],
  ] as const)("%s with the same result when it runs again", async (name, before, last, variables, writes) => {
    const town = await forgeTown({ settings: { checks: "green", dispatchedChecks: "green" } });
    if (name.includes("queue")) town.double.protect("main", { writes: "pulls", hasQueue: true });
    const step = last === "merged" ? merged(town) : last;
    const prepare = async (branch: string): Promise<void> => {
      for (const one of before) await once(town, branch, one, variables, town.run);
    };
    await prepare("promote/regular/undisturbed");
    await once(town, "promote/regular/undisturbed", step, variables, town.run);
    const wanted = shown(town, "promote/regular/undisturbed");

    for (let at = 1; at <= writes + 1; at++) {
      const branch = `promote/regular/killed-${at}`;
      await prepare(branch);
      const wasKilled = await killedAfter(town, at, (run) => once(town, branch, step, variables, run));
      expect(wasKilled, `there are ${writes} writes`).toBe(at <= writes);
      if (wasKilled) await once(town, branch, step, variables, town.run);
      expect(shown(town, branch), `killed after write ${at}`).toEqual(wanted);
    }
  });
});
