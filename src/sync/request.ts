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

/**
 * Asks the controller of a landscape for a sync, and waits for what becomes of it, `waitMs` at most. Throws CLUSTER_TIMEOUT
 * when nothing was heard of it: it may be carried out later.
 */
export async function requestSync(
  request: SyncRequest,
  where: KeptPlace,
  waitMs: number,
  run: Run,
): Promise<RequestResult> {
  const { clock } = where;
  const isOld = ({ atMs }: SyncRequest): boolean => clock.nowMs() - atMs > REQUEST_MS;
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
  throw new Fault(
    "CLUSTER_TIMEOUT",
    `The controller has not answered within ${waitMs / 1_000} s. It serves a commit once it is pushed to the branch that it follows; ` +
      `look at kyma-modules status, or wait longer: --wait 5m.`,
  );
}
