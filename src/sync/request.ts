import { Fault, type Clock, type ControlPlane, type Run } from "../ports.ts";
import { changeControls } from "./controlStore.ts";
import { readResults } from "./controller/status.ts";
import { REQUEST_MS, type RequestResult, type SyncRequest } from "./plan/requests.ts";

const POLL_MS = 500;

/** A landscape that a controller keeps. */
export interface KeptPlace {
  readonly controlPlane: ControlPlane;
  readonly namespace: string;
  readonly clock: Clock;
}

/** Whoever gave up a command does not wait longer for its request to be taken back. Milliseconds. */
const TAKE_BACK_MS = 5_000;

/**
 * Asks the controller of a landscape for a sync, and waits for what becomes of it, `waitMs` at most. Throws CLUSTER_TIMEOUT
 * when nothing was heard of it: it may be carried out later. One that is interrupted is taken back.
 */
export async function requestSync(
  request: SyncRequest,
  where: KeptPlace,
  waitMs: number,
  run: Run,
): Promise<RequestResult> {
  const { clock } = where;
  const isOld = ({ atMs }: SyncRequest): boolean => clock.nowMs() - atMs > REQUEST_MS;
  try {
    await changeControls(
      (controls) => ({ ...controls, requests: [...controls.requests.filter((one) => !isOld(one)), request] }),
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
    `The controller has not answered within ${waitMs / 1_000} s. It serves a commit once it is pushed to the branch that it follows, ` +
      `and carries this out until ${until}; look at kyma-modules status, or wait longer: --wait 5m.`,
  );
}

/** What nobody waits for any more is not done later, unseen; where that cannot be had, it is said. */
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
