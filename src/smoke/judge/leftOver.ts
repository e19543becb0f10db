import { canonicalHash } from "../../document/canonical.ts";
import { fieldAt, textAt } from "../../document/fields.ts";
import { objectGroupKind, objectKey, objectText } from "../../kubernetes/installOrder.ts";
import type { KubernetesObject } from "../../kubernetes/object.ts";

/** The objects of a cluster at one moment, by `objectKey`. */
export type Inventory = ReadonlyMap<string, InventoryEntry>;

/** One object of an inventory. */
export interface InventoryEntry {
  /** `Deployment kyma-system/manager`. */
  readonly text: string;
  readonly groupKind: string;
  readonly uid: string;
  /** Of its content, without status, and without the metadata that the server sets. */
  readonly hash: string;
  /** The uids of its owners. */
  readonly owners: readonly string[];
}

/** Kinds of objects that come and go by themselves. */
const NOISE: ReadonlySet<string> = new Set([
  ...["/Event", "events.k8s.io/Event", "/Node", "metrics.k8s.io/PodMetrics"],
  // They come and go with Services.
  "networking.k8s.io/IPAddress",
]);
/** Objects that the cluster creates in every namespace, some time after that was created. */
const IN_EVERY_NAMESPACE = /^(ServiceAccount .*\/default|ConfigMap .*\/(kube-root-ca|istio-ca-root-cert)\.\w+)$/;
const LEASE = "coordination.k8s.io/Lease";
/** Kinds of objects that other workloads of a cluster change all the time. */
const RESTLESS: ReadonlySet<string> = new Set([
  ...["/Pod", "/Endpoints", "apps/ReplicaSet", "apps/ControllerRevision", "batch/Job"],
  ...["discovery.k8s.io/EndpointSlice", LEASE, "apiregistration.k8s.io/APIService"],
]);

/**
 * The objects of a cluster, without those that are omitted, and without the objects that belong to these. An object
 * whose owners are all gone does not count, since it will be deleted.
 */
export function objectInventory(
  objects: readonly KubernetesObject[],
  isOmitted: (object: KubernetesObject) => boolean,
): Inventory {
  const there = new Set(objects.map(({ metadata: { uid = "" } }) => uid));
  const omitted = new Set(objects.filter(isOmitted).map(({ metadata: { uid = "" } }) => uid));
  const entries = objects
    .filter((object) => !NOISE.has(objectGroupKind(object)))
    .map((object) => [objectKey(object), inventoryEntry(object)] as const)
    .filter(([, { owners }]) => owners.length === 0 || owners.some((owner) => there.has(owner)));
  // A pod goes with its ReplicaSet, and that with its Deployment.
  for (let known = -1; known !== omitted.size;) {
    known = omitted.size;
    for (const [, { uid, owners }] of entries) if (owners.some((owner) => omitted.has(owner))) omitted.add(uid);
  }
  return new Map(entries.filter(([, { uid }]) => !omitted.has(uid)));
}

/** Whether a namespace contains only what every namespace gets, and Leases, which managers leave. */
export function isEmptyNamespace(name: string, inventory: Inventory): boolean {
  return [...inventory.values()].every(
    ({ text, groupKind }) =>
      groupKind === LEASE || IN_EVERY_NAMESPACE.test(text) || !text.split(" ")[1]?.startsWith(`${name}/`),
  );
}

function inventoryEntry(object: KubernetesObject): InventoryEntry {
  const { metadata, status: _status, ...content } = object;
  const { uid = "", labels, annotations } = metadata;
  const owners = fieldAt(object, ["metadata", "ownerReferences"]);
  const isAggregated = content["aggregationRule"] !== undefined;
  return {
    text: objectText(object),
    groupKind: objectGroupKind(object),
    uid,
    hash: canonicalHash(isAggregated ? { labels } : { labels, annotations, ...content }),
    owners: Array.isArray(owners) ? owners.flatMap((owner: unknown) => textAt(owner, ["uid"]) ?? []) : [],
  };
}

/** The leftovers of an uninstall, and its effect on other objects. */
interface LeftOver {
  /** Objects that were not there before. */
  readonly left: readonly InventoryEntry[];
  /** Objects that an earlier path of the same run left, and that are still there. */
  readonly leftEarlier: readonly InventoryEntry[];
  /** Leases of leader election, which managers leave. */
  readonly leases: readonly InventoryEntry[];
  /** Objects that were there before, and are gone or not as they were. */
  readonly harmed: readonly { readonly entry: InventoryEntry; readonly isGone: boolean }[];
}

/** Compares the objects before a module came with those after it went; `earlier` has what other paths left. */
export function leftOver(before: Inventory, after: Inventory, earlier: Inventory): LeftOver {
  const isEarlier = ([key, { uid }]: readonly [string, InventoryEntry]): boolean => earlier.get(key)?.uid === uid;
  const foreign = new Map([...before].filter((entry) => !isEarlier(entry)));
  const known = new Set([...before.values()].map(({ uid }) => uid));
  const added = [...after].filter(
    ([key, { text, owners }]) =>
      !foreign.has(key) && !IN_EVERY_NAMESPACE.test(text) && !owners.some((uid) => known.has(uid)),
  );
  const fresh = added.filter((entry) => !isEarlier(entry)).map(([, entry]) => entry);
  return {
    left: fresh.filter(({ groupKind }) => groupKind !== LEASE),
    leftEarlier: added.filter(isEarlier).map(([, entry]) => entry),
    leases: fresh.filter(({ groupKind }) => groupKind === LEASE),
    harmed: [...foreign].flatMap(([key, entry]) => {
      const now = after.get(key);
      if (RESTLESS.has(entry.groupKind) || IN_EVERY_NAMESPACE.test(entry.text)) return [];
      return now?.uid === entry.uid && now.hash === entry.hash ? [] : [{ entry, isGone: now?.uid !== entry.uid }];
    }),
  };
}
