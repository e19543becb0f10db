import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { RESOURCES } from "../../src/kubernetes/object.ts";
import type { ControlPlane, WatchEvent } from "../../src/ports.ts";
import { listAll } from "../../src/sync/observe.ts";
import { LIMITS, openAccess } from "../../src/systems/kubernetes/access.ts";
import { controlPlane as openControlPlane } from "../../src/systems/kubernetes/controlPlane.ts";
import { quietRun } from "../support/quietRun.ts";
import { pathOf } from "../sync/outside.ts";
import { relayed } from "../sync/relay.ts";
import { configMapIn, eventually, sharedWorld, type World } from "../sync/world.ts";
import { kubeconfigFile } from "./kubeconfigFile.ts";
import { atFirst, troublesomeProxy, type Trouble } from "./troublesomeProxy.ts";

const run = quietRun();

/** The resource version of now. */
async function versionOf({ controlPlane, namespace }: World): Promise<string> {
  const [page] = await Array.fromAsync(controlPlane.list(RESOURCES.configMap, namespace, run));
  return page?.resourceVersion ?? "";
}

function create(world: World, name: string): Promise<unknown> {
  return world.outside.must("POST", pathOf("configmaps", world.namespace), { metadata: { name } });
}

function watch(controlPlane: ControlPlane, { namespace }: World, from: string, under = run): AsyncIterable<WatchEvent> {
  return controlPlane.watch(RESOURCES.configMap, namespace, from, under);
}

/** The first `count` events, bookmarks aside. */
async function take(events: AsyncIterable<WatchEvent>, count: number): Promise<readonly string[]> {
  const seen: string[] = [];
  for await (const event of events) {
    if (event.kind === "changed" || event.kind === "deleted") seen.push(`${event.kind} ${event.object.metadata.name}`);
    if (seen.length === count) break;
  }
  return seen;
}

describe("a watch", () => {
  it("reports later creates, changes and deletes by others, and no earlier ones", async (context) => {
    const world = await sharedWorld(context);
    await create(world, "before");
    const seeing = take(watch(world.controlPlane, world, await versionOf(world)), 3);
    await create(world, "made");
    const path = pathOf("configmaps", world.namespace, "made");
    await world.outside.must("PATCH", path, { data: { text: "changed" } }, "merge-patch");
    await world.outside.must("DELETE", path);

    expect(await seeing).toEqual(["changed made", "changed made", "deleted made"]);
  });

  it("returns objects in the same form as a list", async (context) => {
    const world = await sharedWorld(context);
    const from = await versionOf(world);
    await world.controlPlane.apply(
      { ...configMapIn(world, "ours"), data: { text: "ä€😀".repeat(100_000) } },
      "absent",
      run,
    );
    const [listed] = await listAll(world.controlPlane, RESOURCES.configMap, world.namespace, run);
    for await (const event of watch(world.controlPlane, world, from)) {
      expect(event).toEqual({ kind: "changed", object: listed });
      break;
    }
  });

  it("begins with a bookmark if nothing changes, passes on the server's bookmarks, and ends when the server ends it", async (context) => {
    const world = await sharedWorld(context);
    const from = await versionOf(world);
    const limits = { ...LIMITS, watchMs: 3_500 };
    const brief = openControlPlane(await openAccess({ kubeconfig: world.access.kubeconfig }, limits));
    const elsewhere = await sharedWorld(context);
    const seen: WatchEvent[] = [];
    for await (const event of watch(brief, world, from)) {
      // An API server sends no bookmark of what was known when the watch began.
      if (seen.push(event) === 1) await create(elsewhere, "made");
    }

    expect(seen[0]).toEqual({ kind: "bookmark", resourceVersion: from });
    expect(seen.slice(1).map(({ kind }) => kind)).toContain("bookmark");
    expect(seen.slice(1)).not.toContainEqual(seen[0]);
  });

  it("expires if the server has not reached its version, as after a restored backup", async (context) => {
    const world = await sharedWorld(context);
    const from = String(Number(await versionOf(world)) + 1_000_000);
    const [first] = await Array.fromAsync(watch(world.controlPlane, world, from));

    expect(first).toEqual({ kind: "expired" });
  });

  it("times out after too long a silence", async (context) => {
    const world = await sharedWorld(context);
    const limits = { ...LIMITS, silentMs: 300 };
    const impatient = openControlPlane(await openAccess({ kubeconfig: world.access.kubeconfig }, limits));

    await expect(take(watch(impatient, world, await versionOf(world)), 1)).rejects.toMatchObject({
      code: "CLUSTER_TIMEOUT",
      retry: true,
    });
  });

  it("fails if its connection breaks, and can continue where it ended", async (context) => {
    const world = await sharedWorld(context);
    const { controlPlane, cut } = await relayed(world.access);
    const from = await versionOf(world);
    const broken = take(watch(controlPlane, world, from), 1);
    await new Promise((resolve) => setTimeout(resolve, 200));
    cut();

    await expect(broken).rejects.toMatchObject({ code: "CLUSTER_UNREACHABLE", retry: true });
    await create(world, "meanwhile");
    expect(await take(watch(controlPlane, world, from), 1)).toEqual(["changed meanwhile"]);
  });

  it("ends at once, with the reason, when the run is aborted", async (context) => {
    const world = await sharedWorld(context);
    const interruption = new AbortController();
    const events = watch(world.controlPlane, world, await versionOf(world), quietRun(interruption.signal));
    const ended = take(events, 1);
    setTimeout(() => {
      interruption.abort(new Error("interrupted"));
    }, 100);

    await expect(ended).rejects.toThrow("interrupted");
  });

  it("reads the credentials again if they are no longer accepted", async (context) => {
    const world = await sharedWorld(context);
    const accepted = readFileSync(world.access.kubeconfig, "utf8");
    const kubeconfig = kubeconfigFile({}, {});
    writeFileSync(kubeconfig, accepted.replace(world.access.token, "rotated-away"));
    const controlPlane = openControlPlane(await openAccess({ kubeconfig }));
    writeFileSync(kubeconfig, accepted);
    const from = await versionOf(world);
    await create(world, "made");

    expect(await take(watch(controlPlane, world, from), 1)).toEqual(["changed made"]);
  });
});

describe("a watch behind an HTTP/1.1 proxy", () => {
  it("uses no connection of other requests, and closes its own when the caller leaves", async (context) => {
    const world = await sharedWorld(context);
    const { controlPlane, connections } = await troublesomeProxy(world.access, () => "none");
    const from = await versionOf(world);
    const watches = Array.from({ length: 25 }, () => take(watch(controlPlane, world, from), 1));
    await eventually(() => connections() === 25);
    await controlPlane.apply(configMapIn(world, "made"), "absent", run);

    expect(new Set((await Promise.all(watches)).flat())).toEqual(new Set(["changed made"]));
    await eventually(() => connections() === 1);
  });

  const said = (code: number): string => JSON.stringify({ kind: "Status", code, message: "said" });
  const answer = (status: number): Trouble => ({ status, body: said(status) });
  const event = (code: number): Trouble => ({ status: 200, body: `{"type":"ERROR","object":${said(code)}}\n` });

  it.for<[string, Trouble, object]>([
    ["403", answer(403), { code: "CLUSTER_FORBIDDEN" }],
    ["404", answer(404), { code: "CLUSTER_KIND_MISSING" }],
    ["401 again and again", answer(401), { code: "CLUSTER_UNAUTHORIZED" }],
    ["500", answer(500), { code: "CLUSTER_REFUSED", retry: true }],
    ["503", answer(503), { code: "CLUSTER_BUSY", retry: true }],
    ["the event of a 403", event(403), { code: "CLUSTER_FORBIDDEN" }],
    ["the event of a 504", event(504), { code: "CLUSTER_BUSY", retry: true }],
    [
      "what no API server says",
      { status: 200, body: "<html>Log in</html>" },
      { code: "CLUSTER_UNREACHABLE", retry: true },
    ],
    ["half an event", { status: 200, body: '{"type":"ADDED","obj' }, { code: "CLUSTER_UNREACHABLE", retry: true }],
  ])("fails like any request for the answer %s", async ([, trouble, fault], context) => {
    const world = await sharedWorld(context);
    const { controlPlane } = await troublesomeProxy(world.access, () => trouble, { ...LIMITS, backOffMs: 0 });

    await expect(take(watch(controlPlane, world, "1"), 1)).rejects.toMatchObject(fault);
  });

  it.for<[string, Trouble]>([
    ["status", answer(410)],
    ["event", event(410)],
  ])("expires after a %s", async ([, trouble], context) => {
    const world = await sharedWorld(context);
    const { controlPlane } = await troublesomeProxy(world.access, atFirst(trouble));

    expect(await Array.fromAsync(watch(controlPlane, world, "1"))).toEqual([{ kind: "expired" }]);
  });

  it("waits as long as the API server demands, and holds back all other requests", async (context) => {
    const world = await sharedWorld(context);
    const times: number[] = [];
    const busy: Trouble = { status: 429, headers: { "retry-after": "1" }, body: "Too many requests" };
    const { controlPlane } = await troublesomeProxy(world.access, (index) => {
      times.push(performance.now());
      return index === 0 ? busy : "none";
    });
    const from = await versionOf(world);
    await create(world, "made");
    const watching = take(watch(controlPlane, world, from), 1);
    await eventually(() => times.length === 1);
    await new Promise((resolve) => setTimeout(resolve, 100));
    await Promise.all([watching, listAll(controlPlane, RESOURCES.configMap, world.namespace, run)]);
    const [asked = 0, ...rest] = times;

    expect(rest).toHaveLength(2);
    expect(Math.min(...rest) - asked).toBeGreaterThanOrEqual(990);
  });
});
