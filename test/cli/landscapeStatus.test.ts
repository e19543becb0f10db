import { beforeEach, describe, expect, it } from "vitest";
import { writeKyma } from "../sync/fleet.ts";
import { pathOf } from "../sync/outside.ts";
import { hideClusters } from "../sync/users.ts";
import type { World } from "../sync/world.ts";
import { forgetIdentity, kymaIn } from "./promoting.ts";
import { configMap } from "./watching.ts";
import { documentOf, leaseTo, SAMPLE, serving, twoLandscapes, type Item, type TwoLandscapes } from "./syncing.ts";
import { long } from "../support/long.ts";

beforeEach(forgetIdentity);

/** What `status LANDSCAPE` says as text and as JSON, which its schema accepted; both end with one exit code. */
async function lookAt(site: Pick<TwoLandscapes, "repository">, ...args: readonly string[]): Promise<Looked> {
  const look = (...more: readonly string[]) => kymaIn(site.repository.path, ["status", ...args, ...more]);
  const [text, json] = await Promise.all([look(), look("--format", "json")]);
  expect([text.stderr, json.code]).toEqual(["", text.code]);
  const [item = {}] = documentOf("landscape-status", json.stdout).items;
  const entries = item["entries"] as readonly Item[];
  return { code: text.code, text: text.stdout, item, certs: entries.find(({ module }) => module === "certs") ?? {} };
}

interface Looked {
  readonly code: number | null;
  readonly text: string;
  readonly item: Item;
  /** The first entry of the module certs. */
  readonly certs: Item;
}

/** Someone else writes to a template. */
async function meddle({ outside, namespace }: World, name: string): Promise<void> {
  const path = `${pathOf("templates", namespace, name)}?fieldManager=meddler`;
  const repository = `https://example.com/${Math.random()}`;
  await outside.must("PATCH", path, { spec: { info: { repository } } }, "merge-patch");
}

function leasePath({ namespace }: World): string {
  return `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases/kyma-modules`;
}

describe("kyma-modules status LANDSCAPE", () => {
  it("shows the served versions, their age, users and soaks, and writes nothing", async (context) => {
    const site = await twoLandscapes(context, { landscape: "dev", soak: "1h" });
    const commit = site.commit(SAMPLE);
    await kymaIn(site.repository.path, ["sync"]);
    await writeKyma(site.dev, "a", [{ name: "certs", channel: "fast", version: "1.1.0" }]);
    const before = await site.dev.versions();
    const dev = await lookAt(site, "dev");
    const elsewhere = await lookAt(site, "elsewhere");

    expect([dev.code, elsewhere.code]).toEqual([0, 0]);
    expect(await site.dev.versions()).toEqual(before);
    expect(dev.item).toMatchObject({ landscape: "dev", serves: commit, lease: null, controller: null, objects: [] });
    expect(dev.certs).toMatchObject({ channel: "fast", version: "1.1.0", wanted: null, users: 1 });
    // Its state counts once it is ten seconds old.
    expect(dev.certs["clusters"]).toMatchObject({ asked: 1 });
    expect(dev.certs["soaks"]).toMatchObject([{ landscape: "elsewhere", state: "soaking" }]);
    // One commit only: what is served is what was asked about.
    const serves = new RegExp(`^dev: serves ${commit.slice(0, 10)}\\b(?!.*[0-9a-f]{10}).*\\n.*Lease.*free\\nCHANNEL`);
    expect(dev.text).toMatch(serves);
    expect(dev.text).toMatch(
      /^fast +certs +1\.1\.0 +\d+s +(0 of 1 \(0%\) +changing|1 of 1 \(100%\) +–) +– +elsewhere in 59m \d+s +–$/m,
    );
    expect(elsewhere.certs).toMatchObject({
      version: null,
      since: null,
      wanted: { kind: "waiting", version: "1.1.0" },
    });
    expect(elsewhere.text).toMatch(
      /^waiting +fast\/certs 1\.1\.0: (its soak stands in dev: .* 0 of 1 clusters.*|dev .*\d\dZ; until \S+:\d\dZ)$/m,
    );
  });

  it("shows holds, pauses and drift, with the remedy", async (context) => {
    const site = await twoLandscapes(context);
    site.commit(SAMPLE);
    await kymaIn(site.repository.path, ["sync", "dev"]);
    const hold = { version: "1.2.0", by: "octocat", reason: "it leaks", since: "2026-01-01T00:00:00Z" };
    site.commit({ channels: { fast: { certs: "1.2.0" }, regular: { certs: "1.0.0" } }, holds: { certs: [hold] } });
    const held = await lookAt(site, "dev");
    site.commit({ channels: { fast: { certs: "1.3.0" }, regular: { certs: "1.0.0" } } });
    await meddle(site.dev, "certs-1.0.0");
    const drifted = await lookAt(site, "dev");
    await kymaIn(site.repository.path, ["sync", "pause", "dev", "--reason", "a fire", "--by", "octocat"]);
    const paused = await lookAt(site, "dev");

    expect([held.code, drifted.code, paused.code]).toEqual([0, 0, 0]);
    expect(held.certs["wanted"]).toMatchObject({
      kind: "held",
      version: "1.2.0",
      reason: "octocat holds 1.2.0: it leaks",
    });
    expect(held.text).toMatch(/^held .*to lift it: kyma-modules unhold certs@1\.2\.0 --reason TEXT$/m);
    expect(drifted.certs["wanted"]).toMatchObject({ kind: "raise", version: "1.3.0" });
    expect(drifted.text).toMatch(/^drift +ModuleTemplate certs-1\.0\.0: meddler changed it: spec\.info\.repository/m);
    expect(paused.item).toMatchObject({
      pauses: [{ module: null, by: "octocat", reason: "a fire" }],
      objects: drifted.item["objects"],
    });
    expect(paused.certs["wanted"]).toMatchObject({ kind: "paused" });
    expect(paused.text).toMatch(
      /^paused +everything: by octocat since .*: a fire\. To resume: kyma-modules sync resume dev /m,
    );
  });

  it("exits 1 if someone undoes every repair, and 2 if the set belongs to another repository", async (context) => {
    const site = await twoLandscapes(context);
    site.commit(serving("1.0.0"));
    await kymaIn(site.repository.path, ["sync", "dev"]);
    for (let count = 0; count < 3; count++) {
      await meddle(site.dev, "certs-1.0.0");
      await kymaIn(site.repository.path, ["sync", "dev"]);
    }
    await meddle(site.dev, "certs-1.0.0");
    const contested = await lookAt(site, "dev");
    const other = site.other();
    other.commit(serving("1.1.0"));
    const refused = await lookAt(other, "dev");

    expect([contested.code, refused.code]).toEqual([1, 2]);
    expect(contested.item["objects"]).toMatchObject([{ kind: "contested", by: ["meddler"] }]);
    expect(contested.text).toMatch(/^contested +ModuleTemplate certs-1\.0\.0: meddler .*: spec\.info/m);
    expect(refused.text).toMatch(/^dev: not known: .*https:\S+ .*\bdev of root-[0-9a-f]+/m);
  });

  long("shows the writer, an expired Lease, and a newer served commit", async (context) => {
    const site = await twoLandscapes(context);
    site.commit(serving("1.0.0"));
    const newer = site.commit(serving("1.1.0"));
    await kymaIn(site.repository.path, ["sync", "dev"]);
    const path = leasePath(site.dev);
    const at = (ms: number): string => new Date(ms).toISOString().replace("Z", "000Z");
    const holdSince = (ms: number): Promise<unknown> => {
      const spec = { holderIdentity: "someone", leaseDurationSeconds: 15, acquireTime: at(ms), renewTime: at(ms) };
      return site.dev.outside.must("PATCH", path, { spec }, "merge-patch");
    };
    await holdSince(Date.now());
    const writing = await lookAt(site, "dev");
    await holdSince(Date.now() - 60_000);
    const gone = await lookAt(site, "dev", "--revision", "HEAD~1");
    await site.dev.outside.must("PATCH", path, { spec: { acquireTime: null, renewTime: null } }, "merge-patch");
    const timeless = await lookAt(site, "dev");

    expect(writing.text).toMatch(/^someone .*Lease.* \d+s$/m);
    expect(writing.item["lease"]).toMatchObject({ holder: "someone", isExpired: false });
    expect(gone.text).toMatch(/^.*Lease of someone expired\b.* \S+:\d\dZ$/m);
    expect(timeless.text).toMatch(/^.*Lease of someone expired$/m);
    expect(timeless.item["lease"]).toEqual({ holder: "someone", since: null, renewed: null, isExpired: true });
    expect(gone.item).toMatchObject({ serves: newer, isNewer: true, lease: { isExpired: true } });
    expect(gone.certs).toMatchObject({ version: "1.1.0", wanted: null });
  });

  long("exits 1 while the controller is not running, or the files of a module cannot be used", async (context) => {
    const site = await twoLandscapes(context);
    site.commit(serving("1.0.0"));
    await kymaIn(site.repository.path, ["sync", "dev"]);
    const end = await leaseTo("controller_a", site.dev);
    await site.dev.outside.must("PATCH", leasePath(site.dev), { spec: { renewTime: null } }, "merge-patch");
    const dead = await lookAt(site, "dev");
    await end();
    const data = { revision: "a", withheld: "certs: channels/fast/certs.yaml:1: broken" };
    const status = { metadata: { name: "kyma-modules-status" }, data };
    await site.dev.outside.must("POST", `/api/v1/namespaces/${site.dev.namespace}/configmaps`, status);
    const stopped = await lookAt(site, "dev");
    const path = configMap(site.dev, "kyma-modules-status");
    await site.dev.outside.must("PATCH", path, { data: { withheld: "" } }, "merge-patch");
    await leaseTo("a-sync-in-ci", site.dev);
    const replaced = await lookAt(site, "dev");
    await leaseTo("controller_a", site.dev);
    const running = await lookAt(site, "dev");
    site.commit(serving("1.1.0"), "broken", { "channels/fast/certs.yaml": "kind: nothing" });
    const broken = await kymaIn(site.repository.path, ["status", "dev"]);

    expect(dead.code).toBe(1);
    expect(dead.text).toMatch(/^stale +status: no controller\b.*Lease.*no status$/m);
    expect([stopped.code, replaced.code, running.code, broken.code]).toEqual([1, 1, 0, 1]);
    expect(stopped.text).toMatch(/^stale .*\nwithheld +certs: /m);
    expect(replaced.text).toMatch(/^stale /m);
    expect(running.text).not.toMatch(/^stale /m);
  });

  long("shows a module with the name of a landscape, unless --landscape names the landscape", async (context) => {
    const site = await twoLandscapes(context);
    site.commit({ channels: { fast: { dev: "1.0.0" } } });
    const module = await kymaIn(site.repository.path, ["status", "dev"]);

    expect(module.stdout).toMatch(/^CHANNEL +MODULE +SERVES +FOR +NEXT/);
    expect((await lookAt(site, "--landscape", "dev")).item).toMatchObject({ landscape: "dev" });
    for (const unknown of [
      ["--landscape", "nowhere"],
      ["--landscape", "dev", "nothing"],
      ["dev", "--channel", "none"],
    ])
      expect((await kymaIn(site.repository.path, ["status", ...unknown])).code).toBe(2);
  });

  it("shows chosen entries of all landscapes side by side", async (context) => {
    const site = await twoLandscapes(context);
    site.commit(SAMPLE);
    await kymaIn(site.repository.path, ["sync"]);
    await writeKyma(site.dev, "a", [{ name: "certs", channel: "fast", version: "1.1.0" }]);
    const { text } = await lookAt(site, "--landscapes", "certs", "--channel", "fast");
    const rows = text.split("\n").filter((line) => line.startsWith("fast "));

    expect(text).toMatch(/^dev: serves .*\n.*\nelsewhere: serves .*\n.*\nCHANNEL +MODULE +LANDSCAPE +SERVES /);
    expect(rows).toEqual([
      expect.stringMatching(/^fast +certs +dev +1\.1\.0 +\S+ +0 of 1 \(0%\) +changing /),
      expect.stringMatching(/^fast +certs +elsewhere +1\.1\.0 +\S+ +– /),
    ]);
    expect(text).not.toMatch(/^(regular|mandatory) /m);
  });

  it("exits 3 without permission to list Kymas, and shows the rest", async (context) => {
    const site = await twoLandscapes(context);
    site.commit(SAMPLE);
    await kymaIn(site.repository.path, ["sync", "dev"]);
    await hideClusters(site);
    const { code, text, certs } = await lookAt(site, "dev");

    expect([code, certs]).toEqual([3, expect.objectContaining({ version: "1.1.0", users: null, clusters: null })]);
    expect(text).toMatch(/^note: .*users.*: .*kymas/m);
  });

  it("exits 3 if a control plane cannot be reached, and shows the others", async (context) => {
    const site = await twoLandscapes(context);
    site.commit(SAMPLE);
    const nowhere = { apiVersion: "v1", kind: "Config", "current-context": "a" };
    const cluster = { clusters: [{ name: "a", cluster: { server: "http://127.0.0.1:9" } }], users: [] };
    const contexts = [{ name: "a", context: { cluster: "a", user: "" } }];
    site.repository.write({ "nowhere.yaml": JSON.stringify({ ...nowhere, ...cluster, contexts }) });
    const settings = site.repository.git("show", "HEAD:kyma-modules.yaml");
    const to = settings.replace(site.dev.access.kubeconfig, `${site.repository.path}/nowhere.yaml`);
    site.repository.write({ "kyma-modules.yaml": to });
    site.repository.commit("lost the way");

    expect(await kymaIn(site.repository.path, ["status", "dev"])).toMatchObject({
      ...{ code: 3, stdout: expect.stringMatching(/^dev: not known: .*127\.0\.0\.1:9.*\n$/) as string },
    });
    const { code, stdout } = await kymaIn(site.repository.path, ["status", "--landscapes", "--format", "json"]);
    const { items } = documentOf("landscape-status", stdout);
    expect([code, items.map(({ landscape, unknown }) => [landscape, typeof unknown])]).toEqual([
      3,
      [
        ["dev", "string"],
        ["elsewhere", "object"],
      ],
    ]);
  });
});
