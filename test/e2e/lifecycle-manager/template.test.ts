import { describe, expect, it } from "vitest";
import { pathOf } from "../../sync/outside.ts";
import { openChain } from "./chain.ts";
import { sound } from "./look.ts";

describe("a template that is deleted while clusters use it", () => {
  it("is restored by a sync, which lowers no cluster whose version lifecycle-manager forgot", async (context) => {
    const chain = await openChain(context, { dev: ["early"] });
    const early = chain.cluster("early");
    await chain.publish("greeter", "1.0.0", "1.1.0");
    chain.commit({ fast: { greeter: "1.1.0" } });
    await chain.kyma("sync", "dev");
    await early.choose({ greeter: "fast" });
    await early.until("greeter", sound("1.1.0"));

    const name = chain.manager.generation === "version-templates" ? "greeter-1.1.0" : "greeter-fast";
    const { outside } = chain.world("dev");
    await outside.must("DELETE", pathOf("templates", "kcp-system", name));
    await early.until("greeter", { version: undefined, manifests: ["1.1.0"], runs: "1.1.0" });
    chain.commit({ fast: { greeter: "1.0.0" } });
    const lower = await chain.kyma("sync", "dev");

    expect(lower).toMatchObject({ code: 1 });
    expect(lower.stdout).toMatch(/refused +fast\/greeter (1\.1\.0|–) → 1\.0\.0\n.*\[user-endangered\]/);
    expect(lower.stdout).toMatch(new RegExp(`created +ModuleTemplate ${name}`));
    await early.until("greeter", sound("1.1.0"));
    await early.stays("greeter", sound("1.1.0"));

    const withdrawn = await chain.kyma("sync", "dev");
    expect(withdrawn).toMatchObject({ code: 0 });
    expect(withdrawn.stdout).toMatch(/lowered +fast\/greeter 1\.1\.0 → 1\.0\.0/);
    await early.until("greeter", { ...sound("1.1.0"), state: "Warning" });
    await early.stays("greeter", { ...sound("1.1.0"), state: "Warning" });
  });
});
