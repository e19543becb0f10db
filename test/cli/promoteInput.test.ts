import { dirname } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { FAST_POLICY, REGULAR_POLICY, templateText } from "../../src/check/example.ts";
import { emptyFolder } from "../systems/repository.ts";
import { forgetIdentity, kymaIn, POLICY, redate, siteOf, submit } from "./promoting.ts";
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

const text = (part: string): unknown => expect.stringContaining(part);

describe("an unusual policy", () => {
  it("that follows no channel leaves nothing to promote, and promote says why", async () => {
    const { path } = siteOf({ [REGULAR_POLICY]: "format: 1\nlandscapes: [dev]\n" });

    expect(await kymaIn(path, ["promote"])).toMatchObject({
      code: 0,
      stdout: text("A channel follows another with `follows: CHANNEL` in its channels/<channel>.yaml."),
    });
    expect(await saysIn(path, "--channel", "regular")).toEqual([
      2,
      text("regular follows no channel: versions are submitted to it. Set `follows` in channels/regular.yaml."),
    ]);
  });

  const broken: readonly (readonly [string, string])[] = [
    [POLICY.replace("fast", "faster"), "2:10: error: The channel faster does not exist."],
    [POLICY.replace("fast", "regular"), "2:10: error: regular follows itself through regular."],
    [POLICY.replace("7d", "-7d"), "5:18: error: promotion.soak.minor must be a duration of at most six digits"],
    [POLICY.replace("7d", "9".repeat(400) + "d"), "5:18: error: promotion.soak.minor must be a"],
    [
      `${POLICY}  windows: [{ opens: "0 8 * * *", for: 8h, timeZone: Europe/Bonn }]\n`,
      "7:54: error: promotion.windows.0.timeZone must be a time zone such as Europe/Berlin or UTC",
    ],
    [
      `${POLICY}  windows: [{ opens: "0 25 * * *", for: 8h, timeZone: UTC }]\n`,
      "7:22: error: promotion.windows.0.opens must be five fields of cron",
    ],
  ];

  it("that cannot be read is reported with its line, and that only commits count", async () => {
    const site = siteOf();
    for (const [policy, finding] of broken) {
      site.write({ [REGULAR_POLICY]: policy });
      const commit = site.commit().slice(0, 10);
      const [code, said] = await saysIn(site.path);

      expect(code).toBe(1);
      expect(said).toContain(`channels/regular.yaml:${finding}`);
      expect(said).toContain(`nothing is decided on commit ${commit}; uncommitted changes do not count`);
    }
  });

  it("that forms a circle is reported with all its channels", async () => {
    const site = siteOf({ [FAST_POLICY]: "format: 1\nfollows: regular\nlandscapes: [dev]\n" });
    const [code, said] = await saysIn(site.path);

    expect(code).toBe(1);
    expect(said).toContain("channels/fast.yaml:2:10: error: fast follows itself through regular.");
    expect(said).toContain("channels/regular.yaml:2:10: error: regular follows itself through fast.");
    expect(said).toContain("Break the cycle: one channel must not follow another.");
  });

  it("whose windows never open blocks, with the line and the correction", async () => {
    const never = `${POLICY}  windows: [{ opens: "0 8 30 2 *", for: 8h, timeZone: UTC }]\n`;
    const site = siteOf({ [REGULAR_POLICY]: never });
    submit(site, "1.1.0", 9);

    expect((await kymaIn(site.path, ["promote"])).stdout).toMatch(
      /blocked: No window of the channel is open: nothing opens again\.\n(.*\n)to unblock regular\/sample: Correct the windows/,
    );
    expect((await kymaIn(site.path, ["promote", "--explain"])).stdout).toContain(
      "x No window of the channel is open: nothing opens again. [channels/regular.yaml:7]",
    );
  });
});

describe("invalid arguments of promote", () => {
  const cases: readonly (readonly [readonly string[], string])[] = [
    [
      ["nope"],
      "There is nothing to decide about nope in any channel that follows another: neither it nor the channel that it",
    ],
    [["nope"], "follows serves the module. Name one of sample."],
    [["sample", "No Name"], "There is nothing to decide about No Name"],
    [["--channel", "nope"], "There is no channel nope. Name one of regular."],
    [["--channel", "fast"], "fast follows no channel: versions are submitted to it. Name one of regular."],
    [["--revision", "nope"], "has no Git revision nope. Fetch it, or name another."],
    [["--at", "2020-01-01T00:00:00Z"], "Nothing was merged yet at 2020-01-01T00:00:00Z. Name a later instant"],
    [["--at", "yesterday"], "It must be an instant such as 2026-12-18T08:30:00Z."],
    [["--at", "2026-11-21T08:00:00Z", "--apply"], "'--at <instant>' cannot be used with option '--apply'"],
    [["--direct"], "'--direct' needs '--apply': give both, or neither"],
    [INCIDENT, "option '--incident' belongs to a hot-fix: --hotfix MODULE@VERSION --incident URL"],
    [["--template", "x.yaml"], "option '--template' belongs to a hot-fix"],
    [["sample", "--hotfix", "sample@1.0.1"], "'--hotfix sample@1.0.1' already names its module: omit 'sample'"],
    [["--evidence", "nope.json"], "There is no file or folder nope.json. Name one that exists."],
  ];

  it("are usage errors that name valid values", async () => {
    const { path } = siteOf();
    for (const [args, said] of cases) expect(await saysIn(path, ...args)).toEqual([2, text(said)]);
  });

  it("include a missing folder, and one without history", async () => {
    const { path } = emptyFolder();

    expect(await saysIn(`${path}/nope`)).toEqual([
      2,
      `error: There is no folder ${path}/nope. Name another: --repo DIR.\n`,
    ]);
    expect(await saysIn(path)).toEqual([
      2,
      `error: ${path} is not a Git repository with a commit, but promotion reads from its history what channels served, and since when. Name the clone of a catalogue: --repo DIR.\n`,
    ]);
  });

  it("include a repository without a catalogue", async () => {
    const folder = emptyFolder();
    folder.git("init", "--quiet");
    folder.commit();

    expect(await saysIn(folder.path)).toEqual([2, text("There is no kyma-modules.yaml: this is not a catalogue.")]);
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

  const cases: readonly (readonly [readonly string[], string])[] = [
    [hotfix("sample@1.0.1"), "A hot-fix needs the URL of its incident: --incident https://…"],
    [hotfix("sample@1.0.1", "--incident", "INC-7"), "needs the URL of its incident"],
    [hotfix("sample", ...INCIDENT), "Invalid argument sample: expected MODULE@VERSION"],
    [hotfix("nope@1.0.1", ...INCIDENT), "There is nothing to decide about nope"],
    [hotfix("sample@1.0.1", "--channel", "fast", ...INCIDENT), "fast follows no channel"],
    [hotfix("sample@1.0.1", "--also-fixed-in", "1.2", ...INCIDENT), "Invalid version 1.2: expected x.y.z"],
    [hotfix("sample@1.0.1", "--also-fixed-in", "1.2.0,1.2.0", ...INCIDENT), "--also-fixed-in must"],
    [hotfix("sample@1.0.1", "--by", "x y", ...INCIDENT), '--by must be a login, without @, but is "x y".'],
    [
      hotfix("sample@1.0.1", ...INCIDENT),
      "No channel ever served sample 1.0.1, and there is no modules/sample/1.0.1/template.yaml. Name a template: --template FILE.",
    ],
  ];

  it("needs the URL of an incident, an existing version, module and channel, and a template", async () => {
    const { path } = siteOf();
    const nothing = looseFile("template.yaml", "a: 1\n");
    for (const [args, said] of cases) expect(await saysIn(path, ...args)).toEqual([2, text(said)]);
    expect(await saysIn(path, ...hotfix("sample@1.0.1", ...INCIDENT, "--template", nothing))).toEqual([
      2,
      text("template.yaml cannot be served: it contains no ModuleTemplate."),
    ]);
    const folder = dirname(nothing);
    expect(await saysIn(path, ...hotfix("sample@1.0.1", ...INCIDENT, "--template", folder))).toEqual([
      2,
      text(`${folder} is a folder. Name a file in it.`),
    ]);
  });

  it("refuses a version that is not a patch of the served one, with a remedy", async () => {
    const site = siteOf();
    submit(site, "1.1.0", 9);
    const { code, stdout } = await kymaIn(site.path, ["promote", ...hotfix("sample@1.1.0", ...INCIDENT)]);

    expect(code).toBe(1);
    expect(stdout).toContain("blocked: 1.1.0 is not a patch of 1.0.0, which regular serves.");
    expect(stdout).toContain(
      "to unblock regular/sample: Release the repair as a patch of 1.0.0, or promote 1.1.0 the usual way.",
    );
  });

  it("asks for the channel if several follow, and takes the named one", async () => {
    const { path } = siteOf({ [SLOW_POLICY]: POLICY, [SLOW]: templateText("slow", "1.0.0") });
    const template = looseFile("template.yaml", templateText("slow", "1.0.1").replace("  channel: slow\n", ""));
    const args = hotfix("sample@1.0.1", "--template", template, ...INCIDENT);

    expect(await saysIn(path, ...args)).toEqual([
      2,
      "error: Several channels can get a hot-fix of sample: regular, slow. Name one: --channel NAME.\n",
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
  it("promotes a version one channel at a time, by its time in the previous one", async () => {
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
