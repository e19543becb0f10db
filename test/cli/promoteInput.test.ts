import { dirname } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { FAST_POLICY, REGULAR_POLICY, templateText } from "../../src/check/example.ts";
import { emptyFolder } from "../systems/repository.ts";
import { long } from "../support/long.ts";
import { mentions } from "../support/mentions.ts";
import { forgetIdentity, kymaIn, NO_CATALOGUE, POLICY, redate, siteOf, submit } from "./promoting.ts";
import { looseFile } from "./train.ts";
import { ranOn } from "../promote/smokePaths.ts";

const INCIDENT = ["--incident", "https://example.com/7"];
const SLOW_POLICY = "channels/slow.yaml";
const SLOW = "channels/slow/sample.yaml";

beforeEach(forgetIdentity);

/** What `promote ARGS` says to people, and its exit code. */
async function saysIn(folder: string, ...args: readonly string[]): Promise<readonly [number | null, string]> {
  const { code, stderr } = await kymaIn(folder, ["promote", ...args]);
  return [code, stderr];
}

type Case = readonly [args: readonly string[], ...parts: string[]];

const text = (part: string): unknown => expect.stringContaining(part);

describe("an unusual policy", () => {
  it("that follows no channel leaves nothing to promote, and promote says why", async () => {
    const { path } = siteOf({ [REGULAR_POLICY]: "format: 1\nlandscapes: [dev]\n" });

    expect(await kymaIn(path, ["promote"])).toMatchObject({
      code: 0,
      stdout: mentions("nothing to promote", "`follows: CHANNEL`", "channels/<channel>.yaml"),
    });
    expect(await saysIn(path, "--channel", "regular")).toEqual([
      2,
      mentions("error: regular", "no channel", "`follows`", "channels/regular.yaml"),
    ]);
  });

  const broken: readonly (readonly [policy: string, place: string, parts: readonly string[]])[] = [
    [POLICY.replace("fast", "faster"), "2:10", ["channel faster", "[channel-follows]"]],
    [POLICY.replace("fast", "regular"), "2:10", ["regular", "regular", "[channel-follows]"]],
    [POLICY.replace("7d", "-7d"), "5:18", ["promotion.soak.minor", '"-7d"', "[schema]"]],
    [POLICY.replace("7d", "9".repeat(400) + "d"), "5:18", ["promotion.soak.minor", "[schema]"]],
    [
      `${POLICY}  windows: [{ opens: "0 8 * * *", for: 8h, timeZone: Europe/Bonn }]\n`,
      "7:54",
      ["promotion.windows.0.timeZone", "Europe/Berlin", '"Europe/Bonn"', "[schema]"],
    ],
    [
      `${POLICY}  windows: [{ opens: "0 25 * * *", for: 8h, timeZone: UTC }]\n`,
      "7:22",
      ["promotion.windows.0.opens", "cron", '"0 25 * * *"', "[schema]"],
    ],
  ];

  it("that cannot be read is reported with its line, and that only commits count", async () => {
    const site = siteOf();
    for (const [policy, place, parts] of broken) {
      site.write({ [REGULAR_POLICY]: policy });
      const commit = site.commit().slice(0, 10);
      const finding = [`channels/regular.yaml:${place}: error:`, ...parts];

      expect(await saysIn(site.path)).toEqual([1, mentions(...finding, "nothing is decided", commit, "uncommitted")]);
    }
  });

  it("that forms a circle is reported with all its channels", async () => {
    const site = siteOf({ [FAST_POLICY]: "format: 1\nfollows: regular\nlandscapes: [dev]\n" });
    const rule = ["[channel-follows]", "cycle"];

    expect(await saysIn(site.path)).toEqual([
      1,
      mentions(
        ...["channels/fast.yaml:2:10: error: fast", "regular", ...rule],
        ...["channels/regular.yaml:2:10: error: regular", "fast", ...rule],
      ),
    ]);
  });

  it("whose windows never open blocks, with the line and the correction", async () => {
    const never = `${POLICY}  windows: [{ opens: "0 8 30 2 *", for: 8h, timeZone: UTC }]\n`;
    const site = siteOf({ [REGULAR_POLICY]: never });
    submit(site, "1.1.0", 9);

    expect((await kymaIn(site.path, ["promote"])).stdout).toMatch(
      /blocked: .*\bwindow\b.*\n(.*\n)to unblock regular\/sample: .*\bwindows\b/,
    );
    expect((await kymaIn(site.path, ["promote", "--explain"])).stdout).toMatch(
      /^ +x .*\bwindow\b.* \[channels\/regular\.yaml:7\]$/m,
    );
  });
});

describe("invalid arguments of promote", () => {
  const cases: readonly Case[] = [
    [["nope"], "nothing to decide", "nope", "sample"],
    [["sample", "No Name"], "nothing to decide", "No Name", "sample"],
    [["--channel", "nope"], "channel nope", "regular"],
    [["--channel", "fast"], "fast", "no channel", "regular"],
    [["--revision", "nope"], "revision nope"],
    [["--at", "2020-01-01T00:00:00Z"], "merged", "2020-01-01T00:00:00Z", "--at INSTANT"],
    [["--at", "yesterday"], "'--at <instant>'", "'yesterday'"],
    [["--at", "2026-11-21T08:00:00Z", "--apply"], "'--at <instant>'", "'--apply'"],
    [["--direct"], "'--direct'", "'--apply'"],
    [INCIDENT, "'--incident'", "hot-fix", "--hotfix MODULE@VERSION --incident URL"],
    [["--template", "x.yaml"], "'--template'", "hot-fix", "--hotfix MODULE@VERSION"],
    [["sample", "--hotfix", "sample@1.0.1"], "'--hotfix sample@1.0.1'", "'sample'"],
    [["--evidence", "nope.json"], "folder nope.json"],
  ];

  it("are usage errors that name valid values", async () => {
    const { path } = siteOf();
    for (const [args, ...parts] of cases)
      expect(await saysIn(path, ...args)).toEqual([2, mentions("error:", ...parts)]);
  });

  it("include a missing folder, and one without history", async () => {
    const { path } = emptyFolder();

    expect(await saysIn(`${path}/nope`)).toEqual([2, mentions("error:", `folder ${path}/nope`, "--repo DIR")]);
    expect(await saysIn(path)).toEqual([2, mentions(`error: ${path}`, "Git repository", "history", "--repo DIR")]);
  });

  it("include a repository without a catalogue", async () => {
    const folder = emptyFolder();
    folder.git("init", "--quiet");
    folder.commit();

    expect(await saysIn(folder.path)).toEqual([2, NO_CATALOGUE]);
  });
});

describe("unusable evidence", () => {
  it("is refused completely if it is broken, with its line", async () => {
    const { path } = siteOf();
    const broken = looseFile("evidence.yaml", "evidence: [");
    const wrong = looseFile("wrong.yaml", "format: 1\nevidence:\n  - { kind: smoke, module: sample, version: v1 }\n");

    expect(await saysIn(path, "--evidence", broken)).toEqual([2, text("evidence.yaml:1:")]);
    expect(await saysIn(path, "--evidence", wrong)).toEqual([2, text("wrong.yaml:3:")]);
  });

  it("does not count for another content: the version waits for its own evidence", async () => {
    const site = siteOf({ [REGULAR_POLICY]: POLICY.replace("  merge", "  needs: [smoke]\n  merge") });
    submit(site, "1.1.0", 9);
    const about = { module: "sample", version: "1.1.0", specHash: `sha256:${"0".repeat(64)}`, source: "run 7" };
    const foreign = { kind: "smoke", ...about, ...ranOn(true), observedAt: "2026-11-20T00:00:00Z" };
    const file = looseFile("evidence.json", JSON.stringify({ format: 1, evidence: [foreign] }));
    const { code, stdout, stderr } = await kymaIn(site.path, ["promote", "--evidence", file]);

    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/sample +1\.0\.0 +1\.1\.0 +minor +wait: .*smoke/);
  });
});

describe("the hot-fix lane", () => {
  const hotfix = (subject: string, ...more: readonly string[]): readonly string[] => ["--hotfix", subject, ...more];

  const cases: readonly Case[] = [
    [hotfix("sample@1.0.1"), "hot-fix", "incident", "--incident https://…"],
    [hotfix("sample@1.0.1", "--incident", "INC-7"), "hot-fix", "incident", "--incident https://…"],
    [hotfix("sample", ...INCIDENT), "sample", "MODULE@VERSION"],
    [hotfix("nope@1.0.1", ...INCIDENT), "nothing to decide", "nope"],
    [hotfix("sample@1.0.1", "--channel", "fast", ...INCIDENT), "fast", "no channel"],
    [hotfix("sample@1.0.1", "--also-fixed-in", "1.2", ...INCIDENT), "version 1.2", "x.y.z"],
    [hotfix("sample@1.0.1", "--also-fixed-in", "1.2.0,1.2.0", ...INCIDENT), "--also-fixed-in", "item 1"],
    [hotfix("sample@1.0.1", "--by", "x y", ...INCIDENT), "--by", "login", '"x y"'],
    [
      hotfix("sample@1.0.1", ...INCIDENT),
      "channel",
      "sample 1.0.1",
      "modules/sample/1.0.1/template.yaml",
      "--template FILE",
    ],
  ];

  it("needs the URL of an incident, an existing version, module and channel, and a template", async () => {
    const { path } = siteOf();
    const nothing = looseFile("template.yaml", "a: 1\n");
    for (const [args, ...parts] of cases)
      expect(await saysIn(path, ...args)).toEqual([2, mentions("error:", ...parts)]);
    expect(await saysIn(path, ...hotfix("sample@1.0.1", ...INCIDENT, "--template", nothing))).toEqual([
      2,
      mentions("error:", "template.yaml", "no ModuleTemplate"),
    ]);
    const folder = dirname(nothing);
    expect(await saysIn(path, ...hotfix("sample@1.0.1", ...INCIDENT, "--template", folder))).toEqual([
      2,
      mentions(`error: ${folder}`, "a folder"),
    ]);
  });

  it("refuses a version that is not a patch of the served one, with a remedy", async () => {
    const site = siteOf();
    submit(site, "1.1.0", 9);
    const { code, stdout } = await kymaIn(site.path, ["promote", ...hotfix("sample@1.1.0", ...INCIDENT)]);

    expect(code).toBe(1);
    expect(stdout).toMatch(/blocked: 1\.1\.0 .*\bpatch of 1\.0\.0\b.*\bregular\b/);
    expect(stdout).toMatch(/^to unblock regular\/sample: .*\bpatch of 1\.0\.0\b.*\b1\.1\.0\b/m);
  });

  it("asks for the channel if several follow, and takes the named one", async () => {
    const { path } = siteOf({ [SLOW_POLICY]: POLICY, [SLOW]: templateText("slow", "1.0.0") });
    const template = looseFile("template.yaml", templateText("slow", "1.0.1").replace("  channel: slow\n", ""));
    const args = hotfix("sample@1.0.1", "--template", template, ...INCIDENT);

    expect(await saysIn(path, ...args)).toEqual([
      2,
      mentions("error:", "hot-fix of sample", "regular, slow", "--channel NAME"),
    ]);
    expect((await kymaIn(path, ["promote", ...args, "--channel", "slow"])).stdout).toMatch(
      /slow +sample +1\.0\.0 +1\.0\.1 +hot-fix +promote now/,
    );
  });
});

describe("the exit code with --exit-code", () => {
  it("is 1 if there is something to promote or to wait for, else 0", async () => {
    const site = siteOf();
    const codes = async (): Promise<readonly (number | null)[]> =>
      Promise.all([[], ["--exit-code"]].map(async (args) => (await kymaIn(site.path, ["promote", ...args])).code));

    expect(await codes()).toEqual([0, 0]);
    submit(site, "1.1.0", 1);
    expect(await codes()).toEqual([0, 1]);
    redate(site, 9);
    expect(await codes()).toEqual([0, 1]);
  });
});

describe("a chain of channels", () => {
  long("promotes a version one channel at a time, by its time in the previous one", async () => {
    const site = siteOf({ [SLOW_POLICY]: POLICY.replace("fast", "regular"), [SLOW]: templateText("slow", "1.0.0") });
    submit(site, "1.1.0", 9);
    const before = (await kymaIn(site.path, ["promote"])).stdout;
    site.write({ "channels/regular/sample.yaml": templateText("regular", "1.1.0") });
    site.commit();
    const after = (await kymaIn(site.path, ["promote"])).stdout;

    expect(before).toMatch(
      /regular +sample +1\.0\.0 +1\.1\.0 +minor +promote now\nslow +sample +1\.0\.0 +– +– +nothing/,
    );
    expect(after).toMatch(
      /regular +sample +1\.1\.0 +– .*\nslow +sample +1\.0\.0 +1\.1\.0 +minor +wait until .* because of soak/,
    );
  });
});
