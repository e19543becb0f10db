import { readFileSync } from "node:fs";
import { beforeEach, describe, expect, it, type TestContext } from "vitest";
import { readEvidence } from "../../src/catalogue/evidence/file.ts";
import type { Evidence } from "../../src/catalogue/evidence/evidence.ts";
import { printObservations } from "../../src/fleet/observations.ts";
import { textAt } from "../../src/document/fields.ts";
import { OBSERVED_NAME } from "../../src/sync/observedStore.ts";
import { setManifestState, writeKyma, writeManifest } from "../sync/fleet.ts";
import { pathOf } from "../sync/outside.ts";
import { READ, signIn } from "../sync/users.ts";
import { emptyFolder } from "../systems/repository.ts";
import { long } from "../support/long.ts";
import { mentions } from "../support/mentions.ts";
import { forgetIdentity, kymaIn } from "./promoting.ts";
import { leaseTo, serving, twoLandscapes, type TwoLandscapes } from "./syncing.ts";

beforeEach(forgetIdentity);

const running = (state = "Ready") => [{ name: "certs", channel: "fast", version: "1.1.0", state }];

/** Dev serves certs 1.1.0 since a minute, on two clusters, of which one fails. */
async function served(context: TestContext): Promise<TwoLandscapes> {
  const site = await twoLandscapes(context);
  const { dev, repository } = site;
  site.commit(serving("1.1.0"));
  await kymaIn(repository.path, ["sync", "dev"]);
  const records = await dev.read("configmaps", "kyma-modules-entries");
  const earlier = (at: string): string => new Date(Date.parse(at) - 60_000).toISOString();
  const entries = (textAt(records, ["data", "entries"]) ?? "").replace(/20\d\d-[^"]+Z/g, earlier);
  const path = pathOf("configmaps", dev.namespace, "kyma-modules-entries");
  await dev.outside.must("PATCH", path, { data: { entries } }, "merge-patch");
  await writeKyma(dev, "a", running());
  await writeKyma(dev, "b", running("Error"));
  // Without it, the failure could be older than the version.
  await writeManifest(dev, "certs-on-b", "certs", "1.1.0", "b");
  await setManifestState(dev, "certs-on-b", "Error", new Date(Date.now() - 30_000));
  return site;
}

/** What `observe ARGS --evidence FILE` says, and what the file says. */
async function observe(
  { repository }: TwoLandscapes,
  ...args: readonly string[]
): Promise<{ code: number | null; stdout: string; stderr: string; evidence: readonly Evidence[] }> {
  const file = `${emptyFolder().path}/evidence.json`;
  const ended = await kymaIn(repository.path, ["observe", ...args, "--evidence", file]);
  const { evidence, findings } = readEvidence(file, { kind: "bytes", bytes: readFileSync(file) });
  expect(findings).toEqual([]);
  return { ...ended, evidence };
}

/** Writes what a controller would have observed for an hour; it is there still. */
async function observedIn({ dev }: TwoLandscapes): ReturnType<typeof leaseTo> {
  const template = await dev.read("templates", "certs-1.1.0");
  const records = textAt(await dev.read("configmaps", "kyma-modules-entries"), ["data", "entries"]) ?? "";
  const [, specHash = ""] = /"specHash":"([^"]+)"/.exec(records) ?? [];
  const { uid = "", generation = 0 } = template?.metadata ?? {};
  const sum = {
    ...{ module: "certs", version: "1.1.0", specHash, uid, generation, clusters: 7, healthy: 6 },
    ...{ healthyMs: 5_400_000, sinceMs: Date.now() - 60_000, observedMs: Date.now() - 1_000 },
  };
  const former = { ...sum, version: "1.0.0", specHash: `sha256:${"0".repeat(64)}`, uid: "gone" };
  const exposure = new Map([
    ["a", sum],
    ["b", former],
  ]);
  const data = printObservations({ exposure, times: new Map() });
  const path = pathOf("configmaps", dev.namespace);
  await dev.outside.must("POST", path, { metadata: { name: OBSERVED_NAME }, data: { format: "1", ...data } });
  return leaseTo("controller_a", dev);
}

describe("kyma-modules observe", () => {
  it("shows the age and health of a served version at one look, which adds no time", async (context) => {
    const site = await served(context);
    const template = await site.dev.read("templates", "certs-1.1.0");
    const { uid } = template?.metadata ?? {};
    const before = await site.dev.versions();
    const { code, stdout, evidence } = await observe(site, "dev");

    expect([code, await site.dev.versions()]).toEqual([0, before]);
    expect(evidence).toMatchObject([
      { kind: "exposure", version: "1.1.0", landscape: "dev", uid, generation: 1, clusters: 2, healthyHours: 0 },
      { kind: "health", version: "1.1.0", clusters: 2, healthy: 1, source: "a look at dev" },
      { kind: "served", version: "1.1.0" },
    ]);
    expect(Date.now() - Date.parse(evidence[2]?.observedAt ?? "")).toBeGreaterThan(59_000);
    expect(stdout).toMatch(/^dev: observed once, .*\n {2}certs 1\.1\.0: served for 1m.*, 1 of 2 clusters in order, 0 /);
  });

  it("makes no evidence of a template that another client changed, until a sync repairs it", async (context) => {
    const site = await served(context);
    const path = pathOf("templates", site.dev.namespace, "certs-1.1.0");
    const patch = { spec: { data: { apiVersion: "v1", kind: "Secret", metadata: { name: "patched" } } } };
    await site.dev.outside.must("PATCH", path, patch, "merge-patch");
    const changed = await observe(site, "dev");
    const synced = await kymaIn(site.repository.path, ["sync", "dev"]);
    const repaired = await observe(site, "dev");

    expect([changed.code, changed.evidence]).toEqual([0, []]);
    expect(changed.stdout).toContain("\n  fast/certs 1.1.0: no evidence, because ");
    expect(synced.code).toBe(0);
    expect(repaired.evidence).toMatchObject([
      { kind: "exposure", version: "1.1.0", generation: 3 },
      { kind: "health", version: "1.1.0", generation: 3 },
      { kind: "served", version: "1.1.0", generation: 3 },
    ]);
  });

  long("makes evidence again after a sync, if that client put back what was applied", async (context) => {
    const site = await served(context);
    const path = pathOf("templates", site.dev.namespace, "certs-1.1.0");
    const { data } = (await site.dev.outside.must("GET", path))["spec"] as { readonly data: object };
    for (const one of [null, { apiVersion: "v1", kind: "Secret" }, null, data])
      await site.dev.outside.must("PATCH", path, { spec: { data: one } }, "merge-patch");
    const restored = await observe(site, "dev");
    const synced = await kymaIn(site.repository.path, ["sync", "dev"]);
    const again = await kymaIn(site.repository.path, ["plan", "dev"]);

    expect(restored.evidence).toEqual([]);
    expect(synced).toMatchObject({ code: 0, stdout: expect.stringContaining("certs-1.1.0") as string });
    expect(again.stdout).not.toContain("certs-1.1.0");
    expect((await observe(site, "dev")).evidence).toHaveLength(3);
  });

  it("shows the sums of the controller, also of former versions, and publishes those in the catalogue", async (context) => {
    const site = await served(context);
    await observedIn(site);
    const { code, stdout, stderr, evidence } = await observe(site, "dev", "--publish");
    const again = await kymaIn(site.repository.path, ["observe", "dev", "--publish"]);
    const [path = ""] = site.repository.git("ls-tree", "-r", "--name-only", "evidence").split("\n");
    const kept = site.repository.git("show", `evidence:${path}`);

    expect(code).toBe(0);
    expect(evidence).toMatchObject([
      { kind: "exposure", version: "1.0.0" },
      { kind: "health", version: "1.0.0" },
      { kind: "exposure", version: "1.1.0", clusters: 7, healthyHours: 1.5, source: "the controller of dev" },
      { kind: "health", version: "1.1.0", clusters: 7, healthy: 6 },
      { kind: "served", version: "1.1.0" },
    ]);
    expect(stdout).toMatch(
      / {2}certs 1\.0\.0: no longer served, 6 of 7 clusters in order, 1\.5 healthy hours; seen \d+s ago/,
    );
    expect(stderr).toMatch(/^published on evidence as [0-9a-f]{10}: 1 file\n {2}modules\/certs\/1\.1\.0\/sha256:/);
    expect((JSON.parse(kept) as { readonly evidence: readonly Evidence[] }).evidence).toHaveLength(3);
    expect(again.stderr).toEqual(mentions("verdict", "recent", "nothing", "evidence"));
    expect(site.repository.git("rev-list", "--count", "evidence")).toBe("1");
  });

  it("names the commit that the record names, and publishes it if the branch was there", async (context) => {
    const site = await served(context);
    const commit = site.repository.git("rev-parse", "main");
    const { evidence } = await observe(site, "dev", "--publish");

    expect(evidence.find(({ kind }) => kind === "served")).toMatchObject({ commit });
    expect(site.repository.git("show", "evidence")).toContain(`"commit": "${commit}"`);
  });

  it("does not publish the commit of a branch that was merged after a sync from it", async (context) => {
    const site = await served(context);
    site.repository.git("switch", "--quiet", "--create", "topic");
    const commit = site.commit(serving("1.2.0"));
    await kymaIn(site.repository.path, ["sync", "dev"]);
    site.repository.git("switch", "--quiet", "main");
    site.repository.git("merge", "--quiet", "--no-ff", "--no-edit", "topic");
    const { evidence } = await observe(site, "dev", "--publish");

    expect(evidence.find(({ kind }) => kind === "served")).toMatchObject({ version: "1.2.0", commit });
    expect(site.repository.git("show", "evidence")).toMatch(/"kind": "served",\n.*\n.*"version": "1.2.0"/);
    expect(site.repository.git("show", "evidence")).not.toContain(commit);
  });

  it("looks itself once the controller has ended, also while a sync writes, and keeps its sums", async (context) => {
    const site = await served(context);
    await observedIn(site);
    await leaseTo("a-sync-in-ci", site.dev);
    const { stdout, evidence } = await observe(site, "dev");

    expect(stdout).toMatch(/^dev: observed once/);
    expect(evidence.filter(({ version }) => version === "1.1.0")).toMatchObject([
      { kind: "exposure", clusters: 2, source: "a look at dev" },
      { kind: "health", clusters: 2, healthy: 1 },
      { kind: "served" },
    ]);
    const hours = evidence.find(({ kind, version }) => kind === "exposure" && version === "1.1.0");
    expect(hours).toMatchObject({ healthyHours: expect.closeTo(1.5) as number });
  });

  it("observes all landscapes, and names those without records", async (context) => {
    const site = await served(context);
    const { code, stdout } = await observe(site);

    expect(code).toBe(0);
    expect(stdout).toMatch(/^elsewhere: observed once\b.*no controller.*\n {2}no served version/m);
  });

  it("does not publish evidence of contents outside of the catalogue", async (context) => {
    const site = await served(context);
    site.commit(serving("1.2.0"));
    const { stderr } = await observe(site, "dev", "--publish");

    expect(stderr).toEqual(mentions("warning: certs 1.1.0", "catalogue", "no evidence"));
    expect(site.repository.git("branch", "--list", "evidence")).toBe("");
  });

  it("exits 2 if another repository owns the records, and writes no evidence of them", async (context) => {
    const site = await served(context);
    const data = { repository: "org/other" };
    const path = pathOf("configmaps", site.dev.namespace, "kyma-modules-entries");
    await site.dev.outside.must("PATCH", path, { data }, "merge-patch");
    const { code, stdout, evidence } = await observe(site, "dev");

    expect([code, evidence]).toEqual([2, []]);
    expect(stdout).toMatch(/^dev: not known: .*https:\S+ .*\bdev of org\/other\b/m);
  });

  it("exits 3 without permission to list Kymas, and without counts of clusters", async (context) => {
    const site = await served(context);
    const rbac = "rbac.authorization.k8s.io";
    const metadata = { name: "reader" };
    const reader = await signIn(
      [
        { apiVersion: "v1", kind: "ServiceAccount", metadata },
        { apiVersion: `${rbac}/v1`, kind: "Role", metadata, rules: READ },
        {
          ...{ apiVersion: `${rbac}/v1`, kind: "RoleBinding", metadata },
          roleRef: { apiGroup: rbac, kind: "Role", name: "reader" },
          subjects: [{ kind: "ServiceAccount", name: "reader", namespace: site.dev.namespace }],
        },
      ],
      site.dev,
    );
    const settings = site.repository.git("show", "HEAD:kyma-modules.yaml");
    site.repository.write({ "kyma-modules.yaml": settings.replaceAll(site.dev.access.kubeconfig, reader.kubeconfig) });
    site.repository.commit("see less");
    const { code, stdout, evidence } = await observe(site, "dev");

    expect([code, evidence.map(({ kind }) => kind)]).toEqual([3, ["served"]]);
    expect(stdout).toMatch(/certs 1\.1\.0: served for .*, clusters .*not known\n {2}clusters .*: .*kymas/);
  });
});
