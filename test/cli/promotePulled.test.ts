import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { FAST, manifestPath, manifestText, templateText } from "../../src/check/example.ts";
import { bareRepository, configure, emptyFolder, type Folder, folderAt } from "../systems/repository.ts";
import { mentions } from "../support/mentions.ts";
import { forgetIdentity, kymaIn, merge, siteOf, submit } from "./promoting.ts";

beforeEach(forgetIdentity);

/**
 * A clone of a person who committed locally 20 days ago, could not push, pulled with a merge, and pushed: main, in which
 * fast served 1.1.0 for five days and went back to 1.0.0 then, is the second parent of its head.
 */
function pulledSite(): { readonly site: Folder; readonly remote: Folder } {
  const [others, remote] = [siteOf(), bareRepository()];
  configure(others, { origin: remote });
  others.git("push", "--quiet", "--set-upstream", "origin", "main");
  const site = cloneOf(remote);
  configure(site, { user: "Person" });
  merge(site, { "notes.txt": "mine" }, 20);
  submit(others, "1.1.0", 15);
  merge(others, { [FAST]: templateText("fast", "1.0.0") }, 10);
  others.git("push", "--quiet");
  site.git("pull", "--quiet", "--no-rebase", "--no-edit");
  site.git("push", "--quiet");
  return { site, remote };
}

function cloneOf(remote: Folder): Folder {
  const folder = emptyFolder();
  folder.git("clone", "--quiet", `file://${remote.path}`, "clone");
  return folderAt(join(folder.path, "clone"));
}

describe("after a pull of a rejected push", () => {
  it("the five days in which the followed channel served a version count, no more and no less", async () => {
    const { site } = pulledSite();
    submit(site, "1.1.0", 0);
    const promoted = await kymaIn(site.path, ["promote"]);
    const history = await kymaIn(site.path, ["history", "sample"]);

    // Seven days are asked for; whether the second of the commit has passed by now shows in the words.
    expect(promoted.stdout).toMatch(/1\.1\.0 +minor +wait until .*\(in (1d 23h|2d)\) because of soak/);
    expect(history.stdout.match(/\b1\.1\.0\b/g)?.length).toBeGreaterThan(2);
  });

  it("the gate knows what the channel served meanwhile", async () => {
    const { site } = pulledSite();
    site.git("switch", "--quiet", "--create", "topic");
    const changed = templateText("fast", "1.1.0").replace("replicas: 1", "replicas: 2");
    merge(site, { [FAST]: changed, [manifestPath("1.1.0")]: manifestText("1.1.0") }, 0);
    const { code, stdout } = await kymaIn(site.path, ["check", "--base", "main", "--offline"]);

    expect([code, /version-reused/.exec(stdout)?.[0]]).toEqual([1, "version-reused"]);
  });

  it("the gate refuses the head, which would make main a side branch", async () => {
    const { site } = pulledSite();
    const { code, stdout } = await kymaIn(site.path, [
      "check",
      "--base",
      "HEAD^2",
      "--offline",
      "--rule",
      "branch-line",
    ]);

    expect([code, stdout]).toEqual([1, mentions("branch-line", site.git("rev-parse", "--short=10", "HEAD^2"))]);
    expect((await kymaIn(site.path, ["check", "--base", "HEAD^1", "--offline", "--rule", "branch-line"])).code).toBe(0);
  });

  it("a new clone refuses to decide, and says which merge it is, and what to do", async () => {
    const { site, remote } = pulledSite();
    const merged = site.git("rev-parse", "--short=10", "HEAD");
    const clone = cloneOf(remote);

    for (const args of [["promote"], ["history", "sample"], ["status"]])
      expect(await kymaIn(clone.path, args)).toMatchObject({
        code: 2,
        stderr: mentions("error:", merged, "git rebase", "knownCommits"),
      });
  });
});
