import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import type { Forge, ProposalDraft } from "../../src/ports.ts";
import { openBranchForge } from "../../src/systems/git/branch.ts";
import { mentions } from "../support/mentions.ts";
import { quietRun } from "../support/quietRun.ts";
import { BRANCH, draftOn, identify, knownRepository, message, PATH, PREFIXES } from "./proposing.ts";
import { emptyFolder, emptyRepository, type Folder, gitAt, gitHere } from "./repository.ts";

const run = quietRun();

describe("a Git forge in an unusual repository", () => {
  let repository: Folder;
  let base: string;
  let forge: Forge;
  const draft = (version: string, more: Partial<ProposalDraft> = {}): ProposalDraft => draftOn(base, version, more);

  beforeEach(() => {
    repository = knownRepository();
    base = repository.git("rev-parse", "HEAD");
    forge = openBranchForge(gitAt(repository.path), "HEAD");
  });

  it("names the branch that blocks another, and refuses invalid names", async () => {
    repository.git("branch", "promote/regular", base);
    await expect(forge.propose(draft("1.1.0"), undefined, run)).rejects.toMatchObject({
      code: "CONFIGURATION",
      message: message(/There is a branch promote\/regular, so .*git branch -m promote\/regular NAME/),
    });
    repository.git("branch", "-D", "promote/regular");
    repository.git("branch", `${BRANCH}/deep`, base);
    await expect(forge.propose(draft("1.1.0"), undefined, run)).rejects.toMatchObject({
      message: message(/There is a branch promote\/regular\/istio\/deep/),
    });
    await expect(forge.propose(draft("1.1.0", { branch: "a..b" }), undefined, run)).rejects.toMatchObject({
      code: "CONFIGURATION",
    });
  });

  it("shows Git's message if the branch is locked", async () => {
    repository.write({ [`.git/refs/heads/${BRANCH}.lock`]: "" });

    await expect(forge.propose(draft("1.1.0"), undefined, run)).rejects.toMatchObject({
      code: "GIT_FAILED",
      message: message(/could not be moved: .*\.lock/s),
    });
  });

  it("does not replace a folder by a file, and keeps names intact", async () => {
    const wanted = new Map([["channels/regular", "a file\n"]]);
    await expect(forge.propose(draft("1.1.0", { files: wanted }), undefined, run)).rejects.toMatchObject({
      code: "CONFIGURATION",
      message: "regular is a folder in Git. Make it a file.",
    });
    execFileSync("sh", ["-c", 'printf x > "$(printf "%s/channels/regular/\\344" "$1")"', "sh", repository.path]);
    base = repository.commit("latin");
    await forge.propose(draft("1.1.0"), undefined, run);
    expect(repository.git("diff", "--name-only", base, BRANCH)).toBe(PATH);
  });

  it("works on a catalogue in a folder, with a detached HEAD, and in a bare repository", async () => {
    repository.write({ [`catalogue/${PATH}`]: "1.0.0\n" });
    base = repository.commit("folder");
    repository.git("switch", "--quiet", "--detach");
    const inFolder = openBranchForge(gitAt(join(repository.path, "catalogue")), "HEAD");
    await inFolder.propose(draft("1.1.0"), undefined, run);
    expect(repository.git("diff", "--name-only", base, BRANCH)).toBe(`catalogue/${PATH}`);

    const bare = emptyFolder();
    bare.git("clone", "--quiet", "--bare", repository.path, ".");
    identify(bare);
    bare.git("branch", "-D", BRANCH);
    const inBare = openBranchForge(gitAt(bare.path), "main");
    expect((await inBare.propose(draft("1.1.0"), undefined, run)).branch).toBe(BRANCH);
    expect(bare.git("diff", "--name-only", base, BRANCH)).toBe(PATH);
  });

  it("reports a missing commit, repository or folder", async () => {
    const unborn = emptyRepository().path;
    const look = (path: string): Promise<unknown> => openBranchForge(gitAt(path), "HEAD").look(PREFIXES, run);
    for (const path of [unborn, emptyFolder().path])
      await expect(look(path)).rejects.toMatchObject({
        code: "REVISION_UNKNOWN",
        message: mentions(path, "Git repository", "commit"),
      });
    await expect(look(join(unborn, "missing"))).rejects.toMatchObject({
      code: "CONFIGURATION",
      message: message(/There is no folder/),
    });
    const unknown = openBranchForge(gitAt(repository.path), "nowhere");
    await expect(unknown.look(PREFIXES, run)).rejects.toMatchObject({ code: "REVISION_UNKNOWN" });
  });
});

describe("a Git forge without Git", () => {
  it("reports that Git is missing", () => {
    const forge = JSON.stringify(join(import.meta.dirname, "../../src/systems/git/branch.ts"));
    const program = `
      ${gitHere()}
      import { openBranchForge } from ${forge};
      const run = { signal: new AbortController().signal, log: undefined };
      const forge = openBranchForge(git, "HEAD");
      await forge.look([], run).catch(({ code, message }) => console.log(code, message));
    `;
    const environment = { cwd: knownRepository().path, encoding: "utf8" as const, env: { PATH: emptyFolder().path } };

    expect(execFileSync(process.execPath, ["--input-type=module", "--eval", program], environment)).toMatch(
      /^GIT_FAILED git .*\bPATH\b/,
    );
  });
});
