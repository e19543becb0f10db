import { durationText, secondText } from "../document/times.ts";
import { Fault, type Clock, type ControlPlane, type Run } from "../ports.ts";
import { changeControls } from "./controlStore.ts";
import { readResults } from "./controller/status.ts";
import { leaseRef, leaseSpec } from "./leaseHolder.ts";
import { REQUEST_MS, type RequestResult, type SyncRequest } from "./plan/controls.ts";

const POLL_MS = 500;

/** A landscape that a controller syncs. */
interface KeptPlace {
  readonly controlPlane: ControlPlane;
  readonly namespace: string;
  readonly clock: Clock;
}

/** The time limit for withdrawing the request of an interrupted command. Milliseconds. */
const TAKE_BACK_MS = 5_000;

/** A request lasts at least this long, whatever the clocks of this machine and of the controller say. Milliseconds. */
const LASTS_MS = REQUEST_MS / 2;

/**
 * Requests a sync from the controller of a landscape, and waits at most `waitMs` for the result. Throws CLUSTER_TIMEOUT
 * without a result; the controller may still carry the request out later. Throws CONFIGURATION if the controller would
 * ignore the request, because the clock of this machine is wrong. An interrupted request is withdrawn.
 */
export async function requestSync(
  request: SyncRequest,
  where: KeptPlace,
  waitMs: number,
  run: Run,
): Promise<RequestResult> {
  const { clock } = where;
  await compareClocks(where, run);
  try {
    await changeControls(
      (controls) => {
        const recent = controls.requests.filter(({ atMs }) => clock.nowMs() - atMs <= REQUEST_MS);
        return { ...controls, requests: [...recent, request] };
      },
      where,
      run,
    );
    for (const startedMs = clock.nowMs(); clock.nowMs() - startedMs < waitMs;) {
      const result = (await readResults(where, run)).get(request.id);
      if (result !== undefined) return result;
      await clock.pause(POLL_MS, run);
    }
  } catch (error) {
    if (run.signal.aborted) await takeBack(request, where, run);
    throw error;
  }
  const until = secondText(request.atMs + REQUEST_MS);
  throw new Fault(
    "CLUSTER_TIMEOUT",
    `The controller did not answer within ${waitMs / 1_000} s. It only serves a commit that is pushed to the branch that it follows. ` +
      `It may carry out this request until ${until}: check kyma-modules status, or wait longer with --wait 5m.`,
  );
}

/** The controller renews its Lease every few seconds, by its own clock. */
async function compareClocks(where: KeptPlace, run: Run): Promise<void> {
  const { controlPlane, namespace, clock } = where;
  const { holderIdentity = "", renewTime = "" } = leaseSpec(await controlPlane.read(leaseRef(namespace), run));
  if (holderIdentity === "") return;
  const aheadMs = (clock.nowMs() - Date.parse(renewTime)) / (clock.speed ?? 1);
  const off = `${durationText(Math.abs(aheadMs))} ${aheadMs > 0 ? "ahead of" : "behind"}`;
  if (Math.abs(aheadMs) >= LASTS_MS)
    throw new Fault(
      "CONFIGURATION",
      `The clock of this machine is ${off} that of the controller ${holderIdentity}, which would ignore the request. ` +
        `Correct the clock, and run the command again.`,
    );
}

/** Withdraws a request, so that the controller does not carry it out unseen. Logs a warning if that fails. */
async function takeBack({ id, atMs }: SyncRequest, where: KeptPlace, { log }: Run): Promise<void> {
  const run: Run = { signal: AbortSignal.timeout(TAKE_BACK_MS), log };
  try {
    await changeControls(
      (controls) => ({ ...controls, requests: controls.requests.filter((one) => one.id !== id) }),
      where,
      run,
    );
    log.warn("the request to the controller was withdrawn");
  } catch (error) {
    const because = error instanceof Error ? error.message : String(error);
    const until = secondText(atMs + REQUEST_MS);
    log.warn(`the controller may carry the request out until ${until}: it could not be withdrawn`, { because });
  }
}
