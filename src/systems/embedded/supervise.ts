import type { Fault } from "../../ports.ts";
import type { GuardedProgram } from "./guard.ts";
import { type Ended, endedFault, type Guarded } from "./guarded.ts";

/** An event in a running control plane. */
export type Incident =
  /** A program ended by itself and is restarted with the same data. `outcome` is a predicate to its name. */
  | { readonly kind: "ended"; readonly name: string; readonly outcome: string }
  /** The control plane is ready again. */
  | { readonly kind: "ready"; readonly name: string }
  /** It is not restarted. */
  | { readonly kind: "lost"; readonly fault: Fault };

/** Whether a control plane is ready, has missed its deadline, or one of its programs has ended first. */
export type Readiness = "ready" | "late" | "ended";

/** A control plane to supervise. */
interface Supervised {
  readonly guarded: Pick<Guarded, "ends" | "start">;
  readonly programs: readonly GuardedProgram[];
  /** Waits until the control plane is ready or `ended` settles. */
  readonly untilReady: (ended: Promise<unknown>) => Promise<Readiness>;
  /** Called for every incident until `stopped` is aborted. */
  readonly onIncident: (incident: Incident) => void;
  readonly stopped: AbortSignal;
}

/** After more restarts than this within the window, the program is considered broken. */
const MOST_RESTARTS = 5;
const WINDOW_MS = 2 * 60_000;

/**
 * Restarts each program that ends by itself, with the same ports, keys and data. Gives up when that happens too often,
 * when the control plane does not become ready, and when the guard itself ended, since the data is removed then.
 */
export async function supervise({ guarded, programs, untilReady, onIncident, stopped }: Supervised): Promise<void> {
  const tell = (incident: Incident): void => {
    if (!stopped.aborted) onIncident(incident);
  };
  const restarts: number[] = [];
  const ends: AsyncIterator<Ended, undefined> = guarded.ends[Symbol.asyncIterator]();
  let next = ends.next();
  for (let ended = (await next).value; ended !== undefined; ended = (await next).value) {
    const { name, outcome } = ended;
    const program = programs.find((one) => one.name === name);
    const nowMs = performance.now();
    const isTooOften = restarts.filter((atMs) => nowMs - atMs < WINDOW_MS).length >= MOST_RESTARTS;
    if (stopped.aborted || program === undefined || isTooOften) {
      const again = `, after ${MOST_RESTARTS} restarts within ${WINDOW_MS / 60_000} minutes`;
      const why = program === undefined ? outcome : outcome + again;
      tell({ kind: "lost", fault: endedFault({ ...ended, outcome: why }) });
      return;
    }
    restarts.push(nowMs);
    tell({ kind: "ended", name, outcome });
    guarded.start([program]);
    next = ends.next();
    const readiness = await untilReady(next);
    if (readiness === "ready") tell({ kind: "ready", name });
    if (readiness !== "late") continue;
    tell({ kind: "lost", fault: endedFault({ ...ended, outcome: "was started again, and does not become ready" }) });
    return;
  }
}
