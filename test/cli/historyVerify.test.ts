import { readFileSync } from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import { HOLDS, HOTFIXES, REGULAR, REGULAR_POLICY, SETTINGS, templateText } from "../../src/check/example.ts";
import { long } from "../support/long.ts";
import { mentions } from "../support/mentions.ts";
import { emptyFolder } from "../systems/repository.ts";
import { PATH, plant } from "./evidencing.ts";
import { forgetIdentity, kymaIn, merge, NO_FORGE, POLICY, redate, siteOf } from "./promoting.ts";
import { promoted, submit } from "./reading.ts";
import { bare, daysAgo, evidenceFolder, forge, newest, verify } from "./verifying.ts";

beforeEach(forgetIdentity);

describe("kyma-modules history --verify", () => {
  it("decides again by the policy and the times of the decision", async () => {
    const site = siteOf();
    submit(site, "1.1.0", 20);
    await promoted(site);
    merge(site, { [REGULAR_POLICY]: POLICY.replace("minor: 7d", "minor: 90d") }, 0);
    submit(site, "1.2.0", 0);

    const { code, stdout } = await verify(site);

    expect(stdout).toContain(": verified\n");
    expect([code, stdout.trimEnd().split("\n").at(-1)]).toEqual([0, "1 verified, 0 differ, 0 not recomputable"]);
  });

  it("says what a forged promotion should have waited for, and exits 1", async () => {
    const site = siteOf();
    const on = submit(site, "1.1.0", 3);
    forge(site, { on, at: daysAgo(1) });

    const { code, stdout } = await verify(site);

    expect(stdout).toMatch(/: differs\n {6}.*\bwait: .*\bfast\b.*\bline 1\.1\b.* 2d of 7d/);
    expect([code, stdout.trimEnd().split("\n").at(-1)]).toEqual([1, "0 verified, 1 differ, 0 not recomputable"]);
  });

  it("finds a digest of another verdict, and one of a decision for another state", async () => {
    const site = siteOf();
    const on = submit(site, "1.1.0", 20);
    merge(site, { [REGULAR]: templateText("regular", "1.0.1") }, 2);
    forge(site, { on, at: daysAgo(1) });
    const other = siteOf();
    forge(other, { on: submit(other, "1.1.0", 20), at: daysAgo(1) });

    expect(await newest(other)).toEqual({
      code: 1,
      result: "differs",
      why: [mentions("reasons", "soak met, soak met", "digest")],
    });
    expect(await newest(site)).toMatchObject({
      why: [mentions("served", "1.0.0", "1.0.1")],
    });
  });

  it("finds that another version should have been promoted", async () => {
    const site = siteOf();
    submit(site, "1.1.0", 20);
    forge(site, { on: submit(site, "1.2.0", 10), at: daysAgo(1) });

    expect(await newest(site)).toMatchObject({ code: 1, why: ["It is about 1.2.0, not 1.1.0."] });
  });

  long("tolerates a forge whose clock is slightly behind", async () => {
    const site = siteOf();
    submit(site, "1.1.0", 7);
    await promoted(site);
    redate(site, 30 / 86_400);

    expect(await newest(site)).toMatchObject({ code: 0, result: "verified" });
  });

  it("finds a promotion that was merged before it was decided", async () => {
    const site = siteOf();
    submit(site, "1.1.0", 20);
    await promoted(site);
    redate(site, 5);

    expect(await newest(site)).toEqual({
      code: 1,
      result: "differs",
      why: [expect.stringMatching(/\bmerged\b.* \S+Z\b.*\bdecided\b.* \S+Z\b/)],
    });
  });

  it("finds a channel that followed no channel or another one then", async () => {
    const site = siteOf({ [REGULAR_POLICY]: "format: 1\nlandscapes: [dev]\n" });
    const on = submit(site, "1.1.0", 20);
    merge(site, { [REGULAR_POLICY]: POLICY }, 10);
    forge(site, { on, at: daysAgo(1) });
    const other = siteOf({ "channels/rapid.yaml": "format: 1\nlandscapes: [dev]\n" });
    merge(other, { "channels/rapid/sample.yaml": templateText("rapid", "1.1.0") }, 30);
    const then = merge(other, { [REGULAR_POLICY]: POLICY.replace("follows: fast", "follows: rapid") }, 20);
    merge(other, { [REGULAR_POLICY]: POLICY }, 10);
    forge(other, { on: then, at: daysAgo(1) });

    expect(await newest(site)).toMatchObject({ result: "differs", why: [mentions(on, "regular", "no channel")] });
    expect(await newest(other)).toMatchObject({
      why: [mentions("follows", "rapid", "fast")],
    });
  });

  it("finds a promotion that was decided on an unrelated commit", async () => {
    const site = siteOf();
    submit(site, "1.1.0", 20);
    forge(site, { on: "f".repeat(40), at: daysAgo(1) });

    expect(await newest(site)).toEqual({
      code: 1,
      result: "differs",
      why: [mentions("decided", "f".repeat(40), "first-parent")],
    });
  });

  it("cannot decide on an ambiguous catalogue", async () => {
    const site = siteOf();
    submit(site, "1.1.0", 30);
    const on = merge(site, { [REGULAR_POLICY]: "format: 1\nfollows: nowhere\nlandscapes: [dev]\n" }, 20);
    merge(site, { [REGULAR_POLICY]: POLICY }, 10);
    forge(site, { on, at: daysAgo(1) });

    expect(await newest(site)).toEqual({
      code: 1,
      result: "not-recomputable",
      why: [mentions("catalogue", on, "decided")],
    });
  });

  long("needs exactly the evidence files of the decision", async () => {
    const site = siteOf({ [REGULAR_POLICY]: `${POLICY}  needs: [smoke]\n` });
    submit(site, "1.1.0", 20);
    const files = evidenceFolder();
    await promoted(site, "--evidence", files.good);

    expect(await newest(site)).toMatchObject({ code: 1, result: "not-recomputable" });
    expect(await newest(site, "--evidence", files.bad)).toMatchObject({ code: 1, result: "not-recomputable" });
    expect(await newest(site, "--evidence", files.bad, "--evidence", files.good)).toEqual({
      code: 0,
      result: "verified",
      why: [],
    });
  });

  it("finds a failed test that was published before the merge, even if the promotion does not name it", async () => {
    const site = siteOf();
    submit(site, "1.1.0", 20);
    await promoted(site);
    const failed = { [PATH]: readFileSync(evidenceFolder().bad, "utf8") };

    plant(site, failed, -1);
    expect(await newest(site)).toEqual({ code: 0, result: "verified", why: [] });
    plant(site, failed, 1);
    expect(await newest(site)).toEqual({
      code: 1,
      result: "differs",
      why: expect.arrayContaining([mentions("merge", "blocked", "smoke test", "failed")]) as unknown,
    });
  });

  it("refuses a clone that lacks commits of the branch of evidence", async () => {
    const [site, clone] = [siteOf(), emptyFolder()];
    submit(site, "1.1.0", 20);
    await promoted(site);
    plant(site, { [PATH]: readFileSync(evidenceFolder().bad, "utf8") }, 1);
    const newer = site.git("commit-tree", "evidence^{tree}", "-p", "evidence", "-m", "more");
    site.git("update-ref", "refs/heads/evidence", newer);
    clone.git("clone", "--quiet", "--single-branch", site.path, clone.path);
    clone.git("fetch", "--quiet", "--depth=1", `file://${site.path}`, "evidence:evidence");

    const { code, stderr } = await verify(clone);
    expect([code, stderr]).toEqual([2, mentions("branch evidence", "git fetch --unshallow")]);
  });

  long("says that it does not check the limits of the channel", async () => {
    const site = siteOf({ [REGULAR_POLICY]: `${POLICY}  limits: { perWindow: 1 }\n` });
    submit(site, "1.1.0", 20);
    await promoted(site);

    expect(await newest(site)).toEqual({
      code: 0,
      result: "verified",
      why: [mentions("limits", "regular", "not checked")],
    });
  });

  long("recognises a hot-fix", async () => {
    const site = siteOf();
    merge(site, { "modules/sample/1.0.1/template.yaml": bare("1.0.1") }, 1);
    await promoted(site, "--hotfix", "sample@1.0.1", "--incident", "https://example.com/7");
    const message = site.git("log", "-1", "--format=%B", "HEAD^2");

    expect(message).toContain("\nIncident: https://example.com/7\nBy: octocat\n");
    expect(await newest(site)).toEqual({ code: 0, result: "verified", why: [] });

    // As it was said before: from the followed channel, which never had it.
    site.git(
      "commit",
      "--amend",
      "--quiet",
      "--message",
      message.replace(/^Incident: .*\nBy: .*$/m, "From-Channel: fast"),
    );
    expect(await newest(site)).toEqual({ code: 0, result: "verified", why: [] });

    site.git(
      "commit",
      "--amend",
      "--quiet",
      "--message",
      message.replace(/^Incident: .*\nBy: .*$/m, "From-Channel: slow"),
    );
    expect(await newest(site)).toMatchObject({
      code: 1,
      why: [mentions("follows", "fast", "slow")],
    });
  });

  it("treats a former hot-fix that came back the usual way as a promotion", async () => {
    const site = siteOf();
    const about = { version: "1.0.1", channel: "regular", by: "octocat" };
    const declared = { ...about, incident: "https://example.com/7", at: "2026-01-01T00:00:00Z" };
    const held = { ...about, reason: "it leaks", since: "2026-01-01T00:00:00Z" };
    const holds = (entries: readonly object[]): string => JSON.stringify({ format: 1, holds: entries });
    const hotfixes = JSON.stringify({ format: 1, hotfixes: [declared] });
    merge(site, { [REGULAR]: templateText("regular", "1.0.1"), [HOTFIXES]: hotfixes }, 50);
    merge(site, { [REGULAR]: templateText("regular", "1.0.0"), [HOLDS]: holds([held]) }, 40);
    merge(site, { [HOLDS]: holds([]) }, 30);
    submit(site, "1.0.1", 20);
    await promoted(site);

    expect(await newest(site)).toEqual({ code: 0, result: "verified", why: [] });
  });

  it("says that the result may differ with the forge, if it was not contacted", async () => {
    const site = siteOf();
    const on = submit(site, "1.1.0", 3);
    const settings = NO_FORGE.replace(/^forge:.*$/m, "forge: { kind: github, repository: octo/train }");
    merge(site, { [SETTINGS]: settings }, 2);
    forge(site, { on, at: daysAgo(1) });

    const { stdout } = await verify(site, "--offline");

    expect(stdout).toEqual(mentions("1 differ", "forge", "not contacted"));
    expect((await kymaIn(site.path, ["history", "sample", "--offline"])).code).toBe(0);
  });
});
