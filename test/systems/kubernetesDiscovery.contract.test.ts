import { describe, expect, it } from "vitest";
import type { Cluster } from "../../src/ports.ts";
import { LIMITS, openAccess } from "../../src/systems/kubernetes/access.ts";
import { openCluster } from "../../src/systems/kubernetes/cluster.ts";
import { quietRun } from "../support/quietRun.ts";
import { sharedWorld, type World } from "../sync/world.ts";
import { troublesomeProxy, type Trouble } from "./troublesomeProxy.ts";

const run = quietRun();

const through = async (world: World, trouble: (path: string) => Trouble): Promise<Cluster> => {
  const { kubeconfig } = await troublesomeProxy(world.access, (_index, _method, path) => trouble(path));
  return openCluster(await openAccess({ kubeconfig }, { ...LIMITS, backOffMs: 200 }));
};

describe("the kinds of a cluster", () => {
  it("are unknown, not absent, while the server of an aggregated API is down", async (context) => {
    const world = await sharedWorld(context);
    const isDown = (path: string): boolean => path === "/apis/apps/v1";
    const cluster = await through(world, (path) => (isDown(path) ? { status: 503, body: "no endpoints" } : "none"));

    await expect(cluster.kindOf("apps/v1", "Deployment", run)).rejects.toMatchObject({ code: /^CLUSTER_/ });
    expect((await cluster.kinds(run)).map(({ kind }) => kind)).toContain("Secret");
    expect(await cluster.kindOf("v1", "Secret", run)).toMatchObject({ plural: "secrets", namespaced: true });
    expect(await cluster.kindOf("example.com/v1", "Secret", run)).toBeUndefined();
  });
});
