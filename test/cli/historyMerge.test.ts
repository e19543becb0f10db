import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { FAST, HOLDS, REGULAR, REGULAR_POLICY, SETTINGS, templateText } from "../../src/check/example.ts";
import { long } from "../support/long.ts";
import { mentions } from "../support/mentions.ts";
import { forgetIdentity, merge, NO_FORGE, POLICY, siteOf } from "./promoting.ts";
import { mergeBranch, promoted, submit, told } from "./reading.ts";
import { bare, daysAgo, evidenceFolder, forge, newest } from "./verifying.ts";
import { copyOf, lastingRepository, type Folder } from "../systems/repository.ts";

/** A catalogue in which the promotion to 1.1.0 was proposed rightly; each test that begins so gets a copy. */
const proposed = lastingRepository();

beforeAll(async () => {
  forgetIdentity();
  siteOf({ "channels/rapid.yaml": "format: 1\nlandscapes: [dev]\n" }, proposed);
  submit(proposed, "1.1.0", 20);
  await told(proposed, "promote", "--apply");
});
beforeEach(forgetIdentity);

const HELD = JSON.stringify({
  format: 1,
  holds: [{ version: "1.1.0", channel: "regular", reason: "it leaks", by: "octocat", since: "2026-01-01T00:00:00Z" }],
});

/** Merges the promotion to 1.1.0 after `files`. Returns its verification. */
async function mergedAfter(files: Readonly<Record<string, string>>): Promise<unknown> {
  const site = copyOf(proposed);
  merge(site, files, 0);
  mergeBranch(site, "promote/regular/sample");
  return newest(site);
}

/** Merges the proposal with another content. */
function mergeRewritten(site: Folder, branch: string): void {
  site.git("checkout", "--quiet", branch);
  site.write({ [REGULAR]: site.git("show", `${branch}:${REGULAR}`).replaceAll("https://", "https://evil.") });
  site.git("commit", "--quiet", "--all", "--amend", "--no-edit");
  site.git("checkout", "--quiet", "-");
  mergeBranch(site, branch);
}

describe("kyma-modules history --verify of a change before the merge", () => {
  it.each([
    ["a hold", { [HOLDS]: HELD }, mentions("merge", "blocked", "octocat", "1.1.0", "regular")],
    [
      "a longer soak",
      { [REGULAR_POLICY]: POLICY.replace("minor: 7d", "minor: 90d") },
      mentions("merge", "wait", "fast", "line 1.1", "90d"),
    ],
    [
      "a decrease of the followed channel",
      { [FAST]: templateText("fast", "1.0.0") },
      mentions("merge", "candidate", "regular", "1.0.0", "fast", "1.1.0"),
    ],
    [
      "a module that the channel lost",
      { [REGULAR_POLICY]: "format: 1\nlandscapes: [dev]\n" },
      mentions("merge", "regular", "no channel"),
    ],
    [
      "another channel that it follows",
      { [REGULAR_POLICY]: POLICY.replace("follows: fast", "follows: rapid") },
      mentions("merge", "regular", "rapid", "fast"),
    ],
  ])("finds %s", async (_what, files, why) => {
    expect(await mergedAfter(files)).toEqual({ code: 1, result: "differs", why: [why] });
  });

  it("finds nothing if this version or a higher one could still be merged", async () => {
    expect(await mergedAfter({ [FAST]: templateText("fast", "1.1.1") })).toMatchObject({ result: "verified" });
    expect(await mergedAfter({ [REGULAR_POLICY]: POLICY.replace("minor: 7d", "minor: 0d") })).toMatchObject({
      result: "verified",
    });
  });

  it("finds a hold on a hot-fix", async () => {
    const site = siteOf();
    merge(site, { "modules/sample/1.0.1/template.yaml": bare("1.0.1") }, 1);
    await told(site, "promote", "--apply", "--hotfix", "sample@1.0.1", "--incident", "https://example.com/7");
    merge(site, { [HOLDS]: HELD.replace("1.1.0", "1.0.1") }, 0);
    mergeBranch(site, "promote/regular/sample");

    expect(await newest(site)).toEqual({
      code: 1,
      result: "differs",
      why: [mentions("merge", "blocked", "octocat", "1.0.1", "regular")],
    });
  });

  long("finds a content that the followed channel did not serve, except in a hot-fix", async () => {
    const site = copyOf(proposed);
    mergeRewritten(site, "promote/regular/sample");
    const other = siteOf();
    merge(other, { "modules/sample/1.0.1/template.yaml": bare("1.0.1") }, 1);
    await told(other, "promote", "--apply", "--hotfix", "sample@1.0.1", "--incident", "https://example.com/7");
    mergeRewritten(other, "promote/regular/sample");

    expect(await newest(site)).toEqual({
      code: 1,
      result: "differs",
      why: [mentions("content", "1.1.0", "fast")],
    });
    expect(await newest(other)).toMatchObject({ result: "verified" });
  });

  long("finds an old decision that is claimed again after a decrease", async () => {
    const site = siteOf();
    submit(site, "1.1.0", 20);
    const first = await promoted(site);
    const message = site.git("log", "-1", "--format=%B", `${first}^2`);
    merge(site, { [REGULAR]: templateText("regular", "1.0.0") }, 0);
    site.write({ [REGULAR]: templateText("regular", "1.1.0") });
    site.commit(message);

    expect(await newest(site)).toEqual({
      code: 1,
      result: "differs",
      why: [mentions("merge", "blocked", "regular", "1.1.0", "1.0.0")],
    });
  });

  it("cannot decide if the catalogue was ambiguous just before", async () => {
    const site = copyOf(proposed);
    const other = copyOf(proposed);
    const policy = "follows: nowhere";
    merge(other, { "channels/slow.yaml": policy }, 0);
    mergeBranch(other, "promote/regular/sample");
    const before = merge(site, { "channels/fast.yaml": policy }, 0);
    mergeBranch(site, "promote/regular/sample");
    site.git("revert", "--no-edit", before);

    expect(await newest(other)).toMatchObject({ result: "verified" });
    expect(await newest(site)).toEqual({
      code: 1,
      result: "not-recomputable",
      why: [mentions("catalogue", before, "merged")],
    });
  });
});

const BRANCH = "promote/regular/sample";

describe("kyma-modules history --verify of a merge", () => {
  it.each<readonly [string, (site: Folder) => void]>([
    [
      "several branches",
      (site) => {
        site.git("branch", "docs");
        merge(site, { "README.md": "main went on" }, 0);
        site.git("switch", "--quiet", "docs");
        merge(site, { "docs.md": "another branch" }, 0);
        site.git("switch", "--quiet", "-");
        site.git("merge", "--quiet", "--no-ff", "--no-edit", "docs", BRANCH);
      },
    ],
    [
      "a branch that was updated",
      (site) => {
        merge(site, { "README.md": "main went on" }, 0);
        site.git("switch", "--quiet", BRANCH);
        site.git("merge", "--quiet", "--no-edit", "main");
        site.git("switch", "--quiet", "-");
        mergeBranch(site, BRANCH);
      },
    ],
  ])("repeats the decision that came with %s", async (_what, mergeIn) => {
    const [good, bad] = [copyOf(proposed), copyOf(proposed)];
    mergeIn(good);
    merge(bad, { [HOLDS]: HELD }, 0);
    mergeIn(bad);

    expect(await newest(good)).toEqual({ code: 0, result: "verified", why: [] });
    expect(await newest(bad)).toMatchObject({ code: 1, result: "differs" });
  });
});

describe("kyma-modules history --verify of an incomplete claim", () => {
  it("still finds what blocked the merge", async () => {
    const site = siteOf();
    submit(site, "1.1.0", 20);
    merge(site, { [HOLDS]: HELD }, 2);
    site.write({ [REGULAR]: templateText("regular", "1.1.0") });
    site.commit("Promote\n\nPromotes: sample@1.1.0\nTo-Channel: regular");

    expect(await newest(site)).toEqual({
      code: 1,
      result: "differs",
      why: [mentions("merge", "blocked", "octocat", "1.1.0")],
    });
  });

  it("cannot decide on the first commit", async () => {
    const site = siteOf();
    site.git("commit", "--quiet", "--amend", "-m", "Begin\n\nPromotes: sample@1.0.0\nTo-Channel: regular");

    expect(await newest(site)).toEqual({
      code: 1,
      result: "not-recomputable",
      why: [mentions("commit", "decided")],
    });
  });
});

describe("kyma-modules history --verify without the evidence", () => {
  const EVIDENCE = `Evidence: sha256:${"a".repeat(64)}`;
  const HINT = mentions("evidence", "--evidence FILE", `sha256:${"a".repeat(64)}`);

  it("finds blockers that no evidence could lift", async () => {
    const site = siteOf();
    const on = submit(site, "1.1.0", 3);
    forge(site, { on, at: daysAgo(1), more: EVIDENCE });

    expect(await newest(site)).toEqual({
      code: 1,
      result: "differs",
      why: [mentions("wait", "fast", "line 1.1", "2d of 7d"), HINT],
    });
  });

  it("finds a hold that came before the merge", async () => {
    const site = siteOf({ [REGULAR_POLICY]: `${POLICY}  needs: [smoke]\n` });
    submit(site, "1.1.0", 20);
    await told(site, "promote", "--apply", "--evidence", evidenceFolder().good);
    merge(site, { [HOLDS]: HELD }, 0);
    mergeBranch(site, "promote/regular/sample");

    expect(await newest(site)).toMatchObject({
      code: 1,
      why: [mentions("merge", "blocked", "octocat"), mentions("evidence", "--evidence FILE")],
    });
  });

  it("cannot decide if a version may have reached all landscapes before its waves", async () => {
    const prod = "  - { name: prod, controlPlane: { context: kcp-prod }, after: { landscape: dev, soak: 15d } }\n";
    const settings = NO_FORGE.replace(/^registry:/m, `${prod}registry:`);
    const site = siteOf({ [SETTINGS]: settings, "channels/fast.yaml": "format: 1\nlandscapes: [dev, prod]\n" });
    forge(site, { on: submit(site, "1.1.0", 20), at: daysAgo(1), more: EVIDENCE });
    const other = siteOf({ [SETTINGS]: settings, "channels/fast.yaml": "format: 1\nlandscapes: [dev, prod]\n" });
    forge(other, { on: submit(other, "1.1.0", 20), at: daysAgo(1) });

    expect(await newest(site)).toEqual({ code: 1, result: "not-recomputable", why: [HINT] });
    expect(await newest(other)).toMatchObject({ result: "differs" });
  });
});
