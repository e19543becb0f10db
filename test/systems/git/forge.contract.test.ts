import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import type { Forge, ForgeView, Proposal, ProposalDraft } from "../../../src/ports.ts";
import { openBranchForge } from "../../../src/systems/git/branch.ts";
import { mentions } from "../../support/mentions.ts";
import { quietRun } from "../../support/quietRun.ts";
import { BRANCH, draftOn, knownRepository, OTHER, PATH, PREFIXES, stateOf } from "../proposing.ts";
import { emptyFolder, type Folder, gitAt } from "../repository.ts";

const run = quietRun();

describe("a Git forge that proposes on branches", () => {
  let repository: Folder;
  let base: string;
  let forge: Forge;
  const draft = (version: string, more: Partial<ProposalDraft> = {}): ProposalDraft => draftOn(base, version, more);
  const look = (): Promise<ForgeView> => forge.look(PREFIXES, run);
  const known = async (): Promise<Proposal | undefined> => (await look()).proposals[0];
  /** Another person commits `text` to the branch. */
  const edit = (text: string): string => {
    repository.git("switch", "--quiet", BRANCH);
    repository.write({ [PATH]: text });
    const tip = repository.commit("their own");
    repository.git("switch", "--quiet", "main");
    return tip;
  };

  beforeEach(() => {
    repository = knownRepository();
    base = repository.git("rev-parse", "HEAD");
    forge = openBranchForge(gitAt(repository.path), "HEAD");
  });

  it("creates a branch of one commit without other changes, and finds it again", async () => {
    const before = stateOf(repository);
    const files = new Map([
      [PATH, "1.1.0 ä\r\n"],
      ["modules/istio/hotfixes.yaml", "new\n"],
    ]);
    const made = await forge.propose(draft("1.1.0", { files }), undefined, run);

    expect(await look()).toEqual({ base, hasPulls: false, proposals: [made], elsewhere: [] });
    expect(made).toEqual({
      branch: BRANCH,
      tip: expect.any(String) as string,
      pull: undefined,
      content: { files, others: [], isCurrent: true, author: expect.any(String) as string, isMarked: true },
      digest: undefined,
    });
    expect(made.content.author).toMatch(/^Committer <.*>$/);
    expect(repository.git("log", "--format=%P %an", `${base}..${BRANCH}`)).toBe(`${base} Committer`);
    expect(repository.git("diff", "--name-status", base, BRANCH)).toBe(`M\t${PATH}\nA\tmodules/istio/hotfixes.yaml`);
    expect(execFileSync("git", ["cat-file", "blob", `${made.tip}:${PATH}`], { cwd: repository.path })).toEqual(
      Buffer.from("1.1.0 ä\r\n"),
    );
    expect(repository.git("log", "-1", "--format=%(trailers:only)", BRANCH)).toBe(
      `Promotes: istio@1.1.0\nProposed-Tree: ${repository.git("rev-parse", `${BRANCH}^{tree}`)}`,
    );
    repository.git("fsck", "--strict");
    expect(stateOf(repository)).toEqual(before);
  });

  it("changes nothing the second time, known or not", async () => {
    const first = await forge.propose(draft("1.1.0"), undefined, run);

    expect(await forge.propose(draft("1.1.0"), undefined, run)).toEqual(first);
    expect(await forge.propose(draft("1.1.0"), first, run)).toEqual(first);
  });

  it("updates a branch fast-forward to the newest base, with the base as first parent", async () => {
    const first = await forge.propose(draft("1.1.0"), undefined, run);
    repository.write({ [OTHER]: "meanwhile\n" });
    base = repository.commit("meanwhile");
    const before = stateOf(repository);
    const second = await forge.propose(draft("1.2.0"), first, run);

    expect(repository.git("log", "-1", "--format=%P", BRANCH)).toBe(`${base} ${first.tip}`);
    expect(repository.git("diff", "--name-only", base, BRANCH)).toBe(PATH);
    expect(second.content.files).toEqual(draft("1.2.0").files);
    expect(stateOf(repository)).toEqual(before);
    repository.git("merge", "--quiet", BRANCH);
    expect(repository.git("log", "--first-parent", "--format=%s", "--", PATH)).toBe("Promote istio to 1.2.0\nbase");
  });

  it("starts again from the base after a merge", async () => {
    const first = await forge.propose(draft("1.1.0"), undefined, run);
    repository.git("merge", "--quiet", "--no-ff", "--no-edit", BRANCH);
    base = repository.git("rev-parse", "HEAD");

    expect((await look()).proposals).toEqual([]);
    const second = await forge.propose(draft("1.1.0", { files: new Map([[PATH, "1.2.0\n"]]) }), undefined, run);
    expect(second.tip).not.toBe(first.tip);
    expect(repository.git("log", "-1", "--format=%P", BRANCH)).toBe(base);
  });

  it("never touches a branch that a person edited, amended or created", async () => {
    await forge.propose(draft("1.1.0"), undefined, run);
    const tips = [edit("theirs\n")];
    repository.git("switch", "--quiet", BRANCH);
    repository.git("reset", "--quiet", "--hard", "HEAD^");
    repository.write({ [PATH]: "amended\n" });
    repository.git("commit", "--quiet", "--all", "--amend", "--no-edit");
    tips.push(repository.git("rev-parse", "HEAD"));
    repository.git("switch", "--quiet", "main");
    for (const tip of tips) {
      repository.git("branch", "--force", BRANCH, tip);
      const edited = await known();
      expect(edited).toMatchObject({ tip, content: { isMarked: false } });
      if (edited === undefined) throw new Error("there is no proposal");
      const conflict = { code: "FORGE_CONFLICT", message: mentions("committed", BRANCH, "git merge --no-ff") };
      await expect(forge.propose(draft("1.2.0"), edited, run)).rejects.toMatchObject(conflict);
      await expect(forge.close(edited, "a hold", run)).rejects.toMatchObject(conflict);
      await expect(forge.propose(draft("1.2.0"), undefined, run)).rejects.toMatchObject({ code: "FORGE_CONFLICT" });
      expect(repository.git("rev-parse", BRANCH)).toBe(tip);
    }
  });

  it("conflicts with another run that proposed, closed or edited meanwhile", async () => {
    const first = await forge.propose(draft("1.1.0"), undefined, run);
    await expect(forge.propose(draft("1.2.0"), undefined, run)).rejects.toMatchObject({ code: "FORGE_CONFLICT" });
    const second = await forge.propose(draft("1.2.0"), first, run);
    for (const act of [() => forge.propose(draft("1.3.0"), first, run), () => forge.close(first, "a hold", run)])
      await expect(act()).rejects.toMatchObject({ code: "FORGE_CONFLICT", message: mentions(BRANCH, "moved") });
    await forge.close(second, "a hold", run);
    await expect(forge.propose(draft("1.3.0"), second, run)).rejects.toMatchObject({ code: "FORGE_CONFLICT" });
  });

  it("returns the same proposal to concurrent runs", async () => {
    const racing = await Promise.allSettled(
      [1, 2, 3].map(() => openBranchForge(gitAt(repository.path), "HEAD").propose(draft("1.1.0"), undefined, run)),
    );

    const made = racing.flatMap((race) => (race.status === "fulfilled" ? [race.value.tip] : []));
    expect([...new Set(made)]).toEqual([repository.git("rev-parse", BRANCH)]);
    expect(repository.git("rev-list", "--count", `${base}..${BRANCH}`)).toBe("1");
  });

  it("deletes the branch when it closes a proposal, and proposes it again", async () => {
    const made = await forge.propose(draft("1.1.0"), undefined, run);
    const before = stateOf(repository);
    await forge.close(made, "a hold", run);
    await forge.close(made, "a hold", run);

    expect(repository.git("branch", "--list", "--format=%(refname:short)")).toBe("main");
    expect(stateOf(repository)).toEqual(before);
    expect(await forge.propose(draft("1.1.0"), undefined, run)).toMatchObject({ content: made.content });
  });

  it("leaves a branch alone while it is checked out", async () => {
    const made = await forge.propose(draft("1.1.0"), undefined, run);
    const beside = emptyFolder();
    repository.git("worktree", "add", "--quiet", join(beside.path, "tree"), BRANCH);
    const conflict = { code: "FORGE_CONFLICT", message: mentions("tree", BRANCH, "checked out", "git switch -") };

    await expect(forge.propose(draft("1.2.0"), made, run)).rejects.toMatchObject(conflict);
    await expect(forge.close(made, "a hold", run)).rejects.toMatchObject(conflict);
    expect(await forge.propose(draft("1.1.0"), made, run)).toEqual({ ...made, checkout: join(beside.path, "tree") });
    expect(beside.git("-C", "tree", "status", "--porcelain")).toBe("");
  });

  it("moves a branch whose working tree was deleted", async () => {
    const made = await forge.propose(draft("1.1.0"), undefined, run);
    const beside = emptyFolder();
    repository.git("worktree", "add", "--quiet", join(beside.path, "tree"), BRANCH);
    beside.remove("tree");

    expect(await known()).toEqual(made);
    expect((await forge.propose(draft("1.2.0"), made, run)).tip).not.toBe(made.tip);
  });

  it("uses the branch of a merged proposal again, and does not move a merged branch of a person", async () => {
    await forge.propose(draft("1.1.0"), undefined, run);
    repository.git("merge", "--quiet", "--no-ff", "--message", "merge", BRANCH);
    base = repository.git("rev-parse", "HEAD");
    expect((await forge.propose(draft("1.2.0"), undefined, run)).branch).toBe(BRANCH);
    repository.git("branch", "prod", `${BRANCH}~1`);
    const before = stateOf(repository);

    await expect(forge.propose(draft("1.3.0", { branch: "prod" }), undefined, run)).rejects.toMatchObject({
      code: "FORGE_CONFLICT",
      message: mentions("branch prod", "git branch -d prod"),
    });
    expect(stateOf(repository)).toEqual(before);
  });

  it("refuses a base that moved", async () => {
    const late = draft("1.1.0");
    repository.write({ more: "m" });
    repository.commit("more");

    await expect(forge.propose(late, undefined, run)).rejects.toMatchObject({
      code: "FORGE_CONFLICT",
      message: mentions("HEAD", "moved"),
    });
  });

  it("does not merge, and says how people do it", async () => {
    const made = await forge.propose(draft("1.1.0"), undefined, run);

    expect(await forge.merge(made, draft("1.1.0"), run)).toEqual({
      kind: "waiting",
      why: mentions("forge", `git merge --no-ff ${BRANCH}`),
    });
    expect(await forge.mergeTimes([base], run)).toEqual(new Map());
  });

  it("lists its prefixes only", async () => {
    repository.git("branch", "feature", base);
    await forge.propose(draft("1.1.0"), undefined, run);
    await forge.propose(draft("1.1.0", { branch: "hold/istio-1.1.0" }), undefined, run);

    const branches = async (...prefixes: string[]): Promise<readonly string[]> =>
      (await forge.look(prefixes, run)).proposals.map(({ branch }) => branch);
    expect(await branches(...PREFIXES)).toEqual(["hold/istio-1.1.0", BRANCH]);
    expect(await branches("hold/")).toEqual(["hold/istio-1.1.0"]);
    expect(await branches()).toEqual([]);
  });
});
