import { describe, expect, it } from "vitest";
import { openChain } from "./chain.ts";
import { sound } from "./look.ts";

describe("a mandatory module", () => {
  it("is installed on every cluster, goes up everywhere, and is neither lowered nor removed", async (context) => {
    const chain = await openChain(context, { dev: ["early", "late"] });
    const clusters = [chain.cluster("early"), chain.cluster("late")];
    await chain.publish("auditor", "1.0.0", "1.1.0");
    for (const version of ["1.0.0", "1.1.0"]) {
      chain.commit({ must: { auditor: version } });
      expect(await chain.kyma("sync", "dev")).toMatchObject({ code: 0 });
      for (const cluster of clusters)
        await cluster.until("auditor", { ...sound(version), state: undefined, version: undefined });
    }

    chain.commit({ must: { auditor: "1.0.0" } });
    const lower = await chain.kyma("sync", "dev");
    expect(lower).toMatchObject({ code: 1 });
    expect(lower.stdout).toMatch(/refused +must\/auditor 1\.1\.0 → 1\.0\.0\n.*\[mandatory-downgrade\]/);
    await chain.tells(1, /^must +auditor +1\.1\.0 +\S+ +2 of 2 /m);
    chain.commit({ must: {} });
    const removed = await chain.kyma("sync", "dev", "--prune");
    expect(removed).toMatchObject({ code: 1 });
    expect(removed.stdout).toMatch(/refused +must\/auditor 1\.1\.0 → –\n.*\[mandatory-removed\]/);
    for (const cluster of clusters) await cluster.stays("auditor", { manifests: ["1.1.0"], runs: "1.1.0" });
  });
});
