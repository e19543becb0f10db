import { printableJson } from "../../document/printable.ts";
import type { ReadyQuantiles } from "../../fleet/readyTimes.ts";
import type { MissingGroup, RolloutCounts } from "../../fleet/rollout.ts";
import type { CountedVersion, LandscapeRollout, VersionRollout } from "../../sync/landscapeRollout.ts";
import { instant } from "../status/landscapeJson.ts";
import { jsonDocument } from "../terminal/output.ts";
import type { RolloutFacts } from "./report.ts";

/** schemas/output/rollout.schema.json. */
export function rolloutJson(rollouts: readonly LandscapeRollout[], { module, ...facts }: RolloutFacts): string {
  const items = rollouts.map(({ landscape, versions, kymas, unknown }) => ({
    ...{ landscape, module, kymas: kymas ?? null, unknown: unknown ?? null },
    versions: versions.map(versionItem),
  }));
  return printableJson(jsonDocument("Rollout", facts, items));
}

function versionItem(version: VersionRollout): object {
  const { channel, mandatory, failedBefore, replaced, counts } = version;
  return {
    ...{ channel: channel ?? null, mandatory, ...countedItem(version) },
    failedBefore: failedBefore ?? null,
    missing: counts === undefined ? null : counts.missing.map(missingItem),
    replaced: replaced === undefined ? null : countedItem(replaced),
  };
}

function countedItem({ version, sinceMs, untilMs, counts, ready }: CountedVersion): object {
  return {
    ...{ version, since: instant(sinceMs), until: instant(untilMs), clusters: counts ? clustersItem(counts) : null },
    ready: ready === undefined ? null : readyItem(ready),
  };
}

function readyItem({ clusters, p50Ms, p90Ms, p99Ms }: ReadyQuantiles): object {
  const seconds = (ms: number): number | null => (Number.isFinite(ms) ? Math.ceil(ms / 1000) : null);
  return { clusters, p50: seconds(p50Ms), p90: seconds(p90Ms), p99: seconds(p99Ms) };
}

function clustersItem({ clusters, have, failing }: RolloutCounts): object {
  return { asked: clusters, have, failing, share: clusters === 0 ? null : have / clusters };
}

function missingItem({ why, version, cause, count, oldest }: MissingGroup): object {
  const clusters = oldest.map(({ name, sinceMs }) => ({ name, since: instant(sinceMs) }));
  return { why, version: version ?? null, cause: cause ?? null, count, oldest: clusters };
}
