import { beforeEach, describe, expect, it } from "vitest";
import { FAST_POLICY } from "../../src/check/example.ts";
import { forgetIdentity, kymaIn, siteOf } from "./promoting.ts";
import { emptyFolder } from "../systems/repository.ts";
import { twoLandscapes } from "./syncing.ts";

beforeEach(forgetIdentity);

describe("kyma-modules status", () => {
  it.each([
    ["a module that no channel serves", ["keda"], /module keda\b.*: sample\b/],
    ["an unknown channel", ["--channel", "slow"], /channel slow\b.*: fast, regular\b/],
    ["a revision that is none", ["--revision", "nowhere"], /revision nowhere\b/],
  ])("refuses %s", async (_what, args, message) => {
    const { code, stderr } = await kymaIn(siteOf().path, ["status", ...args]);

    expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
  });

  it("finds a mandatory entry by its channel, also if a newer commit is served", async (context) => {
    const site = await twoLandscapes(context);
    const policy = JSON.stringify({ format: 1, kind: "mandatory", versions: "any", landscapes: ["dev"] });
    for (const version of ["1.0.0", "1.1.0"])
      site.commit({ channels: { base: { certs: version } }, mandatory: ["base"] }, version, {
        "channels/base.yaml": policy,
      });
    await kymaIn(site.repository.path, ["sync", "dev"]);
    const { stdout } = await kymaIn(site.repository.path, [
      "status",
      "dev",
      "--revision",
      "HEAD~1",
      "--channel",
      "base",
    ]);

    expect(stdout).toMatch(/^dev: serves .*newer commit [0-9a-f]{10}\b/);
    expect(stdout).toMatch(/^base +certs +1\.1\.0 /m);
  });

  it("reports a broken catalogue or evidence", async () => {
    const folder = emptyFolder();
    folder.write({ "evidence.yaml": "format: 2\n" });
    const site = siteOf({ [FAST_POLICY]: "format: 2\n" });

    const broken = await kymaIn(site.path, ["status"]);
    const misread = await kymaIn(siteOf().path, ["status", "--evidence", `${folder.path}/evidence.yaml`]);

    expect([broken.code, broken.stderr]).toEqual([1, expect.stringContaining(FAST_POLICY)]);
    expect([misread.code, misread.stderr]).toEqual([2, expect.stringContaining("evidence.yaml")]);
  });
});
