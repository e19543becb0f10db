import { describe, expect, it } from "vitest";
import { openChain } from "./chain.ts";
import { sound } from "./look.ts";

describe("a withdrawal", () => {
  it("lowers no cluster: users keep the version, in Warning, until a higher one is served", async (context) => {
    const chain = await openChain(context, { dev: ["early", "late"] });
    const [early, late] = [chain.cluster("early"), chain.cluster("late")];
    await chain.publish("greeter", "1.0.0", "1.1.0", "1.1.1");
    for (const version of ["1.0.0", "1.1.0"]) {
      chain.commit({ fast: { greeter: version } });
      expect(await chain.kyma("sync", "dev")).toMatchObject({ code: 0 });
    }
    await early.choose({ greeter: "fast" });
    await early.until("greeter", sound("1.1.0"));

    const why = ["--channel", "fast", "--reason", "it leaks", "--by", "octocat"];
    const withdrawn = await chain.kyma("withdraw", "greeter@1.1.0", ...why);
    expect(withdrawn).toMatchObject({ code: 0 });
    expect(withdrawn.stdout).toMatch(/protected, .*\n? *.*Kyma early/);
    const [branch = ""] = chain.repository
      .git("branch", "--no-merged", "main", "--format=%(refname:short)")
      .split("\n");
    chain.repository.git("merge", "--quiet", "--ff-only", branch);
    const lowered = await chain.kyma("sync", "dev");

    expect(lowered).toMatchObject({ code: 0 });
    expect(lowered.stdout).toMatch(/lowered +fast\/greeter 1\.1\.0 → 1\.0\.0/);
    const kept = { ...sound("1.1.0"), state: "Warning" };
    await early.until("greeter", { ...kept, message: expect.stringContaining("ignore channel skew") as string });
    await late.choose({ greeter: "fast" });
    await late.until("greeter", sound("1.0.0"));
    await early.stays("greeter", kept);
    await chain.tells(0, /^fast +greeter +1\.0\.0 +\S+ +1 of 2 .*downgrade refused/m);

    chain.commit({ fast: { greeter: "1.1.1" } });
    expect(await chain.kyma("sync", "dev", "--prune")).toMatchObject({ code: 0 });
    for (const cluster of [early, late]) await cluster.until("greeter", sound("1.1.1"));
  });
});
