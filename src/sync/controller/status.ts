import { RESOURCES, type KubernetesObject, type ObjectRef } from "../../kubernetes/object.ts";
import type { ControlPlane, Run } from "../../ports.ts";
import { identityOf } from "../identity.ts";
import { entriesOf, isAmiss, itemsOf } from "../plan/item.ts";
import { placeOfKey, type EntryRecord } from "../plan/records.ts";
import { clustersOf } from "../plan/wave.ts";
import type { PassReport } from "./pass.ts";
import type { RevisionChoice } from "./revisions.ts";

/** The ConfigMap in which the controller says how a landscape stands. Only it writes it, and nothing is decided by it. */
export const STATUS_NAME = "kyma-modules-status";

/** How a landscape stands, as `kubectl get configmap kyma-modules-status -o yaml` shows it. */
export type StatusData = Readonly<Record<"revision" | "held" | "entries" | "waiting" | "amiss" | "waves", string>>;

/** What the controller says of a pass: lines for people, in an order that does not change. */
export function statusOf({ serves, held }: RevisionChoice, { prepared, records }: PassReport): StatusData {
  const entries = entriesOf(prepared.plan);
  const counts = Map.groupBy(entries, ({ kind }) => kind);
  return {
    revision: serves?.commit ?? "",
    held: held === undefined ? "" : `${held.commit}: ${held.reason} ${held.remedy}`,
    entries: [...counts]
      .map(([kind, some]) => `${kind}: ${some.length}`)
      .sort()
      .join("\n"),
    waiting: entries
      .flatMap((entry) => (entry.kind === "waiting" ? [`${entry.channel}/${entry.module}: ${entry.reason}`] : []))
      .join("\n"),
    amiss: [
      ...entries.flatMap((entry) =>
        entry.kind === "refused" ? [`${entry.channel}/${entry.module}: ${entry.reason}`] : [],
      ),
      ...itemsOf(prepared.plan).flatMap((item) =>
        isAmiss(item) ? [`${item.object.kind} ${item.object.name}: ${item.kind}`] : [],
      ),
    ].join("\n"),
    waves: [...records]
      .flatMap(([key, record]) => waveLine(key, record))
      .sort()
      .join("\n"),
  };
}

function waveLine(key: string, { current }: EntryRecord): readonly string[] {
  if (current?.wave === undefined || clustersOf(current.wave) === 0) return [];
  const { failing, inOrder, pending, halt } = current.wave;
  const { channel, module } = placeOfKey(key);
  const state = halt === undefined ? "" : `; halted: ${halt.reason}`;
  return [
    `${channel}/${module} ${current.version}: ${inOrder} in order, ${pending} pending, ${failing} failing${state}`,
  ];
}

/** Writes the status where it changed. */
export async function writeStatus(
  data: StatusData,
  { controlPlane, namespace }: { readonly controlPlane: ControlPlane; readonly namespace: string },
  run: Run,
): Promise<void> {
  const { apiVersion, kind } = RESOURCES.configMap;
  const ref: ObjectRef = { resource: RESOURCES.configMap, namespace, name: STATUS_NAME };
  const live = await controlPlane.read(ref, run);
  const desired: KubernetesObject = { apiVersion, kind, metadata: { name: STATUS_NAME, namespace }, data };
  await controlPlane.apply(desired, live === undefined ? "absent" : identityOf(live), run);
}
