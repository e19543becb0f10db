import { spawnSync } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { mainFile } from "./program.ts";
import { setManifestState, writeKyma, writeManifest } from "../sync/fleet.ts";
import { pathOf } from "../sync/outside.ts";
import { kymaIn } from "./promoting.ts";
import { ageRecords, documentOf, leaseTo, servedIn, serving, twoLandscapes } from "./syncing.ts";
import { long } from "../support/long.ts";

const JSON_FORMAT = ["--format", "json"];
const NOW = ["--now", "--reason", "the registry is on fire"];

describe("a landscape that comes after another one", () => {
  const after = { landscape: "dev", soak: "1h" };

  it("waits for its wave, and says until when", async (context) => {
    const { repository, dev, elsewhere, commit } = await twoLandscapes(context, after);
    commit(serving("1.0.0"));
    const startedMs = Date.now();
    const first = await kymaIn(repository.path, ["sync", ...JSON_FORMAT]);
    const [waiting] = documentOf("sync", first.stdout).items.filter(({ kind }) => kind === "waiting");

    expect(first.code).toBe(0);
    expect(waiting).toMatchObject({ landscape: "elsewhere", entry: { channel: "fast", module: "certs" } });
    expect(Math.abs(Date.parse(String(waiting?.["until"])) - startedMs - 3_600_000)).toBeLessThan(60_000);
    expect(await servedIn(dev, "certs")).toEqual({ fast: "1.0.0" });
    expect(await servedIn(elsewhere, "certs")).toEqual({});

    const told = await kymaIn(repository.path, ["plan", "elsewhere"]);
    const asked = await kymaIn(repository.path, ["plan", "elsewhere", "--exit-code"]);

    expect(told.stdout).toMatch(/waiting +fast\/certs – → 1\.0\.0\n.*until \d{4}-\d\d-\d\dT/);
    expect([told.code, asked.code]).toEqual([0, 1]);
  });

  long(
    "meanwhile gets an older version that has soaked, so that daily patches do not block everything",
    async (context) => {
      const { repository, dev, elsewhere, commit } = await twoLandscapes(context, { landscape: "dev", soak: "1h" });
      commit(serving("1.0.0"));
      await kymaIn(repository.path, ["sync", ...NOW]);
      commit(serving("1.1.0"));
      await kymaIn(repository.path, ["sync", "dev"]);
      await ageRecords(dev, 3_600_000);
      commit(serving("1.2.0"));
      await kymaIn(repository.path, ["sync", "dev"]);

      expect(await kymaIn(repository.path, ["sync", "elsewhere"])).toMatchObject({ code: 0 });
      expect([await servedIn(dev, "certs"), await servedIn(elsewhere, "certs")]).toEqual([
        { fast: "1.2.0" },
        { fast: "1.1.0" },
      ]);
    },
  );

  it("waits while the version's clusters are not in order, even without a controller there", async (context) => {
    const { repository, dev, elsewhere, commit } = await twoLandscapes(context, { landscape: "dev", soak: "1s" });
    commit(serving("1.0.0"));
    await kymaIn(repository.path, ["sync", "dev"]);
    await writeKyma(dev, "a", [{ name: "certs", channel: "fast", version: "1.0.0", state: "Error" }]);
    await sleep(1_000);
    const { code, stdout } = await kymaIn(repository.path, ["sync", "elsewhere"]);

    expect([code, stdout]).toEqual([0, expect.stringMatching(/soak stands in dev: .* 0 of 1 clusters\b/)]);
    expect(await servedIn(elsewhere, "certs")).toEqual({});
  });

  it("waits if the version fails on some clusters, even if lifecycle-manager checked them recently", async (context) => {
    const { repository, dev, elsewhere, commit } = await twoLandscapes(context, { landscape: "dev", soak: "1s" });
    commit(serving("1.0.0"));
    await kymaIn(repository.path, ["sync", "dev"]);
    await ageRecords(dev, 60_000);
    const looked = {
      type: "Modules",
      reason: "Ready",
      message: "",
      lastTransitionTime: `${new Date().toISOString().slice(0, 19)}Z`,
    };
    const running = { name: "certs", channel: "fast", version: "1.0.0" };
    for (const name of ["a", "b"]) await writeKyma(dev, name, [running]);
    const conditions = [{ ...looked, status: "False" }];
    await writeKyma(dev, "c", [{ ...running, state: "Error" }], { conditions });
    await writeManifest(dev, "c-certs", "certs", "1.0.0", "c");
    await setManifestState(dev, "c-certs", "Error", new Date(Date.now() - 30_000));
    const { code, stdout } = await kymaIn(repository.path, ["sync", "elsewhere"]);

    expect([code, stdout]).toEqual([0, expect.stringMatching(/fails in dev: 1 .*\(Kyma c\) of 3\b/)]);
    expect(await servedIn(elsewhere, "certs")).toEqual({});
  });

  it("is served at once with --now and a reason, which is recorded", async (context) => {
    const { repository, elsewhere, commit } = await twoLandscapes(context, after);
    commit(serving("1.0.0"));
    await kymaIn(repository.path, ["sync", "dev"]);

    expect(await kymaIn(repository.path, ["sync", "elsewhere", ...NOW])).toMatchObject({ code: 0 });
    expect(await servedIn(elsewhere, "certs")).toEqual({ fast: "1.0.0" });
    const records = await elsewhere.read("configmaps", "kyma-modules-entries");
    expect(JSON.stringify(records)).toContain("the registry is on fire");
  });

  long("does not wait for a lower version", async (context) => {
    const { repository, elsewhere, commit } = await twoLandscapes(context, after);
    commit(serving("1.1.0"));
    await kymaIn(repository.path, ["sync", ...NOW]);
    commit(serving("1.0.0"));

    expect(await kymaIn(repository.path, ["sync"])).toMatchObject({ code: 0 });
    expect(await servedIn(elsewhere, "certs")).toEqual({ fast: "1.0.0" });
  });

  it("waits and exits 3 if the soak is unknown", async (context) => {
    const { repository, dev, elsewhere, commit } = await twoLandscapes(context, after);
    commit(serving("1.0.0"));
    await kymaIn(repository.path, ["sync", "dev"]);
    const settings = repository.git("show", "HEAD:kyma-modules.yaml");
    repository.write({ "kyma-modules.yaml": settings.replace(dev.access.kubeconfig, "/nowhere/kubeconfig") });
    repository.commit("lost the way");

    const planned = await kymaIn(repository.path, ["plan", "elsewhere", ...JSON_FORMAT]);
    const synced = await kymaIn(repository.path, ["sync", "elsewhere"]);

    expect(documentOf("plan", planned.stdout).items).toContainEqual(
      expect.objectContaining({ kind: "waiting", unknown: true }),
    );
    expect([planned.code, synced.code]).toEqual([3, 3]);
    expect(await servedIn(elsewhere, "certs")).toEqual({});
  });

  it.each(["plan", "sync"])("is not passed over without a reason: exit 2 of %s", async (command) => {
    const without = await kymaIn("/nowhere", [command, "--now"]);
    const empty = await kymaIn("/nowhere", [command, "--now", "--reason", " "]);

    expect([without.code, empty.code]).toEqual([2, 2]);
    expect(without.stderr).toContain("--reason");
  });
});

describe("a version that a person holds", () => {
  it("waits until it is lifted or --now is given, which is not a failure", async (context) => {
    const { repository, dev, commit } = await twoLandscapes(context);
    const hold = { version: "1.0.0", by: "octocat", reason: "it leaks", since: "2026-01-01T00:00:00Z" };
    commit({ ...serving("1.0.0"), holds: { certs: [hold] } });

    const asked = await kymaIn(repository.path, ["plan", "dev", "--exit-code"]);
    const held = await kymaIn(repository.path, ["sync", "dev"]);
    const before = await servedIn(dev, "certs");
    const passed = await kymaIn(repository.path, ["sync", "dev", ...NOW]);

    expect([asked.code, held.code, passed.code]).toEqual([1, 0, 0]);
    expect(held.stdout).toMatch(/waiting +fast\/certs – → 1\.0\.0\n.*octocat.*it leaks/);
    expect(before).toEqual({});
    expect(await servedIn(dev, "certs")).toEqual({ fast: "1.0.0" });
  });
});

describe("an entry that waits, and that another client changed", () => {
  long("says in JSON to which version it goes back", async (context) => {
    const { repository, dev, commit } = await twoLandscapes(context);
    commit(serving("1.0.0"));
    await kymaIn(repository.path, ["sync", "dev"]);
    const hold = { version: "1.1.0", by: "octocat", reason: "it leaks", since: "2026-01-01T00:00:00Z" };
    commit({ ...serving("1.1.0"), holds: { certs: [hold] } });
    const early = { spec: { channels: [{ channel: "fast", version: "1.1.0" }] } };
    await dev.outside.must("PATCH", pathOf("metas", dev.namespace, "certs"), early, "merge-patch");

    const nobody = { count: 0, examples: [] };
    const setBack = { version: "1.0.0", users: { protected: nobody, endangered: nobody, behind: nobody } };
    for (const command of ["plan", "sync"] as const) {
      const { stdout } = await kymaIn(repository.path, [command, "dev", ...JSON_FORMAT]);
      expect(documentOf(command, stdout).items).toContainEqual(expect.objectContaining({ kind: "waiting", setBack }));
    }
    expect(await servedIn(dev, "certs")).toEqual({ fast: "1.0.0" });
  });
});

describe("a sync of several landscapes", () => {
  long("continues after the first landscape refuses an entry", async (context) => {
    const { repository, dev, elsewhere, commit } = await twoLandscapes(context);
    commit({ channels: { fast: { certs: "1.0.0" } } });
    await kymaIn(repository.path, ["sync", "dev"]);
    const resources = [{ name: "rawManifest", link: "https://example.com/rebuilt.yaml" }];
    commit({ channels: { fast: { certs: { version: "1.0.0", resources }, istio: "1.0.0" } } });

    const { code, stdout } = await kymaIn(repository.path, ["sync", ...JSON_FORMAT]);
    const refused = documentOf("sync", stdout).items.filter(({ kind }) => kind === "refused");

    expect(refused.map(({ landscape, refusal }) => [landscape, refusal])).toContainEqual(["dev", "content-changed"]);
    expect(new Set(refused.map(({ landscape }) => landscape))).toEqual(new Set(["dev"]));
    expect(code).toBe(1);
    for (const world of [dev, elsewhere]) expect(await servedIn(world, "istio")).toEqual({ fast: "1.0.0" });
    expect(await servedIn(elsewhere, "certs")).toEqual({ fast: "1.0.0" });
  });

  it("continues if another writer holds the first one, and exits 3", async (context) => {
    const { repository, dev, elsewhere, commit } = await twoLandscapes(context);
    commit(serving("1.0.0"));
    await leaseTo("robot-7", dev);

    const { code, stdout } = await kymaIn(repository.path, ["sync", "--wait", "0s", ...JSON_FORMAT]);

    expect(documentOf("sync", stdout).items[0]).toMatchObject({ landscape: "dev", kind: "failed" });
    expect(code).toBe(3);
    expect(await servedIn(dev, "certs")).toEqual({});
    expect(await servedIn(elsewhere, "certs")).toEqual({ fast: "1.0.0" });
  });

  long("finishes its work after the reader closed the output", async (context) => {
    const { repository, dev, elsewhere, commit } = await twoLandscapes(context);
    const modules = Array.from("abcdefghijklmnopqrstuvwxyz", (letter) => [`module-${letter.repeat(3)}`, "1.0.0"]);
    commit({ channels: { fast: Object.fromEntries(modules) as Record<string, string> } });

    const script = `{ "$0" "$1" sync --repo "$2"; echo "code $?" >&2; } | head -1`;
    const { stdout, stderr } = spawnSync("sh", ["-c", script, process.execPath, mainFile, repository.path]);

    expect(stdout.toString().split("\n")).toHaveLength(2);
    expect(stderr.toString()).toMatch(/code 0\n$/);
    for (const world of [dev, elsewhere]) expect(await world.list("metas")).toHaveLength(modules.length);
  });
});
