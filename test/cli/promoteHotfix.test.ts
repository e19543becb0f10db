import { beforeEach, describe, expect, it } from "vitest";
import { HOTFIXES, REGULAR, REGULAR_POLICY, templateText } from "../../src/check/example.ts";
import { ranOn } from "../promote/smokePaths.ts";
import { mentions } from "../support/mentions.ts";
import { reportOf, smokeOf } from "./evidencing.ts";
import { hashOfSample } from "./reading.ts";
import { bare } from "./verifying.ts";
import { kymaIn, forgetIdentity, merge, POLICY, siteOf, submit } from "./promoting.ts";
import { looseFile } from "./train.ts";

const INCIDENT = ["--incident", "https://example.com/7"];

beforeEach(forgetIdentity);

it("refuses a hot-fix whose test failed, from a file and from the repository", async () => {
  const site = siteOf();
  const text = bare("1.0.1");
  const failed = { version: "1.0.1", specHash: hashOfSample("1.0.1"), ...ranOn(false) };
  const known = ["--evidence", reportOf(smokeOf(false, failed))];
  const args = ["promote", "--hotfix", "sample@1.0.1", ...INCIDENT, ...known];
  const named = await kymaIn(site.path, [...args, "--template", looseFile("template.yaml", text)]);
  merge(site, { "modules/sample/1.0.1/template.yaml": text }, 0);
  const kept = await kymaIn(site.path, args);

  for (const { code, stdout } of [named, kept]) {
    expect(code).toBe(1);
    expect(stdout).toMatch(/blocked: .*\bsmoke test .*\binstall .*\bsample 1\.0\.1 .*\bfailed\b.*\(run 7\)/);
  }
});

describe("the consequences of a hot-fix", () => {
  it("name its debt, and the versions that it passes over", async () => {
    const site = siteOf();
    submit(site, "1.1.2", 9);
    const template = looseFile("template.yaml", templateText("regular", "1.0.1").replace("  channel: regular\n", ""));
    const args = ["promote", "--hotfix", "sample@1.0.1", "--template", template, ...INCIDENT];
    const debt = ["smoke, review", "paidBy", "modules/sample/hotfixes.yaml"];

    expect((await kymaIn(site.path, args)).stdout).toEqual(
      mentions(...debt, "regular", "1.1.2", "--also-fixed-in 1.1.2"),
    );
    const listed = (await kymaIn(site.path, [...args, "--also-fixed-in", "1.1.1"])).stdout;
    expect(listed).toEqual(mentions(...debt));
    expect(listed).not.toContain("1.1.2");
  });

  it("last when its channel is renamed", async () => {
    const site = siteOf();
    submit(site, "1.1.2", 20);
    const fix = `{ version: 1.0.1, channel: regular, incident: https://example.com/7, by: boss, at: "2026-01-01T00:00:00Z", debt: [{ kind: review }] }`;
    merge(site, { [REGULAR]: templateText("regular", "1.0.1"), [HOTFIXES]: `format: 1\nhotfixes: [${fix}]\n` }, 9);
    site.git("rm", "--quiet", REGULAR, REGULAR_POLICY);
    merge(site, { "channels/stable.yaml": POLICY, "channels/stable/sample.yaml": templateText("stable", "1.0.1") }, 8);

    const { stdout } = await kymaIn(site.path, ["promote"]);
    expect(stdout).toEqual(mentions("stable", "blocked", "1.1.2", "1.0.1", "no channel regular", HOTFIXES));
    expect((await kymaIn(site.path, ["status"])).stdout).toEqual(mentions("owed", "stable/sample 1.0.1", "review"));
  });
});
