import { beforeEach, describe, expect, it } from "vitest";
import { FAST, HOLDS, HOTFIXES, REGULAR, REGULAR_POLICY, SETTINGS, templateText } from "../../src/check/example.ts";
import { long } from "../support/long.ts";
import { mentions } from "../support/mentions.ts";
import { forgetIdentity, kymaIn, merge, NO_FORGE, POLICY, siteOf } from "./promoting.ts";
import { itemsOf, linesOf, mergeBranch, STATUS_FOOT as FOOT, submit, told } from "./reading.ts";
import { openTrain } from "./train.ts";

beforeEach(forgetIdentity);

const INCIDENT = "https://example.com/incidents/7";
const HOTFIX = { version: "1.0.1", channel: "regular", incident: INCIDENT, by: "octocat", at: "2026-01-01T00:00:00Z" };

/** hotfixes.yaml with one entry. */
function hotfixes(debt: readonly object[]): Readonly<Record<string, string>> {
  return { [HOTFIXES]: JSON.stringify({ format: 1, hotfixes: [{ ...HOTFIX, debt }] }) };
}

/** The line of a debt of 1.0.1 since two days. */
const owed = (kinds: string): unknown =>
  mentions(`owed  regular/sample 1.0.1: ${kinds}, for 2d: ${INCIDENT}`, "paidBy", HOTFIXES);

describe("kyma-modules status", () => {
  it("shows every module in every channel, including mandatory channels and those that follow none", async () => {
    const site = siteOf({
      "channels/must.yaml": "format: 1\nkind: mandatory\nlandscapes: [dev]\n",
      "channels/must/warden.yaml": templateText("must", "2.0.0").replaceAll("sample", "warden"),
    });
    submit(site, "1.1.0", 3.5);

    expect(linesOf(await told(site, "status"))).toEqual([
      "fast  sample  1.1.0  3d 12h  –  –",
      "must  warden  2.0.0  100d  –  –",
      expect.stringMatching(/^regular {2}sample {2}1\.0\.0 {2}100d {2}1\.1\.0 {2}wait 3d 1[12]h$/),
      FOOT,
    ]);
  });

  it("shows what may be promoted, and the branch that proposes it", async () => {
    const site = siteOf();
    submit(site, "1.1.0", 20);

    expect(linesOf(await told(site, "status", "--channel", "regular"))).toEqual([
      "regular  sample  1.0.0  100d  1.1.0  promote",
      FOOT,
    ]);

    await told(site, "promote", "--apply");

    expect(linesOf(await told(site, "status", "--channel", "regular"))).toEqual([
      "regular  sample  1.0.0  100d  1.1.0  promote  proposed",
      FOOT,
      "open  regular/sample 1.1.0: promote/regular/sample",
    ]);
  });

  it("shows what is awaited besides time, and the earliest time", async () => {
    const site = siteOf({ [REGULAR_POLICY]: `${POLICY}  needs: [smoke]\n` });
    submit(site, "1.1.0", 3.5);

    expect(linesOf(await told(site, "status", "--channel", "regular"))).toEqual([
      expect.stringMatching(/^regular {2}sample {2}1\.0\.0 {2}100d {2}1\.1\.0 {2}wait 3d 1[12]h\+$/),
      FOOT,
      expect.stringMatching(/^awaits {2}regular\/sample 1\.1\.0: .*smoke/),
    ]);
  });

  it("shows holds with person and end, and a hold everywhere once", async () => {
    const site = siteOf();
    submit(site, "1.1.0", 20);
    const reason = ["--reason", "it leaks", "--until", "2036-01-01T00:00:00Z"];
    await told(site, "hold", "sample@1.1.0", ...reason);
    mergeBranch(site, "hold/every-channel/sample-1.1.0");

    expect(linesOf(await told(site, "status"))).toEqual([
      "fast  sample  1.1.0  20d  –  –  held",
      "regular  sample  1.0.0  100d  1.1.0  blocked  held",
      FOOT,
      "held  sample 1.1.0 everywhere: by octocat since TIME until TIME: it leaks",
      mentions("serves  fast/sample 1.1.0:", "held", "kyma-modules withdraw"),
    ]);
  });

  it("shows a manual decrease as a hold, and omits holds of overtaken versions", async () => {
    const site = siteOf();
    const hold = { version: "1.0.0", channel: "regular", reason: "it leaks", by: "octocat" };
    const since = "2026-01-01T00:00:00Z";
    merge(site, { [HOLDS]: JSON.stringify({ format: 1, holds: [{ ...hold, since }] }) }, 40);
    merge(site, { [REGULAR]: templateText("regular", "1.0.2") }, 30);
    merge(site, { [REGULAR]: templateText("regular", "1.0.1"), [FAST]: templateText("fast", "1.0.2") }, 20);

    expect(linesOf(await told(site, "status", "sample", "--channel", "regular"))).toEqual([
      "regular  sample  1.0.1  20d  1.0.2  blocked  held",
      FOOT,
      mentions("held  regular/sample 1.0.2: regular", "1.0.1 at TIME"),
    ]);
  });

  it("shows the debt of a hot-fix until it is paid, and that the channel is ahead", async () => {
    const site = siteOf();
    const debt = [{ kind: "backfill" }, { kind: "smoke", paidBy: INCIDENT }, { kind: "review" }];
    merge(site, { [REGULAR]: templateText("regular", "1.0.1"), ...hotfixes(debt) }, 2);

    expect(linesOf(await told(site, "status"))).toEqual([
      "fast  sample  1.0.0  100d  –  –",
      "regular  sample  1.0.1  2d  –  nothing  hot-fix ahead, debt",
      FOOT,
      mentions("ahead  regular/sample 1.0.1: fast serves 1.0.0", "hot-fix of octocat"),
      owed("backfill, review"),
    ]);

    merge(
      site,
      { [FAST]: templateText("fast", "1.0.1"), ...hotfixes(debt.map((one) => ({ paidBy: INCIDENT, ...one }))) },
      1,
    );

    expect(linesOf(await told(site, "status"))).toEqual([
      "fast  sample  1.0.1  1d  –  –",
      "regular  sample  1.0.1  2d  –  nothing",
      FOOT,
    ]);
  });

  it("shows a debt even if nothing is served any more, and that a channel is behind", async () => {
    const site = siteOf();
    merge(site, { [REGULAR]: templateText("regular", "1.1.0"), ...hotfixes([{ kind: "review" }]) }, 2);

    expect(linesOf(await told(site, "status")).slice(1)).toEqual([
      "regular  sample  1.1.0  2d  –  nothing  ahead, debt",
      FOOT,
      mentions("ahead  regular/sample 1.1.0: fast serves 1.0.0", "without", "hot-fix"),
      owed("review"),
    ]);

    site.remove(REGULAR);
    site.remove(FAST);
    merge(site, {}, 1);

    expect(linesOf(await told(site, "status"))).toEqual([
      "regular  sample  –  –  –  nothing  debt",
      FOOT,
      owed("review"),
    ]);
  });

  it("shows why a version is blocked, and withholds a module with contradicting files", async () => {
    const site = siteOf();
    submit(site, "1.0.2", 30);
    merge(site, { [REGULAR]: templateText("regular", "1.0.1"), ...hotfixes([]) }, 3);

    const blocked = linesOf(await told(site, "status", "--channel", "regular"));

    expect(blocked[0]).toBe("regular  sample  1.0.1  3d  1.0.2  blocked");
    expect(blocked[2]).toEqual(
      mentions("blocked  regular/sample 1.0.2: fast", "1.0.2", "hot-fix 1.0.1", INCIDENT, "alsoFixedIn", HOTFIXES),
    );

    merge(site, { [REGULAR]: templateText("regular", "1.0.2").replace("replicas: 1", "replicas: 2") }, 1);

    const withheld = await kymaIn(site.path, ["status"]);
    expect([withheld.code, withheld.stderr]).toEqual([1, mentions(FAST, "[version-content]", "module sample")]);
    expect(linesOf(withheld.stdout)).toContainEqual(mentions("withheld  sample:", "contradict", "kyma-modules check"));
  });

  it("counts the time of a version from its merge, even if its content changed", async () => {
    const site = siteOf();
    merge(site, { [FAST]: templateText("fast", "1.0.0").replace("replicas: 1", "replicas: 2") }, 5);

    const { code, stdout } = await kymaIn(site.path, ["status", "--channel", "fast"]);
    expect([code, linesOf(stdout)[0]]).toEqual([1, expect.stringMatching(/^fast {2}sample {2}1\.0\.0 {2}100d/)]);
  });

  it("says that open promotions are not known without the forge", async () => {
    const github = NO_FORGE.replace(/^forge:.*$/m, "forge: { kind: github, repository: octo/train }");
    const site = siteOf({ [SETTINGS]: github });

    expect(linesOf(await told(site, "status", "--offline")).at(-1)).toEqual(
      mentions("COMMIT", "TIME", "forge", "promotions", "not known"),
    );
  });

  long("fits 100 columns with a long name, and prints one document that matches its schema", async () => {
    const name = "application-connector";
    const site = siteOf({
      "channels/experimental.yaml": "format: 1\nfollows: fast\nlandscapes: [dev]\n",
      [`channels/fast/${name}.yaml`]: templateText("fast", "1.10.12").replaceAll("sample", name),
    });
    submit(site, "1.1.0", 3);
    merge(site, { [REGULAR]: templateText("regular", "1.0.1"), ...hotfixes([{ kind: "smoke" }]) }, 2);
    await told(site, "hold", "sample@1.1.0", "--reason", "it leaks", "--channel", "regular");
    mergeBranch(site, "hold/regular/sample-1.1.0");

    const text = await told(site, "status");
    const items = itemsOf("status", await told(site, "status", "--format", "json"));

    const rows = text.split("\n").slice(0, 7);
    expect(Math.max(...rows.map(({ length }) => length))).toBeLessThanOrEqual(100);
    expect(
      items.map(({ channel, module, version }) => `${String(channel)} ${String(module)} ${String(version)}`),
    ).toEqual([
      `experimental ${name} null`,
      "experimental sample null",
      `fast ${name} 1.10.12`,
      "fast sample 1.1.0",
      `regular ${name} null`,
      "regular sample 1.0.1",
    ]);
    expect(items.at(-1)).toMatchObject({
      verdict: { kind: "blocked", candidate: "1.1.0", level: "minor" },
      holds: [{ kind: "hold", version: "1.1.0", channel: "regular", by: "octocat", until: null }],
      debts: [{ version: "1.0.1", incident: INCIDENT, kinds: ["smoke"] }],
      isHotfix: true,
      isForgeAsked: true,
      proposal: null,
    });
  });

  it("names the pull request of an open promotion", async () => {
    const train = await openTrain();
    train.merge({ [FAST]: templateText("fast", "1.1.0") }, 20);
    await train.promote("--apply");

    const { code, stdout, stderr } = await train.kyma(["status", "--channel", "regular"]);

    expect([code, stderr]).toEqual([0, ""]);
    expect(linesOf(stdout)).toEqual([
      "regular  sample  1.0.0  100d  1.1.0  promote  #2",
      FOOT,
      expect.stringMatching(/^open {2}regular\/sample 1\.1\.0: http.*\/octo\/train\/pull\/2$/),
    ]);
  });
});
