import { chmodSync } from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import { mentions } from "../support/mentions.ts";
import { emptyFolder } from "../systems/repository.ts";
import {
  PATH,
  plant,
  publish,
  publishAtOnce,
  reportOf,
  sharedSite,
  smokeOf,
  sourcesIn,
  verdictIn,
} from "./evidencing.ts";
import { forgetIdentity, submit } from "./promoting.ts";
import { hashOfSample } from "./reading.ts";

beforeEach(forgetIdentity);

const text = (part: string): string => expect.stringContaining(part) as string;

describe("evidence publish", () => {
  it("does nothing the second time", async () => {
    const { site, bare } = sharedSite(9);
    const report = reportOf(smokeOf());
    await publish(site, report);
    const { code, stderr } = await publish(site, report);

    expect([code, ...stderr.split("\n")]).toEqual([0, mentions("evidence at origin", "already"), ""]);
    expect(bare.git("rev-list", "--count", "evidence")).toBe("1");
  });

  it("says so if there is no evidence", async () => {
    const { site } = sharedSite(9);
    const { code, stderr } = await publish(site, reportOf());

    expect([code, ...stderr.split("\n")]).toEqual([0, mentions("no evidence", "evidence at origin"), ""]);
  });

  it("keeps all existing files", async () => {
    const { site, bare } = sharedSite(9);
    plant(bare, { "README.md": "kept by programs\n", "modules/sample/1.0.0/other.json": "{" });
    await publish(site, reportOf(smokeOf()));

    expect(bare.git("ls-tree", "-r", "--name-only", "evidence").split("\n")).toEqual([
      ...["README.md", "modules/sample/1.0.0/other.json", PATH],
    ]);
  });

  it("loses nothing when two publish at once", async () => {
    await publishAtOnce(2);
  });

  it("works without a remote, on a branch of this repository", async () => {
    const { site } = sharedSite(9);
    site.git("remote", "remove", "origin");
    const { stderr } = await publish(site, reportOf(smokeOf()));

    expect(stderr).toContain("published on evidence as ");
    expect(await verdictIn(site)).toBe("promote now");
  });

  it("reads all reports of a folder", async () => {
    const { site, bare } = sharedSite(9);
    const folder = emptyFolder();
    const file = (source: string): string => JSON.stringify({ format: 1, evidence: [smokeOf(true, { source })] });
    // A report lies beside what smoke found.
    folder.write({ "one/evidence.json": file("run 1"), "one/report.json": "{}", "two/evidence.json": file("run 2") });
    await publish(site, folder.path);

    expect(sourcesIn(bare)).toEqual(["run 1", "run 2"]);
  });

  it("takes evidence of a version that a channel served before: it may still be promoted", async () => {
    const { site, bare } = sharedSite(9);
    submit(site, "1.2.0", 2);
    site.git("push", "--quiet", "origin", "HEAD:main");

    expect(await publish(site, reportOf(smokeOf()))).toMatchObject({ code: 0 });
    expect(sourcesIn(bare)).toEqual(["run 7"]);
  });

  it.each<[string, object, string]>([
    ["another kind", { kind: "served", ...COMMON(), landscape: "dev" }, "[evidence-kind]"],
    [
      "a content that the commit does not have",
      smokeOf(true, { specHash: `sha256:${"0".repeat(64)}` }),
      "[evidence-unknown]",
    ],
    ["a version that the commit does not have", smokeOf(true, { version: "1.9.0" }), "[evidence-unknown]"],
    ["a module that the commit does not have", smokeOf(true, { module: "nothing" }), "[evidence-unknown]"],
    ["tomorrow", smokeOf(true, { observedAt: new Date(Date.now() + 86_400_000).toISOString() }), "[evidence-future]"],
    ["no paths", { ...smokeOf(), paths: [] }, "[schema]"],
  ])("refuses evidence of %s, and publishes nothing", async (_, one, rule) => {
    const { site, bare } = sharedSite(9);
    const { code, stderr } = await publish(site, reportOf(one));

    expect([code, stderr]).toEqual([2, text(rule)]);
    expect(bare.git("branch", "--list", "evidence")).toBe("");
  });

  it("refuses evidence of another module than the named one", async () => {
    const { site, bare } = sharedSite(9);
    const refused = await publish(site, "--module", "other", reportOf(smokeOf()));

    expect([refused.code, refused.stderr]).toEqual([2, mentions("sample", "other", "[evidence-module]")]);
    expect(bare.git("branch", "--list", "evidence")).toBe("");
    expect(await publish(site, "--module", "sample", reportOf(smokeOf()))).toMatchObject({ code: 0 });
  });

  it("refuses to add to an unreadable file, but adds everything else", async () => {
    const { site, bare } = sharedSite(9);
    plant(bare, { [PATH]: "{" });
    const refused = await publish(site, reportOf(smokeOf()));
    const before = bare.git("rev-list", "--count", "evidence");
    const other = smokeOf(true, { version: "1.0.0", specHash: hashOfSample("1.0.0") });
    const mixed = await publish(site, reportOf(smokeOf(), other));

    expect([refused.code, refused.stderr]).toEqual([2, mentions(`evidence:${PATH}`)]);
    expect(before).toBe("1");
    expect([mixed.code, mixed.stderr]).toEqual([2, mentions(`evidence:${PATH}`, `modules/sample/1.0.0/`)]);
    expect(bare.git("show", `evidence:${PATH}`)).toBe("{");
    expect(bare.git("ls-tree", "-r", "--name-only", "evidence")).toContain(hashOfSample("1.0.0"));
  });

  it("prints the error of a remote that rejects, and of one that is missing", async () => {
    const { site, bare } = sharedSite(9);
    bare.write({ "hooks/update": "#!/bin/sh\necho 'this branch is protected'\nexit 1\n" });
    chmodSync(`${bare.path}/hooks/update`, 0o755);
    const declined = await publish(site, reportOf(smokeOf()));
    const missing = await publish(site, "--remote", `${bare.path}/none.git`, reportOf(smokeOf()));

    expect([declined.code, declined.stderr]).toEqual([3, text("this branch is protected")]);
    expect([missing.code, missing.stderr]).toEqual([3, text("cannot be reached")]);
  });
});

function COMMON(): object {
  const { module, version, specHash, observedAt, source } = smokeOf() as Readonly<Record<string, unknown>>;
  return { module, version, specHash, observedAt, source };
}
