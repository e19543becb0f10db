import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import { expect, onTestFinished, type TestContext } from "vitest";
import { textAt } from "../../src/document/fields.ts";
import { filesOf, type Sample } from "../sync/catalogueFiles.ts";
import { writeKyma } from "../sync/fleet.ts";
import { pathOf } from "../sync/outside.ts";
import { sharedWorld, type World } from "../sync/world.ts";
import { emptyRepository, type Folder } from "../systems/repository.ts";
import { folderWith } from "./program.ts";

/** What the catalogues of these tests say where a test needs nothing else. */
export const SAMPLE: Sample = { channels: { fast: { certs: "1.1.0" }, regular: { certs: "1.0.0" } } };

/** A catalogue of one module in one channel. */
export const serving = (version: string): Sample => ({ channels: { fast: { certs: version } } });

/** A folder whose landscape is a namespace of the shared control plane. */
export interface Site {
  readonly folder: string;
  readonly world: World;
}

/** A catalogue on disk, in no Git repository; both landscapes are the same namespace. */
export async function plainFolder(context: TestContext, sample: Sample = SAMPLE): Promise<Site> {
  const world = await sharedWorld(context);
  const folder = folderWith(filesOf({ ...sample, kubeconfig: world.access.kubeconfig, namespace: world.namespace }));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  return { folder, world };
}

/** A Git repository that serves two landscapes, each a namespace of its own. */
export interface TwoLandscapes {
  readonly repository: Folder;
  readonly dev: World;
  readonly elsewhere: World;
  /** Commits what `sample` says, and then `files`, on top of what is there; gives the commit. */
  readonly commit: (sample: Sample, message?: string, files?: Readonly<Record<string, string>>) => string;
  /** Another Git repository for the same control planes, without a commit. */
  readonly other: () => TwoLandscapes;
}

/** `after` is what the second landscape waits for: `{ landscape: dev, soak: 1h }`. Both serve all channels. */
export async function twoLandscapes(context: TestContext, after?: object): Promise<TwoLandscapes> {
  return landscapesOf({ dev: await sharedWorld(context), elsewhere: await sharedWorld(context) }, after);
}

/** The same, in worlds that a test has opened. */
export function landscapesOf(worlds: Pick<TwoLandscapes, "dev" | "elsewhere">, after?: object): TwoLandscapes {
  const repository = emptyRepository();
  const landscapes = Object.entries(worlds).map(([name, { access, namespace }]) => ({
    name,
    controlPlane: { kubeconfig: access.kubeconfig },
    namespace,
    lifecycleManager: "version-templates",
    ...(name === "elsewhere" && after && { after: { shortSoakReason: "it is a test", ...after } }),
  }));
  return {
    ...worlds,
    repository,
    commit: (sample, message, more = {}) => {
      const policies = Object.keys(sample.channels).map((channel) => [
        `channels/${channel}.yaml`,
        JSON.stringify({ format: 1, versions: "any", landscapes: ["dev", "elsewhere"] }),
      ]);
      const files = filesOf({ ...sample, settings: { landscapes, forge: { kind: "none" } } });
      repository.write({ ...Object.fromEntries(files), ...(Object.fromEntries(policies) as Record<string, string>) });
      repository.write(more);
      return repository.commit(message);
    },
    other: () => landscapesOf(worlds, after),
  };
}

/** Two landscapes that are to serve certs 1.1.0, each with one cluster that is in order with it. */
export async function twoWithClusters(context: TestContext): Promise<TwoLandscapes> {
  const site = await twoLandscapes(context);
  const running = [{ name: "certs", channel: "fast", version: "1.1.0", state: "Ready" }];
  for (const world of [site.dev, site.elsewhere]) await writeKyma(world, "a", running);
  site.commit(serving("1.1.0"));
  return site;
}

/** One item of a document. */
export type Item = Readonly<Record<string, unknown>>;

/** The document that a command printed, once its schema accepted it. */
export function documentOf(
  kind: "plan" | "sync" | "landscape-status" | "rollout",
  stdout: string,
): { readonly items: readonly Item[] } {
  const schema = JSON.parse(
    readFileSync(join(import.meta.dirname, `../../schemas/output/${kind}.schema.json`), "utf8"),
  ) as object;
  const document = JSON.parse(stdout) as { readonly items: readonly Item[] };
  const ajv = new Ajv({ formats: { "date-time": (text: string) => !Number.isNaN(Date.parse(text)) } });
  const accepts = ajv.validate(schema, document);
  expect(ajv.errors ?? []).toEqual([]);
  expect(accepts).toBe(true);
  return document;
}

/** The versions that the release meta of `module` serves in a world, by channel. */
export async function servedIn(world: World, module: string): Promise<Readonly<Record<string, string>>> {
  const meta = await world.read("metas", module);
  const { channels = [] } = (meta?.["spec"] ?? {}) as { channels?: readonly { channel: string; version: string }[] };
  return Object.fromEntries(channels.map(({ channel, version }) => [channel, version]));
}

/** Has `holder` write to a world from now on; gives what ends it. */
export async function leaseTo(holder: string, { outside, namespace }: World): Promise<() => Promise<unknown>> {
  const leases = `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`;
  const now = new Date().toISOString().replace("Z", "000Z");
  const spec = { holderIdentity: holder, leaseDurationSeconds: 15, acquireTime: now, renewTime: now };
  await outside.send("DELETE", `${leases}/kyma-modules`);
  await outside.must("POST", leases, { metadata: { name: "kyma-modules" }, spec });
  return () => outside.must("PATCH", `${leases}/kyma-modules`, { spec: { holderIdentity: "" } }, "merge-patch");
}

/** Sets what is recorded of a landscape back by some time, as though it had been served for so much longer. */
export async function ageRecords(world: World, byMs: number): Promise<void> {
  const records = await world.read("configmaps", "kyma-modules-entries");
  const earlier = (at: string): string => new Date(Date.parse(at) - byMs).toISOString();
  const entries = (textAt(records, ["data", "entries"]) ?? "").replace(/20\d\d-[^"]+Z/g, earlier);
  const path = pathOf("configmaps", world.namespace, "kyma-modules-entries");
  await world.outside.must("PATCH", path, { data: { entries } }, "merge-patch");
}

/** The settings that were committed last. */
export function settingsOf({ repository }: TwoLandscapes): { readonly landscapes: readonly object[] } {
  return JSON.parse(repository.git("show", "HEAD:kyma-modules.yaml")) as { readonly landscapes: readonly object[] };
}

/** The files that leave only the first landscape. */
export function onlyDev(settings: ReturnType<typeof settingsOf>): Readonly<Record<string, string>> {
  return {
    "kyma-modules.yaml": JSON.stringify({ ...settings, landscapes: settings.landscapes.slice(0, 1) }),
    "channels/fast.yaml": JSON.stringify({ format: 1, versions: "any", landscapes: ["dev"] }),
  };
}

/** The settings by which a sync also removes what is not served any more. */
export function pruned(site: TwoLandscapes): Readonly<Record<string, string>> {
  const settings = settingsOf(site);
  const landscapes = settings.landscapes.map((landscape) => ({ ...landscape, prune: true, maxPrune: "100%" }));
  return { "kyma-modules.yaml": JSON.stringify({ ...settings, landscapes }) };
}
