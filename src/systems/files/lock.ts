import { open, rm, stat, utimes } from "node:fs/promises";
import { Fault, type Run } from "../../ports.ts";
import { errorCode, problemText } from "../errno.ts";
import { folderFault } from "./folder.ts";
import { pause } from "../pause.ts";

/** How often a holder shows that it lives, and a waiter looks. */
const HEARTBEAT_MS = 500;

/**
 * After so many looks without a heartbeat the holder is taken for dead. Counted in looks, not in time on a clock: a
 * laptop that slept must not kill the lock. The alternative, a process id in the file, says nothing in a container.
 */
const LOOKS_UNTIL_DEAD = 10;

/** Called once when someone else holds the lock. Throws in order not to wait. */
export type OnHeld = () => void;

/**
 * Claims the lock file, waiting for a living holder to release it, and taking it over from a dead one. Whoever claimed
 * it must keep it fresh (`keepFresh`) and remove it. Throws FILE_UNREADABLE, DISK_FULL, and what `onHeld` throws.
 */
export async function claim(path: string, onHeld: OnHeld, run: Run): Promise<void> {
  let known: number | undefined;
  let looks = 0;
  let told = false;
  while (!(await create(path))) {
    const beat = await lastHeartbeat(path);
    const isAlive = known !== undefined && beat !== known;
    if (isAlive && !told) {
      onHeld();
      told = true;
    }
    looks = beat === known ? looks + 1 : 0;
    known = beat;
    if (looks >= LOOKS_UNTIL_DEAD) await rm(path, { force: true });
    else await pause(HEARTBEAT_MS, run);
  }
}

/** Does `work` as the only one that holds the lock. Two may do so after a crash, so `work` must bear that. */
export async function underLock<T>(path: string, onHeld: OnHeld, work: () => Promise<T>, run: Run): Promise<T> {
  await claim(path, onHeld, run);
  const heart = setInterval(() => {
    // When the file is gone somebody took us for dead; `work` bears that.
    const now = new Date();
    utimes(path, now, now).catch((error: unknown) => {
      run.log.warn("cannot keep the lock", { path, problem: problemText(error) });
    });
  }, HEARTBEAT_MS);
  try {
    return await work();
  } finally {
    clearInterval(heart);
    await rm(path, { force: true });
  }
}

async function create(path: string): Promise<boolean> {
  try {
    await (await open(path, "wx", 0o600)).close();
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw folderFault(error, path);
  }
}

/** The time of the last sign of life in milliseconds, or `undefined` when the lock was released meanwhile. */
async function lastHeartbeat(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).mtimeMs;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw new Fault("FILE_UNREADABLE", `cannot look at the lock ${path}`, { cause: error });
  }
}
