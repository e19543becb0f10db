import { RESOURCES, type KubernetesObject } from "../kubernetes/object.ts";
import type { Clock, ControlPlane, Run } from "../ports.ts";

/** The Lease of a namespace. Its holder is the only writer. */
export const LEASE_NAME = "kyma-modules";

/** The `spec` of a Lease. */
export interface LeaseSpec {
  readonly holderIdentity?: string;
  readonly leaseDurationSeconds?: number;
  readonly acquireTime?: string;
  readonly renewTime?: string;
  readonly leaseTransitions?: number;
}

/** The `spec` of a Lease; empty without one. */
export function specOf(lease: KubernetesObject | undefined): LeaseSpec {
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

/** The holder of a Lease, from its fields. Unix milliseconds. */
export interface LeaseHolder {
  readonly holder: string;
  readonly sinceMs: number;
  readonly renewedMs: number;
  /** Whether it was not renewed in time, by the clock of this machine. */
  readonly isExpired: boolean;
}

/** Reads the holder of a Lease; `undefined`: it was released or never taken. */
export async function readLeaseHolder(
  namespace: string,
  { controlPlane, clock }: { readonly controlPlane: ControlPlane; readonly clock: Clock },
  run: Run,
): Promise<LeaseHolder | undefined> {
  const lease = await controlPlane.read({ resource: RESOURCES.lease, namespace, name: LEASE_NAME }, run);
  const spec = specOf(lease);
  const { holderIdentity: holder = "", acquireTime = "", renewTime = "" } = spec;
  if (holder === "") return undefined;
  return {
    holder,
    sinceMs: Date.parse(acquireTime),
    renewedMs: Date.parse(renewTime),
    isExpired: isExpired(spec, clock),
  };
}

/** Whether a Lease was not renewed in time, by our own clock; also if it does not say when it was renewed. */
export function isExpired({ renewTime = "", leaseDurationSeconds = 0 }: LeaseSpec, clock: Clock): boolean {
  const unrenewedMs = (clock.nowMs() - Date.parse(renewTime)) / (clock.speed ?? 1);
  return !(unrenewedMs <= leaseDurationSeconds * 1000);
}
