import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { commitToBranch, planBranch, type BranchChange, type BranchPlan } from "../../../src/systems/git/branch.ts";
import { quietRun } from "../../support/quietRun.ts";
import { emptyFolder, emptyRepository, type Folder } from "../repository.ts";

const PATH = "channels/fast/istio.yaml";

describe("a branch with one changed file", () => {
  let repository: Folder;
  let base: string;
  const change = (text: string, more: Partial<BranchChange> = {}): BranchChange => ({
    branch: "bump/fast/istio",
    base,
    path: PATH,
    text,
    subject: "Bump istio",
    ...more,
  });
  const plan = (wanted: BranchChange, folder = repository.path): Promise<BranchPlan> =>
    planBranch(folder, wanted, quietRun());
  const commit = async (wanted: BranchChange, folder = repository.path): Promise<string> => {
    const decided = await plan(wanted, folder);
    if (decided.kind !== "create" && decided.kind !== "extend") throw new Error(`the branch is ${decided.kind}`);
    return commitToBranch(folder, wanted, decided, quietRun());
  };

  beforeEach(() => {
    repository = emptyRepository();
    repository.git("config", "user.name", "Somebody");
    repository.git("config", "user.email", "somebody@example.com");
    repository.write({
      [PATH]: "old\n",
      "channels/fast/other.yaml": "other\n",
      "a file": "a",
      "channels/fast.yaml": "p",
    });
    base = repository.commit("base");
  });

  it("starts from the base, and has nothing else changed", async () => {
    const made = await commit(change("new\r\n"));

    expect(repository.git("rev-parse", "bump/fast/istio", `${made}^`)).toBe(`${made}\n${base}`);
    expect(repository.git("diff", "--name-status", base, made)).toBe(`M\t${PATH}`);
    expect(repository.git("cat-file", "blob", `${made}:${PATH}`)).toBe("new");
    expect(repository.git("cat-file", "-s", `${made}:${PATH}`)).toBe("5");
    expect(repository.git("log", "-1", "--format=%an <%ae> %s", made)).toBe(
      "Somebody <somebody@example.com> Bump istio",
    );
    repository.git("fsck", "--strict");
  });

  it("leaves the working tree, the index and HEAD as they are", async () => {
    repository.write({ [PATH]: "edited\n", "channels/fast/other.yaml": "staged\n", untracked: "u" });
    repository.git("add", "channels/fast/other.yaml");
    const state = (): string =>
      [repository.git("status", "--porcelain"), repository.git("diff"), repository.git("diff", "--cached")].join("\n");
    const [before, head] = [state(), repository.git("rev-parse", "HEAD")];
    await commit(change("new\n"));

    expect(state()).toBe(before);
    expect(repository.git("rev-parse", "HEAD")).toBe(head);
    expect(repository.git("symbolic-ref", "HEAD")).toBe("refs/heads/main");
  });

  it("takes files of folders that are not there yet", async () => {
    const made = await commit(change("new\n", { path: "channels/slow/deep/istio.yaml" }));

    expect(repository.git("diff", "--name-status", base, made)).toBe("A\tchannels/slow/deep/istio.yaml");
  });

  it("is unchanged when it has the content already", async () => {
    const made = await commit(change("new\n"));

    expect(await plan(change("new\n"))).toEqual({ kind: "unchanged", tip: made });
  });

  it("gets another commit on top when the content is another", async () => {
    const first = await commit(change("new\n"));
    const second = await commit(change("newer\n"));

    expect(repository.git("rev-parse", `${second}^`)).toBe(first);
    expect(repository.git("rev-parse", "bump/fast/istio")).toBe(second);
  });

  it("goes on from the base when the base has all of it", async () => {
    const first = await commit(change("new\n"));
    repository.git("merge", "--quiet", "--ff-only", first);
    repository.write({ [PATH]: "meanwhile\n" });
    base = repository.commit("meanwhile");
    const second = await commit(change("newer\n"));

    expect(repository.git("rev-parse", `${second}^`)).toBe(base);
  });

  it("is left alone when somebody else committed there", async () => {
    await commit(change("new\n"));
    repository.git("switch", "--quiet", "bump/fast/istio");
    repository.write({ "channels/fast/other.yaml": "theirs\n" });
    const tip = repository.commit("their own");
    repository.git("switch", "--quiet", "main");

    expect(await plan(change("newer\n"))).toEqual({ kind: "foreign", tip, subject: "their own" });
  });

  it("is left alone when somebody amended the commit", async () => {
    await commit(change("new\n"));
    repository.git("switch", "--quiet", "bump/fast/istio");
    repository.write({ [PATH]: "amended\n" });
    repository.git("commit", "--quiet", "--all", "--amend", "--no-edit");
    const tip = repository.git("rev-parse", "HEAD");
    repository.git("switch", "--quiet", "main");

    expect(await plan(change("newer\n"))).toEqual({ kind: "foreign", tip, subject: "Bump istio" });
  });

  it("is left alone while a working tree stands on it", async () => {
    await commit(change("new\n"));
    repository.git("switch", "--quiet", "bump/fast/istio");

    expect(await plan(change("newer\n"))).toMatchObject({ kind: "checked-out" });
  });

  it("is not moved by a plan that was made before somebody else moved it", async () => {
    const wanted = change("new\n");
    const old = await plan(wanted);
    if (old.kind !== "create") throw new Error("there is a branch");
    repository.git("branch", "bump/fast/istio", base);

    await expect(commitToBranch(repository.path, wanted, old, quietRun())).rejects.toMatchObject({
      code: "FORGE_CONFLICT",
      message: expect.stringMatching(/^Another command was faster: .* branch bump\/fast\/istio\./) as string,
    });
    expect(repository.git("rev-parse", "bump/fast/istio")).toBe(base);
  });

  it("needs a name that Git takes", async () => {
    for (const branch of ["a b", "-x", "@{-1}", "a..b", ""]) {
      await expect(plan(change("new\n", { branch }))).rejects.toMatchObject({ code: "CONFIGURATION" });
    }
  });

  it("is not put behind a link, nor into a file", async () => {
    repository.write({ "channels/slow": { link: "fast" } });
    base = repository.commit("link");

    for (const path of ["channels/slow/istio.yaml", "a file/istio.yaml"]) {
      await expect(commit(change("new\n", { path }))).rejects.toMatchObject({ code: "CONFIGURATION" });
    }
  });

  it("may be that of a catalogue in a folder of its repository", async () => {
    repository.write({ [`catalogue/${PATH}`]: "old\n" });
    base = repository.commit("folder");
    const folder = join(repository.path, "catalogue");
    const made = await commit(change("new\n"), folder);

    expect(repository.git("diff", "--name-status", base, made)).toBe(`M\tcatalogue/${PATH}`);
    expect(await plan(change("new\n"), folder)).toEqual({ kind: "unchanged", tip: made });
  });

  it("works in a shallow clone", async () => {
    repository.write({ more: "m" });
    base = repository.commit("more");
    const clone = emptyFolder();
    clone.git("clone", "--quiet", "--depth=1", `file://${repository.path}`, "clone");
    clone.git("-C", "clone", "config", "user.name", "Somebody");
    clone.git("-C", "clone", "config", "user.email", "somebody@example.com");
    const made = await commit(change("new\n"), join(clone.path, "clone"));

    expect(clone.git("-C", "clone", "diff", "--name-status", base, made)).toBe(`M\t${PATH}`);
  });
});

describe("where Git does not know who commits", () => {
  it("says how to tell it, and moves nothing", () => {
    const repository = emptyRepository();
    repository.write({ [PATH]: "old\n" });
    repository.commit("base");
    // In a process of its own, whose Git has no configuration and no variables that name anybody.
    const program = `
      import { commitToBranch, planBranch } from ${JSON.stringify(join(import.meta.dirname, "../../../src/systems/git/branch.ts"))};
      const change = { branch: "bump", base: "HEAD", path: "${PATH}", text: "new", subject: "Bump" };
      const run = { signal: new AbortController().signal, log: undefined };
      const plan = await planBranch(".", change, run);
      await commitToBranch(".", change, plan, run).catch(({ code, message }) => console.log(code, message));
    `;
    const { stdout } = spawnSync(process.execPath, ["--input-type=module", "--eval", program], {
      cwd: repository.path,
      encoding: "utf8",
      env: { PATH: process.env["PATH"], GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
    });

    expect(stdout).toBe(
      'CONFIGURATION Git does not know who commits. Say it: git config user.name "NAME" and git config user.email "ADDRESS".\n',
    );
    expect(repository.git("branch", "--list")).toBe("* main");
  });
});
