import { describe, expect, it } from "vitest";
import { openChain, type Chain, type ChainCluster } from "./chain.ts";
import { sound } from "./look.ts";

/** A cluster has greeter 1.1.0 from fast, which is then to serve 1.2.0. That version is not published. */
async function unpublished(chain: Chain): Promise<ChainCluster> {
  const early = chain.cluster("early");
  await chain.publish("greeter", "1.0.0", "1.1.0");
  chain.commit({ fast: { greeter: "1.1.0" } });
  expect(await chain.kyma("sync", "dev")).toMatchObject({ code: 0 });
  await early.choose({ greeter: "fast" });
  await early.until("greeter", sound("1.1.0"));
  chain.commit({ fast: { greeter: "1.2.0" } });
  return early;
}

describe("a version that is not published", () => {
  it("is refused before lifecycle-manager sees it, and is served once it is published", async (context) => {
    const chain = await openChain(context, { dev: ["early"] });
    const early = await unpublished(chain);
    const refused = await chain.kyma("sync", "dev");

    expect(refused).toMatchObject({ code: 1 });
    expect(refused.stdout).toMatch(/refused +fast\/greeter 1\.1\.0 → 1\.2\.0\n.*\[artifact-missing\]/);
    await early.stays("greeter", sound("1.1.0"));
    expect((await chain.kyma("status", "--landscape", "dev")).code).toBe(1);

    await chain.publish("greeter", "1.2.0");
    expect(await chain.kyma("sync", "dev")).toMatchObject({ code: 0 });
    await early.until("greeter", sound("1.2.0"));
  });

  it("makes lifecycle-manager forget versions if it was not looked up; a sync then refuses to lower a cluster", async (context) => {
    const chain = await openChain(context, { dev: ["early"] });
    if (chain.manager.generation === "channel-templates")
      return context.skip("up to 1.7 the status keeps the version, since the template brings the descriptor");
    const early = await unpublished(chain);
    expect(await chain.kyma("sync", "dev", "--without-registry")).toMatchObject({ code: 0 });
    const forgotten = { state: "Error", version: undefined, manifests: ["1.1.0"], runs: "1.1.0" };
    await early.until("greeter", forgotten);

    chain.commit({ fast: { greeter: "1.0.0" } });
    const lower = await chain.kyma("sync", "dev");
    expect(lower).toMatchObject({ code: 1 });
    expect(lower.stdout).toMatch(/refused +fast\/greeter 1\.2\.0 → 1\.0\.0\n.*\[user-endangered\]/);
    await early.stays("greeter", forgotten);

    chain.commit({ fast: { greeter: "1.1.0" } });
    expect(await chain.kyma("sync", "dev")).toMatchObject({ code: 0 });
    await early.until("greeter", sound("1.1.0"));
  });
});
