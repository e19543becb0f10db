import { describe, expect, it } from "vitest";
import { RESOURCES } from "../../src/kubernetes/object.ts";
import { quietRun } from "../support/quietRun.ts";
import { catalogueOf } from "../sync/catalogueFiles.ts";
import { seeded } from "../sync/killing.ts";
import { results, summary } from "../sync/planning.ts";
import { LIMITS } from "../../src/systems/kubernetes/access.ts";
import { configMapIn, eventually, sharedWorld, type World } from "../sync/world.ts";
import { atFirst, troublesomeProxy, type Trouble } from "./troublesomeProxy.ts";

const run = quietRun();
const refOf = (
  world: World,
  name: string,
): { resource: typeof RESOURCES.configMap; namespace: string; name: string } => ({
  resource: RESOURCES.configMap,
  namespace: world.namespace,
  name,
});

describe("a request", () => {
  const status = (code: number): Trouble => ({ status: code, body: '{"kind":"Status","message":"later"}' });

  it.for<[string, Trouble]>([
    ["answered with 429", status(429)],
    ["answered with 503", status(503)],
    ["answered with 502 by something that speaks no JSON", { status: 502, body: "<html>Bad Gateway</html>" }],
    ["answered with 504", status(504)],
    ["answered with 500 and a time to come back", { status: 500, body: '{"details":{"retryAfterSeconds":0}}' }],
    ["whose connection breaks before it is sent on", "break before"],
    ["whose connection breaks after it was carried out", "break after"],
    ["whose connection breaks within the answer", "break within"],
  ])("%s is retried", async ([, trouble], context) => {
    const world = await sharedWorld(context);
    const { controlPlane, requests } = await troublesomeProxy(world.access, atFirst(trouble, trouble));

    expect(await controlPlane.read(refOf(world, "kube-root-ca.crt-or-not"), run)).toBeUndefined();
    expect(requests).toHaveLength(3);
  });

  it("waits as long as a header of the API server demands", async (context) => {
    const world = await sharedWorld(context);
    const times: number[] = [];
    const { controlPlane } = await troublesomeProxy(world.access, (index) => {
      times.push(performance.now());
      return index === 0 ? { status: 429, headers: { "retry-after": "1" }, body: "Too many requests" } : "none";
    });
    await controlPlane.read(refOf(world, "none"), run);
    const [first = 0, second = 0] = times;

    expect(second - first).toBeGreaterThanOrEqual(990);
  });

  it("waits as well if another one is held back", async (context) => {
    const world = await sharedWorld(context);
    const times: number[] = [];
    const { controlPlane } = await troublesomeProxy(world.access, (index) => {
      times.push(performance.now());
      return index === 0 ? { status: 429, headers: { "retry-after": "1" }, body: "Too many requests" } : "none";
    });
    const first = controlPlane.read(refOf(world, "none"), run);
    await eventually(() => times.length === 1);
    await new Promise((resolve) => setTimeout(resolve, 100));
    await Promise.all([first, controlPlane.read(refOf(world, "other"), run)]);
    const [asked = 0, ...rest] = times;

    expect(rest).toHaveLength(2);
    expect(Math.min(...rest) - asked).toBeGreaterThanOrEqual(990);
  });

  it("does not wait for others if it is about a Lease, which would be lost", async (context) => {
    const world = await sharedWorld(context);
    const times: number[] = [];
    const { controlPlane } = await troublesomeProxy(world.access, (index) => {
      times.push(performance.now());
      return index === 0 ? { status: 429, headers: { "retry-after": "2" }, body: "Too many requests" } : "none";
    });
    const first = controlPlane.read(refOf(world, "none"), run);
    await eventually(() => times.length === 1);
    const askedMs = performance.now();
    await controlPlane.read({ resource: RESOURCES.lease, namespace: world.namespace, name: "none" }, run);
    const tookMs = performance.now() - askedMs;
    await first;

    expect(tookMs).toBeLessThan(1_500);
  });

  it("fails as busy if the demanded wait is too long, and tells the wait", async (context) => {
    const world = await sharedWorld(context);
    const { controlPlane, requests } = await troublesomeProxy(
      world.access,
      () => ({ status: 503, headers: { "retry-after": "3" }, body: "{}" }),
      { ...LIMITS, retryAfterMs: 500 },
    );

    await expect(controlPlane.read(refOf(world, "none"), run)).rejects.toMatchObject({
      code: "CLUSTER_BUSY",
      message: expect.stringContaining("Try again in 3 s") as string,
    });
    expect(requests).toHaveLength(1);
  });

  it("is sent once more if it is not authorized", async (context) => {
    const world = await sharedWorld(context);
    const { controlPlane, requests } = await troublesomeProxy(world.access, () => status(401));

    await expect(controlPlane.read(refOf(world, "none"), run)).rejects.toMatchObject({ code: "CLUSTER_UNAUTHORIZED" });
    expect(requests).toHaveLength(2);
  });

  it("that creates an object conflicts with its own result if the answer is lost", async (context) => {
    const world = await sharedWorld(context);
    const { controlPlane } = await troublesomeProxy(world.access, atFirst("break after"));

    await expect(controlPlane.apply(configMapIn(world, "made"), "absent", run)).rejects.toMatchObject({
      code: "CLUSTER_CONFLICT",
    });
    expect(await world.read("configmaps", "made")).toBeDefined();
  });

  it("that deletes an object succeeds if the answer is lost", async (context) => {
    const world = await sharedWorld(context);
    const { metadata } = await world.controlPlane.apply(configMapIn(world, "made"), "absent", run);
    const { controlPlane } = await troublesomeProxy(world.access, atFirst("break after"));
    const { uid = "", resourceVersion = "" } = metadata;
    const asked: string[] = [];
    const blocker = (): Promise<undefined> => Promise.resolve(void asked.push("whether it may go"));
    await controlPlane.remove(refOf(world, "made"), { uid, resourceVersion }, blocker, run);

    expect(await world.read("configmaps", "made")).toBeUndefined();
    expect(asked).toHaveLength(2);
  });

  it("that deletes an object is not retried once a blocker exists", async (context) => {
    const world = await sharedWorld(context);
    const { metadata } = await world.controlPlane.apply(configMapIn(world, "made"), "absent", run);
    const { controlPlane } = await troublesomeProxy(world.access, atFirst({ status: 503, body: "{}" }));
    const { uid = "", resourceVersion = "" } = metadata;
    const answers = [undefined, "it is in use again"];
    const blocker = (): Promise<string | undefined> => Promise.resolve(answers.shift());
    const kept = await controlPlane.remove(refOf(world, "made"), { uid, resourceVersion }, blocker, run);

    expect(kept).toBe("it is in use again");
    expect(await world.read("configmaps", "made")).toBeDefined();
  });

  it("is not retried if that is useless: refused or forbidden", async (context) => {
    const world = await sharedWorld(context);
    const body = '{"kind":"Status"}';
    const answers = [
      [{ status: 400, body }, "CLUSTER_REFUSED"],
      [{ status: 401, body }, "CLUSTER_UNAUTHORIZED"],
      [{ status: 403, body }, "CLUSTER_FORBIDDEN"],
      [{ status: 500, body: '{"message":"field not declared in schema"}' }, "CLUSTER_REFUSED"],
    ] as const;
    for (const [trouble, code] of answers) {
      const { controlPlane, requests } = await troublesomeProxy(world.access, () => trouble);

      await expect(controlPlane.read(refOf(world, "any"), run)).rejects.toMatchObject({
        name: "Fault",
        code,
        retry: false,
      });
      // Credentials that are not accepted are read again, once: they may have been renewed meanwhile.
      expect(requests).toHaveLength(code === "CLUSTER_UNAUTHORIZED" ? 2 : 1);
    }
  });

  it("ends at once with the abort reason while it hangs", async (context) => {
    const world = await sharedWorld(context);
    const interruption = new AbortController();
    const { controlPlane } = await troublesomeProxy(world.access, () => {
      interruption.abort(new Error("interrupted"));
      return "hang";
    });

    await expect(controlPlane.read(refOf(world, "any"), quietRun(interruption.signal))).rejects.toThrow("interrupted");
  });

  it("ends at once with the abort reason while it waits for its turn", async (context) => {
    const world = await sharedWorld(context);
    const interruption = new AbortController();
    const { controlPlane } = await troublesomeProxy(world.access, () => {
      setTimeout(() => {
        interruption.abort(new Error("interrupted"));
      }, 50);
      return { status: 429, headers: { "retry-after": "15" } };
    });

    await expect(controlPlane.read(refOf(world, "any"), quietRun(interruption.signal))).rejects.toThrow();
  });
});

describe("a sync over a connection that fails repeatedly", () => {
  it("completes", async (context) => {
    const world = await sharedWorld(context);
    const random = seeded(20_260_504);
    const troubles: readonly Trouble[] = [
      { status: 503 },
      { status: 429 },
      "break before",
      "break after",
      "break within",
    ];
    const { controlPlane } = await troublesomeProxy(world.access, () =>
      random() < 0.2 ? (troubles[Math.floor(random() * troubles.length)] ?? "none") : "none",
    );
    const catalogue = catalogueOf({
      channels: { fast: { aaa: "1.0.0", bbb: "1.0.0", ccc: "1.0.0" }, regular: { aaa: "0.9.0", ccc: "1.0.0" } },
    });
    const next = catalogueOf({
      channels: { fast: { aaa: "1.1.0", bbb: "1.0.0" }, regular: { aaa: "1.0.0", bbb: "0.9.0" } },
    });
    for (const [wanted, writes] of [
      [catalogue, 8],
      [next, 7],
    ] as const) {
      const synced = await world.sync(wanted, { controlPlane, prune: true });

      expect(results(synced).filter((result) => !/^(done|left) /.test(result))).toEqual([]);
      expect(synced.outcomes.filter(({ item }) => item.kind !== "unchanged").length).toBeLessThanOrEqual(writes);
      expect(summary((await world.prepare(wanted, { prune: true })).plan)).toEqual([]);
    }
  });
});
