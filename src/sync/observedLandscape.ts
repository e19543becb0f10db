import type { Evidence } from "../catalogue/evidence/evidence.ts";
import type { Landscape } from "../catalogue/settings.ts";
import { fleetEvidence } from "../fleet/fleetEvidence.ts";
import { advanceExposure, type ExposureSums, type LiveContent } from "../fleet/exposure.ts";
import type { ServedEntry } from "../fleet/readyTimes.ts";
import { Fault, type Clock, type ControlPlane, type Run } from "../ports.ts";
import { isKept, readLeaseHolder } from "./leaseHolder.ts";
import { observe, readUsers } from "./observe.ts";
import { readObservations } from "./observedStore.ts";
import { servedContents, servedEntriesOf } from "./plan/served.ts";
import { entriesIn } from "./plan/records.ts";
import { refuseForeign } from "./recordStore.ts";

/** The landscape to observe. */
interface ObserveRequest {
  readonly landscape: Pick<Landscape, "name" | "namespace">;
  /** The expected owner of the set. */
  readonly repository: string;
  readonly controlPlane: ControlPlane;
  /** How long an upgrade may take on a cluster of the landscape, see `deadlineIn`. Milliseconds. */
  readonly deadlineMs: number;
}

/** The observation of a landscape. */
export interface ObservedLandscape {
  readonly landscape: string;
  /** Whether a controller observes it; otherwise its clusters were read once. */
  readonly byController: boolean;
  readonly served: readonly LiveContent[];
  /** The served entries without evidence, because it is unknown which content their clusters run. */
  readonly unobserved: readonly Pick<ServedEntry, "key" | "version">[];
  readonly exposure: ExposureSums;
  readonly evidence: readonly Evidence[];
  /** Why the users are unknown; `undefined`: they are known. */
  readonly unknown: string | undefined;
}

/**
 * Makes evidence of the versions that a landscape serves, from the observations of its controller. Without a controller
 * it reads the clusters once, and adds to the exposure that an earlier controller stored. Throws CONFIGURATION if the
 * records belong to another repository or landscape.
 */
export async function observeLandscape(
  { landscape: { name, namespace }, repository, controlPlane, deadlineMs }: ObserveRequest,
  clock: Clock,
  run: Run,
): Promise<ObservedLandscape> {
  const [{ live, stored }, kept, isObserved] = await Promise.all([
    observe(controlPlane, namespace, run),
    readObservations({ controlPlane, namespace }, run),
    hasController(namespace, { controlPlane, clock }, run),
  ]);
  refuseForeign(stored.owner, { landscape: name, repository }, controlPlane.server);
  const records = entriesIn(live.records);
  const served = servedContents(records, live.templates, deadlineMs);
  const entries = servedEntriesOf(records, deadlineMs);
  const unobserved = entries.filter((entry) => !served.some((content) => isEntryContent(content, entry)));
  const byController = kept.object !== undefined && isObserved;
  const users = byController ? undefined : await readUsers(controlPlane, namespace, run);
  const before = kept.observations.exposure;
  const exposure = users === undefined ? before : advanceExposure(before, users, served, clock.nowMs());
  const source = byController ? controllerName(name) : `a look at ${name}`;
  return {
    ...{ landscape: name, byController, served, unobserved, exposure },
    evidence: fleetEvidence({ landscape: name, source, served, exposure }),
    unknown: users?.kind === "unknown" ? users.because : undefined,
  };
}

function isEntryContent({ module, version, channels }: LiveContent, entry: ServedEntry): boolean {
  return (
    module === entry.module && version === entry.version && channels.some(({ channel }) => channel === entry.channel)
  );
}

/** Whether a controller holds the Lease. False without the right to read it: the clusters are then read instead. */
async function hasController(
  namespace: string,
  where: Parameters<typeof readLeaseHolder>[1],
  run: Run,
): Promise<boolean> {
  try {
    return isKept(await readLeaseHolder(namespace, where, run));
  } catch (error) {
    if (error instanceof Fault && error.code === "CLUSTER_FORBIDDEN") return false;
    throw error;
  }
}

/** The source of evidence that the controller of a landscape observed. */
export function controllerName(landscape: string): string {
  return `the controller of ${landscape}`;
}
