import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { quietRun } from "../../support/quietRun.ts";
import { emptyFolder, emptyRepository, gitAt } from "../repository.ts";

const run = quietRun();

describe("a repository", () => {
  it("says where a folder lies in it, and whether the clone is cut off", async () => {
    const repository = emptyRepository();
    repository.write({ "a/file": "1" });
    repository.commit("one");
    repository.write({ "a/file": "2" });
    repository.commit("two");
    repository.git("clone", "--quiet", "--depth=1", `file://${repository.path}`, "shallow");
    const shallow = gitAt(join(repository.path, "shallow/a"));

    expect([await shallow.prefix(run), await shallow.isShallow(run)]).toEqual(["a/", true]);
    expect(await gitAt(repository.path).isShallow(run)).toBe(false);
  });

  it("says where HEAD left a branch, and nothing of what is no commit, or begins elsewhere", async () => {
    const repository = emptyRepository();
    repository.write({ file: "1" });
    const fork = repository.commit("one");
    repository.git("branch", "base");
    repository.git("checkout", "--quiet", "--orphan", "elsewhere");
    repository.commit("two");
    repository.git("checkout", "--quiet", "base");
    repository.write({ file: "3" });
    const base = repository.commit("three");
    repository.git("checkout", "--quiet", "-b", "change", fork);
    const git = gitAt(repository.path);

    expect(await git.forkFrom("base", run)).toEqual({ base, fork });
    expect(await git.prefix(run)).toBe("");
    for (const name of ["nobody", "elsewhere", "-x", "HEAD..base", "HEAD:file"])
      expect([name, await git.forkFrom(name, run)]).toEqual([name, undefined]);
  });

  it("has no prefix and no fork where there is no Git", async () => {
    const nothing = gitAt(emptyFolder().path);

    expect([await nothing.forkFrom("HEAD", run), await nothing.prefix(run)]).toEqual([undefined, ""]);
  });

  it("asks again when it was interrupted before it answered", async () => {
    const repository = emptyRepository();
    repository.commit("one");
    const git = gitAt(repository.path);

    await expect(git.prefix(quietRun(AbortSignal.abort(new Error("stop"))))).rejects.toThrow("stop");
    expect(await git.prefix(run)).toBe("");
  });
});
