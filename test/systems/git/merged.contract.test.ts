import { describe, expect, it } from "vitest";
import { branchMessages } from "../../../src/systems/git/merged.ts";
import { quietRun } from "../../support/quietRun.ts";
import { emptyRepository, type Folder, gitAt } from "../repository.ts";

const run = quietRun();

/** Merges a branch with these commits; gives the merge. */
function mergeOf(repository: Folder, branch: string, ...messages: readonly string[]): string {
  repository.git("switch", "--quiet", "--create", branch);
  for (const message of messages) repository.commit(message);
  repository.git("switch", "--quiet", "main");
  repository.git("merge", "--quiet", "--no-ff", "--no-edit", branch);
  return repository.git("rev-parse", "HEAD");
}

describe("the messages of merged branches", () => {
  it("are those of the last commit of each, whole, by the merge", async () => {
    const repository = emptyRepository();
    const first = repository.commit("first");
    const one = mergeOf(repository, "one", "Begin", "Promote ä\n\nBody.\n\nPromotes: istio@1.1.0");
    const two = mergeOf(repository, "two", "Hold");

    expect(await branchMessages(gitAt(repository.path), [two, first, one], run)).toEqual(
      new Map([
        [two, "Hold\n"],
        [one, "Promote ä\n\nBody.\n\nPromotes: istio@1.1.0\n"],
      ]),
    );
  });

  it("are said of every merge of one and the same branch", async () => {
    const repository = emptyRepository();
    repository.commit("first");
    const one = mergeOf(repository, "one", "Promote");
    repository.git("reset", "--quiet", "--hard", "HEAD~1");
    repository.commit("between");
    repository.git("merge", "--quiet", "--no-ff", "--no-edit", "one");
    const again = repository.git("rev-parse", "HEAD");

    expect(await branchMessages(gitAt(repository.path), [one, again], run)).toEqual(
      new Map([
        [one, "Promote\n"],
        [again, "Promote\n"],
      ]),
    );
  });

  it("are none where nothing was merged, or nothing is asked", async () => {
    const repository = emptyRepository();
    const first = repository.commit("first");

    expect(await branchMessages(gitAt(repository.path), [first], run)).toEqual(new Map());
    expect(await branchMessages(gitAt(repository.path), [], run)).toEqual(new Map());
  });

  it("are not to be had of a commit that is not there", async () => {
    const repository = emptyRepository();
    repository.commit("first");

    await expect(branchMessages(gitAt(repository.path), ["f".repeat(40)], run)).rejects.toMatchObject({
      code: "GIT_FAILED",
    });
  });
});
