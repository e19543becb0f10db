import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { BRANCH, knownRepository, PATH, stateOf } from "../systems/proposing.ts";
import { emptyFolder, type Folder, gitHere } from "../systems/repository.ts";

const GIT = join(import.meta.dirname, "../../src/systems/git");

/** Proposes what is not proposed yet, in its own process. */
function program(mode: "branch" | "direct", version: string): string {
  return `
    ${gitHere()}
    import { openBranchForge as branch } from ${JSON.stringify(join(GIT, "branch.ts"))};
    import { openDirectForge as direct } from ${JSON.stringify(join(GIT, "direct.ts"))};
    const run = { signal: new AbortController().signal, log: { info() {} } };
    const forge = ${mode}(git, "main");
    const { base, proposals } = await forge.look(["promote/"], run);
    const files = new Map([["${PATH}", "${version}\\n"]]);
    const draft = { branch: "${BRANCH}", base, files, message: "Promote", digest: "${version}" };
    await forge.propose(draft, proposals[0], run);
  `;
}

/** A folder with a `git` that kills its caller after the call with the number $KILL_AT. */
function deadlyGit(): Folder {
  const tools = emptyFolder();
  const git = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
  const count = join(tools.path, "count");
  tools.write({
    git: `#!/bin/sh\nn=$(($(cat ${count}) + 1)); echo $n >${count}\n${git} "$@"; code=$?\n[ $n -ne $KILL_AT ] || kill -9 $PPID\nexit $code\n`,
  });
  execFileSync("chmod", ["+x", join(tools.path, "git")]);
  return tools;
}

/**
 * Runs a program repeatedly, each time killed one call of Git later, until it finishes. Returns the number of kills.
 */
function runKilled(repository: Folder, text: string): number {
  const tools = deadlyGit();
  const before = stateOf(repository);
  for (let killAt = 1; ; killAt++) {
    writeFileSync(join(tools.path, "count"), "0");
    const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", text], {
      cwd: repository.path,
      encoding: "utf8",
      env: { PATH: `${tools.path}:${process.env["PATH"] ?? ""}`, KILL_AT: String(killAt) },
    });
    expect(stateOf(repository)).toEqual(before);
    if (status === null) continue;
    expect([status, stderr]).toEqual([0, ""]);
    expect(readFileSync(join(tools.path, "count"), "utf8")).not.toBe("0\n");
    return killAt - 1;
  }
}

describe("a Git forge, killed", () => {
  it("creates and updates a branch with the same result wherever it is killed", () => {
    const repository = knownRepository();

    expect(runKilled(repository, program("branch", "1.1.0"))).toBeGreaterThan(8);
    expect(repository.git("rev-list", "--count", `main..${BRANCH}`)).toBe("1");
    expect(runKilled(repository, program("branch", "1.2.0"))).toBeGreaterThan(8);
    expect(repository.git("rev-list", "--count", `main..${BRANCH}`)).toBe("2");
    expect(repository.git("show", `${BRANCH}:${PATH}`)).toBe("1.2.0");
    repository.git("fsck", "--strict");
  });

  it("commits directly with the same result wherever it is killed", () => {
    const repository = knownRepository();
    const base = repository.git("rev-parse", "HEAD");
    repository.git("switch", "--quiet", "--detach");

    expect(runKilled(repository, program("direct", "1.1.0"))).toBeGreaterThan(8);
    expect(repository.git("rev-list", "--count", `${base}..main`)).toBe("1");
    expect(repository.git("show", `main:${PATH}`)).toBe("1.1.0");
  });
});
