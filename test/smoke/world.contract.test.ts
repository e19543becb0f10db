import { describe, expect, it } from "vitest";
import { Fault, type ClusterSupply } from "../../src/ports.ts";
import { verdictOn } from "../../src/smoke/smoke.ts";
import { failureOf, openSmokeServer, tryModule } from "./world.ts";

const smokeServer = openSmokeServer();

/** A supply whose first `count` clusters die when something is applied. */
function dying(supply: ClusterSupply, count: number): ClusterSupply {
  let left = count;
  return {
    ...supply,
    take: async (images, run) => {
      const taken = await supply.take(images, run);
      if (left-- <= 0) return taken;
      const apply = (): never => {
        throw new Fault("CLUSTER_UNREACHABLE", "the server is gone");
      };
      return { ...taken, cluster: { ...taken.cluster, apply } };
    },
  };
}

describe("a cluster that dies", () => {
  const versions = { "1.0.0": {} };

  it("is replaced once, and the path is tried again", async (context) => {
    const { supply } = await smokeServer(context);
    const results = await tryModule({ module: "dying", supply: dying(supply, 1), versions });

    expect([failureOf(results[0]), verdictOn(results)]).toEqual([[undefined, undefined, undefined], "passed"]);
  });

  it("is not a fault of the module", async (context) => {
    const { supply } = await smokeServer(context);
    const results = await tryModule({ module: "dying", supply: dying(supply, 2), versions });

    expect(results).toMatchObject([{ steps: [], world: "the server is gone" }]);
    expect(verdictOn(results)).toBe("world");
  });
});
