import { beforeEach, describe, expect, it } from "vitest";
import { FAST, HOLDS, REGULAR_POLICY, templateText } from "../../src/check/example.ts";
import { long } from "../support/long.ts";
import { mentions } from "../support/mentions.ts";
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
  long("is the commit: files of the catalogue that differ are named, up to three", async () => {
    const site = siteOf();
    site.write({ [REGULAR_POLICY]: "format: 2\n", [HOLDS]: "format: 2\n", "src/mine.ts": "mine\n" });
    const two = mentions("warning", "2 files", "not committed", `${REGULAR_POLICY}, ${HOLDS}`);
    for (const args of COMMANDS) {
      const { code, stderr } = await kymaIn(site.path, args);
      expect([code, ...stderr.split("\n")]).toEqual([0, two, ""]);
    }

    site.write({ "channels/slow.yaml": "format: 1\n", "channels/slow/other.yaml": "a: 1\n" });
    expect((await kymaIn(site.path, ["status"])).stderr).toMatch(/\b4 files\b.* not committed\b.*, …\n$/);
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

    expect((await kymaIn(`${whole.path}/deep`, ["status"])).stderr.split("\n")).toEqual([
      mentions("warning", "1 file", "not committed", FAST),
      "",
    ]);
    expect((await kymaIn(`${whole.path}/bare`, ["status"])).stderr).toBe("");
  });

  it("may be behind its upstream: the missing commits are counted", async () => {
    const site = siteOf();
    const folder = emptyFolder();
    folder.git("clone", "--quiet", site.path, "clone");
    merge(site, { [FAST]: templateText("fast", "1.1.0") }, 1);
    folder.git("-C", "clone", "fetch", "--quiet");

    const clone = `${folder.path}/clone`;
    const status = await kymaIn(clone, ["status"]);
    const promote = await kymaIn(clone, ["promote", "--apply"]);
    const behind = ["1 commit", "behind", "upstream", "git pull"];
    expect(status.stderr.split("\n")).toEqual([mentions("warning", ...behind), ""]);
    expect([promote.code, ...promote.stderr.split("\n")]).toEqual([3, mentions("error", ...behind), ""]);
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
      const why = mentions("error", "1 commit", "behind origin/main", remedy);
      expect([code, ...stderr.split("\n")]).toEqual([3, why, ""]);
    }
  });
});
