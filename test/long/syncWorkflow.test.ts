import { describe, expect, it } from "vitest";
import { openSite, runFor } from "../cli/syncJob.ts";

describe("the sync workflow, by the commands of .github/workflows/sync.yaml", () => {
  it("syncs a landscape that has something to do, and asks for no approval otherwise", async (context) => {
    const site = await openSite(context);
    const before = await runFor(site, "due", {});
    const synced = await runFor(site, "sync", { "needs.due.outputs.landscapes": '["dev"]', "matrix.landscape": "dev" });
    const after = await runFor(site, "due", {});
    const observed = await runFor(site, "observe", {});
    site.repository.write({ "README.md": "What it is.\n" });
    site.repository.commit();
    const unserved = await runFor(site, "due", {});

    expect(Object.values(before.outputs)).toEqual(['["dev"]']);
    expect([synced.passed, synced.summary]).toEqual([true, expect.stringContaining("    dev: 1 added")]);
    expect([after, unserved].map(({ outputs }) => Object.values(outputs))).toEqual([["[]"], ["[]"]]);
    expect([observed.passed, observed.summary]).toEqual([true, expect.stringContaining("dev")]);
  });
});
