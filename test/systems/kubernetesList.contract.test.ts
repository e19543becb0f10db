import { describe, expect, it } from "vitest";
import { RESOURCES } from "../../src/kubernetes/object.ts";
import { LIMITS } from "../../src/systems/kubernetes/access.ts";
import { quietRun } from "../support/quietRun.ts";
import { configMapIn, sharedWorld } from "../sync/world.ts";
import { atFirst, troublesomeProxy, type Trouble } from "./troublesomeProxy.ts";

const run = quietRun();

describe("a list", () => {
  it("is read in smaller pages if a page is late, and is complete", async (context) => {
    const world = await sharedWorld(context);
    for (let index = 0; index < 30; index++)
      await world.controlPlane.apply(configMapIn(world, `c-${index}`), "absent", run);
    const isLarge = (path: string): boolean => Number(new URL(path, "http://x").searchParams.get("limit")) > 31;
    const { controlPlane, requests } = await troublesomeProxy(
      world.access,
      (_index, _method, path) => (isLarge(path) ? "hang" : "none"),
      { ...LIMITS, firstByteMs: 300 },
    );

    const pages = await Array.fromAsync(controlPlane.list(RESOURCES.configMap, world.namespace, run));

    expect(
      pages.flatMap(({ objects }) => objects).filter(({ metadata }) => metadata.name.startsWith("c-")),
    ).toHaveLength(30);
    expect(requests.map((line) => /limit=(\d+)/.exec(line)?.[1])).toEqual(["500", "250", "125", "62", "31"]);
  });

  it("that expired between two pages is read to its end and watched from its beginning, and half a list is a failure", async (context) => {
    const world = await sharedWorld(context);
    const page = (metadata: object, name: string): Trouble => ({
      status: 200,
      body: JSON.stringify({
        ...{ kind: "ConfigMapList", apiVersion: "v1", metadata },
        items: [{ metadata: { name, namespace: world.namespace, uid: name, resourceVersion: "1" } }],
      }),
    });
    const expired = (metadata: object): Trouble => ({
      status: 410,
      body: JSON.stringify({ kind: "Status", code: 410, metadata }),
    });
    const found = async (...troubles: readonly Trouble[]): Promise<readonly string[]> => {
      const { controlPlane } = await troublesomeProxy(world.access, atFirst(...troubles));
      const pages = await Array.fromAsync(controlPlane.list(RESOURCES.configMap, world.namespace, run));
      return pages.flatMap(({ objects, resourceVersion }) =>
        objects.map(({ metadata }) => `${metadata.name}, to be watched from ${resourceVersion}`),
      );
    };
    const first = page({ continue: "a", resourceVersion: "1" }, "first");

    expect(
      await found(first, expired({ continue: "b" }), page({ continue: "", resourceVersion: "9" }, "second")),
    ).toEqual(["first, to be watched from 1", "second, to be watched from 1"]);
    await expect(found(first, expired({}))).rejects.toMatchObject({ code: "CLUSTER_BUSY" });
  });
});
