import { describe, expect, it } from "vitest";
import { followHint, jobOf, reportOf, sharedSite, smokeOf, verdictIn } from "./evidencing.ts";
import { kymaIn } from "./promoting.ts";

describe("the branch of evidence", () => {
  it("is required of a job that fetched only the commit of the base, and so are proposed holds", async () => {
    const { site, bare } = sharedSite(9);
    const clone = jobOf(bare);
    expect(await verdictIn(clone)).toMatch(/^wait: /);
    await kymaIn(site.path, ["evidence", "publish", reportOf(smokeOf(false))]);
    const { stderr } = await kymaIn(clone.path, ["promote"]);
    clone.git("fetch", "--quiet", "origin", "evidence");
    site.git("push", "--quiet", bare.path, "HEAD:refs/heads/hold/regular/sample-1.1.0");
    expect((await kymaIn(clone.path, ["promote"])).stderr).toContain("The branch hold/regular/sample-1.1.0 of origin");
    followHint(clone, stderr);
    expect(await verdictIn(clone)).toMatch(/^blocked: .*\bsmoke test\b.*\bfailed\b/);
  });
});
