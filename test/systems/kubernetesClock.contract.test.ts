import { describe, expect, it } from "vitest";
import { RESOURCES, type ObjectRef } from "../../src/kubernetes/object.ts";
import { quietRun } from "../support/quietRun.ts";
import { configMapIn, sharedWorld, type World } from "../sync/world.ts";
import { troublesomeProxy } from "./troublesomeProxy.ts";

const run = quietRun();
const refOf = ({ namespace }: World, name: string): ObjectRef => ({ resource: RESOURCES.configMap, namespace, name });

describe("a clock that differs by more than five minutes from that of the API server", () => {
  it.for([
    { clockMs: -7_200_000, said: "2h ahead of" },
    { clockMs: 600_000, said: "behind" },
  ])("writes nothing, and still reads ($said)", async ({ clockMs, said }, context) => {
    const world = await sharedWorld(context);
    const { controlPlane } = await troublesomeProxy(world.access, () => ({ clockMs }));
    const written = configMapIn(world, "written");
    expect(await controlPlane.read(refOf(world, "written"), run)).toBeUndefined();

    await expect(controlPlane.apply(written, "absent", run)).rejects.toMatchObject({
      code: "CONFIGURATION",
      message: expect.stringContaining(said) as string,
    });
    expect(await world.read("configmaps", "written")).toBeUndefined();
  });

  it("writes again once it was set", async (context) => {
    const world = await sharedWorld(context);
    const { controlPlane } = await troublesomeProxy(world.access, (index) =>
      index === 0 ? { clockMs: 400_000 } : "none",
    );
    await controlPlane.read(refOf(world, "written"), run);
    const written = configMapIn(world, "written");
    await expect(controlPlane.apply(written, "absent", run)).rejects.toMatchObject({ code: "CONFIGURATION" });
    await controlPlane.read(refOf(world, "written"), run);

    await controlPlane.apply(written, "absent", run);
  });
});
