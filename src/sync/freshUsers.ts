import type { Users } from "../fleet/users.ts";
import { Fault, type Clock, type ControlPlane, type Run } from "../ports.ts";
import { readUsers } from "./observe.ts";

/** The users of modules, read again during a sync. Modules that ask at the same time share one read. */
export interface FreshUsers {
  /** The users, read at most `ms` ago. If the read fails, they are unknown. */
  within(ms: number): Promise<Users>;
}

/** Reads the users in a namespace on demand. */
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
    // The clock may be behind `ms`; a read that begins now is still recent enough.
    last = { startedMs: Math.max(startedMs, ms), users: look(controlPlane, namespace, run) };
    return last.users;
  };
  return { within: (ms) => since(clock.nowMs() - ms) };
}

async function look(controlPlane: ControlPlane, namespace: string, run: Run): Promise<Users> {
  try {
    return await readUsers(controlPlane, namespace, run);
  } catch (error) {
    if (!(error instanceof Fault) && !run.signal.aborted) throw error;
    return { kind: "unknown", because: error instanceof Error ? error.message : String(error) };
  }
}
