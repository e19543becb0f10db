import { chmodSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import type { Forge, Proposal, ProposalDraft } from "../../../src/ports.ts";
import { quietRun } from "../../support/quietRun.ts";
import { direct, draftOn, identify, knownRepository, message, OTHER, PATH, SECOND, stateOf } from "../proposing.ts";
import { bareRepository, configure, emptyFolder, type Folder } from "../repository.ts";
import { startServer } from "../webServer.ts";

const run = quietRun();

/** Lets a script answer each push. */
function hook(remote: Folder, name: string, script: string): void {
  remote.write({ [`hooks/${name}`]: `#!/bin/sh\n${script}\n` });
  chmodSync(join(remote.path, "hooks", name), 0o755);
}

describe("a Git forge that commits directly to a branch of a remote", () => {
  let repository: Folder;
  let remote: Folder;
  let base: string;
  let forge: Forge;
  const draft = (version: string, more: Partial<ProposalDraft> = {}): ProposalDraft => draftOn(base, version, more);
  const propose = (wanted: ProposalDraft): Promise<Proposal> => forge.propose(wanted, undefined, run);
  /** Another clone pushes; gives its commit. */
  const pushElsewhere = (): string => {
    const other = emptyFolder();
    other.git("clone", "--quiet", remote.path, ".");
    identify(other);
    other.write({ elsewhere: "e" });
    const commit = other.commit("elsewhere");
    other.git("push", "--quiet");
    return commit;
  };

  beforeEach(() => {
    repository = knownRepository();
    base = repository.git("rev-parse", "HEAD");
    remote = bareRepository();
    configure(repository, { origin: remote });
    repository.git("push", "--quiet", "--set-upstream", "origin", "main");
    forge = direct(repository.path);
  });

  it("reads the branch that it pushes to if the fetch address differs", async () => {
    const mirror = emptyFolder();
    mirror.git("clone", "--quiet", "--bare", remote.path, ".");
    repository.git("remote", "set-url", "--push", "origin", mirror.path);
    const tips = [(await propose(draft("1.1.0"))).tip, (await propose(draft("2.0.0", SECOND))).tip];

    expect(mirror.git("log", "--format=%H", `${base}..main`).split("\n").toReversed()).toEqual(tips);
    expect(remote.git("rev-parse", "main")).toBe(base);
  });

  it("pushes one commit after the other, and keeps the working tree unchanged", async () => {
    repository.write({ [PATH]: "edited\n", untracked: "u" });
    const before = stateOf(repository);
    expect(await forge.look(["promote/"], run)).toEqual({ base, hasPulls: false, proposals: [], elsewhere: [] });
    const first = await propose(draft("1.1.0"));
    const second = await propose(draft("2.0.0", SECOND));

    expect(first).toMatchObject({ branch: "main", pull: undefined, content: { files: draft("1.1.0").files } });
    expect(remote.git("log", "--format=%H %P", `${base}..main`)).toBe(
      `${second.tip} ${first.tip}\n${first.tip} ${base}`,
    );
    expect(remote.git("diff", "--name-only", base, "main")).toBe(`${PATH}\n${OTHER}`);
    expect(await forge.merge(second, draft("2.0.0", SECOND), run)).toEqual({ kind: "merged", commit: second.tip });
    expect(repository.git("rev-parse", "HEAD", "origin/main")).toBe(`${base}\n${second.tip}`);
    expect(stateOf(repository)).toEqual(before);
    expect((await forge.look([], run)).base).toBe(base);
    remote.git("fsck", "--strict");
  });

  it("changes nothing the second time", async () => {
    const first = await propose(draft("1.1.0"));

    expect(await propose(draft("1.1.0"))).toEqual(first);
    expect(remote.git("rev-parse", "main")).toBe(first.tip);
  });

  it("moves the local branch along unless it is checked out", async () => {
    repository.git("switch", "--quiet", "--create", "work");
    const before = stateOf(repository);
    forge = direct(repository.path, "main");
    const { tip } = await propose(draft("1.1.0"));

    expect(repository.git("rev-parse", "main")).toBe(tip);
    expect(await forge.look([], run)).toEqual({ base: tip, hasPulls: false, proposals: [], elsewhere: [] });
    expect(stateOf(repository)).toEqual(before);
  });

  it("pushes to its remote branch, or to the branch of the same name at origin", async () => {
    forge = direct(repository.path, "origin/main");
    const first = await propose(draft("1.1.0"));
    expect(remote.git("rev-parse", "main")).toBe(first.tip);

    repository.git("branch", "--quiet", "--unset-upstream");
    repository.git("reset", "--quiet", "--hard", first.tip);
    const second = await direct(repository.path).propose(draftOn(first.tip, "1.2.0"), undefined, run);
    expect(remote.git("rev-parse", "main")).toBe(second.tip);
  });

  it("conflicts with a remote that moved, before or after the look", async () => {
    await forge.look([], run);
    const theirs = pushElsewhere();
    const conflict = {
      code: "FORGE_CONFLICT",
      message: message(/main at the remote origin moved .*\(git pull --rebase\)/),
    };

    await expect(propose(draft("1.1.0"))).rejects.toMatchObject(conflict);
    await expect(direct(repository.path).look([], run)).rejects.toMatchObject(conflict);
    expect(remote.git("rev-parse", "main")).toBe(theirs);
    repository.git("switch", "--quiet", "--detach");
    await expect(direct(repository.path, "main").look([], run)).rejects.toMatchObject({
      message: message(/\(git fetch origin main:main\)/),
    });
    await expect(direct(repository.path, "origin/main").look([], run)).rejects.toMatchObject({
      message: message(/\(git fetch origin\)/),
    });
  });

  it("does not push local commits of others", async () => {
    repository.commit("not pushed");

    await expect(forge.look([], run)).rejects.toMatchObject({
      code: "FORGE_CONFLICT",
      message: message(/\(git push\)/),
    });
  });

  it("shows the message of a remote that refuses", async () => {
    hook(remote, "pre-receive", "echo main is protected >&2; exit 1");

    await expect(propose(draft("1.1.0"))).rejects.toMatchObject({
      code: "FORGE_REFUSED",
      message: message(/origin declined .* on main: main is protected \/ pre-receive hook declined/),
    });
    expect(remote.git("rev-parse", "main")).toBe(base);
    expect(repository.git("rev-parse", "origin/main")).toBe(base);
  });

  it("recognizes its commit if the answer to the push is lost", async () => {
    hook(remote, "post-receive", "kill -9 $PPID");
    const { tip } = await propose(draft("1.1.0"));

    expect(remote.git("rev-parse", "main")).toBe(tip);
  });

  it("runs no pre-push hook of the user", async () => {
    repository.write({ ".git/hooks/pre-push": "#!/bin/sh\nexit 1\n" });
    chmodSync(join(repository.path, ".git/hooks/pre-push"), 0o755);

    expect(remote.git("rev-parse", "main")).toBe(base);
    const { tip } = await propose(draft("1.1.0"));
    expect(remote.git("rev-parse", "main")).toBe(tip);
  });

  it("does not overwrite commits of the same run", async () => {
    await propose(draft("1.1.0"));

    await expect(propose(draft("1.2.0"))).rejects.toMatchObject({
      code: "FORGE_CONFLICT",
      message: message(/commit of this run/),
    });
  });

  it("refuses a draft for another base", async () => {
    await forge.look([], run);
    const parent = repository.commit("later");

    await expect(propose(draftOn(parent, "1.1.0"))).rejects.toMatchObject({ code: "FORGE_CONFLICT" });
  });

  it("reports a remote that is unreachable, refuses access, or does not answer", async () => {
    const closed = await startServer(() => ({ status: 401, headers: { "www-authenticate": "Basic realm=r" } }));
    const hanging = await startServer(() => "hang");
    const cases = [
      [`file://${remote.path}/missing`, "FORGE_UNREACHABLE"],
      [`http://${closed.host}/r`, "FORGE_UNAUTHORIZED"],
      [`http://${hanging.host}/r`, "FORGE_TIMEOUT"],
    ] as const;
    for (const [url, code] of cases) {
      repository.git("remote", "set-url", "origin", url);
      await expect(direct(repository.path, "HEAD", 1_500).look([], run)).rejects.toMatchObject({
        code,
        message: message(/The remote origin/),
      });
    }
  });

  it("stops when the run is aborted", async () => {
    const hanging = await startServer(() => {
      interruption.abort(new Error("stopped"));
      return "hang";
    });
    const interruption = new AbortController();
    repository.git("remote", "set-url", "origin", `http://${hanging.host}/r`);

    await expect(forge.look([], quietRun(interruption.signal))).rejects.toThrow("stopped");
  });
});
