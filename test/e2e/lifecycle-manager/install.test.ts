import { describe, expect, it } from "vitest";
import { pathOf } from "../../sync/outside.ts";
import { openChain, type Chain } from "./chain.ts";
import { sound } from "./look.ts";
import { customResourcePath } from "./sampleModule.ts";

/**
 * Two clusters of one landscape have the module greeter: one from fast, at 1.1.0, the other one from regular, at 1.0.0.
 */
async function installed(chain: Chain): Promise<void> {
  await chain.publish("greeter", "1.0.0", "1.1.0");
  chain.commit({ fast: { greeter: "1.1.0" }, regular: { greeter: "1.0.0" } });
  expect(await chain.kyma("sync", "dev")).toMatchObject({ code: 0 });
  await chain.cluster("early").choose({ greeter: "fast" });
  await chain.cluster("late").choose({ greeter: "regular" });
  await chain.cluster("early").until("greeter", { ...sound("1.1.0"), channel: "fast" });
  await chain.cluster("late").until("greeter", { ...sound("1.0.0"), channel: "regular" });
}

describe("a catalogue, a control plane, and its clusters", () => {
  it("installs on each cluster the version in the channel of its user, and lists the users of modules", async (context) => {
    const chain = await openChain(context, { dev: ["early", "late"] });
    await installed(chain);

    for (const name of ["early", "late"]) {
      const { outside, kcp } = chain.cluster(name);
      const customResource = (): Promise<unknown> => outside.send("GET", customResourcePath("greeter"));
      await expect.poll(customResource, { timeout: 60_000 }).toMatchObject({ status: 200 });
      const kyma = (): Promise<unknown> => kcp.outside.must("GET", pathOf("kymas", "kcp-system", name));
      // Up to 1.7, this requires certificates of cert-manager.
      const states = chain.manager.generation === "version-templates" ? ["Ready"] : ["Ready", "Error"];
      await expect
        .poll(kyma, { timeout: 120_000 })
        .toMatchObject({ status: { state: expect.toBeOneOf(states) as string } });
    }
    await chain.tells(0, /^fast +greeter +1\.1\.0 +\S+ +1 of 1 /m, /^regular +greeter +1\.0\.0 +\S+ +1 of 1 /m);
    expect((await chain.kyma("plan", "dev", "--exit-code")).code).toBe(0);
  });

  it("moves only the users of the bumped channel", async (context) => {
    const chain = await openChain(context, { dev: ["early", "late"] });
    await installed(chain);
    await chain.publish("greeter", "1.2.0");
    chain.commit({ fast: { greeter: "1.2.0" }, regular: { greeter: "1.0.0" } });
    const { code, stdout } = await chain.kyma("sync", "dev");

    expect([code, stdout]).toEqual([0, expect.stringMatching(/raised +fast\/greeter 1\.1\.0 → 1\.2\.0/)]);
    await chain.cluster("early").until("greeter", sound("1.2.0"));
    await chain.cluster("late").stays("greeter", sound("1.0.0"));
  });
});
