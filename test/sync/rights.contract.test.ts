import { describe, expect, it, onTestFinished } from "vitest";
import { Fault, type ControlPlane } from "../../src/ports.ts";
import { withLease } from "../../src/sync/lease.ts";
import { systemClock } from "../../src/systems/clock.ts";
import { quietRun } from "../support/quietRun.ts";
import { mentions } from "../support/mentions.ts";
import { catalogueOf } from "./catalogueFiles.ts";
import { pathOf } from "./outside.ts";
import { byEntry, byName, entryResults, results, summary } from "./planning.ts";
import { controlPlaneAs, controlPlaneWith, READ, WRITE, type Rule } from "./users.ts";
import { sharedWorld, worldIn, type Synced } from "./world.ts";

const before = catalogueOf({ channels: { fast: { istio: "1.2.0" }, regular: { istio: "1.2.0" } } });
const after = catalogueOf({ channels: { fast: { istio: "1.3.0" }, regular: { istio: "1.3.0" } } });

const RECORDS = "configmaps kyma-modules-entries";

/** Read access to users. */
const FLEET: Rule = {
  apiGroups: ["operator.kyma-project.io"],
  resources: ["kymas", "manifests"],
  verbs: ["get", "list"],
};

function failures({ outcomes }: Synced): readonly unknown[] {
  return outcomes.flatMap((outcome) =>
    outcome.result === "failed" ? [[outcome.item.object.name, outcome.fault]] : [],
  );
}

describe("a user", () => {
  it("with read access can plan, and writes nothing: the first failure names the records", async (context) => {
    const world = await sharedWorld(context);
    await world.sync(before);
    const controlPlane = await controlPlaneAs([...READ, FLEET], world);
    const versions = await world.versions();

    expect(summary((await world.prepare(after, { controlPlane })).plan)).toContain("create istio-1.3.0");
    const synced = await world.sync(after, { controlPlane });

    expect(failures(synced)).toMatchObject([
      [
        "kyma-modules-entries",
        {
          code: "CLUSTER_FORBIDDEN",
          message: expect.stringContaining("ConfigMap kyma-modules-entries: not allowed") as string,
        },
      ],
    ]);
    expect(results(synced)).toContainEqual(mentions("skipped istio:", "records"));
    expect(entryResults(synced)).toEqual([
      expect.stringContaining("skipped raise fast/istio 1.2.0 → 1.3.0") as string,
      expect.stringContaining("skipped raise regular/istio 1.2.0 → 1.3.0") as string,
    ]);
    expect(await world.versions()).toEqual(versions);
  });

  it("without write access to templates gets a failure for each, and their release meta waits", async (context) => {
    const world = await sharedWorld(context);
    await world.sync(before);
    const rules = [...WRITE.filter(({ resources }) => resources.includes("configmaps")), ...READ, FLEET];
    const controlPlane = await controlPlaneAs(rules, world);
    const versions = await world.versions();
    const synced = await world.sync(after, { controlPlane });

    expect(failures(synced)).toMatchObject([
      [
        "istio-1.3.0",
        {
          code: "CLUSTER_FORBIDDEN",
          message: expect.stringContaining("ModuleTemplate istio-1.3.0: not allowed") as string,
        },
      ],
    ]);
    expect(synced.outcomes.map(({ item, result }) => `${item.object.name} ${result}`)).toContain("istio skipped");
    expect(await world.versions()).toEqual({ ...versions, [RECORDS]: expect.any(String) as string });
  });

  it("without access to users moves no entry, and removes nothing", async (context) => {
    const world = await sharedWorld(context);
    await world.sync(before);
    const controlPlane = await controlPlaneAs(WRITE, world);
    const versions = await world.versions();
    const synced = await world.sync(after, { controlPlane, prune: true });

    expect(entryResults(synced)).toEqual([
      "left refused fast/istio 1.2.0 → 1.3.0: references-unknown",
      "left refused regular/istio 1.2.0 → 1.3.0: references-unknown",
    ]);
    expect(byEntry(synced.plan)["fast/istio"]).toMatchObject({
      reason: expect.stringMatching(/kymas.*forbidden/) as string,
      remedy: mentions("list", "kymas", "manifests"),
    });
    expect(results(synced)).toEqual(["left istio-1.2.0"]);
    expect(await world.versions()).toEqual(versions);
  });

  it("without access to users removes no left-over version", async (context) => {
    const world = await sharedWorld(context);
    await world.sync(before);
    await world.sync(after);
    const controlPlane = await controlPlaneAs(WRITE, world);
    const synced = await world.sync(after, { controlPlane, prune: true });

    expect(results(synced)).toEqual(["left istio-1.2.0: references-unknown"]);
    expect(byName(synced.plan)["istio-1.2.0"]).toMatchObject({
      reason: expect.stringMatching(/kymas.*forbidden/) as string,
      remedy: mentions("list", "kymas", "manifests"),
    });
    expect(await world.read("templates", "istio-1.2.0")).toBeDefined();
  });

  it("without access to users still repairs drift", async (context) => {
    const world = await sharedWorld(context);
    await world.sync(before);
    const path = pathOf("templates", world.namespace, "istio-1.2.0");
    await world.outside.must("PATCH", path, { spec: { info: null } }, "merge-patch");
    const controlPlane = await controlPlaneAs(WRITE, world);

    expect(results(await world.sync(before, { controlPlane }))).toEqual(["done istio-1.2.0"]);
  });

  it("without access to users removes no module from a channel", async (context) => {
    const world = await sharedWorld(context);
    await world.sync(before);
    const controlPlane = await controlPlaneAs(WRITE, world);
    const without = catalogueOf({ channels: { fast: { istio: "1.2.0" }, regular: {} } });
    const synced = await world.sync(without, { controlPlane, prune: true });

    expect(entryResults(synced)).toEqual(["left refused regular/istio 1.2.0 → –: references-unknown"]);
    expect(await world.read("metas", "istio")).toMatchObject({
      spec: { channels: [{ channel: "fast" }, { channel: "regular" }] },
    });
  });

  it("who loses access to users during a sync removes nothing more", async (context) => {
    const world = await sharedWorld(context);
    await world.sync(before);
    const synced = await world.sync(after, {
      prune: true,
      meanwhile: ({ input }) => {
        expect(input.users.kind).toBe("known");
        return Promise.resolve();
      },
      controlPlane: forgetful(world.controlPlane, await controlPlaneAs(WRITE, world)),
    });

    expect(results(synced).at(-1)).toEqual(mentions("skipped istio-1.2.0:", "unknown", "not allowed"));
  });

  it("with a wrong token is told to log in again", async (context) => {
    const world = await sharedWorld(context);
    const controlPlane = await controlPlaneWith({ token: "wrong" }, world.access.kubeconfig);

    await expect(world.prepare(before, { controlPlane })).rejects.toMatchObject({
      name: "Fault",
      code: "CLUSTER_UNAUTHORIZED",
      retry: false,
      message: expect.stringContaining("Log in again") as string,
    });
  });
});

/** Plans with the first, and syncs with the second: only the first request for Kymas is granted. */
function forgetful(first: Awaited<ReturnType<typeof controlPlaneAs>>, then: typeof first): typeof first {
  let asked = 0;
  return {
    ...then,
    list: (resource, namespace, run) =>
      (resource.kind === "Kyma" && asked++ === 0) || resource.kind === "Manifest"
        ? first.list(resource, namespace, run)
        : then.list(resource, namespace, run),
  };
}

describe("a namespace that does not exist", () => {
  it("is reported, and nothing is planned; without access to namespaces, the first write reports it and is the last", async (context) => {
    const { access } = await sharedWorld(context);
    const world = await worldIn("nowhere-at-all", access);
    const said = [access.server, "namespace nowhere-at-all", "kyma-modules.yaml"];

    await expect(world.sync(before)).rejects.toMatchObject({ message: mentions(...said) });

    const forbidden = new Fault("CLUSTER_FORBIDDEN", "namespaces are not for you");
    const controlPlane: ControlPlane = {
      ...world.controlPlane,
      read: (ref, run) =>
        ref.resource.kind === "Namespace" ? Promise.reject(forbidden) : world.controlPlane.read(ref, run),
    };
    const { outcomes } = await world.sync(before, { controlPlane });
    const failed = outcomes.flatMap((outcome) => (outcome.result === "failed" ? [outcome.fault.message] : []));

    expect(failed).toEqual([mentions("ConfigMap kyma-modules:", ...said)]);
    expect(outcomes.filter(({ result }) => result === "skipped")).toHaveLength(2);
  });
});

describe("a namespace that is being deleted", () => {
  it("is reported, and nothing is planned; nor is a right asked for to write there", async (context) => {
    const { access, outside, namespace } = await sharedWorld(context);
    const world = await worldIn(namespace, access);
    const kept = { metadata: { name: "kept", finalizers: ["example.com/kept"] } };
    await outside.must("POST", `/api/v1/namespaces/${namespace}/configmaps`, kept);
    await outside.must("DELETE", `/api/v1/namespaces/${namespace}`);
    onTestFinished(async () => {
      const path = `/api/v1/namespaces/${namespace}/configmaps/kept`;
      await outside.must("PATCH", path, { metadata: { finalizers: [] } }, "merge-patch");
    });

    await expect(world.sync(before)).rejects.toThrow(new RegExp(`deleting .*\\b${namespace}\\b.* since 20`));
    const request = { namespace, holder: "us", waitMs: 0 };
    await expect(
      withLease(request, { controlPlane: world.controlPlane, clock: systemClock }, () => Promise.resolve(), quietRun()),
    ).rejects.toMatchObject({
      code: "CLUSTER_REFUSED",
      message: mentions("being terminated", "Wait"),
    });
  });
});
