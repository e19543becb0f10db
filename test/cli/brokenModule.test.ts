import { beforeEach, describe, expect, it } from "vitest";
import { FAST_POLICY, HOLDS, REGULAR } from "../../src/check/example.ts";
import { mentions } from "../support/mentions.ts";
import { forgetIdentity, kymaIn, merge, siteOf, submit } from "./promoting.ts";

beforeEach(forgetIdentity);

const OTHER = "modules/other/holds.yaml";

describe("a broken file of one module", () => {
  it.each([["promote"], ["status"], ["history", "sample"], ["simulate"]])(
    "does not stop %s of the others, is named first, and makes the exit code 1",
    async (...command) => {
      const site = siteOf();
      submit(site, "1.1.0", 30);
      merge(site, { [OTHER]: "holds: [" }, 1);
      const { code, stdout, stderr } = await kymaIn(site.path, [...command, "--offline"]);

      expect([code, stderr]).toEqual([1, mentions(`${OTHER}:1`, "error", "module other")]);
      expect(stdout).toContain("1.1.0");
    },
  );

  it.each([HOLDS, REGULAR, "modules/sample/module.yaml"])("blocks that module: %s", async (path) => {
    const site = siteOf();
    submit(site, "1.1.0", 30);
    merge(site, { [path]: "a: [" }, 1);
    const [promote, status] = await Promise.all(
      [["promote"], ["status"]].map((command) => kymaIn(site.path, [...command, "--offline"])),
    );

    expect([promote?.code, promote?.stdout]).toEqual([1, mentions("sample", "blocked", path)]);
    expect([status?.code, status?.stdout]).toEqual([1, mentions("regular", "sample", "withheld")]);
  });

  it("of a channel's policy stops what follows that channel only", async () => {
    const site = siteOf({ "channels/rapid.yaml": "format: 1\nlandscapes: [dev]\n" });
    merge(site, { [FAST_POLICY]: "a: [" }, 1);
    const { code, stdout, stderr } = await kymaIn(site.path, ["status", "--offline"]);

    expect([code, stderr]).toEqual([1, mentions(`${FAST_POLICY}:1`, "channel fast")]);
    expect(stdout).toMatch(/regular +sample +1\.0\.0/);
  });
});
