import { chownSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { revisionSource } from "../../../src/systems/git/revision.ts";
import { gitHistory } from "../../../src/systems/git/history.ts";
import { quietRun } from "../../support/quietRun.ts";
import { emptyFolder, emptyRepository, gitAt } from "../repository.ts";
import { everything } from "../snapshots.ts";

const run = quietRun();

describe("a history", () => {
  const never = (): boolean => false;
  const texts = async (path: string, ...paths: readonly string[]): Promise<readonly string[]> =>
    (await gitHistory(gitAt(path)).contentsOf(paths, never, run)).map(
      ({ path: name, bytes }) => `${name}: ${Buffer.from(bytes).toString()}`,
    );

  it("gives every content that the files had, newest first, with the commit that brought it, and no deletions", async () => {
    const repository = emptyRepository();
    repository.write({ "channels/fast/a.yaml": "1", "channels/slow/a.yaml": "slow", other: "x" });
    const first = repository.commit();
    repository.write({ "channels/fast/a.yaml": "2" });
    const second = repository.commit();
    repository.remove("channels/fast/a.yaml");
    repository.commit();
    repository.write({ "channels/fast/a.yaml": "3", other: "y" });
    const third = repository.commit();
    const files = await gitHistory(gitAt(repository.path)).contentsOf(["channels/fast/a.yaml"], never, run);

    expect(files.map(({ revision, bytes }) => [revision, Buffer.from(bytes).toString()])).toEqual([
      [third, "3"],
      [second, "2"],
      [first, "1"],
    ]);
    expect(await texts(repository.path, "channels/fast/a.yaml", "channels/slow/a.yaml")).toContain(
      "channels/slow/a.yaml: slow",
    );
  });

  it("takes a merge for one step, and does not look into the branch", async () => {
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
    const merge = repository.git("rev-parse", "HEAD");
    const files = await gitHistory(gitAt(repository.path)).contentsOf(["channels/fast/a.yaml"], never, run);

    expect(files.map(({ bytes }) => Buffer.from(bytes).toString())).toEqual(["2", "1"]);
    expect(files[0]?.revision).toBe(merge);
  });

  it("does not take a renamed file for another, nor lose it to a user's settings", async () => {
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
    onTestFinished(() => void vi.unstubAllEnvs());

    expect(await texts(repository.path, "channels/fast/a.yaml", "channels/fast/b.yaml")).toEqual([
      "channels/fast/b.yaml: 1\n2\n3\n4\n5\n",
      "channels/fast/a.yaml: 1\n2\n3\n4\n5\n",
    ]);
  });

  it("is that of a folder where the catalogue is one of a larger repository", async () => {
    const repository = emptyRepository();
    repository.write({ "catalogue/channels/fast/a.yaml": "in", "channels/fast/a.yaml": "out" });
    repository.commit();

    expect(await texts(join(repository.path, "catalogue"), "channels/fast/a.yaml")).toEqual([
      "channels/fast/a.yaml: in",
    ]);
  });

  it("is empty where there is no Git repository, no commit, or nothing to look for", async () => {
    const repository = emptyRepository();
    const found = [
      await texts(emptyFolder().path, "a"),
      await texts(repository.path, "a"),
      await texts(repository.path),
    ];

    expect(found).toEqual([[], [], []]);
    expect(await gitAt(repository.path).head(run)).toBeUndefined();
  });

  it("that is cut off is a failure that says how deep it must be, unless what there is is enough", async () => {
    const [repository, clone] = [emptyRepository(), emptyFolder()];
    for (const text of ["1", "2", "3"]) {
      repository.write({ "channels/fast/a.yaml": text });
      repository.commit();
    }
    clone.git("clone", "--quiet", "--depth=2", `file://${repository.path}`, ".");
    const history = gitHistory(gitAt(clone.path));

    await expect(history.contentsOf(["channels/fast/a.yaml"], never, run)).rejects.toMatchObject({
      code: "HISTORY_TOO_SHALLOW",
      message: expect.stringMatching(
        /shallow clone of 2 commits.*must be deeper than 2.*git fetch --deepen=20/,
      ) as string,
    });
    const enough = await history.contentsOf(["channels/fast/a.yaml"], (files) => files.length === 2, run);

    expect(enough.map(({ bytes }) => Buffer.from(bytes).toString())).toEqual(["3", "2"]);
    clone.git("fetch", "--quiet", "--deepen=20");
    expect(await texts(clone.path, "channels/fast/a.yaml")).toHaveLength(3);
  });

  it("of a repository that Git does not trust is a failure that says what to do, and not an empty one", async (context) => {
    if (process.getuid?.() !== 0) context.skip("only root can give a folder to someone else");
    const repository = emptyRepository();
    repository.write({ "channels/fast/a.yaml": "1" });
    repository.commit();
    for (const path of [".git", "."]) chownSync(join(repository.path, path), 12_345, 12_345);
    vi.stubEnv("GIT_CONFIG_GLOBAL", "/dev/null");
    vi.stubEnv("GIT_CONFIG_NOSYSTEM", "1");
    onTestFinished(() => void vi.unstubAllEnvs());
    const untrusted = { code: "GIT_FAILED", message: expect.stringContaining("safe.directory") as string };

    await expect(texts(repository.path, "channels/fast/a.yaml")).rejects.toMatchObject(untrusted);
    await expect(revisionSource(gitAt(repository.path), "HEAD").snapshot(everything, run)).rejects.toMatchObject(
      untrusted,
    );
  });

  it("of a clone that lacks objects is a failure, and not a shorter history", async () => {
    const repository = emptyRepository();
    repository.write({ "channels/fast/a.yaml": "1" });
    repository.commit();
    const blob = repository.git("rev-parse", "HEAD:channels/fast/a.yaml");
    repository.remove(`.git/objects/${blob.slice(0, 2)}/${blob.slice(2)}`);

    await expect(texts(repository.path, "channels/fast/a.yaml")).rejects.toMatchObject({
      code: "GIT_FAILED",
      message: expect.stringContaining("not complete") as string,
    });
  });

  it("is not read where there is no git, or once the run is aborted", async () => {
    const repository = emptyRepository();
    const aborted = quietRun(AbortSignal.abort(new Error("interrupted")));

    await expect(gitHistory(gitAt(repository.path)).contentsOf(["a"], never, aborted)).rejects.toThrow("interrupted");
    vi.stubEnv("PATH", "/nowhere");
    onTestFinished(() => void vi.unstubAllEnvs());
    await expect(texts(repository.path, "a")).rejects.toMatchObject({
      code: "GIT_FAILED",
      message: expect.stringContaining("git could not be run") as string,
    });
  });
});
