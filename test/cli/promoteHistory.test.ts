import { beforeEach, describe, expect, it } from "vitest";
import { FAST, manifestPath, manifestText, REGULAR, REGULAR_POLICY, templateText } from "../../src/check/example.ts";
import { emptyFolder, type Folder } from "../systems/repository.ts";
import { long } from "../support/long.ts";
import { mentions } from "../support/mentions.ts";
import { instantOf, forgetIdentity, kymaIn, merge, POLICY, redate, siteOf, submit } from "./promoting.ts";

beforeEach(forgetIdentity);

/** What `promote ARGS` prints of a repository, once it ended with 0 and said nothing. */
async function promote({ path }: Folder, ...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await kymaIn(path, ["promote", ...args]);
  expect([code, stderr]).toEqual([0, ""]);
  return stdout;
}

/** The days and hours of the line 1.1 in fast. */
async function soakOf(site: Folder): Promise<string | undefined> {
  return /served the line 1\.1 for (.*) of 7d/.exec(await promote(site, "--explain"))?.[1];
}

describe("an irregular history", () => {
  it("is refused in a shallow clone, with the command that completes it", async () => {
    const site = siteOf();
    submit(site, "1.1.0", 9);
    const folder = emptyFolder();
    folder.git("clone", "--quiet", "--depth", "1", `file://${site.path}`, "clone");
    const clone = `${folder.path}/clone`;
    const commands = ["git fetch --deepen=10", "git fetch --unshallow", "fetch-depth: 0"];
    const refusal = mentions(`error: ${clone}`, "1 commit", "deeper than 1", ...commands);

    expect(await kymaIn(clone, ["promote"])).toEqual({ code: 2, stdout: "", stderr: refusal });
    expect(await kymaIn(clone, ["hold", "sample@1.1.0", "--reason", "leaks"])).toMatchObject({
      code: 2,
      stderr: refusal,
    });
    folder.git("-C", "clone", "fetch", "--quiet", "--unshallow");
    expect((await kymaIn(clone, ["promote"])).stdout).toContain("promote now");
  });

  long("restarts its times after main was rewritten", async () => {
    const site = siteOf();
    submit(site, "1.1.0", 9);
    expect(await soakOf(site)).toBe("9d");
    site.git("reset", "--quiet", "--hard", "HEAD~1");
    submit(site, "1.1.0", 1);

    expect(await soakOf(site)).toBe("1d");
    expect(await promote(site)).toMatch(/wait until \S+ \(in 5d 23h|wait until \S+ \(in 6d/);
  });

  it("recognises a module that was removed and added again: its step is not the first, and not a downgrade", async () => {
    const site = siteOf({ [REGULAR_POLICY]: POLICY.replace("soak: {", "soak: { first: 0d,") });
    site.remove(REGULAR);
    site.commit();
    redate(site, 40);
    submit(site, "1.1.0", 2);
    const explained = await promote(site, "--explain");

    expect(explained).toMatch(/regular\/sample serves nothing\b.*\bfast\b/);
    expect(explained).toContain("1.1.0 (minor): wait");
    expect(explained).toContain("1.0.0 (patch): promote");
  });

  it("keeps the served time when a file is renamed and renamed back", async () => {
    const site = siteOf();
    submit(site, "1.1.0", 9);
    site.git("mv", FAST, "channels/fast/other.yaml");
    site.commit();
    redate(site, 6);
    site.git("mv", "channels/fast/other.yaml", FAST);
    site.commit();
    redate(site, 1);

    expect(await soakOf(site)).toBe("4d");
  });

  it("assigns two versions of one commit to their channels", async () => {
    const site = siteOf();
    const files = { [REGULAR]: templateText("regular", "1.0.1"), [manifestPath("1.1.0")]: manifestText("1.1.0") };
    merge(site, { [FAST]: templateText("fast", "1.1.0"), ...files }, 3);

    expect(await promote(site)).toMatch(/regular +sample +1\.0\.1 +1\.1\.0 +minor +wait until/);
    expect(await soakOf(site)).toBe("3d");
  });

  it("counts from the merge, not from the commits of the merged branch", async () => {
    const site = siteOf();
    site.git("switch", "--quiet", "--create", "topic");
    submit(site, "1.1.0", 60);
    site.git("switch", "--quiet", "main");
    site.git("merge", "--quiet", "--no-ff", "--message", "Merge", "topic");
    redate(site, 2);

    expect(await soakOf(site)).toBe("2d");
  });

  it("does not trust times in the future, or before the parent", async () => {
    const [early, late] = [siteOf(), siteOf()];
    submit(early, "1.1.0", -30);
    submit(late, "1.1.0", 4000);

    expect(await soakOf(early)).toBe("0s");
    expect(await soakOf(late)).toBe("100d");
  });

  it("ends a commit with a future time at the next trusted time", async () => {
    const site = siteOf();
    submit(site, "1.1.0", -30);
    merge(site, { "notes.txt": "" }, 3);

    expect(await soakOf(site)).toBe("3d");
  });
});

describe("a decision for another instant", () => {
  it("uses what was merged by then, and proposes no next step", async () => {
    const site = siteOf();
    const before = site.git("rev-parse", "--short=10", "HEAD");
    submit(site, "1.1.0", 9);

    expect(await promote(site, "--at", instantOf(20))).toMatch(
      new RegExp(`regular +sample +1\\.0\\.0 +– +– +nothing to do\\n.*decided on ${before}`),
    );
    expect(await promote(site, "--at", instantOf(5))).toMatch(/wait until \S+ \(in 3d\)|\(in 2d 23h\)/);
    const later = await promote(site, "--at", instantOf(-20));
    expect(later).toContain("promote now");
    expect(later).not.toContain("--apply");
    expect(await promote(site)).toMatch(/^next: .*--apply$/m);
  });

  it("names the commit of that time if it cannot be read", async () => {
    const site = siteOf();
    const broken = merge(site, { "channels/regular.yaml": "format: [" }, 50);
    merge(site, { "channels/regular.yaml": POLICY }, 40);
    const { code, stderr } = await kymaIn(site.path, ["promote", "--at", instantOf(45)]);

    expect(code).toBe(1);
    expect(stderr).toEqual(mentions("nothing is decided", broken.slice(0, 10)));
  });
});
