import { describe, expect, it } from "vitest";
import { compareAncestry } from "../../../src/systems/git/ancestry.ts";
import { gitHistory } from "../../../src/systems/git/history.ts";
import { quietRun } from "../../support/quietRun.ts";
import { mentions } from "../../support/mentions.ts";
import { commitsOf, historyIn, said } from "../histories.ts";
import { emptyRepository, gitAt } from "../repository.ts";
import { A, B, C, cloneOf, commitsIn, pull, rejectedPush } from "./rejectedPush.ts";

describe("the line of a branch after a pull into local commits", () => {
  it.each([
    ["with the message of Git", []],
    ["with any other message", ["Bring telemetry"]],
  ])("is what the branch was, %s", async (_, message) => {
    const { clone, main } = rejectedPush();
    const merge = pull(clone, ...message);
    const [after = ""] = commitsOf(clone, { [A]: "4" });
    const found = await historyIn(clone.path);

    expect(commitsIn(found)).toEqual([...main, merge, after]);
    expect(found.changes.map(said)).toEqual([`0 ${A}: 1`, `1 ${A}: 2`, `2 ${A}: 3`, `3 ${B}: 1`, `4 ${A}: 4`]);
    expect(found.commits[3]?.parents[0]).toBe(main[2]);
  });

  it("is known before the merge is pushed", async () => {
    const { clone, main } = rejectedPush();
    clone.git("pull", "--quiet", "--no-rebase", "--no-edit");

    expect(commitsIn(await historyIn(clone.path)).slice(0, 3)).toEqual(main);
  });

  it("is known when the merge fast-forwards nothing: without a local commit", async () => {
    const { remote, clone } = rejectedPush();
    clone.git("reset", "--quiet", "--hard", "HEAD~1");
    const main = [clone.git("rev-parse", "HEAD"), ...remote.git("rev-list", "--reverse", "main~2..main").split("\n")];
    const merge = pull(clone);

    expect(commitsIn(await historyIn(clone.path))).toEqual([...main, merge]);
  });

  it("has what the merge brought, by the merge", async () => {
    const { clone, main } = rejectedPush();
    const local = clone.git("rev-parse", "HEAD");
    const merge = pull(clone);
    const { commits } = await historyIn(clone.path);
    const brought = await gitHistory(gitAt(clone.path)).brought(commits.slice(1), quietRun());

    expect([...brought].map(([name, all]) => [name, all.map(({ commit }) => commit)])).toEqual([[merge, [local]]]);
    expect(main).not.toContain(local);
  });

  it("is refused in a clone that cannot know it, with the commit and what to do", async () => {
    const { remote, clone } = rejectedPush();
    const merge = pull(clone);
    commitsOf(clone, { [A]: "4" });
    clone.git("push", "--quiet");

    await expect(historyIn(cloneOf(remote).path)).rejects.toMatchObject({
      code: "CONFIGURATION",
      message: mentions(merge.slice(0, 10), "rebase", "kyma-modules.yaml", "knownCommits"),
    });
  });

  it("is what the settings know of it", async () => {
    const { remote, clone, main } = rejectedPush();
    const merge = pull(clone);
    commitsOf(clone, { [A]: "4" });
    clone.git("push", "--quiet");
    const other = cloneOf(remote);
    commitsOf(other, {
      "kyma-modules.yaml": `format: 1\nlandscapes: [{ name: dev, controlPlane: { embedded: true } }]\nhistory: { knownCommits: [${String(main[1])}] }\n`,
    });

    expect(commitsIn(await historyIn(other.path)).slice(0, 4)).toEqual([...main, merge]);
  });

  it("continues before a second such merge, and an earlier move of the catalogue", async () => {
    const { remote, clone, main } = rejectedPush();
    const first = pull(clone);
    const other = cloneOf(remote);
    commitsOf(other, { [C]: "1" });
    const moved = commitsOf(clone, { [A]: "5" });
    clone.git("push", "--quiet");
    const second = pull(other, "again");
    clone.git("pull", "--quiet", "--ff-only");

    expect(commitsIn(await historyIn(clone.path))).toEqual([...main, first, ...moved, second]);
  });
});

describe("the line of a branch", () => {
  it("stays that of first parents where branches were merged into it, whatever they merged before", async () => {
    const { remote, clone } = rejectedPush();
    clone.git("reset", "--quiet", "--hard", "origin/main");
    clone.git("switch", "--quiet", "--create", "topic");
    commitsOf(clone, { [B]: "draft" });
    clone.git("push", "--quiet", "--set-upstream", "origin", "topic");
    clone.git("fetch", "--quiet");
    clone.git("merge", "--quiet", "--no-edit", "origin/main");
    commitsOf(clone, { [B]: "1" });
    clone.git("switch", "--quiet", "main");
    clone.git("pull", "--quiet", "--ff-only");
    const main = clone.git("rev-list", "--reverse", "main").split("\n");
    clone.git("merge", "--quiet", "--no-ff", "--no-edit", "topic");
    clone.git("push", "--quiet");
    const merge = clone.git("rev-parse", "HEAD");

    expect(commitsIn(await historyIn(clone.path))).toEqual([...main, merge]);
    expect(commitsIn(await historyIn(cloneOf(remote).path))).toEqual([...main, merge]);
  });

  it("is mended by a merge in the right direction, which keeps what main was meanwhile", async () => {
    const { remote, clone, main } = rejectedPush();
    const wrong = pull(clone);
    clone.git("switch", "--quiet", "--detach", String(main[2]));
    clone.git("merge", "--quiet", "--no-ff", "--message", "Restore the line", "main");
    clone.git("push", "--quiet", "origin", "HEAD:main");
    const right = clone.git("rev-parse", "HEAD");

    expect(commitsIn(await historyIn(cloneOf(remote).path))).toEqual([...main, right]);
    clone.git("switch", "--quiet", "main");
    clone.git("pull", "--quiet", "--ff-only");
    expect(commitsIn(await historyIn(clone.path))).toEqual([...main, wrong, right]);
  });

  it("does not take a merge for such a pull because of a branch with a similar name", async () => {
    const repository = emptyRepository();
    const [base = ""] = commitsOf(repository, { [A]: "1" });
    repository.git("switch", "--quiet", "--create", "domain");
    commitsOf(repository, { [B]: "1" });
    repository.git("switch", "--quiet", "main");
    const others = commitsOf(repository, { [A]: "2" });
    repository.git("merge", "--quiet", "--no-ff", "--message", "Merge branch 'main' into 'main'", "domain");
    repository.git("switch", "--quiet", "--create", "next");
    commitsOf(repository, { [B]: "2" });
    repository.git("switch", "--quiet", "main");
    repository.git("merge", "--quiet", "--no-ff", "--no-edit", "next");

    expect(commitsIn(await historyIn(repository.path)).slice(0, 2)).toEqual([base, ...others]);
  });

  it("is known of the commit of a remote branch without a local one", async () => {
    const { clone, main } = rejectedPush();
    const merge = pull(clone);
    clone.git("switch", "--quiet", "--detach", "HEAD");
    clone.git("branch", "--quiet", "--delete", "--force", "main");

    expect(commitsIn(await historyIn(clone.path))).toEqual([...main, merge]);
    expect(commitsIn(await historyIn(clone.path, "HEAD^2"))).toEqual(main);
  });

  it("is what a repository without a remote saw its own branch at", async () => {
    const repository = emptyRepository();
    const main = commitsOf(repository, { [A]: "1" }, { [A]: "2" });
    repository.git("switch", "--quiet", "--create", "local", String(main[0]));
    commitsOf(repository, { [B]: "1" });
    repository.git("merge", "--quiet", "--message", "any", "main");
    repository.git("switch", "--quiet", "main");
    repository.git("merge", "--quiet", "--ff-only", "local");
    const merge = repository.git("rev-parse", "HEAD");

    expect(commitsIn(await historyIn(repository.path))).toEqual([...main, merge]);
  });

  it("does not have commits that were taken off the branch, and merged later", async () => {
    const repository = emptyRepository();
    const [base = ""] = commitsOf(repository, { [A]: "1" }, { [B]: "by mistake" });
    repository.git("branch", "--quiet", "topic");
    repository.git("reset", "--quiet", "--hard", "HEAD~1");
    repository.git("merge", "--quiet", "--no-ff", "--no-edit", "topic");

    expect(commitsIn(await historyIn(repository.path))).toEqual([base, repository.git("rev-parse", "HEAD")]);
  });

  it("of a topic that merged main is that of main, and the merge one step from it", async () => {
    const { clone, remote } = rejectedPush();
    clone.git("switch", "--quiet", "--create", "topic", "--no-track");
    clone.git("pull", "--quiet", "--no-rebase", "--no-edit", "origin", "main");
    const main = remote.git("rev-list", "--reverse", "main").split("\n");
    commitsOf(clone, { [B]: "2" });

    expect(commitsIn(await historyIn(clone.path)).slice(0, 3)).toEqual(main);
  });
});

describe("the ancestry of a commit", () => {
  it("is aside of a commit that it merged like a side branch, also if a later merge contains both", async () => {
    const { clone, main } = rejectedPush();
    const served = String(main[2]);
    const local = clone.git("rev-parse", "HEAD");
    const merge = pull(clone);
    const [after = ""] = commitsOf(clone, { [A]: "4" });
    const repository = gitAt(clone.path);
    const ancestry = (commit: string, of: string): Promise<string> =>
      compareAncestry(repository, commit, of, quietRun());

    expect(await Promise.all([merge, after].map((commit) => ancestry(commit, served)))).toEqual(["aside", "aside"]);
    expect(await Promise.all([local, String(main[0]), merge].map((older) => ancestry(after, older)))).toEqual([
      ...["forward", "forward", "forward"],
    ]);
    expect([await ancestry(served, after), await ancestry(served, local)]).toEqual(["behind", "unrelated"]);
    clone.git("switch", "--quiet", "--detach", served);
    clone.git("merge", "--quiet", "--no-ff", "--no-edit", after);
    expect(await ancestry(clone.git("rev-parse", "HEAD"), served)).toBe("forward");
  });
});
