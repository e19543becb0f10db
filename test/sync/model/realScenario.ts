import type { TestContext } from "vitest";
import type { KubernetesObject } from "../../../src/kubernetes/object.ts";
import { systemClock } from "../../../src/systems/clock.ts";
import { openAccess } from "../../../src/systems/kubernetes/access.ts";
import { controlPlane as openControlPlane } from "../../../src/systems/kubernetes/controlPlane.ts";
import { openRegistry } from "../../../src/systems/registry/registry.ts";
import {
  descriptorOf,
  publish,
  startRegistry,
  type ModuleComponent,
  type OciRegistry,
} from "../../support/ociFixture.ts";
import {
  choose,
  registerCluster,
  startManager,
  startPlane,
  type Manager,
  type Plane,
} from "../../support/lifecycleManager.ts";
import { pathOf, type Kind, type Outside } from "../outside.ts";
import { editByHand, FIRST_WANTED, MODULES, VERSIONS, type Action, type HandEdit, type Wanted } from "./actions.ts";
import { modelControlPlane } from "./controlPlane.ts";
import { inventoryOf, type Inventory } from "./inventory.ts";
import { CLUSTERS } from "./scenario.ts";
import { syncWanted, type SyncPlace } from "./syncWanted.ts";

const NAMESPACE = "kcp-system";
/** The names of each module's component: a module may change its own. */
const PREFIXES = ["example.com/module", "example.com/other"];

/** Like `Scenario`, but with a real control plane and a real lifecycle-manager. */
export interface RealScenario {
  /** Serves the first catalogue. */
  start(): Promise<void>;
  /** Does one action; returns the report of a sync. */
  act(action: Action): Promise<readonly string[]>;
  /** The running versions by cluster. */
  inventory(): Promise<Inventory>;
  /** Makes lifecycle-manager reconcile every cluster. */
  look(): Promise<void>;
}

/** Starts the scenario, in the state before the first sync. `missing`: as for `Scenario`. */
export async function openRealScenario(
  manager: Manager,
  missing: readonly string[],
  context: TestContext,
): Promise<RealScenario> {
  const registry = await startRegistry(context);
  const kcp = await startPlane("kcp", context);
  const runtimes = await Promise.all(CLUSTERS.map(([name]) => startPlane(name, context)));
  await startManager(manager, registry.host, kcp);
  for (const [index, runtime] of runtimes.entries()) await addCluster(index, runtime, kcp);
  const { outside } = kcp;
  const place: SyncPlace = {
    generation: manager.generation,
    controlPlane: openControlPlane(await openAccess({ kubeconfig: kcp.access.kubeconfig })),
    clock: systemClock,
    registry: openRegistry({ baseUrl: registry.host, plainHttp: true }, process.env),
    baseUrl: registry.host,
    descriptorOf: (module, version) =>
      descriptorOf(componentOf(`${PREFIXES[0] ?? ""}/${module}`, version), registry.host),
  };
  const artifacts = new Set(missing);
  let wanted: Wanted = FIRST_WANTED;
  let looks = 0;
  const serve: RealScenario["act"] = (action) =>
    action.kind === "sync" ? syncWanted(wanted, action, place) : Promise.resolve([]);
  const acts: { readonly [K in Action["kind"]]?: (action: Extract<Action, { kind: K }>) => Promise<unknown> } = {
    repository: (action) => Promise.resolve((wanted = { ...wanted, ...action.wanted })),
    hand: ({ what, version }) => edit(outside, place, what, version),
    artifact: async ({ key }) => {
      if (!artifacts.delete(key)) throw new Error(`${key} was read already: lifecycle-manager would not notice`);
      await push(key, registry);
    },
    user: ({ cluster, channel }) => choose(runtimes[cluster]?.outside ?? outside, { istio: channel }),
  };
  return {
    start: async () => {
      for (const key of keys()) if (!artifacts.has(key)) await push(key, registry);
      await syncWanted(wanted, { prune: false, now: false, adopt: false }, place);
    },
    act: async (action) => {
      await (acts[action.kind] as ((action: Action) => Promise<unknown>) | undefined)?.(action);
      return serve(action);
    },
    inventory: async () =>
      inventoryOf([...(await listAll(outside, "kymas")), ...(await listAll(outside, "manifests"))]),
    look: async () => {
      looks += 1;
      const patch = { metadata: { labels: { "example.com/look": String(looks) } } };
      for (const [name] of CLUSTERS)
        await outside.must("PATCH", pathOf("kymas", NAMESPACE, name), patch, "merge-patch");
    },
  };
}

async function addCluster(index: number, runtime: Plane, kcp: Plane): Promise<void> {
  const [, channel, isBeta] = CLUSTERS[index] ?? CLUSTERS[0];
  await registerCluster(runtime, kcp, isBeta);
  await choose(runtime.outside, { istio: channel });
}

function keys(): readonly string[] {
  return MODULES.flatMap((module) => VERSIONS.map((version) => `${module}@${version}`));
}

function componentOf(name: string, version: string): ModuleComponent {
  const metadata = { name: name.replaceAll("/", "-"), namespace: "default" };
  const rawManifest = JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata, data: { version } });
  return { name, version, rawManifest };
}

async function push(key: string, registry: OciRegistry): Promise<void> {
  const [module = "", version = ""] = key.split("@");
  for (const prefix of PREFIXES) await publish(registry, componentOf(`${prefix}/${module}`, version));
}

async function listAll(outside: Outside, kind: Kind): Promise<readonly KubernetesObject[]> {
  const { items, apiVersion, kind: list } = await outside.must("GET", pathOf(kind, NAMESPACE));
  return (items as readonly KubernetesObject[]).map((item) => ({
    ...item,
    apiVersion,
    kind: list.replace(/List$/, ""),
  }));
}

const WRITTEN = { ModuleTemplate: "templates", ModuleReleaseMeta: "metas", ConfigMap: "configmaps" } as const;

/** Applies an edit to a copy of the live state, and writes the differences by hand. */
async function edit(outside: Outside, place: SyncPlace, what: HandEdit, version: string): Promise<void> {
  const lists = await Promise.all(Object.values(WRITTEN).map((kind) => listAll(outside, kind)));
  const before = new Map(lists.flat().map((object) => [`${object.kind} ${object.metadata.name}`, object]));
  const copy = modelControlPlane(new Map(before));
  editByHand(copy, place, what, version);
  for (const [key, object] of before) {
    const after = copy.objects.get(key);
    const path = pathOf(WRITTEN[object.kind as keyof typeof WRITTEN], NAMESPACE, object.metadata.name);
    if (after === undefined) await outside.must("DELETE", path);
    else if (after !== object)
      await outside.must("PUT", path, { ...after, metadata: { ...after.metadata, ...identityOf(object) } });
  }
}

function identityOf({ metadata: { uid, resourceVersion } }: KubernetesObject): object {
  return { uid, resourceVersion };
}
