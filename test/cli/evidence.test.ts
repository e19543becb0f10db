import { beforeEach, describe, expect, it } from "vitest";
import { FAST, templateText } from "../../src/check/example.ts";
import { failing, install } from "../promote/smokePaths.ts";
import { long } from "../support/long.ts";
import { mentions } from "../support/mentions.ts";
import { bareRepository, emptyFolder, type Folder } from "../systems/repository.ts";
import { followHint, otherHistory, plant, reportOf, sharedSite, smokeOf, verdictIn } from "./evidencing.ts";
import { instantOf, forgetIdentity, kymaIn, merge } from "./promoting.ts";
import { hashOfSample } from "./reading.ts";

beforeEach(forgetIdentity);

const PATH = `modules/sample/1.1.0/${hashOfSample("1.1.0")}.json`;
const WAITS = /^wait: .*\binstall\b.* sample 1\.1\.0 with pods\b.*\bupgrade\b.* sample 1\.0\.0 to 1\.1\.0 with pods\b/;
const FAILED = /^blocked: .*\bsmoke test\b.*\binstall\b.* sample 1\.1\.0\b.*\bfailed\b/;
const FETCH = "remote.origin.fetch";
const FORGET = ["branch", "--quiet", "--remotes", "--delete", "origin/evidence"];
const ELSEWHERE: { readonly link: string } = { link: "/etc/hostname" };
const text = (part: string): string => expect.stringContaining(part) as string;

const publish = ({ path }: Folder, ...more: readonly string[]): ReturnType<typeof kymaIn> =>
  kymaIn(path, ["evidence", "publish", ...more]);
const keptIn = ({ git }: Folder, path = PATH): readonly unknown[] =>
  (JSON.parse(git("show", `evidence:${path}`)) as { evidence: readonly unknown[] }).evidence;

describe("published evidence", () => {
  it("ends the wait of a promotion, at the remote and in the clone", async () => {
    const { site, bare } = sharedSite(3);
    expect(await verdictIn(site)).toMatch(WAITS);

    const head = site.git("rev-parse", "HEAD");
    const { code, stderr } = await publish(site, reportOf(smokeOf()));

    expect([code, stderr]).toEqual([0, text(`published on evidence at origin as `)]);
    expect(stderr).toContain(`1 file\n  ${PATH}\n`);
    expect(await verdictIn(site)).toMatch(/^wait until .* because of soak$/);
    expect(keptIn(bare)).toEqual([smokeOf(true, { observedAt: expect.any(String) as string })]);
    // No common commit, no trace in the working tree.
    expect(bare.git("rev-list", "--count", "evidence")).toBe("1");
    expect([site.git("rev-parse", "HEAD"), site.git("status", "--porcelain")]).toEqual([head, ""]);
    expect(site.git("branch", "--list", "evidence")).toBe("");
  });

  it("counts from the time of its observation", async () => {
    const { site } = sharedSite(9);
    await publish(site, reportOf(smokeOf()));

    expect(await verdictIn(site)).toBe("promote now");
    expect(await verdictIn(site, "--at", instantOf(1))).toEqual(mentions("wait", "run 7", "later than now"));
    expect((await kymaIn(site.path, ["promote", "--apply"])).code).toBe(0);
    expect(site.git("log", "-1", "--format=%B", "promote/regular/sample")).toMatch(/^Evidence: sha256:[0-9a-f]{64}$/m);
  });

  it("shows in status", async () => {
    const { site } = sharedSite(9);
    await publish(site, reportOf(smokeOf()));
    const { stdout } = await kymaIn(site.path, ["status"]);

    expect(stdout).toMatch(/^regular +sample +1\.0\.0 +\S+ +1\.1\.0 +promote$/m);
  });

  it("does not count for another content", async () => {
    const { site } = sharedSite(9);
    await publish(site, reportOf(smokeOf()));
    merge(site, { [FAST]: templateText("fast", "1.2.0") }, 8);

    expect(await verdictIn(site, "--explain")).toEqual(mentions("wait", "install", "sample 1.2.0 with pods"));
  });

  it("stops counting once a newer run failed", async () => {
    const { site } = sharedSite(9);
    await publish(site, reportOf(smokeOf()));
    await publish(site, reportOf(smokeOf(false, { observedAt: instantOf(0.01) })));

    expect(await verdictIn(site)).toMatch(FAILED);
  });

  it("stops counting once a run from a clock that is ahead failed", async () => {
    const { site } = sharedSite(9);
    await publish(site, reportOf(smokeOf()));
    const ahead = reportOf(smokeOf(false, { observedAt: instantOf(-2) }));

    expect(await verdictIn(site, "--evidence", ahead)).toMatch(
      /^blocked: .*\binstall\b.*\bfailed\b.*\(run 7, .*\bclock\b.*\)/,
    );
    expect(await verdictIn(site, "--evidence", ahead, "--at", instantOf(0.01))).toMatch(/^promote now/);
  });

  long("is used when a verdict is verified, even after more was published", async () => {
    const { site } = sharedSite(9);
    await publish(site, reportOf(smokeOf()));
    await kymaIn(site.path, ["promote", "--apply"]);
    site.git("merge", "--quiet", "--no-ff", "--no-edit", "promote/regular/sample");
    await publish(site, "--revision", "HEAD~1", reportOf(smokeOf(true, { source: "run 8" })));

    expect(await kymaIn(site.path, ["history", "sample", "--verify"])).toMatchObject({
      code: 0,
      stdout: text("verified"),
    });
  });
});

describe("the branch of evidence", () => {
  it("is that of the clone and that of its remote, whichever of them is ahead", async () => {
    const { site } = sharedSite(9);
    await publish(site, reportOf(smokeOf()));
    site.git("fetch", "--quiet", "origin", "evidence:evidence");
    expect(await verdictIn(site)).toBe("promote now");

    await publish(site, reportOf(smokeOf(false)));
    expect(await verdictIn(site)).toMatch(FAILED);
  });

  long("counts on both sides if they went apart", async () => {
    const { site } = sharedSite(9);
    await publish(site, "--remote", ".", reportOf(smokeOf()));
    await publish(site, reportOf(smokeOf(false)));

    expect(await verdictIn(site)).toMatch(FAILED);
  });

  it("is required to be fetched: a clone without it refuses, and says how to fetch it", async () => {
    const { site, bare } = sharedSite(9);
    const clone = emptyFolder();
    clone.git("clone", "--quiet", "--single-branch", bare.path, clone.path);
    expect(await kymaIn(clone.path, ["promote"])).toMatchObject({ code: 0 });
    expect(await kymaIn(clone.path, ["promote", "--offline"])).toMatchObject({ code: 2 });

    await publish(site, reportOf(smokeOf(false)));
    const { code, stderr } = await kymaIn(clone.path, ["promote"]);
    expect([code, stderr]).toEqual([2, mentions("branch evidence", "origin")]);

    followHint(clone, stderr);
    expect(await verdictIn(clone)).toMatch(FAILED);
  });

  it.for<[string, string, readonly string[], ...(readonly string[])[]]>([
    ["that is bare", "origin", ["--bare", "--single-branch"]],
    ["that is shallow only on another branch", "origin", ["--single-branch"], ["fetch", "--depth=1", "URL", "HEAD"]],
    ["that also fetches another remote", "origin", ["--single-branch"], ["remote", "add", "fork", "."]],
    ["that leaves the branch out", "origin", [], ["config", "--add", FETCH, "^refs/heads/evidence"], FORGET],
    ["that fetches to another place", "origin", [], ["config", FETCH, "+refs/heads/*:refs/mine/*"], FORGET],
    ["whose remote has a slash in its name", "team/up", ["--origin", "team/up"]],
  ])("is required also of a clone %s", { tags: "long" }, async ([, remote, options, ...changes]) => {
    const { site, bare } = sharedSite(9);
    await publish(site, reportOf(smokeOf(false)));
    const clone = emptyFolder();
    clone.git("clone", "--quiet", ...options, bare.path, clone.path);
    const other = otherHistory();
    for (const change of changes) clone.git(...change.map((word) => (word === "URL" ? `file://${other}` : word)));
    const { code, stderr } = await kymaIn(clone.path, ["promote"]);

    expect([code, stderr]).toEqual([2, mentions("branch evidence", remote)]);
    followHint(clone, stderr);
    expect(await verdictIn(clone)).toMatch(FAILED);
  });

  long("is that of the remote that the branch follows, too", async () => {
    const { site, bare } = sharedSite(9);
    const [fork, clone] = [bareRepository(), emptyFolder()];
    await publish(site, "--remote", fork.path, reportOf(smokeOf()));
    await publish(site, reportOf(smokeOf(false)));
    site.git("push", "--quiet", fork.path, "HEAD:main");
    clone.git("clone", "--quiet", fork.path, clone.path);
    expect(await verdictIn(clone)).toBe("promote now");

    clone.git("remote", "add", "upstream", bare.path);
    clone.git("fetch", "--quiet", "upstream");
    expect(await verdictIn(clone)).toBe("promote now");
    clone.git("branch", "--quiet", "--set-upstream-to=upstream/main");
    expect(await verdictIn(clone)).toMatch(FAILED);
  });

  it("may be that of a remote of any name", async () => {
    const { site } = sharedSite(9);
    await publish(site, reportOf(smokeOf(false)));
    site.git("fetch", "--quiet", "origin");
    site.git("remote", "rename", "origin", "upstream");

    expect(await verdictIn(site)).toMatch(FAILED);
  });

  it("ignores a file of another content, with a message", async () => {
    const { site, bare } = sharedSite(9);
    plant(bare, { [PATH.replace("1.1.0", "1.0.0")]: reported(smokeOf()) });
    site.git("fetch", "--quiet", "origin");
    const { code, stdout, stderr } = await kymaIn(site.path, ["promote"]);

    expect([code, stderr]).toEqual([0, text("[evidence-place]")]);
    expect(stdout).toEqual(mentions("wait", "install", "sample 1.1.0 with pods"));
  });

  it.each<[string, Record<string, string | { readonly link: string }>, string]>([
    ["what is not JSON", { [PATH]: "{" }, "yaml-syntax"],
    ["a link", { "real.json": reported(smokeOf()), [PATH]: ELSEWHERE }, "file-link"],
    ["what smoke tests said once", { [PATH]: reported({ kind: "smoke", passed: true }) }, "evidence-paths"],
    ["a huge file", { [PATH]: reported(smokeOf()) + " ".repeat(2 ** 21) }, "file-size"],
  ])("blocks the version of which it has %s, and says so", async (_, files, rule) => {
    const { site, bare } = sharedSite(9);
    plant(bare, files);
    site.git("fetch", "--quiet", "origin");
    const { code, stdout, stderr } = await kymaIn(site.path, ["promote"]);

    expect([code, stderr]).toEqual([0, text(`[${rule}]`)]);
    expect(stderr).toContain("warning: ");
    expect(stdout).toEqual(mentions(`blocked: evidence:${PATH}`, "1.1.0"));
  });

  it("is not read if no decision needs evidence", async () => {
    const { site, bare } = sharedSite(9);
    plant(bare, { [PATH]: "{" });
    site.git("fetch", "--quiet", "origin");

    expect((await kymaIn(site.path, ["hold", "sample@1.1.0", "--reason", "x"])).stderr).not.toContain("yaml-syntax");
  });
});

describe("a run without pods", () => {
  it("is explained, and does not fulfil the policy", async () => {
    const { site } = sharedSite(9);
    await publish(site, reportOf(smokeOf(true, { paths: [install({ pods: false })] })));

    expect(await verdictIn(site)).toMatch(WAITS);
    expect((await kymaIn(site.path, ["promote", "--explain"])).stdout).toMatch(
      /· .*\bwithout pods\b.*\bsmoke test\b.*\binstall\b.* sample 1\.1\.0\b/i,
    );
  });

  it("blocks a version that it finds broken", async () => {
    const { site } = sharedSite(9);
    await publish(site, reportOf(smokeOf(true, { observedAt: instantOf(2) })));
    await publish(site, reportOf(smokeOf(true, { paths: [failing(install({ pods: false }))] })));

    expect(await verdictIn(site)).toMatch(/^blocked: .* without pods failed/);
  });
});

function reported(...evidence: readonly object[]): string {
  return JSON.stringify({ format: 1, evidence });
}
