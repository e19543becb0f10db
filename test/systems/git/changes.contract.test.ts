import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { changesSince } from "../../../src/systems/git/changes.ts";
import { quietRun } from "../../support/quietRun.ts";
import { emptyFolder, emptyRepository, type Folder, gitAt } from "../repository.ts";

const run = quietRun();

/** A repository with a commit. */
function committed(files: Parameters<Folder["write"]>[0]): Folder {
  const repository = emptyRepository();
  repository.write(files);
  repository.commit();
  return repository;
}

async function changedIn(folder: string, base = "HEAD"): Promise<readonly string[]> {
  return (await changesSince(gitAt(folder), base, "worktree", run)).paths;
}

describe("the changes of a working tree", () => {
  it("are committed, staged, unstaged, untracked and removed files, each once", async () => {
    const repository = committed({
      "channels/kept.yaml": "k",
      "channels/staged.yaml": "s",
      "channels/edited.yaml": "e",
      "channels/removed.yaml": "r",
      "channels/forgotten.yaml": "f",
    });
    repository.git("branch", "base");
    repository.write({ "channels/committed.yaml": "c" });
    repository.commit();
    repository.write({ "channels/staged.yaml": "S", "modules/ärger 中\n/module.yaml": "new" });
    repository.git("add", "--all");
    repository.write({ "channels/staged.yaml": "S2", "channels/edited.yaml": "E", "modules/untracked.yaml": "u" });
    repository.remove("channels/removed.yaml");
    repository.git("rm", "--quiet", "--cached", "channels/forgotten.yaml");

    expect(await changedIn(repository.path, "base")).toEqual([
      "channels/committed.yaml",
      "channels/edited.yaml",
      "channels/forgotten.yaml",
      "channels/removed.yaml",
      "channels/staged.yaml",
      "modules/untracked.yaml",
      "modules/ärger 中\n/module.yaml",
    ]);
  });

  it("exclude ignored files and files outside of the catalogue", async () => {
    const repository = committed({ ".gitignore": "*.tmp.yaml\n", "src/a.ts": "a" });
    repository.write({ "channels/a.tmp.yaml": "x", "src/a.ts": "b", "README.md": "c", ".github/CODEOWNERS": "d" });

    expect(await changedIn(repository.path)).toEqual([".github/CODEOWNERS"]);
  });

  it("include both paths of a moved file, and a file that only changed its type", async () => {
    const repository = committed({ "channels/old.yaml": "a long enough text to be found again\n", "modules/a": "b" });
    repository.git("mv", "channels/old.yaml", "channels/new.yaml");
    repository.write({ "modules/a": { link: "b" } });

    expect(await changedIn(repository.path)).toEqual(["channels/new.yaml", "channels/old.yaml", "modules/a"]);
  });

  it("begin at the fork point, without later changes of the base", async () => {
    const repository = committed({ "channels/a.yaml": "a" });
    repository.git("branch", "left");
    repository.git("switch", "--quiet", "--create", "change");
    repository.write({ "channels/mine.yaml": "m" });
    const head = repository.commit();
    repository.git("switch", "--quiet", "main");
    repository.write({ "channels/theirs.yaml": "t" });
    const tip = repository.commit();
    repository.git("switch", "--quiet", "change");

    const left = repository.git("rev-parse", "left");
    const paths = ["channels/mine.yaml"];
    expect(await changesSince(gitAt(repository.path), "main", "worktree", run)).toEqual({
      base: tip,
      fork: left,
      head,
      isAside: false,
      paths,
    });
    expect(await changesSince(gitAt(repository.path), "left", "worktree", run)).toEqual({
      base: left,
      fork: left,
      head,
      isAside: false,
      paths,
    });
  });

  it("are relative to the folder of the catalogue, without its siblings", async () => {
    const repository = committed({ "a/channels/x.yaml": "x", "b/channels/x.yaml": "x", "channels/x.yaml": "x" });
    repository.write({
      "a/channels/x.yaml": "y",
      "b/channels/x.yaml": "y",
      "channels/x.yaml": "y",
      "a/modules/n": "n",
    });

    expect(await changedIn(join(repository.path, "a"))).toEqual(["channels/x.yaml", "modules/n"]);
    expect(await gitAt(join(repository.path, "a")).prefix(run)).toBe("a/");
    expect(await gitAt(repository.path).prefix(run)).toBe("");
    expect(await gitAt(emptyFolder().path).prefix(run)).toBe("");
  });

  it("do not depend on the user's configuration", async () => {
    const repository = committed({ "channels/a.yaml": "a", "channels/ö.yaml": "a" });
    repository.write({ "channels/a.yaml": "b", "channels/ö.yaml": "b" });
    for (const [key, value] of [
      ["diff.noprefix", "true"],
      ["diff.external", "false"],
      ["diff.renames", "copies"],
      ["color.ui", "always"],
      ["core.quotePath", "true"],
      ["status.showUntrackedFiles", "no"],
    ] as const)
      repository.git("config", key, value);

    expect(await changedIn(repository.path)).toEqual(["channels/a.yaml", "channels/ö.yaml"]);
  });
});

describe("a link of the catalogue", () => {
  const LINKED = {
    "docs/v1/a.yaml": "a",
    "docs/v2/a.yaml": "b",
    "docs/current": { link: "v1" },
    "channels/direct.yaml": { link: "../docs/v1/a.yaml" },
    "channels/far.yaml": { link: "../docs/current/a.yaml" },
    "channels/other.yaml": { link: "../README.md" },
    "README.md": "r",
  };

  it("counts as changed if its target is changed", async () => {
    const repository = committed(LINKED);
    repository.write({ "docs/v1/a.yaml": "changed" });

    expect(await changedIn(repository.path)).toEqual(["channels/direct.yaml", "channels/far.yaml"]);
  });

  it("counts as changed if any link is changed", async () => {
    const repository = committed(LINKED);
    repository.write({ "docs/current": { link: "v2" } });

    expect(await changedIn(repository.path)).toEqual(expect.arrayContaining(["channels/far.yaml"]));
  });

  it("counts as changed if its target is removed", async () => {
    const repository = committed(LINKED);
    repository.remove("README.md");

    expect(await changedIn(repository.path)).toEqual(["channels/other.yaml"]);
  });
});

describe("an error", () => {
  it("is thrown for an unknown revision, or one that looks like an option", async () => {
    const repository = committed({ "channels/a.yaml": "a" });

    for (const base of ["nowhere", "", "--all", "0".repeat(40), "HEAD:channels"])
      await expect(changedIn(repository.path, base)).rejects.toMatchObject({ code: "REVISION_UNKNOWN" });
  });

  it("is thrown without a commit or a folder", async () => {
    const folder = emptyFolder();
    mkdirSync(join(folder.path, "channels"));

    for (const path of [folder.path, emptyRepository().path])
      await expect(changedIn(path)).rejects.toMatchObject({
        code: "REVISION_UNKNOWN",
        message: expect.stringContaining("Omit --base") as string,
      });
    await expect(changedIn(join(folder.path, "nowhere"))).rejects.toMatchObject({ code: "CONFIGURATION" });
  });

  it("is thrown without a common commit in this clone", async () => {
    const [repository, elsewhere] = [committed({ "channels/a.yaml": "a" }), emptyFolder()];
    repository.git("switch", "--quiet", "--create", "change");
    repository.commit("one");
    repository.git("switch", "--quiet", "main");
    repository.commit("another");
    const clone = join(elsewhere.path, "clone");
    repository.git("clone", "--quiet", "--depth=1", "--no-single-branch", `file://${repository.path}`, clone);

    await expect(changedIn(clone, "origin/change")).rejects.toMatchObject({
      code: "HISTORY_TOO_SHALLOW",
      message: expect.stringContaining("git fetch --unshallow") as string,
    });
  });

  it("is the reason of an abort", async () => {
    const repository = committed({ "channels/a.yaml": "a" });

    await expect(
      changesSince(gitAt(repository.path), "HEAD", "worktree", quietRun(AbortSignal.abort(new Error("stop")))),
    ).rejects.toThrow("stop");
  });
});
