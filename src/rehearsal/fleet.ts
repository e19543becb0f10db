import { RESOURCES, type KubernetesObject } from "../kubernetes/object.ts";
import { FAILS_ANNOTATION } from "./manifest.ts";
import { clusterDraw } from "./speed.ts";

/** The clusters to generate for a control plane. */
export interface FleetPlan {
  /** The prefix of their names. */
  readonly landscape: string;
  readonly namespace: string;
  readonly clusters: number;
  /** By channel, the modules that it serves there. */
  readonly offers: ReadonlyMap<string, readonly string[]>;
  /** Versions that never start on 3 % of the clusters of each channel, but on at least one. */
  readonly failing: readonly { readonly module: string; readonly version: string }[];
}

const REGIONS = ["eu-central-1", "eu-west-2", "us-east-1", "us-west-2", "ap-southeast-1"];
const FINALIZER = "operator.kyma-project.io/Kyma";
/** The share of clusters on which a version fails. */
const FAILING = 0.03;
/** The share of the modules that a cluster enables. */
const ENABLED = 0.8;
/** Of this many clusters, one has an unmanaged module, one is not reconciled, and one skips maintenance windows. */
const ONE_OF = 20;

interface EnabledModule {
  readonly name: string;
  readonly channel: string;
  readonly managed?: false;
}

interface MadeUpCluster {
  readonly name: string;
  readonly index: number;
  readonly modules: readonly EnabledModule[];
}

/** The Kymas of generated clusters. Their names determine channels and modules, so that each run generates the same. */
export function rehearsedKymas(plan: FleetPlan): readonly KubernetesObject[] {
  const clusters = Array.from({ length: plan.clusters }, (_, index) => madeUp(plan, index));
  const failures = new Map<string, readonly string[]>();
  for (const { module, version } of plan.failing)
    for (const name of failingOn(clusters, module))
      failures.set(name, [...(failures.get(name) ?? []), `${module}@${version}`]);
  return clusters.map((cluster) => inventedKyma(cluster, plan.namespace, failures.get(cluster.name)));
}

function madeUp({ landscape, offers }: FleetPlan, index: number): MadeUpCluster {
  const name = `${landscape}-${String(index + 1).padStart(4, "0")}`;
  const channels = [...offers.keys()];
  const own = channels[Math.floor(clusterDraw(`${name} follows`) * channels.length)] ?? "";
  const all = [...new Set([...offers.values()].flat())];
  const modules = all.flatMap((module) => {
    const serving = channels.filter((channel) => offers.get(channel)?.includes(module));
    const [first = own] = serving;
    const channel = serving.includes(own) ? own : first;
    return clusterDraw(`${name} enables ${module}`) < ENABLED ? [{ name: module, channel }] : [];
  });
  const [unmanaged, ...managed] = modules;
  const isUnmanaged = index % ONE_OF === 7 && unmanaged !== undefined;
  return { name, index, modules: isUnmanaged ? [{ ...unmanaged, managed: false }, ...managed] : modules };
}

const isSkipped = (index: number): boolean => index % ONE_OF === 13;

function failingOn(clusters: readonly MadeUpCluster[], module: string): readonly string[] {
  const having = clusters.flatMap(({ name, index, modules }) => {
    const found = modules.find((one) => one.name === module && one.managed === undefined);
    return found === undefined || isSkipped(index) ? [] : [{ name, channel: found.channel }];
  });
  return [...Map.groupBy(having, ({ channel }) => channel).values()].flatMap((users) =>
    users
      .map(({ name }) => name)
      .toSorted((a, b) => clusterDraw(`${a} fails`) - clusterDraw(`${b} fails`))
      .slice(0, Math.ceil(users.length * FAILING)),
  );
}

function inventedKyma(
  { name, index, modules }: MadeUpCluster,
  namespace: string,
  failures: readonly string[] | undefined,
): KubernetesObject {
  const { apiVersion, kind } = RESOURCES.kyma;
  const place = Math.floor(clusterDraw(`${name} lies`) * REGIONS.length);
  const labels = {
    "kyma-project.io/region": REGIONS.slice(place, place + 1).join(""),
    ...(isSkipped(index) && { "operator.kyma-project.io/skip-reconciliation": "true" }),
  };
  const annotations = failures === undefined ? {} : { annotations: { [FAILS_ANNOTATION]: failures.join(",") } };
  const skipMaintenanceWindows = index % ONE_OF === 3;
  return {
    apiVersion,
    kind,
    metadata: { name, namespace, labels, ...annotations, finalizers: [FINALIZER] },
    spec: { channel: "regular", modules, ...(skipMaintenanceWindows && { skipMaintenanceWindows }) },
  };
}
