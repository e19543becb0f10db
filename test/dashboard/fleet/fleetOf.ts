import type { FleetInput, FleetEntry } from "../../../src/dashboard/fleet/clusters.ts";
import type { WantedVersion } from "../../../src/fleet/condition.ts";
import { NO_USERS, type ModuleCondition, type ModuleUser } from "../../../src/fleet/users.ts";
import { moduleUser } from "../../fleet/moduleUser.ts";

/** The time of the observation in these tests. */
export const NOW: number = Date.parse("2030-01-02T12:00:00Z");
/** A time long before. */
export const APPLIED: number = NOW - 3_600_000;

/** An entry that serves telemetry. */
export function served(channel: string, version: string, more: Partial<WantedVersion> = {}): FleetEntry {
  const { mandatory = false } = more;
  const counted = { channel, mandatory, version, appliedMs: APPLIED, deadlineMs: 3_600_000, ...more };
  return { channel, module: "telemetry", mandatory, counted };
}

/** A cluster of regular that runs telemetry. */
export function cluster(
  kyma: string,
  version: string | undefined,
  condition: Partial<ModuleCondition> = {},
): ModuleUser {
  return moduleUser({ name: `Kyma ${kyma}`, kyma, version }, { channels: ["regular"], sinceMs: 1, ...condition });
}

/** A fleet in which regular serves 1.17.1, and fast 1.18.0. */
export function fleetOf(users: readonly ModuleUser[], regions: Readonly<Record<string, string>> = {}): FleetInput {
  const modules = new Map(users.length === 0 ? [] : [["telemetry", users]]);
  return {
    users: {
      ...NO_USERS,
      modules,
      kymas: new Set(users.flatMap(({ kyma }) => kyma ?? [])),
      regions: new Map(Object.entries(regions)),
    },
    entries: [served("fast", "1.18.0"), served("regular", "1.17.1")],
    nowMs: NOW,
  };
}
