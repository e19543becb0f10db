import { beforeEach, describe, expect, it } from "vitest";
import { templateText } from "../../src/check/example.ts";
import { kymaIn, knowNobody, siteOf, submit } from "./promoting.ts";
import { looseFile } from "./train.ts";

const INCIDENT = ["--incident", "https://example.com/7"];

beforeEach(knowNobody);

describe("what a hot-fix leaves behind", () => {
  it("says what will be owed, and which versions are passed over from then on", async () => {
    const site = siteOf();
    submit(site, "1.1.2", 9);
    const template = looseFile("template.yaml", templateText("regular", "1.0.1").replace("  channel: regular\n", ""));
    const args = ["promote", "--hotfix", "sample@1.0.1", "--template", template, ...INCIDENT];
    const debt =
      "This makes a debt: smoke, review. status shows it until paidBy is set in modules/sample/hotfixes.yaml.";
    const passed =
      "What came before the repair is not promoted to regular afterwards: 1.1.2. If it has the repair, say so: --also-fixed-in 1.1.2.";

    expect((await kymaIn(site.path, args)).stdout).toContain(`${debt}\n${passed}\n`);
    const listed = (await kymaIn(site.path, [...args, "--also-fixed-in", "1.1.1"])).stdout;
    expect([listed.includes(debt), listed.includes("afterwards")]).toEqual([true, false]);
  });
});
