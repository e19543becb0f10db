import { beforeEach, describe, expect, it } from "vitest";
import { templateText } from "../../src/check/example.ts";
import { ranOn } from "../promote/smokePaths.ts";
import { reportOf, smokeOf } from "./evidencing.ts";
import { hashOfSample } from "./reading.ts";
import { bare } from "./verifying.ts";
import { kymaIn, forgetIdentity, merge, siteOf, submit } from "./promoting.ts";
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
    expect(stdout).toContain("blocked: The newest smoke test of the install of sample 1.0.1");
  }
});

describe("the consequences of a hot-fix", () => {
  it("name its debt, and the versions that it passes over", async () => {
    const site = siteOf();
    submit(site, "1.1.2", 9);
    const template = looseFile("template.yaml", templateText("regular", "1.0.1").replace("  channel: regular\n", ""));
    const args = ["promote", "--hotfix", "sample@1.0.1", "--template", template, ...INCIDENT];
    const debt =
      "This hot-fix owes: smoke, review. status shows the debt until paidBy is set in modules/sample/hotfixes.yaml.";
    const passed =
      "These versions will not be promoted to regular, because they lack the fix: 1.1.2. If one has the fix, declare it: --also-fixed-in 1.1.2.";

    expect((await kymaIn(site.path, args)).stdout).toContain(`${debt}\n${passed}\n`);
    const listed = (await kymaIn(site.path, [...args, "--also-fixed-in", "1.1.1"])).stdout;
    expect([listed.includes(debt), listed.includes("afterwards")]).toEqual([true, false]);
  });
});
