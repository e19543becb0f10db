import type { Catalogue } from "../catalogue/catalogue.ts";
import type { ControlPlaneAddress, Landscape } from "../catalogue/settings.ts";
import { type Clock, type ControlPlane, Fault, type Run } from "../ports.ts";
import { readUsers } from "./observe.ts";
import type { EarlierRecords } from "./plan/gate.ts";
import type { Records } from "./plan/records.ts";
import { isAnyUncounted, withLook } from "./plan/waves.ts";
import { readRecords } from "./recordStore.ts";

/** The repository that is synced, and how to reach its landscapes. */
interface EarlierWorld {
  readonly catalogue: Catalogue;
  /** The owner of the records, as they name it. */
  readonly identity: string;
  readonly clock: Clock;
  /** Connects to a landscape. */
  connect(address: ControlPlaneAddress): Promise<ControlPlane>;
}

/**
 * Reads the records of an earlier landscape, which needs permission to read one ConfigMap. Lists its Kymas and
 * Manifests, which needs permission as well, if no controller counted the clusters. Records of another landscape are
 * refused.
 */
export async function readEarlier(
  before: Landscape,
  { after }: Landscape,
  world: EarlierWorld,
  run: Run,
): Promise<EarlierRecords> {
  const address = (after?.landscape === before.name ? after.record : undefined) ?? before.controlPlane;
  try {
    const controlPlane = await world.connect(address);
    const { records, owner } = await readRecords(controlPlane, before.namespace, run);
    const isOwn = owner === undefined || (owner.landscape === before.name && owner.repository === world.identity);
    if (isOwn) return await withClusters(records, before, { ...world, controlPlane }, run);
    const whose = `${owner.landscape} of ${owner.repository || "a folder"}`;
    return { kind: "unknown", because: `its records belong to ${whose}: check the address` };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { kind: "unknown", because: error.message };
  }
}

async function withClusters(
  records: Records,
  { name, namespace }: Landscape,
  { catalogue, controlPlane, clock }: EarlierWorld & { readonly controlPlane: ControlPlane },
  run: Run,
): Promise<Records> {
  const scope = { catalogue, landscape: name };
  if (records.kind === "none" || !isAnyUncounted(records.entries, scope)) return records;
  const users = await readUsers(controlPlane, namespace, run);
  if (users.kind === "unknown")
    run.log.warn("clusters are not counted, and versions move on by their age", {
      earlier: name,
      because: users.because,
    });
  return { kind: "known", entries: withLook(records.entries, { ...scope, users, nowMs: clock.nowMs() }) };
}
