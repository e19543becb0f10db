import { Fault, type Clock, type ControlPlane, type Run } from "../ports.ts";
import { changeControls } from "./controlStore.ts";
import { readResults } from "./controller/status.ts";
import { REQUEST_MS, type RequestResult, type SyncRequest } from "./plan/requests.ts";

const POLL_MS = 500;

/** A landscape that a controller syncs. */
export interface KeptPlace {
  readonly controlPlane: ControlPlane;
  readonly namespace: string;
  readonly clock: Clock;
}

/** The time limit for withdrawing the request of an interrupted command. Milliseconds. */
const TAKE_BACK_MS = 5_000;

/**
 * Requests a sync from the controller of a landscape, and waits at most `waitMs` for the result. Throws CLUSTER_TIMEOUT
 * without a result; the controller may still carry the request out later. An interrupted request is withdrawn.
 */
export async function requestSync(
  request: SyncRequest,
  where: KeptPlace,
  waitMs: number,
  run: Run,
): Promise<RequestResult> {
  const { clock } = where;
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
  const until = new Date(request.atMs + REQUEST_MS).toISOString();
  throw new Fault(
    "CLUSTER_TIMEOUT",
    `The controller did not answer within ${waitMs / 1_000} s. It only serves a commit that is pushed to the branch that it follows. ` +
      `It may carry out this request until ${until}: check kyma-modules status, or wait longer with --wait 5m.`,
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
    log.warn("the request to the controller is taken back");
  } catch (error) {
    const because = error instanceof Error ? error.message : String(error);
    const until = new Date(atMs + REQUEST_MS).toISOString();
    log.warn(`the controller may carry the request out until ${until}: it could not be taken back`, { because });
  }
}
