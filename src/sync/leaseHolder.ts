import { RESOURCES, type KubernetesObject, type ObjectRef } from "../kubernetes/object.ts";
import type { Clock, ControlPlane, Run } from "../ports.ts";

/** The Lease of a namespace. Its holder is the only writer. */
export const LEASE_NAME = "kyma-modules";

/** The time between two renewals. Milliseconds. */
export const RENEWAL_MS = 3_000;

/** The Lease of a namespace, to read it. */
export function leaseRef(namespace: string): ObjectRef {
  return { resource: RESOURCES.lease, namespace, name: LEASE_NAME };
}

/** The `spec` of a Lease. */
export interface LeaseSpec {
  readonly holderIdentity?: string;
  readonly leaseDurationSeconds?: number;
  readonly acquireTime?: string;
  readonly renewTime?: string;
  readonly leaseTransitions?: number;
}

/** The `spec` of a Lease; empty without one. */
export function leaseSpec(lease: KubernetesObject | undefined): LeaseSpec {
  return lease?.["spec"] ?? {};
}

const CONTROLLER = "controller_";

/** The name in Leases of the controller that runs as `writer`. A controller keeps a Lease until it stops. */
export function controllerHolder(writer: string): string {
  return CONTROLLER + writer;
}

/** Whether the holder of a Lease is a controller. */
export function isController(holder: string): boolean {
  return holder.startsWith(CONTROLLER);
}

/** The holder of a Lease, from its fields. Unix milliseconds; `undefined`: another client wrote a Lease without times. */
export interface LeaseHolder {
  readonly holder: string;
  readonly sinceMs: number | undefined;
  readonly renewedMs: number | undefined;
  /** Whether it was not renewed in time. */
  readonly isExpired: boolean;
}

/** Whether a controller runs that writes to the landscape of a Lease. */
export function isKept(lease: LeaseHolder | undefined): boolean {
  return lease !== undefined && isController(lease.holder) && !lease.isExpired;
}

/** By how much two clocks may differ without notice, in milliseconds. */
const CLOCKS_MS = 2_000;
/** A Lease whose time may be wrong is read for two renewals, this often. Milliseconds. */
const [LOOK_MS, POLL_MS] = [2 * RENEWAL_MS, 1_000];

/**
 * Reads the holder of a Lease; `undefined`: it was released or never taken. The clocks of the holder and of this machine
 * may differ: unless the time of the last renewal is recent, a holder that renews the Lease now is not expired.
 */
export async function readLeaseHolder(
  namespace: string,
  { controlPlane, clock }: { readonly controlPlane: ControlPlane; readonly clock: Clock },
  run: Run,
): Promise<LeaseHolder | undefined> {
  const read = (): Promise<KubernetesObject | undefined> => controlPlane.read(leaseRef(namespace), run);
  const lease = await read();
  const spec = leaseSpec(lease);
  const { holderIdentity: holder = "", acquireTime, renewTime } = spec;
  if (holder === "") return undefined;
  // Not in the future, either.
  const isRecent = unrenewedMs(spec, clock) >= -CLOCKS_MS && !isExpired(spec, clock);
  return {
    holder,
    sinceMs: acquireTime === undefined ? undefined : Date.parse(acquireTime),
    renewedMs: renewTime === undefined ? undefined : Date.parse(renewTime),
    isExpired: !isRecent && !(await isRenewed(lease, { read, clock }, run)),
  };
}

/** Waits whether a Lease changes. */
async function isRenewed(
  before: KubernetesObject | undefined,
  { read, clock }: { readonly read: () => Promise<KubernetesObject | undefined>; readonly clock: Clock },
  run: Run,
): Promise<boolean> {
  for (let waitedMs = 0; waitedMs <= LOOK_MS; waitedMs += POLL_MS) {
    await clock.pause(POLL_MS, run);
    if ((await read())?.metadata.resourceVersion !== before?.metadata.resourceVersion) return true;
  }
  return false;
}

/** Whether a Lease was not renewed in time, by our own clock; also if it does not say when it was renewed. */
export function isExpired(spec: LeaseSpec, clock: Clock): boolean {
  const { leaseDurationSeconds = 0 } = spec;
  return !(unrenewedMs(spec, clock) <= leaseDurationSeconds * 1000);
}

/** The time since the last renewal, by our own clock; `NaN` if the Lease does not say. */
function unrenewedMs({ renewTime = "" }: LeaseSpec, clock: Clock): number {
  return (clock.nowMs() - Date.parse(renewTime)) / (clock.speed ?? 1);
}
