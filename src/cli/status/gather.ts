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

/** How a landscape is looked at. Throws a Fault where it does not answer. */
export type Gather = (landscape: Landscape, run: Run) => Promise<StatusInput>;

/** A landscape that was looked at, or why it could not be. */
export type LandscapeLook =
  | { readonly landscape: string; readonly status: LandscapeStatus }
  | { readonly landscape: string; readonly unknown: string };

/** What a control plane holds, who writes to it, and who uses what. */
export async function gatherStatus(scope: SyncScope, landscape: Landscape, run: Run): Promise<StatusInput> {
  const controlPlane = await connect(landscape.controlPlane, scope.repository);
  return gatherSeen(scope, landscape, siteOf(controlPlane, landscape), run);
}

/** The same by another look. */
export function gatherSeen(
  scope: SyncScope,
  landscape: Landscape,
  site: LandscapeSite,
  run: Run,
): Promise<StatusInput> {
  const plan = (): Promise<Prepared> => prepareLandscape(scope, landscape, site, CAREFUL, run);
  return gatherStatusOf({ catalogue: scope.catalogue, landscape, clock, plan, ...site }, run);
}

/** A landscape that is told of, and how it is planned. */
export interface StatusQuestion extends Pick<StatusInput, "catalogue" | "landscape">, LandscapeSite {
  readonly clock: SteadyClock;
  /** Asked once. */
  readonly plan: () => Promise<Prepared>;
}

/** The same, planned in its own way. Throws CONFIGURATION where another repository or landscape recorded what is served. */
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
  // Where there is nothing to do, a plan does not ask who uses what.
  const planned = prepared.input.users;
  const users = planned.kind === "known" ? planned : await look.users(run);
  return { catalogue, landscape, prepared, users, lease, controller, times, nowMs: clock.nowMs() };
}

/** What a controller saw of times from the apply to Ready. Where that cannot be read, all else can be told. */
async function readTimes(controlPlane: ControlPlane, namespace: string, run: Run): Promise<KnownTimes> {
  try {
    return (await readObservations({ controlPlane, namespace }, run)).observations.times;
  } catch (error) {
    if (!(error instanceof Fault) || run.signal.aborted) throw error;
    run.log.warn(`times to Ready are not known: ${error.message}`);
    return new Map();
  }
}
