import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { FAST, HOLDS, REGULAR, templateText } from "../../src/check/example.ts";
import { forgetIdentity, kymaIn, merge, siteOf } from "./promoting.ts";
import { itemsOf, mergeBranch, promoted, submit, told } from "./reading.ts";
import { openTrain } from "./train.ts";
import { mentions } from "../support/mentions.ts";
import { emptyFolder, folderAt, lastingRepository } from "../systems/repository.ts";

beforeEach(forgetIdentity);

const INCIDENT = "https://example.com/incidents/7";
const HOTFIX = {
  "modules/sample/1.1.1/template.yaml": templateText("fast", "1.1.1")
    .replace("sample-fast", "sample-1.1.1")
    .replace("  channel: fast\n", ""),
};

/** Two promotions, the second by the hot-fix lane and withdrawn again; then what people did by hand. */
const eventful = lastingRepository();

beforeAll(async () => {
  forgetIdentity();
  const site = siteOf({}, eventful);
  submit(site, "1.1.0", 20);
  await promoted(site);
  merge(site, HOTFIX, 0);
  await promoted(site, "--hotfix", "sample@1.1.1", "--incident", INCIDENT);
  await told(site, "withdraw", "sample@1.1.1", "--channel", "regular", "--reason", "it leaks");
  mergeBranch(site, "withdraw/regular/sample-1.1.1");
  await told(site, "unhold", "sample@1.1.1", "--reason", "it does not");
  mergeBranch(site, "unhold/every-channel/sample-1.1.1");
  submit(site, "1.0.0", 0);
  site.remove("channels/regular/sample.yaml");
  merge(site, {}, 0);
});

/** The rows of a table without its times and commits. */
function rowsOf(stdout: string): readonly string[] {
  return stdout.split("\n").map((line) =>
    line
      .replace(/\d{4}-\d\d-\d\dT[0-9:]+Z/g, "TIME")
      .replace(/\b[0-9a-f]{10}\b/g, "COMMIT")
      .replace(/ {2,}/g, "  "),
  );
}

describe("kyma-modules history", () => {
  it("prints the timeline of a module, newest first, with persons and reasons", async () => {
    expect(rowsOf(await told(eventful, "history", "sample"))).toEqual([
      "TIME  CHANNEL  STEP  LEVEL  HOW  SOAK  CHANGE  WHO",
      "TIME  regular  1.1.0 → –  –  removal  –  COMMIT  Test",
      "TIME  fast  1.1.0 → 1.0.0  –  decrease  –  COMMIT  Test",
      "TIME  regular  1.1.1  –  unhold  –  COMMIT  octocat",
      "  it does not",
      "TIME  regular  1.1.1 → 1.1.0  –  withdrawal  –  COMMIT  octocat",
      "  it leaks",
      "TIME  regular  1.1.1  –  hold  –  COMMIT  octocat",
      "  it leaks",
      "TIME  regular  1.1.0 → 1.1.1  patch  hot-fix  0s  COMMIT  octocat",
      `  ${INCIDENT}`,
      "  verdict COMMIT on COMMIT at TIME: recomputable",
      "TIME  regular  1.0.0 → 1.1.0  minor  promotion  20d  COMMIT  Test",
      "  verdict COMMIT on COMMIT at TIME: recomputable",
      "TIME  fast  1.0.0 → 1.1.0  minor  submission  –  COMMIT  Test",
      "TIME  fast  – → 1.0.0  first  import  –  COMMIT  Test",
      "TIME  regular  – → 1.0.0  first  import  0s  COMMIT  Test",
      "sample: 10 events up to COMMIT, read at TIME",
      "",
    ]);
  });

  it("fits 100 columns, and prints one document that matches its schema", async () => {
    const widest = Math.max(...(await told(eventful, "history", "sample")).split("\n").map(({ length }) => length));
    const items = itemsOf("history", await told(eventful, "history", "sample", "--format", "json"));

    expect(widest).toBeLessThanOrEqual(100);
    expect(items.map(({ kind, how }) => how ?? kind)).toEqual([
      "removal",
      "decrease",
      "unhold",
      "withdrawal",
      "hold",
      "hot-fix",
      "promotion",
      "submission",
      "import",
      "import",
    ]);
    expect(items[5]).toMatchObject({ from: "1.1.0", to: "1.1.1", incident: INCIDENT, verdict: { why: [] } });
  });

  it("prints one channel, with holds everywhere, up to a revision", async () => {
    const site = siteOf();
    const before = submit(site, "1.1.0", 3);
    const hold = { version: "1.1.0", reason: "it leaks", by: "octocat", since: "2026-01-01T00:00:00Z" };
    merge(site, { [HOLDS]: JSON.stringify({ format: 1, holds: [hold] }) }, 2);

    const regular = await told(site, "history", "sample", "--channel", "regular");
    const past = await told(site, "history", "sample", "--revision", before);

    expect(rowsOf(regular)).toEqual([
      "TIME  CHANNEL  STEP  LEVEL  HOW  SOAK  CHANGE  WHO",
      "TIME  all  1.1.0  –  hold  –  COMMIT  octocat",
      "  it leaks",
      "TIME  regular  – → 1.0.0  first  import  0s  COMMIT  Test",
      "sample: 2 events up to COMMIT, read at TIME",
      "",
    ]);
    expect(past).toContain("sample: 3 events up to");
  });

  it("prints the end of a hold", async () => {
    const site = siteOf();
    await told(site, "hold", "sample@1.0.0", "--reason", "it leaks", "--until", "2036-01-01T00:00:00Z");
    mergeBranch(site, "hold/every-channel/sample-1.0.0");

    expect(await told(site, "history", "sample")).toContain("    it leaks (until 2036-01-01T00:00:00Z)\n");
  });

  it("does not begin anew when the catalogue moves to a folder", async () => {
    const site = siteOf();
    submit(site, "1.1.0", 20);
    const before = rowsOf(await told(site, "history", "sample"));
    const folder = folderAt(join(site.path, "train"));
    mkdirSync(folder.path);
    site.git("mv", "channels", "modules", "kyma-modules.yaml", "train");
    merge(site, {}, 0);

    expect(rowsOf(await told(folder, "history", "sample"))).toEqual(before);
    expect(await told(folder, "status")).toMatch(/^fast +sample +1\.1\.0 +20d/m);
  });

  it("exits with 1 and names a file behind a link, whose versions it does not know", async () => {
    const site = siteOf();
    site.write({
      "modules/sample/served.yaml": templateText("fast", "1.1.0"),
      [FAST]: { link: "../../modules/sample/served.yaml" },
    });
    merge(site, {}, 1);
    const { code, stdout, stderr } = await kymaIn(site.path, ["history", "sample"]);

    expect([code, stderr]).toEqual([1, mentions(FAST, "link", "Commit", FAST)]);
    expect(stdout).not.toContain("1.1.0");
  });

  it("shows an undecided step of a following channel as manual", async () => {
    const site = siteOf();
    submit(site, "1.1.0", 20);
    merge(site, { [REGULAR]: templateText("regular", "1.1.0") }, 16);

    expect(rowsOf(await told(site, "history", "sample"))[1]).toBe(
      "TIME  regular  1.0.0 → 1.1.0  minor  manual  4d  COMMIT  Test",
    );
  });

  it.each([
    ["an unknown module", ["history", "keda"], mentions("module keda", "sample")],
    ["an invalid name", ["history", "Not-A-Name"], mentions("module Not-A-Name", "sample")],
    ["an unknown channel", ["history", "sample", "--channel", "slow"], mentions("channel slow", "fast, regular")],
    ["an unknown revision", ["history", "sample", "--revision", "nowhere"], mentions("revision nowhere")],
    ["no module", ["history"], mentions("argument 'module'")],
  ])("refuses %s", async (_what, args, message) => {
    const { code, stderr } = await kymaIn(siteOf().path, args);

    expect([code, stderr]).toEqual([2, message]);
  });

  it("reports a broken catalogue or evidence", async () => {
    const site = siteOf({ "channels/regular.yaml": "format: 1\nfollows: nowhere\nlandscapes: [dev]\n" });
    const folder = emptyFolder();
    folder.write({ "evidence.yaml": "format: 2\n" });

    const broken = await kymaIn(site.path, ["history", "sample"]);
    const misread = await kymaIn(siteOf().path, ["history", "sample", "--evidence", `${folder.path}/evidence.yaml`]);

    expect([broken.code, broken.stderr]).toEqual([1, expect.stringContaining("channels/regular.yaml")]);
    expect([misread.code, misread.stderr]).toEqual([2, expect.stringContaining("evidence.yaml")]);
  });

  it("names pull requests, and verifies merges on GitHub", async () => {
    const train = await openTrain();
    const submission = train.merge({ "channels/fast/sample.yaml": templateText("fast", "1.1.0") }, 20);
    await train.promote("--apply");
    const [, promotion] = train.double.pulls();
    train.mergePull(promotion?.number ?? 0);

    const { code, stdout, stderr } = await train.kyma(["history", "sample", "--verify"]);

    expect([code, stderr]).toEqual([0, ""]);
    expect(rowsOf(stdout).slice(1, 4)).toEqual([
      `TIME  regular  1.0.0 → 1.1.0  minor  promotion  20d  #${String(promotion?.number)}  release-train`,
      "  verdict COMMIT on COMMIT at TIME: verified",
      `TIME  fast  1.0.0 → 1.1.0  minor  submission  –  #${String(submission)}  a-person`,
    ]);
    expect(stdout).toContain("pull requests: https://github.com/octo/train/pull/NUMBER");
  });
});
