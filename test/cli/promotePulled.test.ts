import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { FAST, manifestPath, manifestText, templateText } from "../../src/check/example.ts";
import { bareRepository, configure, emptyFolder, type Folder, folderAt } from "../systems/repository.ts";
import { mentions } from "../support/mentions.ts";
import { plant } from "./evidencing.ts";
import { forgetIdentity, kymaIn, merge, siteOf, submit } from "./promoting.ts";
import { hashOfSample } from "./reading.ts";

beforeEach(forgetIdentity);

/**
 * A clone of a person who committed locally 20 days ago, could not push, pulled with a merge, and pushed: main, in which
 * fast served 1.1.0 for five days and went back to 1.0.0 then, is the second parent of its head.
 */
function pulledSite({ message = "", last = "1.0.0" } = {}): { readonly site: Folder; readonly remote: Folder } {
  const [others, remote] = [siteOf(), bareRepository()];
  configure(others, { origin: remote });
  others.git("push", "--quiet", "--set-upstream", "origin", "main");
  const site = cloneOf(remote);
  configure(site, { user: "Person" });
  merge(site, { "notes.txt": "mine" }, 20);
  submit(others, "1.1.0", 15);
  merge(others, { [FAST]: templateText("fast", last) }, 10);
  others.git("push", "--quiet");
  site.git("pull", "--quiet", "--no-rebase", "--no-edit");
  if (message !== "") site.git("commit", "--quiet", "--amend", "--message", message);
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

describe("a new clone after a pull of a rejected push with any subject", () => {
  /** Dev was synced from the commit by which fast served 1.1.0, and its record was published. */
  function laterClone(last?: string): { readonly clone: Folder; readonly merged: string } {
    const { site, remote } = pulledSite({ message: "Bring notes", ...(last !== undefined && { last }) });
    publishCommits(remote, [site.git("rev-parse", "HEAD^2~1")]);
    const clone = cloneOf(remote);
    configure(clone, { user: "Other" });
    return { clone, merged: site.git("rev-parse", "--short=10", "HEAD") };
  }

  it("counts the soak that the branch gave", async () => {
    const { clone } = laterClone();
    submit(clone, "1.1.0", 0);

    expect((await kymaIn(clone.path, ["promote"])).stdout).toMatch(
      /1\.1\.0 +minor +wait until .*\(in (1d 23h|2d)\) because of soak/,
    );
  });

  it("knows what was submitted, and what channels served", async () => {
    const { clone } = laterClone();
    const history = await kymaIn(clone.path, ["history", "sample"]);
    clone.git("switch", "--quiet", "--create", "topic");
    const changed = templateText("fast", "1.1.0").replace("replicas: 1", "replicas: 2");
    merge(clone, { [FAST]: changed, [manifestPath("1.1.0")]: manifestText("1.1.0") }, 0);
    const checked = await kymaIn(clone.path, ["check", "--base", "main", "--offline"]);

    expect(history.stdout).toContain("1.1.0");
    expect([checked.code, /version-reused/.exec(checked.stdout)?.[0]]).toEqual([1, "version-reused"]);
  });

  it("withdraws to what the channel served before", async () => {
    const { clone } = laterClone("1.2.0");
    const withdrawal = ["withdraw", "sample@1.2.0", "--channel", "fast", "--reason", "it leaks", "--dry-run"];

    expect((await kymaIn(clone.path, withdrawal)).stdout).toMatch(/1\.1\.0/);
  });

  it("refuses to decide if the evidence names commits of both parents", async () => {
    const { site, remote } = pulledSite({ message: "Bring notes" });
    publishCommits(remote, [site.git("rev-parse", "HEAD^2~1"), site.git("rev-parse", "HEAD^1")]);

    expect(await kymaIn(cloneOf(remote).path, ["promote"])).toMatchObject({
      code: 2,
      stderr: mentions("error:", site.git("rev-parse", "--short=10", "HEAD"), "git rebase", "knownCommits"),
    });
  });
});

/** Publishes that dev serves 1.1.0, applied from each of `commits`. */
function publishCommits(remote: Folder, commits: readonly string[]): void {
  const specHash = hashOfSample("1.1.0");
  const evidence = commits.map((commit, index) => ({
    ...{ kind: "served", module: "sample", version: "1.1.0", specHash, landscape: "dev", source: "a look at dev" },
    ...{ observedAt: `2026-01-0${String(index + 1)}T00:00:00Z`, commit },
  }));
  plant(remote, { [`modules/sample/1.1.0/${specHash}.json`]: JSON.stringify({ format: 1, evidence }, null, 2) });
}
