import { beforeEach, describe, expect, it } from "vitest";
import {
  FAST,
  HOLDS,
  HOTFIXES,
  MODULE,
  REGULAR,
  REGULAR_POLICY,
  SAMPLE,
  templateText,
} from "../../src/check/example.ts";
import { mentions } from "../support/mentions.ts";
import { emptyFolder, type Folder } from "../systems/repository.ts";
import { checkIn, findingsIn, itemsIn } from "./checking.ts";
import { forgetIdentity, kymaIn, merge, POLICY, siteOf, submit } from "./promoting.ts";

beforeEach(forgetIdentity);

const RULE = "channel-earned";

/** What the gate says of regular getting `version` on a branch: `severity message`, or why it says nothing. */
async function saidOf(site: Folder, version: string, args: readonly string[] = []): Promise<readonly string[]> {
  site.git("switch", "--quiet", "--create", "by-hand");
  merge(site, { [REGULAR]: templateText("regular", version) }, 0);
  return saidIn(site.path, args);
}

async function saidIn(folder: string, args: readonly string[] = []): Promise<readonly string[]> {
  const items = await itemsIn(folder, ["--base", "main", "--author", "owner", ...args]);
  return items
    .filter(({ rule }) => rule === RULE)
    .map(({ kind, severity, message, why }) => `${String(severity ?? kind)} ${String(message ?? why)}`);
}

describe("a manual promotion", () => {
  it("is refused before the soak is over, and says until when", async () => {
    const site = siteOf();
    submit(site, "1.1.0", 2);
    expect(await saidOf(site, "1.1.0")).toEqual([
      expect.stringMatching(/^error sample 1\.1\.0 .*\bregular\b.*\bfast\b.*\bline 1\.1\b.* 2d.* of 7d/),
    ]);
    const { code, stdout } = await checkIn(site.path, ["--base", "main", "--author", "owner", "--offline"]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/ \d{4}-\d\d-\d\dT\S+Z\b[^]*\brelease\s+manager\b/);
  });

  it("passes after the soak", async () => {
    const site = siteOf();
    submit(site, "1.1.0", 8);
    expect(await saidOf(site, "1.1.0")).toEqual([]);
  });

  it("passes earlier with the approval of a release manager", async () => {
    const site = siteOf();
    submit(site, "1.1.0", 2);
    const teams = emptyFolder();
    teams.write({ "teams.yaml": '"@sample/release-managers": [boss]\n' });
    const args = ["--approved-by", "boss", "--teams", `${teams.path}/teams.yaml`];
    expect(await saidOf(site, "1.1.0", args)).toEqual([]);
  });

  it("must not undo a hot-fix", async () => {
    const site = siteOf();
    submit(site, "1.1.0", 20);
    const declared = `format: 1\nhotfixes:\n  - { version: 1.0.1, channel: regular, incident: https://example.com/1, by: boss, at: "2026-01-01T00:00:00Z" }\n`;
    merge(site, { [REGULAR]: templateText("regular", "1.0.1"), [HOTFIXES]: declared }, 10);
    expect(await saidOf(site, "1.1.0")).toEqual([expect.stringContaining("before the hot-fix 1.0.1 of regular")]);
  });

  it("is refused after a manual decrease of either channel", async () => {
    const site = siteOf();
    submit(site, "1.1.0", 30);
    merge(site, { [REGULAR]: templateText("regular", "1.1.0") }, 20);
    merge(site, { [REGULAR]: templateText("regular", "1.0.0") }, 10);
    expect(await saidOf(site, "1.1.0")).toEqual([expect.stringContaining("regular went down from 1.1.0 to 1.0.0")]);

    const other = siteOf();
    submit(other, "1.1.0", 30);
    merge(other, { [FAST]: templateText("fast", "1.0.0") }, 10);
    expect(await saidOf(other, "1.1.0")).toEqual([expect.stringContaining("fast went down from 1.1.0 to 1.0.0")]);
  });

  it("is not judged in a shallow clone", async () => {
    const site = siteOf();
    submit(site, "1.1.0", 8);
    const clone = emptyFolder();
    clone.git("clone", "--quiet", "--depth", "1", `file://${site.path}`, ".");
    expect(await saidOf(clone, "1.1.0")).toEqual([expect.stringContaining("git fetch --unshallow")]);
  });

  it("is judged on a base with a broken file of another module, which does not stop a promotion either", async () => {
    const site = siteOf();
    submit(site, "1.1.0", 8);
    merge(site, { "modules/other/module.yaml": "format: [\n" }, 7);
    expect(await saidOf(site, "1.1.0")).toEqual([]);
  });

  it("is refused on an unreadable base, on which nothing is promoted either", async () => {
    const site = siteOf();
    submit(site, "1.1.0", 8);
    merge(site, { "kyma-modules.yaml": "format: [\n" }, 7);
    expect(await saidOf(site, "1.1.0")).toEqual([mentions("error", "base", "broken")]);
  });
});

describe("a branch that left the base before a decision", () => {
  /** Fast serves 1.1.0 long enough; `decided` is merged on top, and the branch left before. */
  function staleSite(decided: Readonly<Record<string, string>>): Folder {
    const site = siteOf();
    submit(site, "1.1.0", 30);
    site.git("branch", "old");
    merge(site, decided, 1);
    site.git("switch", "--quiet", "old");
    return site;
  }

  it("does not bypass a hold", async () => {
    const held = `format: 1\nholds:\n  - { version: 1.1.0, reason: it leaks, by: boss, since: "2026-01-01T00:00:00Z" }\n`;
    const site = staleSite({ [HOLDS]: held });
    expect(await saidOf(site, "1.1.0")).toEqual([expect.stringMatching(/it leaks\.( |$)/)]);
    const rules = (await itemsIn(site.path, ["--base", "main", "--author", "owner"])).map(({ rule }) => rule);
    expect(rules).toContain("channel-held");
    expect(rules).not.toContain("hold-removal");
  });

  it("does not walk past a withdrawal, nor past a policy", async () => {
    const back = staleSite({ [FAST]: templateText("fast", "1.0.0") });
    expect(await saidOf(back, "1.1.0")).toEqual([expect.stringContaining("fast went down from 1.1.0 to 1.0.0")]);
    const longer = staleSite({ [REGULAR_POLICY]: POLICY.replace("minor: 7d", "minor: 70d") });
    expect(await saidOf(longer, "1.1.0")).toEqual([expect.stringMatching(/for 30d.* of 70d/)]);
  });

  it("takes back nothing that was merged since", async () => {
    const site = staleSite({ [MODULE]: `${String(SAMPLE[MODULE])}# since\n`, [FAST]: templateText("fast", "1.1.1") });
    merge(site, { "README.md": "about" }, 0);
    expect(await findingsIn(site.path, ["--base", "main", "--author", "stranger"])).toEqual([]);
  });
});

it("lets the promotion pass that the program makes itself", async () => {
  const site = siteOf();
  submit(site, "1.1.0", 8);
  expect((await kymaIn(site.path, ["promote", "--apply"])).stdout).toContain("opened");
  site.git("switch", "--quiet", "promote/regular/sample");
  expect(await saidIn(site.path)).toEqual([]);
});
