import { describe, expect, it } from "vitest";
import { Fault, type History } from "../../src/ports.ts";
import { gitHistory } from "../../src/systems/git/history.ts";
import { emptyRepository, gitAt } from "../systems/repository.ts";
import { catalogueOf, filesOf, type Sample } from "./catalogueFiles.ts";
import { writeKyma, writeManifest } from "./fleet.ts";
import { pathOf } from "./outside.ts";
import { byName, entryResults, results, summary } from "./planning.ts";
import { sharedWorld, type World } from "./world.ts";
import { NO_HISTORY } from "../support/noHistory.ts";
import { mentions } from "../support/mentions.ts";

const before: Sample = { channels: { fast: { istio: "1.2.0", keda: "2.0.0" }, regular: { istio: "1.2.0" } } };
const after: Sample = { channels: { fast: { istio: "1.3.0" }, regular: { istio: "1.3.0" } } };
const OLD = "istio-1.2.0";

const templatesOf = async (world: World): Promise<readonly string[]> =>
  (await world.list("templates")).map(({ metadata }) => metadata.name);

describe("a template that lost its channel", () => {
  it("stays while the status of a Kyma names it, and is removed afterwards", async (context) => {
    const world = await sharedWorld(context);
    await world.sync(catalogueOf(before));
    await writeKyma(world, "one", [{ name: "istio", channel: "fast", version: "1.2.0" }]);
    const synced = await world.sync(catalogueOf(after), { prune: true });

    const because = "still in use: 1 user (Kyma one)";
    expect(byName(synced.plan)[OLD]).toMatchObject({ kind: "retained", because });
    expect(await templatesOf(world)).toEqual([OLD, "istio-1.3.0"]);

    await world.outside.must("DELETE", pathOf("kymas", world.namespace, "one"));
    await world.sync(catalogueOf(after), { prune: true });

    expect(await templatesOf(world)).toEqual(["istio-1.3.0"]);
  });

  it("stays while a Manifest installs it, as those of mandatory modules do", async (context) => {
    const world = await sharedWorld(context);
    await world.sync(catalogueOf({ channels: { must: { audit: "1.0.0" } }, mandatory: ["must"] }));
    await writeManifest(world, "audit-on-one", "audit", "1.0.0");
    await world.sync(catalogueOf({ channels: { must: { audit: "1.1.0" } }, mandatory: ["must"] }), { prune: true });

    expect(await templatesOf(world)).toEqual(["audit-1.0.0", "audit-1.1.0"]);
  });

  it("stays while a foreign release meta names it", async (context) => {
    const world = await sharedWorld(context);
    await world.sync(catalogueOf(before));
    await world.outside.must("POST", pathOf("metas", world.namespace), {
      apiVersion: "operator.kyma-project.io/v1beta2",
      kind: "ModuleReleaseMeta",
      metadata: { name: "theirs" },
      spec: { moduleName: "istio", channels: [{ channel: "special", version: "1.2.0" }] },
    });
    await world.sync(catalogueOf(after), { prune: true });

    expect(await templatesOf(world)).toContain(OLD);
  });

  it("stays if it gets a user after the plan was made", async (context) => {
    const world = await sharedWorld(context);
    await world.sync(catalogueOf(before));
    const synced = await world.sync(catalogueOf(after), {
      prune: true,
      meanwhile: () => writeKyma(world, "late", [{ name: "istio", channel: "fast", version: "1.2.0" }]),
    });

    expect(results(synced)).toContainEqual(mentions(`skipped ${OLD}:`, "Kyma"));
    expect(await templatesOf(world)).toContain(OLD);
  });

  it("stays without --prune", async (context) => {
    const world = await sharedWorld(context);
    await world.sync(catalogueOf(before));
    await world.sync(catalogueOf(after));

    expect(await templatesOf(world)).toContain(OLD);
  });
});

describe("a module that lost its channels", () => {
  it("is removed without users, release meta before template", async (context) => {
    const world = await sharedWorld(context);
    await world.sync(catalogueOf(before));
    const gone: string[] = [];
    await world.sync(catalogueOf(after), {
      prune: true,
      onOutcome: ({ item, result }) => {
        if (item.kind === "prune") gone.push(`${item.object.name} ${result}`);
      },
    });

    expect(gone.filter((name) => name.startsWith("keda"))).toEqual(["keda done", "keda-2.0.0 done"]);
    expect(gone).toContain(`${OLD} done`);
    expect([await world.read("metas", "keda"), await world.read("templates", "keda-2.0.0")]).toEqual([
      undefined,
      undefined,
    ]);
  });

  it("stays as a whole while a Kyma runs it", async (context) => {
    const world = await sharedWorld(context);
    await world.sync(catalogueOf(before));
    await writeKyma(world, "one", [{ name: "keda", channel: "fast", version: "2.0.0" }]);
    const synced = await world.sync(catalogueOf(after), { prune: true });

    expect(entryResults(synced)).toContain("left refused fast/keda 2.0.0 → –: channel-in-use");
    expect([await world.read("metas", "keda"), await world.read("templates", "keda-2.0.0")]).not.toContain(undefined);
  });
});

describe("a channel", () => {
  const without = catalogueOf({ channels: { fast: { istio: "1.2.0", keda: "2.0.0" }, regular: {} } });

  it("keeps a module that a Kyma has from it", async (context) => {
    const world = await sharedWorld(context);
    await world.sync(catalogueOf(before));
    await writeKyma(world, "one", [{ name: "istio", channel: "regular", version: "1.2.0" }]);

    const versions = await world.versions();

    expect(entryResults(await world.sync(without, { prune: true }))).toEqual([
      "left refused regular/istio 1.2.0 → –: channel-in-use",
    ]);
    expect(await world.versions()).toEqual(versions);
    expect((await world.read("metas", "istio"))?.["spec"]).toMatchObject({
      channels: [{ channel: "fast" }, { channel: "regular" }],
    });
  });

  it("loses a module without users in it, once removal is requested", async (context) => {
    const world = await sharedWorld(context);
    await world.sync(catalogueOf(before));
    await writeKyma(world, "one", [{ name: "istio", channel: "fast", version: "1.2.0" }]);
    const versions = await world.versions();

    expect(entryResults(await world.sync(without))).toEqual(["left left over regular/istio 1.2.0 → –"]);
    expect(await world.versions()).toEqual(versions);
    await world.sync(without, { prune: true });

    expect((await world.read("metas", "istio"))?.["spec"]).toMatchObject({ channels: [{ channel: "fast" }] });
  });
});

describe("too many removals", () => {
  const many = Object.fromEntries(["aaa", "bbb", "ccc", "ddd"].map((module) => [module, "1.0.0"]));

  it("are all refused until that many are allowed; everything is never removed", async (context) => {
    const world = await sharedWorld(context);
    await world.sync(catalogueOf({ channels: { fast: { istio: "1.3.0", ...many } } }));
    const before = await world.versions();
    const rest = catalogueOf({ channels: { fast: { istio: "1.3.0" } } });
    const refused = await world.sync(rest, { prune: true });

    expect(entryResults(refused).toSorted()).toEqual(
      Object.keys(many).map((module) => `left refused fast/${module} 1.0.0 → –: too-many-prunes`),
    );
    expect(await world.versions()).toEqual(before);

    await world.sync(rest, { prune: true, maxPrune: 8 });

    expect(await templatesOf(world)).toEqual(["istio-1.3.0"]);

    await world.sync(catalogueOf({ channels: { fast: {} } }), { prune: true, maxPrune: 1_000 });

    expect(await templatesOf(world)).toEqual(["istio-1.3.0"]);
  });
});

describe("a module whose files contradict one another", () => {
  it("is left as it is", async (context) => {
    const world = await sharedWorld(context);
    await world.sync(catalogueOf(before));
    const versions = await world.versions();
    const other = {
      version: "1.3.0",
      info: { repository: "https://example.com/a", documentation: "https://example.com/b" },
    };
    const broken = catalogueOf({ channels: { fast: { istio: "1.3.0", keda: "2.0.0" }, regular: { istio: other } } });

    expect([...broken.withheld]).toEqual(["istio"]);
    await world.sync(broken, { prune: true });

    expect(await world.versions()).toEqual(versions);
  });
});

describe("a retained version that a person edited", () => {
  /** The history of a real repository whose channel file had one version, and now has another. */
  function historyOf(version: string): History {
    const repository = emptyRepository();
    for (const one of [version, "1.3.0"]) {
      repository.write(Object.fromEntries(filesOf({ channels: { fast: { istio: one } } })));
      repository.commit();
    }
    return gitHistory(gitAt(repository.path));
  }

  async function inUseAndEdited(world: World): Promise<void> {
    await world.sync(catalogueOf(before));
    await writeKyma(world, "one", [{ name: "istio", channel: "fast", version: "1.2.0" }]);
    await world.sync(catalogueOf(after));
    const path = `${pathOf("templates", world.namespace, OLD)}?fieldManager=kubectl-edit`;
    await world.outside.must("PATCH", path, { spec: { requiresDowntime: true } }, "merge-patch");
  }

  it("is repaired from modules/<module>/<version>/template.yaml, without reading the history", async (context) => {
    const world = await sharedWorld(context);
    await inUseAndEdited(world);
    const catalogue = catalogueOf({ ...after, versions: { "istio/1.2.0": {} } });
    const asked: string[] = [];
    const history: History = {
      ...NO_HISTORY,
      read: (revision, scope, run) => {
        asked.push(...scope.paths);
        return NO_HISTORY.read(revision, scope, run);
      },
    };

    expect(summary((await world.prepare(catalogue, { history })).plan)).toContain(`repair ${OLD}`);
    await world.sync(catalogue, { history });

    expect(asked.filter((path) => path.includes("istio"))).toEqual([]);
    expect((await world.read("templates", OLD))?.["spec"]).not.toHaveProperty("requiresDowntime");
    expect(summary((await world.prepare(catalogue)).plan)).toContain(`retained ${OLD}`);
  });

  it("is repaired from the history of the channel files", async (context) => {
    const world = await sharedWorld(context);
    await inUseAndEdited(world);
    await world.sync(catalogueOf(after), { history: historyOf("1.2.0") });

    expect((await world.read("templates", OLD))?.["spec"]).not.toHaveProperty("requiresDowntime");
  });

  it("stays as it is if neither has it, or the history cannot be read", async (context) => {
    const world = await sharedWorld(context);
    await inUseAndEdited(world);
    const cut = new Fault("HISTORY_TOO_SHALLOW", "the clone is cut off");
    const read = (): ReturnType<History["read"]> => Promise.resolve({ commits: [], changes: [], cut });
    for (const history of [historyOf("1.1.0"), { ...NO_HISTORY, read }]) {
      const { plan } = await world.prepare(catalogueOf(after), { history });

      expect(summary(plan)).toContain(`retained ${OLD}`);
    }
    await expect(
      world.prepare(catalogueOf(after), { history: { ...NO_HISTORY, read: () => Promise.reject(new Error("a bug")) } }),
    ).rejects.toThrow("a bug");
  });
});
