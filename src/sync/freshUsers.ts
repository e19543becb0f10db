import type { Users } from "../fleet/users.ts";
import { Fault, type Clock, type ControlPlane, type Run } from "../ports.ts";
import { readUsers } from "./observe.ts";

/** Who uses what, read again while a sync runs; reads that many modules ask for are one. */
export interface FreshUsers {
  /** As they were at some moment not before `ms`. A look that fails leaves everybody's use unknown. */
  since(ms: number): Promise<Users>;
  /** No older than `ms`. */
  within(ms: number): Promise<Users>;
}

/** Reads users of a namespace when they are asked for. */
export function freshUsers(
  controlPlane: ControlPlane,
  namespace: string,
  clock: Pick<Clock, "nowMs">,
  run: Run,
): FreshUsers {
  let last: { readonly startedMs: number; readonly users: Promise<Users> } | undefined;
  const since = (ms: number): Promise<Users> => {
    if (last !== undefined && last.startedMs >= ms) return last.users;
    const startedMs = clock.nowMs();
    // The clock may stand still for a moment: what begins now is not before now.
    last = { startedMs: Math.max(startedMs, ms), users: look(controlPlane, namespace, run) };
    return last.users;
  };
  return { since, within: (ms) => since(clock.nowMs() - ms) };
}

async function look(controlPlane: ControlPlane, namespace: string, run: Run): Promise<Users> {
  try {
    return await readUsers(controlPlane, namespace, run);
  } catch (error) {
    if (!(error instanceof Fault) && !run.signal.aborted) throw error;
    return { kind: "unknown", because: error instanceof Error ? error.message : String(error) };
  }
}
