import type { ClusterFigures, RolloutFigures, VersionUse } from "../ports.ts";
import type { ExposureSums } from "./exposure.ts";
import type { ServedEntry } from "./readyTimes.ts";
import { clusterCondition } from "./condition.ts";
import { versionOn, type KnownUsers, type ModuleUser } from "./users.ts";
import { countWave, failingShare } from "./wave.ts";

/** An entry, and the share of its clusters that failed before its version was applied; `undefined` if unknown. */
export type RatedEntry = ServedEntry & { readonly baseline: number | undefined };

/** Counts the clusters of each entry that are in order, pending or failing with the version that it serves. */
export function rolloutFigures(
  { modules }: KnownUsers,
  served: readonly RatedEntry[],
  nowMs: number,
): readonly RolloutFigures[] {
  return served.map(({ baseline, ...entry }) => {
    const { module, channel, version } = entry;
    const { failing, inOrder, pending } = countWave(modules.get(module) ?? [], entry, nowMs);
    const failingRatio = failingShare({ failing: failing.count, inOrder });
    return { module, channel, version, inOrder, pending, failing: failing.count, failingRatio, failedBefore: baseline };
  });
}

/**
 * Counts clusters by version and state. A Kyma may contain any text: a version that no entry serves and that was never
 * observed is counted as `other`.
 */
export function clusterFigures(
  { modules }: KnownUsers,
  served: readonly ServedEntry[],
  exposure: ExposureSums,
  nowMs: number,
): readonly ClusterFigures[] {
  const sums = Map.groupBy(exposure.values(), ({ module }) => module);
  return [...Map.groupBy(served, ({ module }) => module)].flatMap(([module, entries]) => {
    const versions = [...entries, ...(sums.get(module) ?? [])].map(({ version }) => version);
    const known = new Set(["none", ...versions]);
    const users = modules.get(module) ?? [];
    return entries.flatMap((entry) => entryFigures(users, entry, known, nowMs));
  });
}

function entryFigures(
  users: readonly ModuleUser[],
  entry: ServedEntry,
  known: ReadonlySet<string>,
  nowMs: number,
): readonly ClusterFigures[] {
  const { module, channel } = entry;
  const own = users.filter((user) => clusterCondition(user, entry, nowMs).kind !== "elsewhere");
  const byVersion = Map.groupBy(own, (user) => {
    const runs = versionOn(user, entry) ?? "none";
    return known.has(runs) ? runs : "other";
  });
  return [...byVersion].flatMap(([version, alike]) => {
    const byState = Map.groupBy(
      alike,
      ({ condition: { state = "", leftOut } }) => leftOut ?? (STATES.has(state) ? state : "other"),
    );
    return [...byState].map(([state, same]) => ({ module, channel, version, state, clusters: same.length }));
  });
}

const STATES: ReadonlySet<string> = new Set(["Ready", "Processing", "Warning", "Error"]);

/** The use of each version, as the sum over all objects that contained it. */
export function versionUses(exposure: ExposureSums): readonly VersionUse[] {
  const groups = Map.groupBy(exposure.values(), ({ module, version }) => JSON.stringify([module, version]));
  return [...groups.values()].flatMap((same) =>
    same.slice(0, 1).map(({ module, version }) => {
      return { module, version, healthyMs: same.map(({ healthyMs }) => healthyMs).reduce((a, b) => a + b, 0) };
    }),
  );
}
