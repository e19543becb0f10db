import { canonicalHash } from "../document/canonical.ts";

/** The longest delay of an upgrade: lifecycle-manager does not upgrade all clusters at once. Milliseconds. */
const UPGRADE_DELAY_MS = 5 * 60_000;
/** How long an upgraded module still shows Ready. Milliseconds. */
const FLASH_MS = 200;
/** The shortest and the longest time until a manager runs. Milliseconds. */
const INSTALL_MS = [5_000, 60_000] as const;
/** How long Kubernetes waits for a manager that does not start. Milliseconds. */
const GIVEN_UP_MS = 90_000;
const HOUR_MS = 3_600_000;
const DAY_HOURS = 24;
/** How long a maintenance window is open. Hours. */
const WINDOW_HOURS = 4;

/** The state of a module on a cluster, and how long it lasts. */
export interface Phase {
  readonly state: "Ready" | "Processing" | "Error";
  /** Unix milliseconds. */
  readonly fromMs: number;
  /** Unix milliseconds; `Infinity` if it does not end. */
  readonly untilMs: number;
}

/** A number from 0 to 1 for a text, always the same. */
export function clusterDraw(text: string): number {
  return Number.parseInt(canonicalHash(text).slice("sha256:".length, "sha256:".length + 8), 16) / 2 ** 32;
}

/** When a cluster gets a version that its channel has served since `sinceMs`. Unix milliseconds. */
export function upgradeMs(kyma: string, version: string, sinceMs: number): number {
  return sinceMs + Math.floor(clusterDraw(`${kyma} gets ${version}`) * UPGRADE_DELAY_MS);
}

/** The phase of an installation: an upgrade is Ready for a moment; then Processing; then the result. */
export function rolloutPhase(
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

/** Whether the daily maintenance window of a cluster is open, and when that changes. */
export function maintenanceWindow(kyma: string, nowMs: number): { readonly isOpen: boolean; readonly untilMs: number } {
  const opensAt = Math.floor(clusterDraw(`${kyma} opens`) * DAY_HOURS);
  const hour = Math.floor(nowMs / HOUR_MS);
  const sinceOpened = (hour - opensAt + DAY_HOURS) % DAY_HOURS;
  const isOpen = sinceOpened < WINDOW_HOURS;
  return { isOpen, untilMs: (hour - sinceOpened + (isOpen ? WINDOW_HOURS : DAY_HOURS)) * HOUR_MS };
}
