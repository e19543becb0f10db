import { chmodSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { gitHistory } from "../../../src/systems/git/history.ts";
import { Repository } from "../../../src/systems/git/repository.ts";
import { quietRun } from "../../support/quietRun.ts";
import { emptyFolder, emptyRepository, gitAt } from "../repository.ts";

const run = quietRun();

describe("a repository", () => {
  it("knows the path of a folder in it, and whether the clone is shallow", async () => {
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

  it("knows the fork point of HEAD from a branch, and none for other names and unrelated branches", async () => {
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

    expect(await git.forkFrom("base", run)).toEqual({ base, fork, head: fork });
    expect(await git.prefix(run)).toBe("");
    for (const name of ["missing", "elsewhere", "-x", "HEAD..base", "HEAD:file"])
      expect([name, await git.forkFrom(name, run)]).toEqual([name, undefined]);
  });

  it("is refused below a folder with a line feed in its name", async () => {
    const repository = emptyRepository();
    for (const folder of ["\na", "a\nb", "a/\nb"]) {
      repository.write({ [`${folder}/file`]: "1" });
      repository.commit();
      const git = gitAt(join(repository.path, folder));
      await expect(git.prefix(run)).rejects.toMatchObject({ code: "CONFIGURATION" });
      await expect(git.resolve("main", run)).rejects.toMatchObject({ code: "CONFIGURATION" });
    }
  });

  it("may be created in the folder of another one", async () => {
    const repository = emptyRepository();
    repository.write({ "cat/file": "1" });
    repository.commit();
    const git = gitAt(join(repository.path, "cat"));
    const prefixes = [await git.prefix(run)];
    repository.git("-C", "cat", "init", "--quiet", "--initial-branch=main");
    repository.git("-C", "cat", "add", "--all");
    repository.git("-C", "cat", "commit", "--quiet", "--message=inner");
    const commit = await git.resolve("main", run);
    prefixes.push(await git.prefix(run));

    expect(prefixes).toEqual(["cat/", ""]);
    expect(commit).toBe(repository.git("-C", "cat", "rev-parse", "HEAD"));
  });

  it("has a HEAD also where its commit is lost, and follows it", async () => {
    const repository = emptyRepository();
    const first = repository.commit("one");
    const git = gitAt(repository.path);
    const heads = [await git.currentHead(run)];
    const second = repository.commit("two");
    heads.push(await git.currentHead(run));
    repository.remove(`.git/objects/${second.slice(0, 2)}/${second.slice(2)}`);
    heads.push(await git.currentHead(run));

    expect(heads).toEqual([first, second, second]);
    await expect(
      gitHistory(git).read("HEAD", { paths: ["."], everyCommit: true, wants: () => true }, run),
    ).rejects.toMatchObject({
      code: "GIT_FAILED",
    });
  });

  it("has no prefix and no fork point without Git", async () => {
    const nothing = gitAt(emptyFolder().path);

    expect([await nothing.forkFrom("HEAD", run), await nothing.prefix(run)]).toEqual([undefined, ""]);
  });

  it("asks again after an interruption", async () => {
    const repository = emptyRepository();
    repository.commit("one");
    const git = gitAt(repository.path);

    await expect(git.prefix(quietRun(AbortSignal.abort(new Error("stop"))))).rejects.toThrow("stop");
    expect(await git.prefix(run)).toBe("");
  });

  it("runs Git in exactly the given environment plus additions", async () => {
    const git = Repository.of(emptyFolder().path, {
      ...process.env,
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: "url.https://mirror.example.com/.insteadOf",
      GIT_CONFIG_VALUE_0: "https://example.com/",
      EDITOR: "first",
      GIT_EDITOR: "second",
    });

    expect(await git.text(["config", "--get-regexp", "^url"], run)).toContain("mirror.example.com");
    expect(await git.text(["var", "GIT_EDITOR"], run)).toBe("second");
    expect(await git.with({ GIT_EDITOR: undefined }).text(["var", "GIT_EDITOR"], run)).toBe("first");
  });

  it("returns the output of Git byte for byte, of any length and any end", async () => {
    const repository = emptyRepository();
    const bytes = Buffer.from(Array.from({ length: 3_000_000 }, (_, index) => (index * 7) % 256));
    repository.write({ file: bytes });
    repository.commit();
    const git = gitAt(repository.path);

    expect((await git.git(["cat-file", "blob", "HEAD:file"], run)).stdout.equals(bytes)).toBe(true);
    expect(await git.git(["merge-base", "--is-ancestor", "HEAD", "HEAD"], run)).toMatchObject({ code: 0, stderr: "" });
    expect(await git.git(["config", "--get", "no.such"], run, { accepted: [1] })).toMatchObject({ code: 1 });
    await expect(git.git(["config", "--get", "no.such"], run)).rejects.toMatchObject({ code: "GIT_FAILED" });
  });

  it("does not wait for child processes of Git after an interruption", async () => {
    const tools = emptyFolder();
    const interruption = new AbortController();
    // Its child keeps the pipes.
    tools.write({ git: "#!/bin/sh\nsleep 60 &\necho $! >pid\nwait\n" });
    chmodSync(join(tools.path, "git"), 0o755);
    const asked = gitAt(tools.path)
      .with({ PATH: `${tools.path}:${String(process.env["PATH"])}` })
      .git(["status"], quietRun(interruption.signal));
    const pid = join(tools.path, "pid");
    await vi.waitUntil(() => existsSync(pid) && readFileSync(pid, "utf8").endsWith("\n"), { timeout: 30_000 });
    onTestFinished(() => void process.kill(Number(readFileSync(pid, "utf8"))));
    interruption.abort(new Error("stop"));

    await expect(asked).rejects.toThrow("stop");
  });
});
