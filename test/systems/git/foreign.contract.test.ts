import { beforeEach, describe, expect, it } from "vitest";
import type { Forge, Proposal } from "../../../src/ports.ts";
import { openBranchForge } from "../../../src/systems/git/branch.ts";
import { withTrailer } from "../../../src/systems/marker.ts";
import { mentions } from "../../support/mentions.ts";
import { quietRun } from "../../support/quietRun.ts";
import { BRANCH, draftOn, knownRepository, OTHER, PATH, PREFIXES } from "../proposing.ts";
import { type Folder, gitAt } from "../repository.ts";

const run = quietRun();

describe("a branch of a clone to which somebody committed", () => {
  let repository: Folder;
  let base: string;
  let forge: Forge;
  const known = async (): Promise<Proposal | undefined> => (await forge.look(PREFIXES, run)).proposals[0];
  /** Commits `tree` with the trailers of our commit, and moves the branch there. */
  const move = (tree: string, ...parents: readonly string[]): string => {
    const message = repository.git("log", "-1", "--format=%B", BRANCH).replace(/^Proposed-Tree: .*$/m, "");
    const lineage = parents.flatMap((parent) => ["-p", parent]);
    const tip = repository.git("commit-tree", tree, ...lineage, "-m", withTrailer(message, tree));
    repository.git("update-ref", `refs/heads/${BRANCH}`, tip);
    return tip;
  };
  /** The tree of the branch with another entry. */
  const treeWith = (path: string, mode: string, text: string): string => {
    repository.git("read-tree", BRANCH);
    repository.write({ "a blob": text });
    const id = mode === "160000" ? base : repository.git("hash-object", "-w", "a blob");
    repository.git("update-index", "--add", "--cacheinfo", `${mode},${id},${path}`);
    const tree = repository.git("write-tree");
    repository.git("read-tree", "HEAD");
    return tree;
  };

  beforeEach(async () => {
    repository = knownRepository();
    base = repository.git("rev-parse", "HEAD");
    forge = openBranchForge(gitAt(repository.path), "HEAD");
    await forge.propose(draftOn(base, "1.1.0"), undefined, run);
  });

  it.each([
    ["a foreign file", "src/evil.ts", "100644", "steal();\n"],
    ["a weaker policy", "channels/regular.yaml", "100644", "promotion: {}\n"],
    ["an executable file", PATH, "100755", "1.1.0\n"],
    ["a link", PATH, "120000", "1.1.0\n"],
    ["a submodule", "sub", "160000", ""],
  ])("%s is not overwritten, although our trailers are copied", async (_, path, mode, text) => {
    const tip = move(treeWith(path, mode, text), BRANCH);
    const conflict = { code: "FORGE_CONFLICT", message: mentions(path, tip.slice(0, 10), `git branch -D ${BRANCH}`) };

    for (const version of ["1.1.0", "1.2.0"]) {
      const strict = { ...draftOn(base, version), mayReplace: () => false };
      await expect(forge.propose(strict, await known(), run)).rejects.toMatchObject(conflict);
    }
    expect(repository.git("rev-parse", BRANCH)).toBe(tip);
  });

  it("a foreign file is not removed with the branch", async () => {
    const tip = move(treeWith("src/evil.ts", "100644", "steal();\n"), BRANCH);
    const there = await known();

    expect(there?.content).toMatchObject({ others: ["src/evil.ts"], isMarked: true });
    await expect(there && forge.close(there, "a hold", run)).rejects.toMatchObject({ code: "FORGE_CONFLICT" });
    expect(repository.git("rev-parse", BRANCH)).toBe(tip);
  });

  it("bytes that are not text, removed and renamed files are changes beside the files", async () => {
    repository.git("switch", "--quiet", BRANCH);
    repository.git("mv", OTHER, "channels/regular/renamed.yaml");
    repository.write({ [PATH]: Buffer.of(0xff, 0x0a) });
    repository.commit("theirs");
    repository.git("switch", "--quiet", "main");

    expect((await known())?.content).toMatchObject({
      files: new Map([["channels/regular/renamed.yaml", "other\n"]]),
      others: [PATH, `${OTHER} (removed)`],
    });
  });

  it("an equal tree, and a merge of the base, need no update", async () => {
    const tips = [move(`${BRANCH}^{tree}`, base)];
    repository.write({ [OTHER]: "meanwhile\n" });
    base = repository.commit("meanwhile");
    repository.git("switch", "--quiet", BRANCH);
    repository.git("merge", "--quiet", "--no-edit", "main");
    tips.push(repository.git("rev-parse", "HEAD"));
    repository.git("switch", "--quiet", "main");

    for (const tip of tips) {
      repository.git("update-ref", `refs/heads/${BRANCH}`, tip);
      expect(await forge.propose(draftOn(base, "1.1.0"), await known(), run)).toMatchObject({ tip });
    }
  });

  it("is rebuilt when the base changed the proposed file", async () => {
    const before = await known();
    repository.write({ [PATH]: "1.0.1\n" });
    base = repository.commit("meanwhile");
    const after = await forge.propose(draftOn(base, "1.1.0"), await known(), run);

    expect(after.tip).not.toBe(before?.tip);
    expect(repository.git("diff", "--name-only", base, BRANCH)).toBe(PATH);
  });

  it("with two forks from the base is foreign, since its merge may undo what main has", async () => {
    repository.git("switch", "--quiet", "--create", "side");
    repository.write({ "channels/regular.yaml": "stricter\n" });
    const side = repository.commit("side");
    repository.git("switch", "--quiet", "main");
    repository.write({ [OTHER]: "meanwhile\n" });
    const main = repository.commit("meanwhile");
    repository.git("merge", "--quiet", "--no-ff", "--no-edit", "side");
    repository.git("read-tree", main);
    repository.git("update-index", "--cacheinfo", `100644,${repository.git("rev-parse", `${BRANCH}:${PATH}`)},${PATH}`);
    const tree = repository.git("write-tree");
    repository.git("read-tree", "HEAD");
    move(tree, main, side);

    expect((await known())?.content).toMatchObject({ files: new Map(), others: [mentions("history", "2 forks")] });
  });

  it("of another history is foreign", async () => {
    move(`${BRANCH}^{tree}`);

    expect((await known())?.content).toMatchObject({ others: [mentions("history", "no common commit")] });
  });
});
