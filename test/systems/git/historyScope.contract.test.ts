import { chownSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { revisionSource } from "../../../src/systems/git/revision.ts";
import { gitHistory } from "../../../src/systems/git/history.ts";
import { mentions } from "../../support/mentions.ts";
import { quietRun } from "../../support/quietRun.ts";
import { historyOf, said } from "../histories.ts";
import { emptyFolder, emptyRepository, type Folder, gitAt } from "../repository.ts";
import { everything } from "../snapshots.ts";

const run = quietRun();

/** What commits made of the files at some paths, oldest first. */
async function texts(path: string, ...paths: readonly string[]): Promise<readonly string[]> {
  return (await historyOf(path, ...paths)).changes.map((change) => said(change).replace(/^\d+ /, ""));
}

describe("a history of some files", () => {
  it("has each change of them, and only commits with such changes", async () => {
    const repository = emptyRepository();
    repository.write({ "channels/fast/a.yaml": "1", "channels/slow/a.yaml": "slow", other: "x" });
    const first = repository.commit();
    repository.write({ other: "y" });
    repository.commit();
    repository.write({ "channels/fast/a.yaml": "2" });
    const second = repository.commit();
    repository.remove("channels/fast/a.yaml");
    const third = repository.commit();
    const { commits, changes } = await historyOf(repository.path, "channels/fast/a.yaml");

    expect(commits.map(({ commit }) => commit)).toEqual([first, second, third]);
    expect(changes.map(said)).toEqual([
      "0 channels/fast/a.yaml: 1",
      "1 channels/fast/a.yaml: 2",
      "2 channels/fast/a.yaml is gone",
    ]);
    expect(await texts(repository.path, "channels/fast/a.yaml", "channels/slow/a.yaml")).toContain(
      "channels/slow/a.yaml: slow",
    );
  });

  it("treats a merge as one step, without the commits of the branch", async () => {
    const repository = emptyRepository();
    repository.write({ "channels/fast/a.yaml": "1" });
    repository.commit();
    repository.git("checkout", "--quiet", "-b", "branch");
    for (const text of ["draft", "2"]) {
      repository.write({ "channels/fast/a.yaml": text });
      repository.commit();
    }
    repository.git("checkout", "--quiet", "main");
    repository.git("merge", "--quiet", "--no-ff", "--message", "merge", "branch");
    const { commits, changes } = await historyOf(repository.path, "channels/fast/a.yaml");

    expect(changes.map(said)).toEqual(["0 channels/fast/a.yaml: 1", "1 channels/fast/a.yaml: 2"]);
    expect(commits[1]).toMatchObject({
      commit: repository.git("rev-parse", "HEAD"),
      parents: [repository.git("rev-parse", "HEAD^1"), repository.git("rev-parse", "HEAD^2")],
    });
  });

  it("keeps renamed files apart, regardless of a user's settings", async () => {
    const repository = emptyRepository();
    repository.write({ "channels/fast/a.yaml": "1\n2\n3\n4\n5\n" });
    repository.commit();
    repository.git("mv", "channels/fast/a.yaml", "channels/fast/b.yaml");
    repository.commit();
    const settings = emptyFolder();
    settings.write({
      config:
        "[log]\nshowRoot=false\nshowSignature=true\n[diff]\nrenames=copies\n[core]\nquotePath=true\n[color]\nui=always\n",
    });
    vi.stubEnv("GIT_CONFIG_GLOBAL", join(settings.path, "config"));

    expect(await texts(repository.path, "channels/fast/a.yaml", "channels/fast/b.yaml")).toEqual([
      "channels/fast/a.yaml: 1\n2\n3\n4\n5\n",
      "channels/fast/a.yaml is gone",
      "channels/fast/b.yaml: 1\n2\n3\n4\n5\n",
    ]);
  });

  it("covers only the folder of a catalogue in a larger repository", async () => {
    const repository = emptyRepository();
    repository.write({ "catalogue/channels/fast/a.yaml": "in", "channels/fast/a.yaml": "out" });
    repository.commit();

    expect(await texts(join(repository.path, "catalogue"), "channels/fast/a.yaml")).toEqual([
      "channels/fast/a.yaml: in",
    ]);
  });

  it("is empty without a Git repository, a commit, or paths", async () => {
    const repository = emptyRepository();
    const found = [
      await texts(emptyFolder().path, "a"),
      await texts(repository.path, "a"),
      await texts(repository.path),
    ];

    expect(found).toEqual([[], [], []]);
    expect(await gitAt(repository.path).head(run)).toBeUndefined();
  });

  it("of a shallow clone has the available commits, and says how deep it must be", async () => {
    const [repository, clone] = [emptyRepository(), emptyFolder()];
    for (const text of ["1", "2", "3"]) {
      repository.write({ "channels/fast/a.yaml": text });
      repository.commit();
    }
    clone.git("clone", "--quiet", "--depth=2", `file://${repository.path}`, ".");
    const { changes, cut } = await historyOf(clone.path, "channels/fast/a.yaml");

    expect(changes.map(said)).toEqual(["0 channels/fast/a.yaml: 2", "1 channels/fast/a.yaml: 3"]);
    expect(cut).toMatchObject({
      code: "HISTORY_TOO_SHALLOW",
      message: mentions("shallow", "2 commits", "2", "git fetch --deepen=20"),
    });
    clone.git("fetch", "--quiet", "--deepen=20");
    expect(await texts(clone.path, "channels/fast/a.yaml")).toHaveLength(3);
  });

  it("of a repository that Git does not trust fails with a remedy instead of being empty", async (context) => {
    if (process.getuid?.() !== 0) context.skip("only root can give a folder to someone else");
    const repository = emptyRepository();
    repository.write({ "channels/fast/a.yaml": "1" });
    repository.commit();
    for (const path of [".git", "."]) chownSync(join(repository.path, path), 12_345, 12_345);
    vi.stubEnv("GIT_CONFIG_GLOBAL", "/dev/null");
    vi.stubEnv("GIT_CONFIG_NOSYSTEM", "1");
    const untrusted = { code: "GIT_FAILED", message: expect.stringContaining("safe.directory") as string };

    await expect(texts(repository.path, "channels/fast/a.yaml")).rejects.toMatchObject(untrusted);
    await expect(revisionSource(gitAt(repository.path), "HEAD").snapshot(everything, run)).rejects.toMatchObject(
      untrusted,
    );
  });

  it("of a clone that lacks objects fails instead of being shorter", async () => {
    const repository = emptyRepository();
    repository.write({ "channels/fast/a.yaml": "1" });
    repository.commit();
    const blob = repository.git("rev-parse", "HEAD:channels/fast/a.yaml");
    repository.remove(`.git/objects/${blob.slice(0, 2)}/${blob.slice(2)}`);

    await expect(texts(repository.path, "channels/fast/a.yaml")).rejects.toMatchObject({
      code: "GIT_FAILED",
      message: mentions(blob, "missing", "git fsck"),
    });
  });

  it("fails without git, or once the run is aborted", async () => {
    const repository = emptyRepository();
    const aborted = quietRun(AbortSignal.abort(new Error("interrupted")));

    const scope = { paths: ["a"], wants: () => true, everyCommit: false };
    await expect(gitHistory(gitAt(repository.path)).read("HEAD", scope, aborted)).rejects.toThrow("interrupted");
    vi.stubEnv("PATH", "/nowhere");
    await expect(texts(repository.path, "a")).rejects.toMatchObject({
      code: "GIT_FAILED",
      message: mentions("git", repository.path, "PATH"),
    });
  });
});

describe("the commits that merges brought", () => {
  /** A branch that begins at the current commit, with a commit for each message. */
  function branch(repository: Folder, name: string, ...messages: readonly string[]): void {
    repository.git("switch", "--quiet", "--create", name);
    for (const message of messages) repository.commit(message);
    repository.git("switch", "--quiet", "main");
  }

  function merge(repository: Folder, ...branches: readonly string[]): void {
    repository.git("merge", "--quiet", "--no-ff", "--no-edit", ...branches);
  }

  /** The subjects of the commits that each merge brought. */
  async function brought(repository: Folder): Promise<readonly (readonly string[])[]> {
    const history = gitHistory(gitAt(repository.path));
    const { commits } = await history.read("HEAD", { paths: ["."], wants: () => true, everyCommit: true }, run);
    const merges = commits.filter(({ parents }) => parents.length > 1);
    const [first = 0, last = -1] = [merges[0], merges.at(-1)].map((merge) => merge && commits.indexOf(merge));
    const found = await history.brought(commits.slice(first, last + 1), run);
    expect(found.size).toBe(merges.length);
    return merges.map(({ commit }) => (found.get(commit) ?? []).map(({ subject }) => subject));
  }

  it("are those of each branch, oldest first, with their complete messages", async () => {
    const repository = emptyRepository();
    repository.commit("first");
    branch(repository, "one", "Begin", "Promote ä\n\nBody.\n\nPromotes: istio@1.1.0");
    branch(repository, "two", "Hold");
    merge(repository, "one", "two");
    const history = gitHistory(gitAt(repository.path));
    const { commits } = await history.read("HEAD", { paths: ["."], wants: () => true, everyCommit: true }, run);
    const [octopus] = [...(await history.brought(commits.slice(-1), run)).values()];

    expect(octopus).toHaveLength(3);
    expect(octopus).toContainEqual(
      expect.objectContaining({ subject: "Promote ä", body: "Body.\n\nPromotes: istio@1.1.0\n" }),
    );
    expect((await brought(repository))[0]?.filter((subject) => subject !== "Hold")).toEqual(["Begin", "Promote ä"]);
  });

  it("are not those that the base had already, also by another branch", async () => {
    const repository = emptyRepository();
    repository.commit("first");
    branch(repository, "topic", "Promote istio");
    branch(repository, "other", "Promote keda");
    merge(repository, "other");
    repository.commit("on main");
    repository.git("switch", "--quiet", "topic");
    repository.git("merge", "--quiet", "--message", "Update", "main", "other");
    repository.git("switch", "--quiet", "main");
    merge(repository, "topic");

    expect(await brought(repository)).toEqual([["Promote keda"], ["Promote istio", "Update"]]);
  });

  it("are none without merges", async () => {
    expect(await gitHistory(gitAt(emptyRepository().path)).brought([], run)).toEqual(new Map());
  });
});
