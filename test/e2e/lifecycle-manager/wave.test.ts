import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { announcePush, linesOf, watching, type Watching } from "../../cli/watching.ts";
import { openChain, type Chain } from "./chain.ts";
import { sound } from "./look.ts";

/** The soak is short, and the deadline for clusters is longer than the progress deadline of a Deployment. */
const SOAK_MS = 20_000;
const AFTER = { landscape: "dev", soak: `${SOAK_MS / 1000}s`, notWorseBy: "0%", deadline: "2m" };

/** A controller syncs both landscapes, and a cluster of each has greeter 1.0.0 from fast. */
async function kept(chain: Chain): Promise<Watching> {
  await chain.publish("greeter", "1.0.0", "1.1.0", "1.1.1");
  chain.commit({ fast: { greeter: "1.0.0" } });
  const controller = await watching(chain);
  for (const [landscape, name] of [
    ["dev", "early"],
    ["prod", "late"],
  ] as const) {
    await controller.logs({ message: "entry moved", landscape, to: "1.0.0" });
    const cluster = chain.cluster(name);
    await cluster.choose({ greeter: "fast" });
    await cluster.until("greeter", sound("1.0.0"));
  }
  return controller;
}

/** Serves a version whose pods never start, until the wave halts for it. */
async function haltWave(chain: Chain, controller: Watching): Promise<void> {
  chain.breakVersion("greeter", "1.1.0");
  chain.commit({ fast: { greeter: "1.1.0" } });
  await announcePush(controller.address);
  await controller.logs({ message: "wave halted", landscape: "dev", version: "1.1.0" });
}

describe("a version on its way through two landscapes", () => {
  it("reaches the later one once the clusters of the earlier one are in order", async (context) => {
    const chain = await openChain(context, { dev: ["early"], prod: ["late"] }, AFTER);
    const controller = await kept(chain);
    const [early, late] = [chain.cluster("early"), chain.cluster("late")];
    chain.commit({ fast: { greeter: "1.1.0" } });
    const startedMs = Date.now();
    await announcePush(controller.address);
    await early.until("greeter", sound("1.1.0"));
    expect(await late.look("greeter")).toMatchObject(sound("1.0.0"));
    await controller.logs({ message: "entry moved", landscape: "prod", from: "1.0.0", to: "1.1.0" });

    expect(Date.now() - startedMs).toBeGreaterThan(20_000);
    await late.until("greeter", sound("1.1.0"));
    const status = await chain.kyma("status", "--landscape", "dev");
    expect(status).toMatchObject({ code: 0 });
    expect(status.stdout).toMatch(/^fast +greeter +1\.1\.0 .*1 in order.*prod soaked/m);
  });

  it("halts in the earlier one if it never starts; only a working version continues", async (context) => {
    const chain = await openChain(context, { dev: ["early"], prod: ["late"] }, AFTER);
    const controller = await kept(chain);
    const [early, late] = [chain.cluster("early"), chain.cluster("late")];
    await haltWave(chain, controller);
    await early.until("greeter", { state: "Error", version: "1.1.0", runs: "1.1.0" });

    const status = await chain.kyma("status", "--landscape", "dev");
    expect(status).toMatchObject({ code: 1 });
    expect(status.stdout).toMatch(/halted .*fast\/greeter.*Kyma early/);
    await late.stays("greeter", sound("1.0.0"));

    chain.commit({ fast: { greeter: "1.1.1" } });
    await announcePush(controller.address);
    await early.until("greeter", sound("1.1.1"));
    await late.until("greeter", sound("1.1.1"));
    expect(await chain.kyma("status", "--landscape", "dev")).toMatchObject({ code: 0 });
  });

  it("soaks while clusters have it: no time counts in which lifecycle-manager stands still", async (context) => {
    const chain = await openChain(context, { dev: ["early"], prod: ["late"] }, AFTER);
    const controller = await kept(chain);
    const [early, late] = [chain.cluster("early"), chain.cluster("late")];
    await chain.managerOf("dev").stop();
    chain.commit({ fast: { greeter: "1.1.0" } });
    await announcePush(controller.address);
    await controller.logs({ message: "entry moved", landscape: "dev", to: "1.1.0" });
    await sleep(SOAK_MS);
    await late.stays("greeter", sound("1.0.0"));

    await chain.managerOf("dev").start("quick");
    await early.until("greeter", sound("1.1.0"));
    const readyMs = Date.now();
    await controller.logs({ message: "entry moved", landscape: "prod", to: "1.1.0" });
    expect(Date.now() - readyMs).toBeGreaterThan(SOAK_MS);
  });

  it("is not halted by the error of the version that it repairs", async (context) => {
    const chain = await openChain(context, { dev: ["early"], prod: ["late"] }, AFTER);
    const controller = await kept(chain);
    const [early, late] = [chain.cluster("early"), chain.cluster("late")];
    await haltWave(chain, controller);

    await chain.managerOf("dev").stop();
    chain.silenceWatchers();
    await chain.managerOf("dev").start("slow");
    chain.commit({ fast: { greeter: "1.1.1" } });
    await announcePush(controller.address);
    const stale = { state: "Error", version: "1.1.1", runs: "1.1.1" };
    await early.until("greeter", stale);
    await early.stays("greeter", stale);
    await late.until("greeter", sound("1.1.1"));
    const halts = (await linesOf(controller)).filter(({ message }) => message === "wave halted");
    expect(halts.map(({ version }) => version)).toEqual(["1.1.0"]);
  });
});
