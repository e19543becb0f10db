import { describe, expect, it } from "vitest";
import { remembered } from "../../src/reading/overlay.ts";
import { quietRun } from "../support/quietRun.ts";
import { revisionSource } from "../../src/systems/git/revision.ts";
import { emptyRepository, gitAt } from "../systems/repository.ts";

describe("a commit that is remembered", () => {
  it("gives the files of the commit, and reads each file once", async () => {
    const repository = emptyRepository();
    repository.write({ "a.yaml": "a", "b/c.yaml": "c", "d.yaml": "d", link: { link: "nowhere" } });
    const commit = repository.commit();
    const source = revisionSource(gitAt(repository.path), commit);
    const asked: string[] = [];
    const once = remembered({
      snapshot: (wants, run) => source.snapshot((path) => wants(path) && asked.push(path) > 0, run),
    });
    const wishes = [/^a/, /yaml$/, /^a/, /^x/].map((wish) => (path: string) => wish.test(path));

    for (const wants of wishes)
      expect(await once.snapshot(wants, quietRun())).toEqual(await source.snapshot(wants, quietRun()));
    expect(asked).toEqual(["a.yaml", "b/c.yaml", "d.yaml"]);
  });
});
