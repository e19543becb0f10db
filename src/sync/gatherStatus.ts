import { Fault, type ControlPlane, type Run, type SteadyClock } from "../ports.ts";
import { readStatus } from "./controller/status.ts";
import type { KnownTimes, StatusInput } from "./landscapeStatus.ts";
import { readLeaseHolder } from "./leaseHolder.ts";
import { refuseForeign } from "./recordStore.ts";
import { readObservations } from "./observedStore.ts";
import type { LandscapeAccess, Prepared } from "./prepare.ts";

/** The landscape to read, and how to plan it. */
interface StatusQuestion extends Pick<StatusInput, "catalogue" | "landscape">, LandscapeAccess {
  readonly clock: SteadyClock;
  /** Called once. */
  readonly plan: () => Promise<Prepared>;
}

/**
 * Reads the objects, writers and users of a control plane. Throws CONFIGURATION if the set belongs to another
 * repository or landscape.
 */
export async function gatherStatus(question: StatusQuestion, run: Run): Promise<StatusInput> {
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
