import { hashOf } from "../../document/canonical.ts";
import { fieldAt, textAt } from "../../document/fields.ts";
import { groupKindOf, objectKey, objectText } from "../../kubernetes/installOrder.ts";
import type { KubernetesObject } from "../../kubernetes/object.ts";

/** The objects of a cluster at one moment, by `objectKey`. */
export type Inventory = ReadonlyMap<string, InventoryEntry>;

/** One object of an inventory. */
export interface InventoryEntry {
  /** `Deployment kyma-system/manager`. */
  readonly text: string;
  readonly groupKind: string;
  readonly uid: string;
  /** Of what people write; without status, and without the metadata that the server keeps. */
  readonly hash: string;
  /** The uids of the objects that it goes with. */
  readonly owners: readonly string[];
}

/** What comes and goes without anybody's doing. */
const NOISE: ReadonlySet<string> = new Set([
  ...["/Event", "events.k8s.io/Event", "/Node", "metrics.k8s.io/PodMetrics"],
  // They come and go with Services.
  "networking.k8s.io/IPAddress",
]);
/** What the cluster puts into every namespace, some time after it was created. */
const IN_EVERY_NAMESPACE = /^(ServiceAccount .*\/default|ConfigMap .*\/(kube-root-ca|istio-ca-root-cert)\.\w+)$/;
const LEASE = "coordination.k8s.io/Lease";
/** What other workloads of a cluster change all the time. */
const RESTLESS: ReadonlySet<string> = new Set([
  ...["/Pod", "/Endpoints", "apps/ReplicaSet", "apps/ControllerRevision", "batch/Job"],
  ...["discovery.k8s.io/EndpointSlice", LEASE, "apiregistration.k8s.io/APIService"],
]);

/**
 * What there is in a cluster, without what `isOmitted`, and without what goes with that. What every owner of is gone goes
 * by itself, and counts no more.
 */
export function inventoryOf(
  objects: readonly KubernetesObject[],
  isOmitted: (object: KubernetesObject) => boolean,
): Inventory {
  const there = new Set(objects.map(({ metadata: { uid = "" } }) => uid));
  const omitted = new Set(objects.filter(isOmitted).map(({ metadata: { uid = "" } }) => uid));
  const entries = objects
    .filter((object) => !NOISE.has(groupKindOf(object)))
    .map((object) => [objectKey(object), entryOf(object)] as const)
    .filter(([, { owners }]) => owners.length === 0 || owners.some((owner) => there.has(owner)));
  // A pod goes with its ReplicaSet, and that with its Deployment.
  for (let known = -1; known !== omitted.size;) {
    known = omitted.size;
    for (const [, { uid, owners }] of entries) if (owners.some((owner) => omitted.has(owner))) omitted.add(uid);
  }
  return new Map(entries.filter(([, { uid }]) => !omitted.has(uid)));
}

/** Whether a namespace holds nothing but what every namespace gets, and Leases, which everybody leaves. */
export function isEmptyNamespace(name: string, inventory: Inventory): boolean {
  return [...inventory.values()].every(
    ({ text, groupKind }) =>
      groupKind === LEASE || IN_EVERY_NAMESPACE.test(text) || !text.split(" ")[1]?.startsWith(`${name}/`),
  );
}

function entryOf(object: KubernetesObject): InventoryEntry {
  const { metadata, status: _status, ...content } = object;
  const { uid = "", labels, annotations } = metadata;
  const owners = fieldAt(object, ["metadata", "ownerReferences"]);
  const isAggregated = content["aggregationRule"] !== undefined;
  return {
    text: objectText(object),
    groupKind: groupKindOf(object),
    uid,
    hash: hashOf(isAggregated ? { labels } : { labels, annotations, ...content }),
    owners: Array.isArray(owners) ? owners.flatMap((owner: unknown) => textAt(owner, ["uid"]) ?? []) : [],
  };
}

/** What an uninstall left, and what it did to others. */
export interface LeftOver {
  /** Objects that were not there before. */
  readonly left: readonly InventoryEntry[];
  /** Objects that an earlier path of the same run left, and that are still there. */
  readonly leftEarlier: readonly InventoryEntry[];
  /** Leases by which managers elect their leader: everybody leaves them. */
  readonly leases: readonly InventoryEntry[];
  /** Objects that were there before, and are gone or not as they were. */
  readonly harmed: readonly { readonly entry: InventoryEntry; readonly isGone: boolean }[];
}

/** Compares what there was before a module came with what there is after it went; `earlier` is what other paths left. */
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
