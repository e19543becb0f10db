import { renderPage } from "../../src/dashboard/layout.ts";
import type { DashboardState } from "../../src/dashboard/state.ts";
import type { FleetInput } from "../../src/dashboard/fleet/clusters.ts";
import { fleetSight, stateOf } from "../dashboard/landscapeState.ts";

/** The module that is asked about. */
export const MODULE = "sample-aaaa";
/** The version that fast serves of it. */
export const SERVED = "1.1.0";

/** What pages are made of where prod serves one version of the module. */
export function fleetState(users: FleetInput["users"], nowMs: number): DashboardState {
  const wanted = { channel: "fast", mandatory: false, version: SERVED, appliedMs: 0, deadlineMs: 600_000 };
  const entry = { channel: "fast", module: MODULE, mandatory: false, counted: wanted };
  return stateOf([fleetSight("prod", { users, entries: [entry], nowMs })], nowMs);
}

/** The text of the page of the fleet. */
export function fleetPage(users: FleetInput["users"], nowMs: number, address: string): string {
  const { pathname: path, searchParams: query } = new URL(address, "http://localhost");
  return renderPage(fleetState(users, nowMs), { path, query }, { theme: undefined, styles: [], scripts: [] }).text;
}
