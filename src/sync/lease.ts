import { RESOURCES, type KubernetesObject } from "../kubernetes/object.ts";
import { Fault, type ControlPlane, type Run, type SteadyClock } from "../ports.ts";
import { expectedObject } from "./identity.ts";
import { isExpired, LEASE_NAME, leaseRef, RENEWAL_MS, leaseSpec, type LeaseSpec } from "./leaseHolder.ts";

/** The time after which a Lease without a renewal expires. */
const DURATION_MS = 15_000;
/** After this time without a renewal, no write begins, so that the last one ends before the Lease expires. */
const MARGIN_MS = 8_000;
const POLL_MS = 1_000;

/** A request for a Lease. */
interface LeaseRequest {
  readonly namespace: string;
  /** Unique for each process. */
  readonly holder: string;
  readonly waitMs: number;
  /** Whether waiting for a holder is pointless, because it keeps the Lease permanently. */
  readonly isHopeless?: (holder: string) => boolean;
  /** Called each time another process is found to hold it. */
  readonly onHeld?: () => void;
}

/**
 * Does `work` as the only writer of a namespace, and renews the Lease meanwhile. If renewals fail for too long, `work`
 * is aborted before another process may begin, through its run and through `held`. Call `held` right before each write:
 * a process that was suspended has not noticed the loss yet. Fields and waiting follow client-go's leader election.
 *
 * Throws CLUSTER_BUSY if another process holds the Lease for longer than `waitMs`, CLUSTER_FORBIDDEN with the Role to
 * grant.
 */
export async function withLease<T>(
  request: LeaseRequest,
  { controlPlane, clock }: { readonly controlPlane: ControlPlane; readonly clock: SteadyClock },
  work: (run: Run, held: () => AbortSignal) => Promise<T>,
  run: Run,
): Promise<T> {
  const lease = new HeldLease(request, controlPlane, clock);
  await lease.acquire(run);
  const ended = new AbortController();
  const renewing = Promise.all([lease.renewUntil(ended.signal, run), lease.loseInTime(ended.signal, run)]);
  try {
    return await work({ ...run, signal: AbortSignal.any([run.signal, lease.held()]) }, () => lease.held());
  } finally {
    ended.abort();
    await renewing;
    if (!lease.held().aborted) await lease.release(run);
  }
}

/** A Lease of another process. */
interface SeenLease {
  /** Its resourceVersion. */
  readonly version: string;
  /** Since when it is unchanged, by the steady clock. Milliseconds. */
  readonly sinceMs: number;
  readonly isAlive: boolean;
}

/** A Lease from acquisition to release. */
class HeldLease {
  readonly #request: LeaseRequest;
  readonly #controlPlane: ControlPlane;
  readonly #clock: SteadyClock;
  #live: KubernetesObject | undefined;
  readonly #lost = new AbortController();
  #acquiredAt = "";
  /** The time when the last successful write was sent, by the steady clock. */
  #renewedMs = -Infinity;

  constructor(request: LeaseRequest, controlPlane: ControlPlane, clock: SteadyClock) {
    this.#request = request;
    this.#controlPlane = controlPlane;
    this.#clock = clock;
  }

  /**
   * A foreign Lease expires when our own clock sees no renewal for its duration: the clock of the holder may be wrong.
   */
  async acquire(run: Run): Promise<void> {
    const startedMs = this.#clock.elapsedMs();
    for (let seen: SeenLease | undefined; ;) {
      this.#live = await this.#ask(() => this.#controlPlane.read(leaseRef(this.#request.namespace), run));
      seen = this.#look(seen);
      const nowMs = this.#clock.elapsedMs();
      if (this.#isFree(nowMs - seen.sinceMs) && (await this.#take(run))) return;
      this.#request.onHeld?.();
      if (!this.#isWorthWaiting(nowMs - startedMs, seen.isAlive)) throw this.#held();
      await this.#clock.pause(this.#request.waitMs === 0 ? POLL_MS : Math.min(POLL_MS, this.#request.waitMs), run);
    }
  }

  /** A holder is alive if it renewed the Lease since the first look, or lately by our clock. */
  #look(before: SeenLease | undefined): SeenLease {
    const version = this.#live?.metadata.resourceVersion ?? "";
    if (version === before?.version) return before;
    const isAlive = before !== undefined || !isExpired(leaseSpec(this.#live), this.#clock);
    return { version, sinceMs: this.#clock.elapsedMs(), isAlive };
  }

  /** A controller never gives its Lease up: waits for it only until it is certain whether it still runs. */
  #isWorthWaiting(waitedMs: number, isAlive: boolean): boolean {
    const { waitMs, isHopeless = (): boolean => false } = this.#request;
    return isHopeless(leaseSpec(this.#live).holderIdentity ?? "") ? !isAlive : waitedMs < waitMs;
  }

  /** A signal that is aborted once another process may hold the Lease. */
  held(): AbortSignal {
    if (this.#clock.elapsedMs() - this.#renewedMs >= MARGIN_MS) this.#lose();
    return this.#lost.signal;
  }

  async renewUntil(ended: AbortSignal, run: Run): Promise<void> {
    const quiet: Run = { ...run, signal: AbortSignal.any([ended, this.#lost.signal]) };
    for (;;) {
      try {
        await this.#clock.pause(RENEWAL_MS, quiet);
        await this.#write(this.#request.holder, quiet);
      } catch (error) {
        if (quiet.signal.aborted) return;
        if (isConflict(error) && !this.#isOurs()) this.#lose(error);
        else this.held();
      }
    }
  }

  /** Aborts what is being sent, and its retries, when the Lease was not renewed for too long. */
  async loseInTime(ended: AbortSignal, run: Run): Promise<void> {
    const quiet: Run = { ...run, signal: AbortSignal.any([ended, this.#lost.signal]) };
    try {
      while (!this.held().aborted)
        await this.#clock.pause(Math.max(1, this.#renewedMs + MARGIN_MS - this.#clock.elapsedMs()), quiet);
    } catch (error) {
      if (!quiet.signal.aborted) throw error;
    }
  }

  #lose(cause?: Fault): void {
    const what = `The Lease ${LEASE_NAME} in ${this.#request.namespace} was lost`;
    this.#lost.abort(new Fault("CLUSTER_BUSY", `${what}, so writing stopped. Run the command again.`, { cause }));
  }

  /** Frees the Lease for other processes at once. Reads it again first: an aborted renewal may have arrived. */
  async release(run: Run): Promise<void> {
    const quiet: Run = { ...run, signal: NEVER };
    try {
      this.#live = await this.#controlPlane.read(leaseRef(this.#request.namespace), quiet);
      if (this.#isOurs()) await this.#write("", quiet);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      // A lost answer: it was released.
      if (isConflict(error) && !this.#isOurs()) return;
      run.log.info("the Lease was not released; it expires by itself", { because: error.message });
    }
  }

  #isFree(unchangedMs: number): boolean {
    const { holderIdentity = "", leaseDurationSeconds = DURATION_MS / 1000 } = leaseSpec(this.#live);
    return holderIdentity === "" || this.#isOurs() || unchangedMs > leaseDurationSeconds * 1000;
  }

  /** Whether this process holds the Lease, as it was last read or written. */
  #isOurs(): boolean {
    return leaseSpec(this.#live).holderIdentity === this.#request.holder;
  }

  async #take(run: Run): Promise<boolean> {
    try {
      this.#acquiredAt = instant(this.#clock.nowMs());
      await this.#ask(() => this.#write(this.#request.holder, run));
      return true;
    } catch (error) {
      if (isConflict(error)) return false;
      throw error;
    }
  }

  /**
   * Writes the Lease. A conflict does not mean that another process has it: after a lost answer, the repeated request
   * conflicts with its own first one, and other clients may have labelled the Lease. It is read, and written again while
   * this process holds it.
   */
  async #write(holder: string, run: Run): Promise<void> {
    try {
      await this.#writeOnce(holder, run);
    } catch (error) {
      if (!isConflict(error)) throw error;
      this.#live = await this.#controlPlane.read(leaseRef(this.#request.namespace), run);
      if (!this.#isOurs()) throw error;
      await this.#writeOnce(holder, run);
    }
  }

  async #writeOnce(holder: string, run: Run): Promise<void> {
    const { apiVersion, kind } = RESOURCES.lease;
    const before = leaseSpec(this.#live);
    const isTransition = holder !== "" && (before.holderIdentity ?? "") !== holder;
    const spec: LeaseSpec = {
      holderIdentity: holder,
      leaseDurationSeconds: holder === "" ? 1 : DURATION_MS / 1000,
      acquireTime: this.#acquiredAt,
      renewTime: instant(this.#clock.nowMs()),
      leaseTransitions: (before.leaseTransitions ?? 0) + (isTransition ? 1 : 0),
    };
    const metadata = { name: LEASE_NAME, namespace: this.#request.namespace };
    const sentMs = this.#clock.elapsedMs();
    this.#live = await this.#controlPlane.apply({ apiVersion, kind, metadata, spec }, expectedObject(this.#live), run);
    this.#renewedMs = sentMs;
  }

  async #ask<T>(request: () => Promise<T>): Promise<T> {
    try {
      return await request();
    } catch (cause) {
      if (!(cause instanceof Fault) || cause.code !== "CLUSTER_FORBIDDEN") throw cause;
      const role = `{ apiGroups: [coordination.k8s.io], resources: [leases], verbs: [get, create, patch] }`;
      throw new Fault(cause.code, `${cause.message}. Grant it with a Role in ${this.#request.namespace}: ${role}`, {
        cause,
      });
    }
  }

  #held(): Fault {
    const { holderIdentity = "another process", acquireTime = "" } = leaseSpec(this.#live);
    const since = acquireTime === "" ? "" : ` since ${acquireTime}`;
    return new Fault(
      "CLUSTER_BUSY",
      `${holderIdentity} writes to ${this.#request.namespace} on ${this.#controlPlane.server}${since} (Lease ${LEASE_NAME}). Wait for it to end: --wait 5m.`,
    );
  }
}

function isConflict(error: unknown): error is Fault {
  return error instanceof Fault && error.code === "CLUSTER_CONFLICT";
}

const NEVER = new AbortController().signal;

/** Kubernetes' MicroTime. */
function instant(ms: number): string {
  return new Date(ms).toISOString().replace("Z", "000Z");
}
