import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fileText } from "../../../src/document/snapshot.ts";
import { gitHistory } from "../../../src/systems/git/history.ts";
import { openUpstream } from "../../../src/systems/git/upstream.ts";
import { quietRun } from "../../support/quietRun.ts";
import { emptyFolder } from "../repository.ts";
import { startServer } from "../webServer.ts";
import { followed } from "./following.ts";

const run = quietRun();
const everything = { paths: ["."], wants: () => true, everyCommit: false };
const COMMITTER = {
  ...{ GIT_AUTHOR_NAME: "Keeper", GIT_AUTHOR_EMAIL: "keeper@example.com" },
  ...{ GIT_COMMITTER_NAME: "Keeper", GIT_COMMITTER_EMAIL: "keeper@example.com" },
};
const ABSENT = "0123456789012345678901234567890123456789";

describe("a followed branch", () => {
  it("is fetched at its current commit until it moves", async () => {
    const { remote, open } = followed();
    const upstream = open();
    const first = remote.git("rev-parse", "HEAD");

    expect([await upstream.fetch(run), await upstream.fetch(run), await open().fetch(run)]).toEqual([
      first,
      first,
      first,
    ]);
    const second = remote.commit("two");
    expect([await upstream.fetch(run), await open().fetch(run)]).toEqual([second, second]);
  });

  it("has the history of what it was at each fetch, also after a pull that made that a side branch", async () => {
    const { remote, open } = followed();
    const upstream = open();
    const run = quietRun();
    const first = await upstream.fetch(run);
    const second = remote.commit("second");
    await upstream.fetch(run);
    remote.git("switch", "--quiet", "--create", "local", first);
    remote.commit("local");
    remote.git("merge", "--quiet", "--message", "any", "main");
    remote.git("branch", "--quiet", "--force", "main", "local");
    const tip = await upstream.fetch(run);
    const scope = { paths: ["."], wants: () => true, everyCommit: true };
    const { commits } = await gitHistory(upstream.repository).read(tip, scope, run);

    expect(commits.map(({ commit }) => commit)).toEqual([first, second, tip]);
  });

  it("is followed after a rewrite, and old commits stay available", async () => {
    const { remote, open } = followed();
    const lost = remote.commit("lost");
    const upstream = open();
    await upstream.fetch(run);
    remote.git("reset", "--quiet", "--hard", "HEAD~1");
    const kept = remote.commit("kept");

    expect(await upstream.fetch(run)).toBe(kept);
    expect(await upstream.obtain(lost, run)).toBe(true);
    expect((await upstream.source(lost).snapshot(() => true, run)).revision).toBe(lost);
  });

  it("allows commits to another branch, in the catalogue's folder and on top of commits of others", async () => {
    const { remote, open } = followed();
    const upstream = open({ path: "sub" }, COMMITTER);
    const { branch: kept, source } = upstream.keptBranch("notes");
    const append = (tip: string | undefined, path: string) =>
      kept.append(tip, { files: new Map([[path, path]]), message: path }, run);
    expect(await kept.fetch(run)).toBeUndefined();
    const first = await append(undefined, "a/one");
    const second = await open({ path: "sub" }, COMMITTER)
      .keptBranch("notes")
      .branch.append(first, { files: new Map([["two", "2"]]), message: "two" }, run);

    expect(await append(first, "late")).toBeUndefined();
    expect(await kept.fetch(run)).toBe(second);
    expect([...(await source(second ?? "").snapshot(() => true, run)).files.keys()]).toEqual(["a/one", "two"]);
    expect(remote.git("ls-tree", "-r", "--name-only", "notes").split("\n")).toEqual(["sub/a/one", "sub/two"]);
    expect(remote.git("log", "--format=%an %s", "notes").split("\n")).toEqual(["Keeper two", "Keeper a/one"]);
    expect(await upstream.fetch(run)).toBe(remote.git("rev-parse", "main"));
  });

  it("returns a file that two commits share as the same object, and a changed one as another", async () => {
    const { remote, open } = followed();
    remote.write({ "same.yaml": "a: 1\n", "other.yaml": "a: 1\n" });
    const first = remote.commit("first");
    remote.write({ "other.yaml": "a: 2\n" });
    const second = remote.commit("second");
    const upstream = open();
    await upstream.fetch(run);
    const filesAt = async (commit: string) => (await upstream.source(commit).snapshot(() => true, run)).files;
    const [one, two, three] = [await filesAt(first), await filesAt(second), await filesAt(first)];

    expect(two.get("same.yaml")).toBe(one.get("same.yaml"));
    expect(fileText(two.get("other.yaml"))).toBe("a: 2\n");
    expect(three.get("same.yaml")).toBe(one.get("same.yaml"));
    expect(fileText(three.get("other.yaml"))).toBe("a: 1\n");
  });

  it("obtains a commit that it no longer contains if the remote has it", async () => {
    const { remote, cache, open } = followed();
    const lost = remote.commit("lost");
    remote.git("reset", "--quiet", "--hard", "HEAD~1");
    // The older protocol leaves it to the remote, as a forge may.
    const older = { GIT_CONFIG_COUNT: "1", GIT_CONFIG_KEY_0: "protocol.version", GIT_CONFIG_VALUE_0: "0" };

    expect(await open({}, older).obtain(lost, run)).toBe(false);
    remote.git("config", "uploadpack.allowAnySHA1InWant", "true");
    expect(await open({}, older).obtain(lost, run)).toBe(true);
    remote.git("reflog", "expire", "--expire=now", "--all");
    remote.git("gc", "--quiet", "--prune=now");
    expect(await open().obtain(lost, run)).toBe(true);
    cache.remove(".");
    for (const commit of [lost, ABSENT, "main", "--all", ""])
      expect([commit, await open().obtain(commit, run)]).toEqual([commit, false]);
  });

  it("is unknown if it is gone or never existed", async () => {
    const { remote, open } = followed();
    const upstream = open();
    await upstream.fetch(run);
    remote.git("branch", "--move", "main", "moved");

    for (const one of [upstream, open({ branch: "never" })])
      await expect(one.fetch(run)).rejects.toMatchObject({ code: "REVISION_UNKNOWN", retry: false });
    expect(await open({ branch: "moved" }).fetch(run)).toBe(remote.git("rev-parse", "HEAD"));
  });

  it("is unreachable while its repository is gone", async () => {
    const { remote, open } = followed();
    const upstream = open();
    const tip = await upstream.fetch(run);
    remote.git("config", "core.repositoryFormatVersion", "99");

    await expect(upstream.fetch(run)).rejects.toMatchObject({ code: "FORGE_UNREACHABLE", retry: true });
    await expect(upstream.obtain(ABSENT, run)).rejects.toMatchObject({ code: "FORGE_UNREACHABLE" });
    expect((await upstream.source(tip).snapshot(() => true, run)).files.size).toBe(3);
    remote.git("config", "--file", ".git/config", "core.repositoryFormatVersion", "0");
    expect(await upstream.fetch(run)).toBe(tip);
  });

  it("is named without credentials, and asks for other ones without showing them", async () => {
    const closed = await startServer(() => ({ status: 401, headers: { "www-authenticate": "Basic realm=r" } }));
    const upstream = followed().open({ url: `http://robot:secret@${closed.host}/r.git?private_token=secret` });
    const fault: unknown = await upstream.fetch(run).catch((error: unknown) => error);

    expect(upstream.name).toBe(`http://${closed.host}/r.git (branch main)`);
    expect(fault).toMatchObject({ name: "Fault", code: "FORGE_UNAUTHORIZED" });
    expect(String(fault)).not.toMatch(/secret|robot/);
  });

  it("stops if its server does not answer in time, or the run is aborted", async () => {
    const interruption = new AbortController();
    const server = await startServer(() => "hang");
    const url = `http://${server.host}/r.git`;
    await expect(followed().open({ url, deadlineMs: 500 }).fetch(run)).rejects.toMatchObject({
      ...{ code: "FORGE_TIMEOUT", retry: true },
    });
    const asked = await startServer(() => {
      interruption.abort(new Error("interrupted"));
      return "hang";
    });
    const aborted = followed().open({ url: `http://${asked.host}/r.git` });

    await expect(aborted.fetch(quietRun(interruption.signal))).rejects.toThrow("interrupted");
  });

  it("has a separate clone for each address and branch", async () => {
    const { remote, cache, open } = followed();
    remote.git("branch", "a");
    await Promise.all([
      open().fetch(run),
      open({ url: `file://${remote.path}` }).fetch(run),
      open({ branch: "a" }).fetch(run),
    ]);
    remote.git("branch", "--delete", "a");
    remote.git("branch", "a/b");
    await open({ branch: "a/b" }).fetch(run);

    expect(readdirSync(cache.path).filter((name) => name.endsWith(".git"))).toHaveLength(4);
    expect(new Set(readdirSync(cache.path)).size).toBe(4);
  });

  it("is in the user's cache folder by default", async () => {
    const { remote, cache } = followed();
    const upstream = openUpstream({ url: remote.path, branch: "main" }, { ...process.env, XDG_CACHE_HOME: cache.path });
    await upstream.fetch(run);

    expect(existsSync(join(cache.path, "kyma-modules/repositories"))).toBe(true);
  });

  it("has the files and the history of a folder like a clone of that folder", async () => {
    const { remote, open } = followed();
    const upstream = open({ path: "sub/" });
    const tip = await upstream.fetch(run);
    const { files } = await upstream.source(tip).snapshot(() => true, run);
    const { changes } = await gitHistory(upstream.repository).read(tip, everything, run);
    remote.write({ other: "1" });
    remote.commit("elsewhere");

    expect([...files.keys()]).toEqual(["kyma-modules.yaml", "modules/a"]);
    expect(changes.map(({ path }) => path)).toEqual(["kyma-modules.yaml", "modules/a"]);
    expect(await upstream.repository.prefix(run)).toBe("sub/");
    expect(
      (await gitHistory(upstream.repository).read(await upstream.fetch(run), everything, run)).commits,
    ).toHaveLength(1);
  });

  it("is refused for a folder outside of it, and for an invalid branch name", async () => {
    const { open } = followed();

    for (const path of ["..", "a/../../b", "/etc"])
      expect(() => open({ path })).toThrow(expect.objectContaining({ code: "CONFIGURATION" }) as Error);
    for (const branch of ["*", "main:other", "-x", "a..b", ""])
      await expect(open({ branch }).fetch(run)).rejects.toMatchObject({ code: "CONFIGURATION" });
  });

  it("executes no command in its address", async () => {
    const folder = emptyFolder();
    const mark = join(folder.path, "mark");
    for (const url of [
      `ext::sh -c "touch ${mark}"`,
      `ssh://-oProxyCommand=touch%20${mark}/r`,
      `--upload-pack=touch ${mark}`,
    ])
      await expect(followed().open({ url }).fetch(run)).rejects.toMatchObject({ code: "FORGE_UNREACHABLE" });

    expect(existsSync(mark)).toBe(false);
  });
});
