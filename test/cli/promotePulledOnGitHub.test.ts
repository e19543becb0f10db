import { join } from "node:path";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { FAST, templateText } from "../../src/check/example.ts";
import { configure, emptyFolder, type Folder, folderAt } from "../systems/repository.ts";
import { mentions } from "../support/mentions.ts";
import { freshCache } from "./caches.ts";
import { forgetIdentity, kymaIn, merge } from "./promoting.ts";
import { openTrain, type Train } from "./train.ts";

beforeEach(forgetIdentity);

function cloneOf({ bare, double }: Train): Folder {
  const folder = emptyFolder();
  folder.git("clone", "--quiet", `file://${bare.path}`, "clone");
  const clone = folderAt(join(folder.path, "clone"));
  configure(clone, { user: "Other" });
  vi.stubEnv("GITHUB_API_URL", double.url);
  vi.stubEnv("GITHUB_TOKEN", "ghp_persons");
  vi.stubEnv("XDG_CACHE_HOME", freshCache());
  return clone;
}

describe("promotion on GitHub after a merge that GitHub did not make", () => {
  it("is refused if it brought what GitHub had merged, in a clone that knows nothing of that", async () => {
    const train = await openTrain();
    const person = cloneOf(train);
    merge(person, { "notes.txt": "mine" }, 20);
    train.merge({ [FAST]: templateText("fast", "1.1.0") }, 15);
    train.merge({ [FAST]: templateText("fast", "1.0.0") }, 10);
    person.git("pull", "--quiet", "--no-rebase", "--no-edit");
    person.git("commit", "--quiet", "--amend", "--message", "Bring notes");
    person.git("push", "--quiet");
    const names = ["HEAD", "HEAD^1", "HEAD^2"].map((name) => person.git("rev-parse", "--short=10", name));
    const refusal = { code: 2, stderr: mentions("error:", ...names, "#2", "git rebase", "knownCommits") };
    const clone = cloneOf(train);

    for (const args of [["promote"], ["status"], ["history", "sample"]])
      expect(await kymaIn(clone.path, args)).toMatchObject(refusal);

    const settings = clone.git("show", "HEAD:kyma-modules.yaml");
    const known = `${settings}\nhistory: { knownCommits: [${clone.git("rev-parse", "HEAD^2")}] }\n`;
    merge(clone, { "kyma-modules.yaml": known }, 0);
    expect((await kymaIn(clone.path, ["promote"])).code).toBe(0);
  });

  it("is decided if it brought a branch, and GitHub is not asked about the commits of that", async () => {
    const train = await openTrain();
    train.merge({ [FAST]: templateText("fast", "1.1.0") }, 15);
    const person = cloneOf(train);
    person.git("switch", "--quiet", "--create", "topic");
    merge(person, { "notes.txt": "mine" }, 5);
    person.git("push", "--quiet", "origin", "topic");
    person.git("switch", "--quiet", "main");
    merge(person, { "other.txt": "mine" }, 4);
    person.git("merge", "--quiet", "--no-ff", "--message", "Bring topic", "topic");
    person.git("push", "--quiet");
    const clone = cloneOf(train);
    const topic = clone.git("rev-parse", "HEAD^2");
    const { code, stdout } = await kymaIn(clone.path, ["promote"]);

    expect([code, stdout]).toEqual([0, expect.stringContaining("promote now")]);
    expect(train.double.requests.filter(({ path }) => path.includes(topic))).toEqual([]);
  });
});
