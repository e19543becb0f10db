import { beforeEach, describe, expect, it } from "vitest";
import { templateText } from "../../src/check/example.ts";
import { kymaIn, forgetIdentity, siteOf, submit } from "./promoting.ts";
import { looseFile } from "./train.ts";

const INCIDENT = ["--incident", "https://example.com/7"];

beforeEach(forgetIdentity);

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
