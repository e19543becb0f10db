import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import {
  FAST,
  manifestPath,
  manifestText,
  MODULE,
  MODULE_TEXT,
  REGULAR,
  SETTINGS,
  templateText,
} from "../../src/check/example.ts";
import { otherRequiring } from "../../src/check/rules/dependencies/neighbours.ts";
import { stateOf } from "../systems/proposing.ts";
import { bareRepository, configure, emptyRepository, type Folder } from "../systems/repository.ts";
import { long } from "../support/long.ts";
import { mentions } from "../support/mentions.ts";
import { run } from "./program.ts";
import { kymaIn, forgetIdentity, merge, NO_FORGE, redate, siteOf, submit } from "./promoting.ts";

const REASON = ["--reason", "leaks"];

beforeEach(forgetIdentity);

/** A site on which regular may get 1.1.0, while a person is in the middle of something else. */
function busySite(): Folder {
  const site = siteOf();
  submit(site, "1.1.0", 9);
  site.write({ "staged.txt": "staged", "channels/regular.yaml": "half a thou", "untracked.txt": "" });
  site.git("add", "staged.txt");
  return site;
}

const UNCOMMITTED: unknown = expect.stringMatching(/^warning: 1 file .*: channels\/regular\.yaml\n$/);

/** What a command prints, which has to end with 0, and to leave the working tree, the index and HEAD as they are. */
async function calmly(site: Folder, ...args: readonly string[]): Promise<string> {
  const before = stateOf(site);
  const isEdited = site.git("diff", "--name-only").includes("channels/regular.yaml");
  const { code, stdout, stderr } = await kymaIn(site.path, args);
  expect([code, stderr]).toEqual([0, isEdited ? UNCOMMITTED : ""]);
  expect(stateOf(site)).toEqual(before);
  return stdout;
}

/** Merges a branch as a person does who put everything else aside. */
function mergeBranch(site: Folder, branch: string): void {
  site.git("stash", "--quiet", "--include-untracked");
  site.git("merge", "--quiet", "--no-ff", branch);
  site.git("stash", "pop", "--quiet", "--index");
}

function refs(site: Folder): string {
  return site.git("for-each-ref", "--format=%(refname:short) %(objectname)", "refs/heads/");
}

describe("promotion on branches, without a forge", () => {
  it("completes beside the work of a person, and a repeated run changes nothing", async () => {
    const site = busySite();
    const apply = ["promote", "--apply"];

    expect(await calmly(site, ...apply)).toMatch(
      /opened +regular\/sample 1\.1\.0 .*git merge --no-ff promote\/regular/,
    );
    const proposed = refs(site);
    expect(await calmly(site, ...apply)).toMatch(/unchanged +regular\/sample 1\.1\.0/);
    expect(refs(site)).toBe(proposed);

    expect(await calmly(site, "hold", "sample@1.1.0", ...REASON)).toMatch(
      /proposed: (hold\/every-channel\/sample-1\.1\.0) at \w+\nnext: git merge --no-ff \1, .*git push\b.*\nclosed: promote\/regular\/sample\n/,
    );
    expect(await calmly(site, ...apply)).toMatch(
      /blocked: .*\bhold .*1\.1\.0 .*proposed .*\n.*\nto unblock .*git merge --no-ff hold\//,
    );
    mergeBranch(site, "hold/every-channel/sample-1.1.0");
    expect(await calmly(site, ...apply)).toContain("blocked: octocat holds 1.1.0 since");
    expect(await calmly(site, "hold", "sample@1.1.0", ...REASON)).toMatch(
      /nothing to do: sample 1\.1\.0 .*\bheld\b.*leaks .*octocat/,
    );

    await calmly(site, "unhold", "sample@1.1.0", ...REASON);
    mergeBranch(site, "unhold/every-channel/sample-1.1.0");
    expect(await calmly(site, ...apply)).toMatch(/opened +regular\/sample 1\.1\.0/);
    mergeBranch(site, "promote/regular/sample");
    expect(site.git("show", `HEAD:${REGULAR}`)).toContain("version: 1.1.0");
    expect(await calmly(site, ...apply)).toMatch(/nothing to do\n/);

    const withdrawal = await calmly(site, "withdraw", "sample@1.1.0", "--channel", "regular", ...REASON);
    expect(withdrawal).toMatch(/regular .*sample 1\.1\.0 .*1\.0\.0\b[^]*not protected: [^]*next: git merge/);
    mergeBranch(site, "withdraw/regular/sample-1.1.0");
    expect(site.git("show", `HEAD:${REGULAR}`)).toContain("version: 1.0.0");
    const after = await calmly(site, ...apply);
    expect(after).toContain("blocked: octocat holds 1.1.0 out of regular");
    expect(after.match(/to unblock/g)).toHaveLength(1);
  });

  it("changes the file of a catalogue in a subfolder of its repository", async () => {
    const [site, whole] = [siteOf(), emptyRepository()];
    configure(whole, { user: "Person" });
    site.git("checkout-index", "--all", `--prefix=${whole.path}/catalogue/`);
    whole.commit();
    redate(whole, 100);
    const files = { [FAST]: templateText("fast", "1.1.0"), [manifestPath("1.1.0")]: manifestText("1.1.0") };
    whole.write(Object.fromEntries(Object.entries(files).map(([path, text]) => [`catalogue/${path}`, text])));
    whole.commit();
    redate(whole, 9);

    expect((await kymaIn(`${whole.path}/catalogue`, ["promote", "--apply"])).stdout).toContain("opened");
    expect(whole.git("diff", "--name-only", "main", "promote/regular/sample")).toBe(
      "catalogue/channels/regular/sample.yaml",
    );
  });

  it("judges an open proposal again when its base changed", async () => {
    const site = siteOf();
    submit(site, "1.1.0", 9);
    await calmly(site, "promote", "--apply");
    merge(site, { [SETTINGS]: NO_FORGE.replace("prod/**", "other/**") }, 0);

    expect(await kymaIn(site.path, ["promote", "--apply"])).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^refused +regular\/sample 1\.1\.0 .*: .*\bgate\b.* 1 error\b/m) as string,
    });
  });

  long("starts from HEAD if no branch is checked out", async () => {
    const site = busySite();
    site.git("switch", "--quiet", "--detach");

    expect(await calmly(site, "promote", "--apply")).toContain("opened");
    expect(site.git("merge-base", "HEAD", "promote/regular/sample")).toBe(site.git("rev-parse", "HEAD"));
    expect(await kymaIn(site.path, ["promote", "--apply", "--direct"])).toMatchObject({
      code: 2,
      stderr: mentions("error:", "HEAD", "git switch main"),
    });
  });

  long("closes a proposal that no channel can get any more, and says so", async () => {
    const site = siteOf();
    submit(site, "1.1.0", 9);
    await calmly(site, "promote", "--apply");
    site.write({ "channels/regular.yaml": "format: 1\nlandscapes: [dev]\n" });
    site.commit();

    expect(await kymaIn(site.path, ["promote", "--apply", "--channel", "fast"])).toMatchObject({ code: 2 });
    expect(await kymaIn(site.path, ["promote", "--apply"])).toMatchObject({
      code: 0,
      stdout: mentions("nothing to promote", "follows: CHANNEL"),
      stderr: expect.stringMatching(/^closed promote\/regular\/sample: .*\bchannel\b.*\n$/) as string,
    });
    expect(site.git("branch", "--format=%(refname:short)")).toBe("main");
  });

  it("does not touch a branch that a person committed to, even to close it", async () => {
    const site = siteOf();
    submit(site, "1.1.0", 9);
    await calmly(site, "promote", "--apply");
    site.git("switch", "--quiet", "promote/regular/sample");
    site.write({ "notes.txt": "mine" });
    const mine = site.commit();
    site.git("switch", "--quiet", "main");

    const left = /left +regular\/sample .*promote\/regular\/sample: .*someone else\b/;
    expect(await calmly(site, "promote", "--apply")).toMatch(left);
    site.write({ [REGULAR]: templateText("regular", "1.1.0") });
    site.commit();
    expect(await calmly(site, "promote", "--apply")).toMatch(left);
    expect(site.git("rev-parse", "promote/regular/sample")).toBe(mine);
  });
});

describe("promotion by commits on the base, without a forge", () => {
  it("commits to the remote, and never to the working tree", async () => {
    const [site, bare] = [busySite(), bareRepository()];
    configure(site, { origin: bare });
    site.git("push", "--quiet", "--set-upstream", "origin", "main");
    const take = (): void => {
      site.git("stash", "--quiet", "--include-untracked");
      site.git("pull", "--quiet", "--ff-only");
      site.git("stash", "pop", "--quiet", "--index");
    };

    expect(await calmly(site, "promote", "--apply", "--direct")).toMatch(
      /merged +regular\/sample 1\.1\.0 +main: as \w{10}/,
    );
    expect(bare.git("log", "-1", "--format=%s", "main")).toBe("Promote sample 1.1.0 to regular");
    expect(await kymaIn(site.path, ["promote", "--apply", "--direct"])).toMatchObject({
      code: 3,
      stderr: mentions("error: main", "origin", "git pull"),
    });
    take();
    expect(await calmly(site, "promote", "--apply", "--direct")).toMatch(/^0 to promote, .* 1 with nothing/m);

    expect(await calmly(site, "withdraw", "sample@1.1.0", "--channel", "regular", ...REASON, "--direct")).toMatch(
      /committed: main at \w{10}\n/,
    );
    take();
    expect(await calmly(site, "unhold", "sample@1.1.0", ...REASON, "--direct")).toContain("committed: main at");
    take();
    expect(await calmly(site, "hold", "sample@1.2.0", ...REASON, "--direct")).toContain("committed: main at");
    expect(bare.git("log", "-3", "--format=%s", "main")).toBe(
      "Hold sample 1.2.0\nUnhold sample 1.1.0\nWithdraw sample 1.1.0 from regular",
    );
    expect(bare.git("rev-list", "--merges", "--count", "main")).toBe("0");
  });

  long("prints a remedy without a remote, and for a policy that requires a review", async () => {
    const site = busySite();
    const review = siteOf({ "channels/regular.yaml": "format: 1\nfollows: fast\nlandscapes: [dev]\n" });
    submit(review, "1.1.0", 9);
    const { code, stdout } = await kymaIn(site.path, ["promote", "--apply", "--direct"]);

    expect(code).toBe(2);
    expect(stdout).toMatch(/failed +regular\/sample 1\.1\.0 .*no remote\b.*--direct\b.*git push -u REMOTE main\b/);
    expect(await calmly(review, "promote", "--apply", "--direct")).toMatch(
      /left +regular\/sample 1\.1\.0 .*\(merge: review\).*--direct\b/,
    );
  });

  it("does not commit what the gate refuses beside an earlier promotion of the same run", async () => {
    const waivers = ["crd-compatible", "default-cr-valid", "default-cr-served"].map(
      (rule) => `  - { rule: ${rule}, version: 1.1.0, reason: unused, until: 2099-01-01T00:00:00Z }\n`,
    );
    const site = siteOf({ [MODULE]: `${MODULE_TEXT}waivers:\n${waivers.join("")}` });
    configure(site, { origin: bareRepository() });
    const other = otherRequiring("{ group: operator.example.com, version: v1, kind: Sample }");
    for (const [path, text] of Object.entries(other)) if (typeof text === "string") site.write({ [path]: text });
    merge(site, {}, 20);
    const unserved = manifestText("1.1.0").replace("served: true", "served: false");
    merge(site, { [FAST]: templateText("fast", "1.1.0"), [manifestPath("1.1.0")]: unserved }, 9);
    site.git("push", "--quiet", "--set-upstream", "origin", "main");

    const { code, stdout } = await kymaIn(site.path, ["promote", "--apply", "--direct"]);
    expect([code, stdout]).toEqual([1, expect.stringMatching(/^merged +regular\/other 1\.0\.0 /m)]);
    expect(stdout).toMatch(/^refused +regular\/sample 1\.1\.0 .*\n.*modules\/other\/module\.yaml:.*\[dependency-/m);
  });

  it("proposes in the repository that is named, also in a hook of another one", async () => {
    const [site, other] = [siteOf(), siteOf()];
    const hook = { GIT_DIR: join(other.path, ".git"), GIT_INDEX_FILE: join(other.path, ".git/index") };
    const { code } = await run(["hold", "sample@1.0.0", ...REASON, "--repo", site.path], hook);

    expect(code).toBe(0);
    expect(refs(site)).toContain("hold/every-channel/sample-1.0.0");
    expect(refs(other)).not.toContain("hold/");
  });
});
