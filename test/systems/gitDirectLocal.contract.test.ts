import { beforeEach, describe, expect, it } from "vitest";
import { Fault } from "../../src/ports.ts";
import { mentions } from "../support/mentions.ts";
import { quietRun } from "../support/quietRun.ts";
import { direct, draftOn, identify, knownRepository, message, SECOND, stateOf } from "./proposing.ts";
import { emptyFolder, type Folder } from "./repository.ts";

const run = quietRun();

describe("a Git forge that commits directly without a remote", () => {
  let repository: Folder;
  let base: string;

  beforeEach(() => {
    repository = knownRepository();
    base = repository.git("rev-parse", "HEAD");
  });

  it("refuses a branch that is checked out, with a remedy", async () => {
    const before = stateOf(repository);

    await expect(direct(repository.path).propose(draftOn(base, "1.1.0"), undefined, run)).rejects.toMatchObject({
      code: "CONFIGURATION",
      message: mentions("main", "checked out", "--direct"),
    });
    expect(stateOf(repository)).toEqual(before);
    expect(repository.git("rev-parse", "main")).toBe(base);
  });

  it("moves the branch of a bare repository, and one that is not checked out", async () => {
    const bare = emptyFolder();
    bare.git("clone", "--quiet", "--bare", repository.path, ".");
    bare.git("remote", "remove", "origin");
    identify(bare);
    repository.git("switch", "--quiet", "--detach");
    for (const { path, git } of [bare, repository]) {
      const forge = direct(path, "main");
      await forge.look([], run);
      const first = await forge.propose(draftOn(base, "1.1.0"), undefined, run);
      const second = await forge.propose(draftOn(base, "2.0.0", SECOND), undefined, run);
      expect(git("log", "--format=%H", `${base}..main`)).toBe(`${second.tip}\n${first.tip}`);
    }
    expect(repository.git("status", "--porcelain")).toBe("");
  });

  it("conflicts with a concurrent move of the branch, unless the content is the same", async () => {
    repository.git("switch", "--quiet", "--detach");
    const [one, two, three] = [1, 2, 3].map(() => direct(repository.path, "main"));
    if (one === undefined || two === undefined || three === undefined) throw new Error("there are three");
    for (const forge of [one, two, three]) await forge.look([], run);
    const made = await one.propose(draftOn(base, "1.1.0"), undefined, run);

    expect(await two.propose(draftOn(base, "1.1.0"), undefined, run)).toEqual(made);
    await expect(three.propose(draftOn(base, "1.2.0"), undefined, run)).rejects.toMatchObject({
      code: "FORGE_CONFLICT",
      message: mentions("main", "moved"),
    });
    expect(repository.git("rev-parse", "main")).toBe(made.tip);
  });

  it("requires a branch, and refuses to close", async () => {
    repository.git("switch", "--quiet", "--detach");
    for (const revision of ["HEAD", base]) {
      await expect(direct(repository.path, revision).look([], run)).rejects.toMatchObject({
        code: "CONFIGURATION",
        message: message(/is not a branch/),
      });
    }
    const content = { files: new Map<string, string>(), others: [], isCurrent: true, author: "", isMarked: true };
    const proposal = { branch: "main", tip: base, pull: undefined, content, digest: undefined };
    await expect(direct(repository.path, "main").close(proposal, "a hold", run)).rejects.toBeInstanceOf(Fault);
  });
});
