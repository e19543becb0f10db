import { describe, expect, it } from "vitest";
import { Fault, type ClusterSupply } from "../../src/ports.ts";
import { verdictOn } from "../../src/smoke/smoke.ts";
import { configMap } from "./sampleModule.ts";
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

it("keeps the result of a path whose cluster cannot be given back", async (context) => {
  const { supply } = await smokeServer(context);
  const giveBack = (): Promise<void> => Promise.reject(new Fault("PROCESS_FAILED", "kind export logs failed"));
  const stuck: ClusterSupply = {
    ...supply,
    take: async (images, run) => ({ ...(await supply.take(images, run)), giveBack }),
  };
  const settings = { ...configMap("stuck-settings"), data: { a: 1 } };
  const results = await tryModule({
    module: "stuck",
    supply: stuck,
    versions: { "1.0.0": { objects: () => [settings] } },
  });

  expect([failureOf(results[0]).slice(0, 2), verdictOn(results)]).toEqual([
    ["install", "ConfigMap kyma-system/stuck-settings"],
    "failed",
  ]);
});
