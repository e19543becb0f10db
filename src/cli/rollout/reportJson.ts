import { printableJson } from "../../document/printable.ts";
import type { MissingGroup, RolloutCounts } from "../../fleet/rollout.ts";
import type { CountedVersion, LandscapeRollout, VersionRollout } from "../../sync/landscapeRollout.ts";
import { instant } from "../status/landscapeJson.ts";
import { jsonDocument } from "../terminal/output.ts";

/** schemas/output/rollout.schema.json. */
export function rolloutJson(
  rollouts: readonly LandscapeRollout[],
  { module, ...facts }: { readonly revision: string | undefined; readonly decidedAt: number; readonly module: string },
): string {
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

function countedItem({ version, sinceMs, untilMs, counts }: CountedVersion): object {
  return { version, since: instant(sinceMs), until: instant(untilMs), clusters: counts ? clustersItem(counts) : null };
}

function clustersItem({ clusters, have, failing }: RolloutCounts): object {
  return { asked: clusters, have, failing, share: clusters === 0 ? null : have / clusters };
}

function missingItem({ why, version, cause, count, oldest }: MissingGroup): object {
  const clusters = oldest.map(({ name, sinceMs }) => ({ name, since: instant(sinceMs) }));
  return { why, version: version ?? null, cause: cause ?? null, count, oldest: clusters };
}
