import type { Catalogue } from "../catalogue/catalogue.ts";
import { DEFAULT_NOT_WORSE_BY, share, type Landscape } from "../catalogue/settings.ts";
import { deadlineIn } from "../catalogue/wave.ts";
import type { Missing, WantedVersion } from "../fleet/condition.ts";
import { countRollout, worstMissing } from "../fleet/rollout.ts";
import type { Users } from "../fleet/users.ts";
import { countWave, failingShare, type WaveCounts } from "../fleet/wave.ts";
import type { EntryStep } from "./plan/item.ts";
import type { ServedVersion } from "./plan/records.ts";
import { entryChannel, countedUsers, demandOn } from "./plan/waves.ts";

/** The clusters that should have a version, and the worst reason why some do not have it. Counted for a status. */
export interface EntryClusters {
  readonly asked: number;
  readonly have: number;
  /** `undefined`: all have it. */
  readonly worst: Missing | undefined;
  /** Those that are not left out, by their condition. */
  readonly counts: WaveCounts;
  /** Whether more of them fail than before the version was applied, and than later landscapes tolerate. */
  readonly isWorse: boolean;
}

/** The landscape of an entry, and its clusters. */
interface ClustersPlace {
  readonly catalogue: Catalogue;
  readonly landscape: Landscape;
  readonly users: Users;
  /** Unix milliseconds. */
  readonly nowMs: number;
}

/** A version with the times by which its clusters are counted. `served`: its record, if there is one. */
export function wantedVersion(
  entry: Pick<WantedVersion, "channel" | "mandatory" | "version">,
  served: Partial<Pick<ServedVersion, "sinceMs" | "restoredMs">> | undefined,
  { landscape, catalogue }: Pick<ClustersPlace, "landscape" | "catalogue">,
): WantedVersion {
  const deadlineMs = deadlineIn(landscape.name, catalogue.settings);
  return { ...entry, appliedMs: served?.sinceMs, restoredMs: served?.restoredMs, deadlineMs };
}

/** Counts the clusters of an entry; `undefined`: its users are unknown. */
export function entryClusters(
  entry: EntryStep,
  counted: WantedVersion,
  served: ServedVersion | undefined,
  { catalogue, landscape, users, nowMs }: ClustersPlace,
): EntryClusters | undefined {
  if (users.kind === "unknown") return undefined;
  const rows = countedUsers(entry, users, catalogue);
  const { clusters: asked, have, missing } = countRollout(rows, counted, nowMs);
  const counts = countWave(rows, counted, nowMs);
  const serving = entryChannel(entry, catalogue)?.landscapes ?? [];
  const { notWorseBy = share(DEFAULT_NOT_WORSE_BY) } = demandOn(landscape.name, serving, catalogue.settings) ?? {};
  const failing = failingShare({ failing: counts.failing.count, inOrder: counts.inOrder });
  // A person who resumed a wave has accepted what failed by then.
  const { baseline = 0, wave } = served ?? {};
  const isWorse = failing - (wave?.isResumed === true ? wave.baseline : baseline) > notWorseBy;
  return { asked, have, worst: worstMissing(missing), counts, isWorse };
}
