import { beforeEach, describe, expect, it } from "vitest";
import { edit, FAST, HOLDS, manifestPath, manifestText, REGULAR, templateText } from "../../src/check/example.ts";
import { bareRepository, configure, emptyFolder, type Folder } from "../systems/repository.ts";
import { long } from "../support/long.ts";
import { mentions } from "../support/mentions.ts";
import { bare } from "./verifying.ts";
import { instantOf, kymaIn, forgetIdentity, merge, siteOf, submit } from "./promoting.ts";

const REASON = ["--reason", "leaks"];

beforeEach(forgetIdentity);

/** A site on which regular may get 1.1.0. */
function readySite(): Folder {
  const site = siteOf();
  submit(site, "1.1.0", 9);
  return site;
}

async function said(site: Folder, ...args: readonly string[]): Promise<string> {
  const { stdout, stderr } = await kymaIn(site.path, args);
  return stdout + stderr;
}

/** What is printed of 1.1.0 while a branch proposes to hold it. */
const proposed = (branch: string): unknown => mentions("blocked:", "hold", "1.1.0", "proposed", `(${branch})`);

describe("a version behind a symbolic link", () => {
  it("blocks, because the history does not follow links: what else would be nothing to do", async () => {
    const site = siteOf();
    site.write({ "shared.yaml": templateText("fast", "1.1.0"), [FAST]: { link: "../../shared.yaml" } });
    merge(site, {}, 1);

    expect(await said(site, "promote")).toMatch(
      /1\.1\.0 .*blocked: channels\/fast\/sample\.yaml .*\bhistory\b.*\blink\b/,
    );
  });
});

describe("a hold", () => {
  it("behind a symbolic link blocks, because the history does not follow links", async () => {
    const site = readySite();
    const held = `format: 1\nholds:\n  - { version: 1.1.0, reason: it leaks, by: boss, since: "2026-01-01T00:00:00Z" }\n`;
    site.write({ "modules/sample/h2.yaml": held, [HOLDS]: { link: "h2.yaml" } });
    merge(site, {}, 1);

    expect(await said(site, "promote")).toMatch(/blocked: modules\/sample\/holds\.yaml .*\bhistory\b.*\blink\b/);
  });

  it("that is proposed blocks from now on, but not in the past", async () => {
    const site = readySite();
    await said(site, "hold", "sample@1.1.0", ...REASON);

    const blocked = proposed("hold/every-channel/sample-1.1.0");
    expect(await said(site, "promote")).toEqual(blocked);
    expect(await said(site, "promote", "--at", instantOf(-1))).toEqual(blocked);
    expect(await said(site, "promote", "--at", instantOf(1))).toContain("promote now");
    expect(await said(site, "unhold", "sample@1.1.0", ...REASON)).toEqual(
      mentions("nothing to do: sample 1.1.0", "not held", "git branch -D hold/every-channel/sample-1.1.0"),
    );
  });
});

describe("a hold that is proposed at a remote", () => {
  it("stops blocking with the remedy, also if someone else dropped it there", async () => {
    const [site, remote] = [readySite(), bareRepository()];
    configure(site, { origin: remote });
    site.git("push", "--quiet", "origin", "main");
    await said(site, "hold", "sample@1.1.0", "--channel", "regular", ...REASON);
    site.git("push", "--quiet", "origin", "hold/regular/sample-1.1.0");
    site.git("branch", "--quiet", "-D", "hold/regular/sample-1.1.0");
    expect(await said(site, "promote")).toEqual(proposed("origin/hold/regular/sample-1.1.0"));
    remote.git("branch", "--quiet", "-D", "hold/regular/sample-1.1.0");
    site.git("fetch", "--quiet");

    const [, fetching = ""] = /drop it \(.*: git (.*)\)\.$/m.exec(await said(site, "promote")) ?? [];
    site.git(...fetching.split(" "));
    expect(await said(site, "promote")).toContain("promote now");
  });
});

describe("a hold on a channel that does not exist", () => {
  const held = `format: 1\nholds:\n  - { version: 1.1.0, channel: slow, reason: it leaks, by: boss, since: "2026-01-01T00:00:00Z" }\n`;

  it("keeps the version out of all channels until it is corrected or lifted", async () => {
    const site = readySite();
    const policy = "format: 1\nfollows: regular\nlandscapes: [dev]\n";
    merge(site, { "channels/slow.yaml": policy, [HOLDS]: held }, 2);
    expect(await said(site, "promote")).toContain("promote now");
    site.git("rm", "--quiet", "channels/slow.yaml");
    merge(site, {}, 1);

    const [promoted, status] = [await said(site, "promote"), await said(site, "status")];
    expect(promoted).toMatch(
      /blocked: boss holds 1\.1\.0 .*slow .*\(.*no channel slow\b.* modules\/sample\/holds\.yaml\)/,
    );
    expect(promoted).toContain("unhold sample@1.1.0 --channel slow ");
    expect(status).toMatch(
      /^held .* slow\/sample 1\.1\.0: .*\(.*no channel slow\b.*\ball\b.* modules\/sample\/holds\.yaml\)/m,
    );

    expect(await said(site, "unhold", "sample@1.1.0", "--channel", "slow", ...REASON)).toContain(
      "Removed: the hold in slow",
    );
    site.git("merge", "--quiet", "--no-ff", "unhold/slow/sample-1.1.0");
    expect(await said(site, "promote")).toContain("promote now");
    expect(await said(site, "unhold", "sample@1.1.0", "--channel", "slow", ...REASON)).toEqual(
      mentions("error:", "channel slow", "fast, regular"),
    );
  });

  it("also blocks while it is proposed", async () => {
    const site = readySite();
    merge(site, { "channels/slow.yaml": "format: 1\nfollows: regular\nlandscapes: [dev]\n" }, 2);
    await said(site, "hold", "sample@1.1.0", "--channel", "slow", ...REASON);
    expect(await said(site, "promote")).toContain("promote now");
    site.git("rm", "--quiet", "channels/slow.yaml");
    merge(site, {}, 1);

    expect(await said(site, "promote")).toEqual(proposed("hold/slow/sample-1.1.0"));
  });
});

describe("a hold that was proposed in another clone", () => {
  it("blocks if its branch was fetched, also direct commits", async () => {
    const site = readySite();
    await said(site, "hold", "sample@1.1.0", ...REASON);
    const other = emptyFolder();
    other.git("clone", "--quiet", site.path, ".");
    const blocked = proposed("origin/hold/every-channel/sample-1.1.0");
    const local = proposed("hold/every-channel/sample-1.1.0");

    expect(await said(other, "promote")).toEqual(blocked);
    expect(await said(other, "promote", "--apply", "--direct")).toEqual(blocked);
    expect(await said(site, "promote", "--apply", "--direct")).toEqual(local);
  });
});

describe("a hold that the remote has and this clone does not", () => {
  it("blocks all direct commits", async () => {
    const site = readySite();
    const other = emptyFolder();
    other.git("clone", "--quiet", site.path, ".");
    site.git("branch", "evidence");

    const direct = ["promote", "--apply", "--direct"];
    expect(await kymaIn(other.path, direct)).toMatchObject({
      code: 3,
      stderr: mentions("error:", "branch evidence", "origin", "git fetch origin evidence:evidence"),
    });
    expect(await said(other, "hold", "sample@1.0.0", ...REASON, "--direct", "--dry-run")).not.toContain("evidence");
    other.git("fetch", "--quiet");
    expect(await kymaIn(other.path, direct)).toMatchObject({ code: 0 });
  });
});

describe("a version whose content in the repository differs", () => {
  it("is not promoted, because the gate would refuse it", async () => {
    const site = readySite();
    merge(site, { "modules/sample/1.1.0/template.yaml": bare("1.1.0") }, 1);
    expect(await said(site, "promote")).toContain("promote now");

    merge(
      site,
      {
        "modules/sample/1.1.0/template.yaml": edit(
          bare("1.1.0"),
          "repository: https://github.com/sample/sample",
          "repository: https://example.com",
        ),
      },
      1,
    );
    expect(await said(site, "promote")).toMatch(
      /blocked: modules\/sample\/1\.1\.0\/template\.yaml .*\bfast .*\b1\.1\.0\b/,
    );
  });
});

describe("a hot-fix", () => {
  it("does not wait until a file of another module is fixed", async () => {
    const site = readySite();
    merge(site, { "modules/other/module.yaml": "format: [\n", [manifestPath("1.0.1")]: manifestText("1.0.1") }, 1);
    site.write({ "hotfix.yaml": templateText("fast", "1.0.1") });
    const lane = ["--hotfix", "sample@1.0.1", "--incident", "https://a.b/1", "--template", `${site.path}/hotfix.yaml`];

    expect(await said(site, "promote", ...lane)).toMatch(/1\.0\.1 +hot-fix +promote now/);
    expect(await said(site, "promote")).toContain("nothing is decided about module other");
  });

  long("works as a withdrawal recommends", async () => {
    const site = readySite();
    const files = { [REGULAR]: templateText("regular", "1.1.0") };
    merge(site, files, 2);
    const withdrawn = await said(site, "withdraw", "sample@1.1.0", "--channel", "regular", ...REASON);
    const command = /: kyma-modules (promote .* --apply)$/m.exec(withdrawn)?.[1] ?? "";
    expect(command).toContain("--hotfix sample@1.1.1 --channel regular");

    site.git("merge", "--quiet", "--no-ff", "withdraw/regular/sample-1.1.0");
    merge(site, { [manifestPath("1.1.1")]: manifestText("1.1.1") }, 0);
    site.write({ "hotfix.yaml": templateText("fast", "1.1.1") });
    const pasted = command.replace("URL", "https://a.b/1").replace("FILE", `${site.path}/hotfix.yaml`);
    expect(await said(site, ...pasted.split(" "))).toMatch(/opened +regular\/sample 1\.1\.1/);
  });
});

describe("a withdrawal", () => {
  it("says that it does not know the clusters while a link hides a channel", async () => {
    const site = siteOf();
    submit(site, "1.1.0", 1);
    site.write({ "channels/slow": { link: "nowhere" } });
    merge(site, {}, 0);
    const withdrawn = await said(site, "withdraw", "sample@1.1.0", "--channel", "fast", "--dry-run", ...REASON);

    expect(withdrawn).toMatch(/^ {2}dev: not known .*\bclusters\b.*kyma-modules check\b/m);
  });
});
