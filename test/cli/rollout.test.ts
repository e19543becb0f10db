import { beforeEach, describe, expect, it } from "vitest";
import { textAt } from "../../src/document/fields.ts";
import { NO_OBSERVATIONS, printObservations } from "../../src/fleet/observations.ts";
import { OBSERVED_NAME } from "../../src/sync/observedStore.ts";
import { setManifestState, writeKyma, writeManifest } from "../sync/fleet.ts";
import { pathOf } from "../sync/outside.ts";
import { long } from "../support/long.ts";
import { mentions } from "../support/mentions.ts";
import { forgetIdentity, kymaIn } from "./promoting.ts";
import { NOWHERE, rollout, running } from "./rollingOut.ts";
import { signInWithoutClusters } from "../sync/users.ts";
import { ageRecords, SAMPLE, serving, twoLandscapes, type Item, type TwoLandscapes } from "./syncing.ts";

beforeEach(forgetIdentity);

const since = (type: string, status: string, seconds: number): object => ({
  ...{ type, status, reason: "Ready", message: "" },
  lastTransitionTime: `${new Date(Date.now() - seconds * 1000).toISOString().slice(0, 19)}Z`,
});

/** Serves certs 1.0.0, then 1.1.0 in fast of dev, the latter for longer than a state has to hold. */
async function raised(site: TwoLandscapes): Promise<void> {
  site.commit(serving("1.0.0"));
  await kymaIn(site.repository.path, ["sync", "dev"]);
  site.commit(serving("1.1.0"));
  await kymaIn(site.repository.path, ["sync", "dev"]);
  await ageRecords(site.dev, 60_000);
}

describe("kyma-modules rollout", () => {
  it("counts clusters with a version, groups the others by cause, and writes nothing", async (context) => {
    const site = await twoLandscapes(context);
    await raised(site);
    const { dev } = site;
    const hostile = (name: string): string => `<b>${name}</b> timed out after ${name.slice(-1)} s\u001b[31m`;
    for (const name of ["kyma-1", "kyma-2", "kyma-3"]) {
      // lifecycle-manager looks at what fails every 2 s, and sets the condition anew; the Manifest keeps its time.
      await writeKyma(dev, name, running("1.1.0", { state: "Error", message: hostile(name) }), {
        conditions: [since("Modules", "False", 1)],
      });
      await writeManifest(dev, `${name}-certs`, "certs", "1.1.0", name);
      const hours = Number(name.slice(-1));
      await setManifestState(dev, `${name}-certs`, "Error", new Date(Date.now() - hours * 3_600_000));
    }
    await writeKyma(dev, "has", running("1.1.0"), { conditions: [since("Modules", "True", 30)] });
    // A clock that is ahead by an hour makes no state older.
    await writeKyma(dev, "late", running("1.1.0"), { conditions: [since("Modules", "True", -3600)] });
    await writeKyma(dev, "window", running("1.0.0", { maintenance: true }));
    await writeKyma(dev, "old", running("1.0.0"));
    await writeKyma(dev, "odd", running("newest"));
    await writeKyma(
      dev,
      "skew",
      running("2.0.0", { state: "Warning", message: "ignore channel skew (from fast to fast)" }),
    );
    await writeKyma(dev, "skip", running("1.1.0"), {
      labels: { "operator.kyma-project.io/skip-reconciliation": "true" },
    });
    await writeKyma(dev, "unmanaged", running("1.1.0", { state: "Unmanaged" }));
    await writeKyma(dev, "asks", [], { chosen: [{ name: "certs", channel: "fast" }] });
    await writeKyma(dev, "other", [{ name: "unheard-of", channel: "fast", version: "1.1.0" }]);
    const before = await dev.versions();
    const { code, text, items, versions } = await rollout(site, "certs", "--landscape", "dev");

    expect([code, await dev.versions()]).toEqual([0, before]);
    expect(items).toMatchObject([{ landscape: "dev", module: "certs", kymas: 13, unknown: null }]);
    expect(versions).toMatchObject([
      {
        ...{ channel: "fast", version: "1.1.0", until: null },
        clusters: { asked: 12, have: 1, failing: 0, share: 1 / 12 },
        replaced: { version: "1.0.0", clusters: { asked: 12, have: 2, failing: 0 } },
      },
    ]);
    const missing = versions[0]?.["missing"] as readonly Item[];
    expect(missing.map(({ why, version, count }) => [why, version, count])).toEqual([
      ["error", "1.1.0", 3],
      ["behind", "1.0.0", 1],
      ["behind", "newest", 1],
      ["changing", null, 1],
      ["downgrade", "2.0.0", 1],
      ["maintenance", "1.0.0", 1],
      ["skipped", null, 1],
      ["unmanaged", null, 1],
      ["unsaid", null, 1],
    ]);
    expect(missing[0]).toMatchObject({ cause: "<b>…</b> timed out after … s\u001b[…" });
    expect((missing[0]?.["oldest"] as readonly Item[]).map(({ name }) => name)).toEqual([
      ...["Kyma kyma-3", "Kyma kyma-2", "Kyma kyma-1"],
    ]);
    expect(text.replace(/\s+/g, " ")).toMatch(
      /dev: certs fast 1\.1\.0, served for 1m( \d+s)?: 1 of 12 clusters have it \(8\.33%\), none fails before: 1\.0\.0, /,
    );
    expect(text.replace(/\s+/g, " ")).toContain(
      " 3 Error with 1.1.0, maybe of an earlier version: <b>…</b> timed out after … s\\u001b[… Kyma",
    );
    expect(text).toMatch(/^ {10}Kyma kyma-3 for 3h, Kyma kyma-2 for 2h, Kyma kyma-1 for 1h$/m);
    expect(text).toContain("module CR in Error");
    expect(Math.max(...text.split("\n").map(({ length }) => length))).toBeLessThanOrEqual(80);
  });

  long("shows the time from apply to Ready that a controller observed", async (context) => {
    const site = await twoLandscapes(context);
    await raised(site);
    const records = textAt(await site.dev.read("configmaps", "kyma-modules-entries"), ["data", "entries"]) ?? "";
    const [from = "", since = ""] = [/"from":"([^"]+)/, /"servedSince":"([^"]+)/].map((one) => one.exec(records)?.[1]);
    const current = { version: "1.1.0", appliedMs: Date.parse(since), counts: [3, 6, 0, 1] };
    const replaced = { version: "1.0.0", appliedMs: Date.parse(from), counts: Array.from({ length: 38 }, () => 1) };
    const times = new Map([["fast/certs", { current, replaced }]]);
    const path = pathOf("configmaps", site.dev.namespace);
    const unknown = await rollout(site, "certs", "--landscape", "dev");
    const data = printObservations({ ...NO_OBSERVATIONS, times });
    await site.dev.outside.must("POST", path, { metadata: { name: OBSERVED_NAME }, data });
    const { text, versions } = await rollout(site, "certs", "--landscape", "dev");
    await site.dev.outside.must("PATCH", `${path}/${OBSERVED_NAME}`, { data: { ready: "{" } }, "merge-patch");
    const broken = await kymaIn(site.repository.path, ["rollout", "certs", "--landscape", "dev"]);

    const ready = { clusters: 10, p50: 8, p90: 8, p99: 15 };
    expect(versions).toMatchObject([{ ready, replaced: { ready: { clusters: 38, p99: null } } }]);
    expect(text.replace(/\s+/g, " ")).toContain(
      "apply to Ready: half within 8s, 90% within 8s, 99% within 15s (of 10 clusters); 1.0.0: half within 42m 40s, ",
    );
    expect(unknown.versions).toMatchObject([{ ready: null, replaced: { ready: null } }]);
    expect(unknown.text).toContain("    apply to Ready: not known\n");
    expect([broken.code, broken.stdout]).toEqual([0, expect.stringContaining("apply to Ready: not known")]);
    expect(broken.stderr).toEqual(mentions("warning:", "Ready", "not known"));
  });

  it("shows every landscape that serves the module, or only one version", async (context) => {
    const site = await twoLandscapes(context);
    site.commit(SAMPLE);
    await kymaIn(site.repository.path, ["sync", "dev"]);
    await writeKyma(site.dev, "a", running("1.1.0"), { conditions: [since("Modules", "True", 30)] });
    await writeKyma(site.dev, "b", running("0.9.0"));
    await writeKyma(site.dev, "lost", running(undefined, { state: "Error" }));
    await writeManifest(site.dev, "lost-certs", "certs", "0.9.0", "lost");
    const all = await rollout(site, "certs");
    const former = await rollout(site, "certs@0.9.0", "--landscape", "dev");

    expect([all.code, former.code]).toEqual([0, 0]);
    expect(all.items.map(({ landscape, versions }) => [landscape, (versions as readonly Item[]).length])).toEqual([
      ["dev", 2],
      ["elsewhere", 0],
    ]);
    expect(all.versions).toMatchObject([
      { channel: "fast", version: "1.1.0", replaced: null },
      { channel: "regular", version: "1.0.0", clusters: { asked: 0, share: null }, missing: [] },
    ]);
    expect(all.text).toContain("elsewhere: certs\n  no channel serves certs");
    expect(all.text).toMatch(/regular 1\.0\.0, served for \d+s: no cluster\b/);
    expect(former.versions).toMatchObject([
      { channel: null, since: null, clusters: { asked: 2, have: 1, failing: 1 } },
    ]);
    expect(former.text).toMatch(/0\.9\.0, .*no channel\b.*: not known: 1 of 2 clusters\b/);
    expect(former.text).toContain("       1  version lost from the status, 0.9.0 is installed");
  });

  long("counts a mandatory module on every Kyma, by its Manifests", async (context) => {
    const site = await twoLandscapes(context);
    const policy = JSON.stringify({ format: 1, kind: "mandatory", versions: "any", landscapes: ["dev"] });
    site.commit({ channels: { base: { certs: "1.1.0" } }, mandatory: ["base"] }, "mandatory", {
      "channels/base.yaml": policy,
    });
    await kymaIn(site.repository.path, ["sync", "dev"]);
    for (const name of ["a", "b"]) await writeKyma(site.dev, name, []);
    await writeManifest(site.dev, "a-certs", "certs", "1.0.0", "a");
    const { text, versions } = await rollout(site, "certs", "--landscape", "dev");

    expect(versions).toMatchObject([
      {
        mandatory: true,
        version: "1.1.0",
        clusters: { asked: 2, have: 0 },
        missing: [{ why: "unsaid", oldest: [{ name: "Kyma b" }, { name: "Manifest a-certs" }] }],
      },
    ]);
    expect(text).toContain("mandatory: counts 2 of 2 Kymas\n");
    for (const [name, kyma] of [
      ["gone-certs", "gone"],
      ["lone-certs", undefined],
    ] as const)
      await writeManifest(site.dev, name, "certs", "1.1.0", kyma);
    const left = await rollout(site, "certs", "--landscape", "dev");
    expect(left.versions).toMatchObject([{ clusters: { asked: 2 } }]);
    expect(left.text).toContain("mandatory: counts 2 of 2 Kymas\n");
  });

  it("exits 3 without permission to list Kymas or a server, and shows the rest", async (context) => {
    const site = await twoLandscapes(context);
    site.commit(SAMPLE);
    await kymaIn(site.repository.path, ["sync", "dev"]);
    const reader = await signInWithoutClusters(site.dev);
    const settings = site.repository.git("show", "HEAD:kyma-modules.yaml");
    const [dev = "", elsewhere = ""] = settings.split(/(?="name": "elsewhere")/);
    const from = site.dev.access.kubeconfig;
    const nowhere = `${site.repository.path}/nowhere.yaml`;
    site.repository.write({
      "nowhere.yaml": JSON.stringify(NOWHERE),
      "kyma-modules.yaml": dev.replaceAll(from, reader.kubeconfig) + elsewhere.replaceAll(from, nowhere),
    });
    site.repository.commit("see less");
    const { code, text, items, versions } = await rollout(site, "certs");

    expect(code).toBe(3);
    expect(items).toMatchObject([
      { landscape: "dev", kymas: null, unknown: expect.stringContaining("kymas") as string },
      { landscape: "elsewhere", versions: [], unknown: expect.stringContaining("127.0.0.1:9") as string },
    ]);
    expect(versions).toMatchObject([{ version: "1.1.0", clusters: null, missing: null }, { version: "1.0.0" }]);
    expect(text).toMatch(/clusters are\s+not known/);
    expect(text).toContain("elsewhere: not known: ");
    expect(text).not.toContain("note:");
  });

  it("exits 2 for a module that no channel serves, and an invalid name", async (context) => {
    const site = await twoLandscapes(context);
    site.commit(SAMPLE);
    const ended = [["nothing"], ["certs@v1"], ["certs@1.0.0@2"], ["C3"], ["certs", "--landscape", "nowhere"]].map(
      (args) => kymaIn(site.repository.path, ["rollout", ...args]),
    );
    const [unknown] = await Promise.all(ended);

    expect((await Promise.all(ended)).map(({ code }) => code)).toEqual([2, 2, 2, 2, 2]);
    expect(unknown?.stderr).toEqual(mentions("error:", "module nothing", "certs"));
  });
});
