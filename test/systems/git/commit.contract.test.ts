import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { openBranchForge } from "../../../src/systems/git/branch.ts";
import type { Repository } from "../../../src/systems/git/repository.ts";
import { long } from "../../support/long.ts";
import { mentions } from "../../support/mentions.ts";
import { quietRun } from "../../support/quietRun.ts";
import { BRANCH, draftOn, knownRepository, PATH } from "../proposing.ts";
import { emptyFolder, emptyRepository, type Folder, gitHere, gitAt, pathWithGit } from "../repository.ts";

describe("a commit that is proposed", () => {
  let repository: Folder;
  let base: string;
  /** The commit that has `text` at `path` in the catalogue in `folder`. */
  const propose = async (path: string, folder = repository.path): Promise<string> => proposeIn(gitAt(folder), path);
  const proposeIn = async (git: Repository, ...paths: readonly string[]): Promise<string> => {
    const forge = openBranchForge(git, base);
    const draft = draftOn(base, "1.1.0", { files: new Map(paths.map((path) => [path, "new\n"])) });
    return (await forge.propose(draft, undefined, quietRun())).tip;
  };

  beforeEach(() => {
    repository = knownRepository();
    base = repository.git("rev-parse", "HEAD");
  });

  it("creates missing folders of files", async () => {
    const made = await propose("channels/slow/deep/istio.yaml");

    expect(repository.git("diff", "--name-status", base, made)).toBe("A\tchannels/slow/deep/istio.yaml");
  });

  it("is refused behind a link or a file", async () => {
    repository.write({ "channels/slow": { link: "fast" }, "a file": "a" });
    base = repository.commit("link");

    for (const path of ["channels/slow/istio.yaml", "a file/istio.yaml"])
      await expect(propose(path)).rejects.toMatchObject({ code: "CONFIGURATION" });
  });

  it("may be that of a catalogue in a folder of its repository", async () => {
    repository.write({ [`catalogue/${PATH}`]: "old\n" });
    base = repository.commit("folder");
    const made = await propose(PATH, join(repository.path, "catalogue"));

    expect(repository.git("diff", "--name-status", base, made)).toBe(`M\tcatalogue/${PATH}`);
  });

  long("waits for a slow Git between two files", async () => {
    const slow = gitAt(repository.path).with({ PATH: pathWithGit('case "$*" in *hash-object*) sleep 1.2;; esac') });
    const made = await proposeIn(slow, "channels/a/istio.yaml", "channels/b/istio.yaml");

    expect(repository.git("diff", "--name-status", base, made)).toBe(
      "A\tchannels/a/istio.yaml\nA\tchannels/b/istio.yaml",
    );
  });

  it("works in a shallow clone", async () => {
    repository.write({ more: "m" });
    base = repository.commit("more");
    const clone = emptyFolder();
    clone.git("clone", "--quiet", "--depth=1", `file://${repository.path}`, "clone");
    clone.git("-C", "clone", "config", "user.name", "Committer");
    clone.git("-C", "clone", "config", "user.email", "committer@example.com");
    const made = await propose(PATH, join(clone.path, "clone"));

    expect(clone.git("-C", "clone", "diff", "--name-status", base, made)).toBe(`M\t${PATH}`);
  });
});

describe("without an author in Git", () => {
  it("says how to set one, and moves nothing", () => {
    const repository = emptyRepository();
    repository.write({ [PATH]: "old\n" });
    const base = repository.commit("base");
    // In a separate process, whose Git has no author in its configuration and variables.
    const program = `${gitHere()}
      import { openBranchForge } from ${JSON.stringify(join(import.meta.dirname, "../../../src/systems/git/branch.ts"))};
      const run = { signal: new AbortController().signal, log: undefined };
      const draft = { branch: "${BRANCH}", base: "${base}", files: new Map([["${PATH}", "new"]]), message: "m", digest: "d" };
      const forge = openBranchForge(git, "HEAD");
      await forge.propose(draft, undefined, run).catch(({ code, message }) => console.log(code, message));
    `;
    const { stdout } = spawnSync(process.execPath, ["--input-type=module", "--eval", program], {
      cwd: repository.path,
      encoding: "utf8",
      env: { PATH: process.env["PATH"], GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
    });

    expect(stdout).toEqual(
      mentions("CONFIGURATION", "author", 'git config user.name "NAME"', 'git config user.email "ADDRESS"'),
    );
    expect(repository.git("branch", "--list")).toBe("* main");
  });
});
