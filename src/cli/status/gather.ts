import type { Landscape } from "../../catalogue/settings.ts";
import { Fault, type ControlPlane, type Run, type SteadyClock } from "../../ports.ts";
import { readStatus } from "../../sync/controller/status.ts";
import type { KnownTimes, LandscapeStatus, StatusInput } from "../../sync/landscapeStatus.ts";
import { readLeaseHolder } from "../../sync/lease.ts";
import { refuseForeign } from "../../sync/observedLandscape.ts";
import { readObservations } from "../../sync/observedStore.ts";
import { CAREFUL } from "../../sync/plan/input.ts";
import type { Prepared } from "../../sync/prepare.ts";
import type { SyncScope } from "../compose/sync.ts";
import { clock, connect } from "../compose/systems.ts";
import { type LandscapeSite, prepareLandscape, siteOf } from "../sync/landscapes.ts";

/** Reads the state of a landscape. Throws a Fault if it does not answer. */
export type Gather = (landscape: Landscape, run: Run) => Promise<StatusInput>;

/** The status of a landscape, or why it is not known. */
export type LandscapeLook =
  | { readonly landscape: string; readonly status: LandscapeStatus }
  | { readonly landscape: string; readonly unknown: string };

/** Reads the objects, writers and users of a control plane. */
export async function gatherStatus(scope: SyncScope, landscape: Landscape, run: Run): Promise<StatusInput> {
  const controlPlane = await connect(landscape.controlPlane, scope.repository);
  return gatherSeen(scope, landscape, siteOf(controlPlane, landscape), run);
}

/** The same, with the given site. */
export function gatherSeen(
  scope: SyncScope,
  landscape: Landscape,
  site: LandscapeSite,
  run: Run,
): Promise<StatusInput> {
  const plan = (): Promise<Prepared> => prepareLandscape(scope, landscape, site, CAREFUL, run);
  return gatherStatusOf({ catalogue: scope.catalogue, landscape, clock, plan, ...site }, run);
}

/** The landscape to read, and how to plan it. */
export interface StatusQuestion extends Pick<StatusInput, "catalogue" | "landscape">, LandscapeSite {
  readonly clock: SteadyClock;
  /** Called once. */
  readonly plan: () => Promise<Prepared>;
}

/** The same, with the given plan. Throws CONFIGURATION if the set belongs to another repository or landscape. */
export async function gatherStatusOf(question: StatusQuestion, run: Run): Promise<StatusInput> {
  const { catalogue, landscape, controlPlane, look, clock, plan } = question;
  const { namespace } = landscape;
  const [prepared, lease, controller, times] = await Promise.all([
    plan(),
    readLeaseHolder(namespace, { controlPlane, clock }, run),
    readStatus(controlPlane, namespace, run),
    readTimes(controlPlane, namespace, run),
  ]);
  const { repository } = prepared.input.claim;
  refuseForeign(prepared.stored.owner, { landscape: landscape.name, repository }, controlPlane.server);
  // A plan without actions does not read the users.
  const planned = prepared.input.users;
  const users = planned.kind === "known" ? planned : await look.users(run);
  return { catalogue, landscape, prepared, users, lease, controller, times, nowMs: clock.nowMs() };
}

/** The times from apply to Ready that a controller observed. A failure to read them does not fail the status. */
async function readTimes(controlPlane: ControlPlane, namespace: string, run: Run): Promise<KnownTimes> {
  try {
    return (await readObservations({ controlPlane, namespace }, run)).observations.times;
  } catch (error) {
    if (!(error instanceof Fault) || run.signal.aborted) throw error;
    run.log.warn(`times to Ready are not known: ${error.message}`);
    return new Map();
  }
}
