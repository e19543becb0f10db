import { hashOf } from "../document/canonical.ts";

/** The longest time by which lifecycle-manager puts an upgrade off, so that not all clusters get it at once. Milliseconds. */
const UPGRADE_DELAY_MS = 5 * 60_000;
/** How long an upgraded module still reads Ready. Milliseconds. */
const FLASH_MS = 200;
/** The shortest and the longest time until a manager runs. Milliseconds. */
const INSTALL_MS = [5_000, 60_000] as const;
/** When Kubernetes gives a manager up that does not start. Milliseconds. */
const GIVEN_UP_MS = 90_000;
const HOUR_MS = 3_600_000;
const DAY_HOURS = 24;
/** How long a maintenance window is open. Hours. */
const WINDOW_HOURS = 4;

/** What a module on a cluster reads, and until when. */
export interface Phase {
  readonly state: "Ready" | "Processing" | "Error";
  /** Unix milliseconds. */
  readonly fromMs: number;
  /** Unix milliseconds; `Infinity`: for good. */
  readonly untilMs: number;
}

/** A place between 0 and 1 that a text has, the same each time. */
export function placeOf(text: string): number {
  return Number.parseInt(hashOf(text).slice("sha256:".length, "sha256:".length + 8), 16) / 2 ** 32;
}

/** When a cluster gets a version that its channel serves since `sinceMs`. Unix milliseconds. */
export function upgradeMs(kyma: string, version: string, sinceMs: number): number {
  return sinceMs + Math.floor(placeOf(`${kyma} gets ${version}`) * UPGRADE_DELAY_MS);
}

/** How an installation goes that began at `sinceMs`: Ready for a moment where it is an upgrade, Processing, then the truth. */
export function phaseOf(
  { sinceMs, isUpgrade, fails }: { readonly sinceMs: number; readonly isUpgrade: boolean; readonly fails: boolean },
  place: number,
  nowMs: number,
): Phase {
  const ageMs = nowMs - sinceMs;
  if (isUpgrade && ageMs < FLASH_MS) return { state: "Ready", fromMs: sinceMs, untilMs: sinceMs + FLASH_MS };
  const takesMs = fails ? GIVEN_UP_MS : INSTALL_MS[0] + Math.floor(place * (INSTALL_MS[1] - INSTALL_MS[0]));
  const endMs = sinceMs + takesMs;
  if (ageMs < takesMs) return { state: "Processing", fromMs: sinceMs + (isUpgrade ? FLASH_MS : 0), untilMs: endMs };
  return { state: fails ? "Error" : "Ready", fromMs: endMs, untilMs: Infinity };
}

/** Whether the daily maintenance window of a cluster is open, and until when that holds. */
export function windowOf(kyma: string, nowMs: number): { readonly isOpen: boolean; readonly untilMs: number } {
  const opensAt = Math.floor(placeOf(`${kyma} opens`) * DAY_HOURS);
  const hour = Math.floor(nowMs / HOUR_MS);
  const sinceOpened = (hour - opensAt + DAY_HOURS) % DAY_HOURS;
  const isOpen = sinceOpened < WINDOW_HOURS;
  return { isOpen, untilMs: (hour - sinceOpened + (isOpen ? WINDOW_HOURS : DAY_HOURS)) * HOUR_MS };
}
