import { open, rm, stat, utimes } from "node:fs/promises";
import { Fault, type Run } from "../../ports.ts";
import { errorCode, problemText } from "../errno.ts";
import { folderFault } from "./folder.ts";
import { pause } from "../pause.ts";

/** Interval of a holder's heartbeats, and of a waiter's looks. */
const HEARTBEAT_MS = 500;

/**
 * After this many looks without a heartbeat the holder counts as dead. Looks are counted instead of time, so that a
 * laptop that slept does not lose the lock. The alternative, a process id in the file, means nothing across containers.
 */
const LOOKS_UNTIL_DEAD = 10;

/** Called once when another process holds the lock. May throw to stop waiting. */
type OnHeld = () => void;

/**
 * Claims the lock file: waits for a living holder to release it, and takes it over from a dead one. The caller must
 * update its time every 500 ms and remove it. Throws FILE_UNREADABLE, DISK_FULL, and what `onHeld` throws.
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

/** Runs `work` while holding the lock. After a crash two processes may do so, and `work` must tolerate that. */
export async function underLock<T>(path: string, onHeld: OnHeld, work: () => Promise<T>, run: Run): Promise<T> {
  await claim(path, onHeld, run);
  const heart = setInterval(() => {
    // If the file is gone, another process assumed this one dead; `work` tolerates that.
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

/** The time of the last heartbeat in milliseconds; `undefined` if the lock was released meanwhile. */
async function lastHeartbeat(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).mtimeMs;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw new Fault("FILE_UNREADABLE", `cannot look at the lock ${path}`, { cause: error });
  }
}
