import { describe, expect, it } from "vitest";
import { catalogueOf } from "./catalogueFiles.ts";
import { byName, results, summary } from "./planning.ts";
import { controlPlaneAs, controlPlaneWith, READ, WRITE } from "./users.ts";
import { sharedWorld, worldIn } from "./world.ts";

const before = catalogueOf({ channels: { fast: { istio: "1.2.0" }, regular: { istio: "1.2.0" } } });
const after = catalogueOf({ channels: { fast: { istio: "1.3.0" }, regular: { istio: "1.3.0" } } });

describe("a user", () => {
  it("who may only read can plan, and every write is a failure that names the object", async (context) => {
    const world = await sharedWorld(context);
    await world.sync(before);
    const controlPlane = await controlPlaneAs(READ, world);
    const versions = await world.versions();

    expect(summary((await world.prepare(after, { controlPlane })).plan)).toContain("create istio-1.3.0");
    const { outcomes } = await world.sync(after, { controlPlane });

    expect(
      outcomes.flatMap((outcome) => (outcome.result === "failed" ? [[outcome.item.object.name, outcome.fault]] : [])),
    ).toMatchObject([
      [
        "istio-1.3.0",
        {
          code: "CLUSTER_FORBIDDEN",
          message: expect.stringContaining("ModuleTemplate istio-1.3.0: not allowed") as string,
        },
      ],
    ]);
    expect(outcomes.map(({ item, result }) => `${item.object.name} ${result}`)).toContain("istio skipped");
    expect(await world.versions()).toEqual(versions);
  });

  it("who may not see who uses a version syncs, but removes nothing", async (context) => {
    const world = await sharedWorld(context);
    await world.sync(before);
    const controlPlane = await controlPlaneAs(WRITE, world);
    const synced = await world.sync(after, { controlPlane, prune: true });

    expect(results(synced)).toEqual(["done istio", "done istio-1.3.0", "left istio-1.2.0: references-unknown"]);
    expect(byName({ landscape: "", items: synced.items })["istio-1.2.0"]).toMatchObject({
      reason: expect.stringMatching(/kymas.*forbidden/) as string,
      remedy: "Grant list on kymas and manifests.",
    });
    expect(await world.read("templates", "istio-1.2.0")).toBeDefined();
  });

  it("who may not see who uses a channel takes no module from it", async (context) => {
    const world = await sharedWorld(context);
    await world.sync(before);
    const controlPlane = await controlPlaneAs(WRITE, world);
    const without = catalogueOf({ channels: { fast: { istio: "1.2.0" }, regular: {} } });

    expect(results(await world.sync(without, { controlPlane }))).toEqual(["left istio: references-unknown"]);
  });

  it("who loses the right to look while a sync runs removes nothing more", async (context) => {
    const world = await sharedWorld(context);
    await world.sync(before);
    const synced = await world.sync(after, {
      prune: true,
      meanwhile: ({ input }) => {
        expect(input.references.kind).toBe("known");
        return Promise.resolve();
      },
      controlPlane: forgetful(world.controlPlane, await controlPlaneAs(WRITE, world)),
    });

    expect(results(synced).at(-1)).toMatch(/^skipped istio-1.2.0: nobody can tell who uses it: .*not allowed/);
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

/** Plans with the one, and carries out with the other: the first request for Kymas is the last that is granted. */
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
  it("is one failure that says so, and nothing else is tried", async (context) => {
    const { access } = await sharedWorld(context);
    const world = await worldIn("nowhere-at-all", access);
    const { outcomes } = await world.sync(before);
    const failed = outcomes.flatMap((outcome) => (outcome.result === "failed" ? [outcome.fault.message] : []));

    expect(failed).toEqual([
      `ConfigMap kyma-modules: ${access.server} has no namespace nowhere-at-all. Create it, or correct kyma-modules.yaml.`,
    ]);
    expect(outcomes.filter(({ result }) => result === "skipped")).toHaveLength(2);
  });
});
