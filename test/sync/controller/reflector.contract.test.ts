import { describe, expect, it } from "vitest";
import { RESOURCES, type KubernetesObject } from "../../../src/kubernetes/object.ts";
import type { WatchEvent } from "../../../src/ports.ts";
import { LIMITS } from "../../../src/systems/kubernetes/access.ts";
import { quietRun } from "../../support/quietRun.ts";
import { atFirst, troublesomeProxy, type Trouble } from "../../systems/troublesomeProxy.ts";
import { relayed } from "../relay.ts";
import { eventually, sharedWorld } from "../world.ts";
import { agreement, create, follow, remove } from "./following.ts";

const IMPATIENT = { ...LIMITS, backOffMs: 0, firstPauseMs: 0 };

describe("a reflector", () => {
  it("lists once, and follows every change", async (context) => {
    const world = await sharedWorld(context);
    await create(world, "before");
    const following = follow(world, world.controlPlane);
    await eventually(() => following.states.length === 1);
    await create(world, "made");
    await agreement(world, following);
    await remove(world, "before");
    await agreement(world, following);

    expect(following.heard).toEqual(["changed before", "retain", "changed made", "deleted before"]);
    expect([following.states, following.lists()]).toEqual([["current"], 1]);
  });

  it("continues after its connection was cut, without another list", async (context) => {
    const world = await sharedWorld(context);
    const { controlPlane, cut } = await relayed(world.access);
    const following = follow(world, controlPlane);
    await eventually(() => following.states.length === 1);
    await create(world, "before");
    await agreement(world, following);
    cut();
    await eventually(() => following.states.length === 3);
    await create(world, "after");
    await agreement(world, following);

    expect(following.states).toEqual(["current", "CLUSTER_UNREACHABLE", "current"]);
    expect(following.lists()).toBe(1);
  });

  it("gets the changes that happened while it was disconnected, including recreated objects", async (context) => {
    const world = await sharedWorld(context);
    for (const name of ["again", "gone", "kept"]) await create(world, name);
    const { controlPlane, sever, restore } = await relayed(world.access, IMPATIENT);
    const following = follow(world, controlPlane);
    await agreement(world, following);
    sever();
    await remove(world, "again");
    await create(world, "again");
    await remove(world, "gone");
    await eventually(() => following.states.length > 3);
    restore();
    await agreement(world, following);

    expect(following.states.at(-1)).toBe("current");
    expect(following.heard.slice(4)).toEqual(["deleted again", "changed again", "deleted gone"]);
    expect(following.lists()).toBe(1);
  });

  it("lists again when the server no longer knows the changes", async (context) => {
    const world = await sharedWorld(context);
    for (const name of ["again", "gone"]) await create(world, name);
    const { controlPlane, requests } = await troublesomeProxy(world.access, (index) => {
      if (index !== 1) return "none";
      return { status: 200, body: '{"type":"ERROR","object":{"kind":"Status","code":410}}\n' };
    });
    const delayed: typeof controlPlane = {
      ...controlPlane,
      watch: async function* (...args) {
        if (requests.length === 1) {
          await remove(world, "gone");
          await remove(world, "again");
          await create(world, "again");
        }
        yield* controlPlane.watch(...args);
      },
    };
    const following = follow(world, delayed);
    await eventually(() => following.lists() === 2);
    await agreement(world, following);
    await create(world, "after");
    await agreement(world, following);

    expect(following.states).toEqual(["current", "CLUSTER_BUSY", "current"]);
    expect(following.heard.slice(3)).toEqual(["changed again", "retain", "changed after"]);
  });

  it("ignores repeated changes that are older than its objects", async (context) => {
    const world = await sharedWorld(context);
    const { controlPlane } = world;
    await create(world, "again");
    const [before] = await Array.fromAsync(controlPlane.list(RESOURCES.configMap, world.namespace, quietRun()));
    await remove(world, "again");
    await create(world, "again");
    // Like after a list that expired between two pages: its objects are newer than the version to watch from.
    const following = follow(world, {
      ...controlPlane,
      list: async function* (...args) {
        for await (const { objects } of controlPlane.list(...args))
          yield { objects, resourceVersion: before?.resourceVersion ?? "" };
      },
    });
    await agreement(world, following);
    await create(world, "after");
    await agreement(world, following);

    expect(following.heard).toEqual(["changed again", "retain", "changed after"]);
  });

  it("reports faults, and waits longer after each, up to half a minute", async (context) => {
    const world = await sharedWorld(context);
    const busy: Trouble = { status: 503, body: "{}" };
    const troubles = Array.from({ length: 8 }, () => busy);
    const { controlPlane } = await troublesomeProxy(world.access, atFirst(...troubles), IMPATIENT);
    const following = follow(world, controlPlane);
    await eventually(() => following.states.includes("current"));

    expect(following.pauses).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
    expect(following.states).toEqual([...troubles.map(() => "CLUSTER_BUSY"), "current"]);
  });

  it.for([
    [401, "CLUSTER_UNAUTHORIZED"],
    [403, "CLUSTER_FORBIDDEN"],
    [404, "CLUSTER_KIND_MISSING"],
  ] as const)("asks again after the longest pause when it is answered with %i", async ([status, code], context) => {
    const world = await sharedWorld(context);
    // A request with 401 is retried at once, with other credentials.
    const troubles = Array.from({ length: status === 401 ? 2 : 1 }, () => ({ status, body: '{"kind":"Status"}' }));
    const { controlPlane } = await troublesomeProxy(world.access, atFirst(...troubles));
    const following = follow(world, controlPlane);
    await eventually(() => following.states.includes("current"));

    expect([following.states, following.pauses]).toEqual([[code, "current"], [30_000]]);
  });

  it("sends fewer and fewer requests to a server that ends each stream at once, until an event arrives", async (context) => {
    const world = await sharedWorld(context);
    const ended: Trouble = { status: 200, body: "" };
    const { controlPlane } = await troublesomeProxy(world.access, (index) => (index > 0 && index < 5 ? ended : "none"));
    let opened = 0;
    const following = follow(world, {
      ...controlPlane,
      watch: async function* (...args): AsyncGenerator<WatchEvent> {
        opened += 1;
        for await (const event of controlPlane.watch(...args)) {
          yield event;
          if (event.kind === "changed") return;
        }
      },
    });
    await eventually(() => following.pauses.length === 4 && opened === 5);
    await create(world, "made");
    await agreement(world, following);
    await eventually(() => opened === 6);

    expect(following.pauses).toEqual([500, 1_000, 2_000, 4_000, 0]);
    expect([following.states, following.lists()]).toEqual([["current"], 1]);
  });

  it("ends when it is aborted", async (context) => {
    const world = await sharedWorld(context);
    await create(world, "made");
    const following = follow(world, world.controlPlane);
    await agreement(world, following);
    const reason = new Error("interrupted");
    following.abort(reason);

    expect(await following.ended).toBe(reason);
  });

  it("gives its sink everything again that this did not take", async (context) => {
    const world = await sharedWorld(context);
    await create(world, "before");
    const taken: string[] = [];
    let isBroken = true;
    const changed = ({ metadata }: KubernetesObject): void => {
      if (isBroken && metadata.name === "made") throw new TypeError("the sink is broken");
      taken.push(metadata.name);
    };
    const sink = { changed, deleted: () => undefined, retain: () => undefined };
    const following = follow(world, world.controlPlane, { sink });
    await eventually(() => taken.length > 0);
    await create(world, "made");
    await eventually(() => following.states.some((state) => state.includes("INTERNAL")));
    isBroken = false;

    await eventually(() => taken.includes("made"));
    expect(following.states.at(-1)).toBe("current");
  });
});
