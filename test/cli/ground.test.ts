import { beforeEach, describe, expect, it } from "vitest";
import { FAST, HOLDS, REGULAR_POLICY, templateText } from "../../src/check/example.ts";
import { emptyFolder } from "../systems/repository.ts";
import { kymaIn, forgetIdentity, merge, siteOf } from "./promoting.ts";

beforeEach(forgetIdentity);

const COMMANDS: readonly (readonly string[])[] = [
  ["promote"],
  ["status"],
  ["history", "sample"],
  ["simulate"],
  ["hold", "sample@1.0.0", "--reason", "it leaks", "--dry-run"],
];

describe("the basis of a decision", () => {
  it("is the commit: files of the catalogue that differ are named, up to three", async () => {
    const site = siteOf();
    site.write({ [REGULAR_POLICY]: "format: 2\n", [HOLDS]: "format: 2\n", "src/mine.ts": "mine\n" });
    const two = `2 files of the catalogue are not committed, and ignored: ${REGULAR_POLICY}, ${HOLDS}`;
    for (const args of COMMANDS)
      expect(await kymaIn(site.path, args)).toMatchObject({ code: 0, stderr: `warning: ${two}\n` });

    site.write({ "channels/slow.yaml": "format: 1\n", "channels/slow/other.yaml": "a: 1\n" });
    expect((await kymaIn(site.path, ["status"])).stderr).toContain("4 files of the catalogue are not committed");
    expect((await kymaIn(site.path, ["status"])).stderr).toMatch(/, …\n$/);
    expect((await kymaIn(site.path, ["status", "--revision", "main"])).stderr).toBe("");
  });

  it("is the commit, also for a catalogue in a subfolder, and without a working tree", async () => {
    const site = siteOf();
    const whole = emptyFolder();
    whole.git("init", "--quiet", "--initial-branch", "main");
    whole.git("fetch", "--quiet", site.path, "main");
    whole.git("read-tree", "--prefix=deep/", "FETCH_HEAD");
    whole.git("commit", "--quiet", "--message", "deeper");
    whole.git("reset", "--quiet", "--hard");
    whole.write({ [`deep/${FAST}`]: templateText("fast", "1.1.0"), [FAST]: "of no catalogue\n" });
    whole.git("clone", "--quiet", "--bare", site.path, "bare");

    expect((await kymaIn(`${whole.path}/deep`, ["status"])).stderr).toBe(
      `warning: 1 file of the catalogue is not committed, and ignored: ${FAST}\n`,
    );
    expect((await kymaIn(`${whole.path}/bare`, ["status"])).stderr).toBe("");
  });

  it("may be behind its upstream: the missing commits are counted", async () => {
    const site = siteOf();
    const folder = emptyFolder();
    folder.git("clone", "--quiet", site.path, "clone");
    merge(site, { [FAST]: templateText("fast", "1.1.0") }, 1);
    folder.git("-C", "clone", "fetch", "--quiet");

    expect((await kymaIn(`${folder.path}/clone`, ["status"])).stderr).toBe(
      "warning: HEAD is 1 commit behind its upstream: git pull\n",
    );
    expect(await kymaIn(`${folder.path}/clone`, ["promote", "--apply"])).toMatchObject({
      code: 3,
      stderr: "error: HEAD is 1 commit behind its upstream, and what is missing may change the decision: git pull\n",
    });
  });

  it("may be behind the default branch of its remote, on no branch and on one without an upstream", async () => {
    const [site, { path, git }] = [siteOf(), emptyFolder()];
    merge(site, { [FAST]: templateText("fast", "1.1.0") }, 1);
    git("clone", "--quiet", site.path, ".");
    git("switch", "--quiet", "--detach");
    expect((await kymaIn(path, ["promote", "--apply"])).code).toBe(0);

    for (const [change, remedy] of [
      [["--detach", "HEAD~1"], "git switch main && git pull"],
      [["--create", "older"], "git merge --ff-only origin/main"],
    ] as const) {
      git("switch", "--quiet", ...change);
      const { code, stderr } = await kymaIn(path, ["promote", "--apply"]);
      const why = "HEAD is 1 commit behind origin/main, and what is missing may change the decision";
      expect([code, stderr]).toEqual([3, `error: ${why}: ${remedy}\n`]);
    }
  });
});
