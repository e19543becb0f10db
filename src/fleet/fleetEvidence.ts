import type { Evidence } from "../catalogue/evidence/evidence.ts";
import type { LandscapeName } from "../catalogue/names.ts";
import { parseModuleName } from "../catalogue/names.ts";
import { parseVersion } from "../catalogue/version.ts";
import { isCommitName } from "../document/commitName.ts";
import { compareText } from "../document/order.ts";
import { startOfSecondMs } from "../document/times.ts";
import type { ExposureSum, ExposureSums, LiveContent } from "./exposure.ts";

/** The observations of a landscape, and where they come from. */
interface EvidenceSource {
  readonly landscape: LandscapeName;
  /** The observer, as people read it. */
  readonly source: string;
  readonly served: readonly LiveContent[];
  readonly exposure: ExposureSums;
}

/**
 * Converts the observations of a landscape to evidence: what it serves, and for each content its use and the health of its
 * clusters at the last observation. The order is stable.
 */
export function fleetEvidence({ landscape, source, served, exposure }: EvidenceSource): readonly Evidence[] {
  const about = (one: LiveContent | ExposureSum, atMs: number): readonly ObservationBase[] => {
    const { specHash, uid, generation } = one;
    const [module, version] = [parseModuleName(one.module), parseVersion(one.version)];
    if (module === undefined || version === undefined) return [];
    // A decision in the same second must not find it later than now.
    const observedAt = new Date(startOfSecondMs(atMs)).toISOString();
    return [{ module, version, specHash, landscape, uid, generation, observedAt, source }];
  };
  const all = [
    ...served.flatMap((one) => {
      const { appliedMs, commit = "" } = one.channels.reduce((a, b) => (b.appliedMs < a.appliedMs ? b : a));
      const named = isCommitName(commit) ? { commit } : {};
      return about(one, appliedMs).map((base): Evidence => ({ kind: "served", ...base, ...named }));
    }),
    ...[...exposure.values()].flatMap((sum) =>
      about(sum, sum.observedMs).flatMap((base): readonly Evidence[] => {
        // With two decimals, rounded down.
        const healthyHours = Math.floor(sum.healthyMs / 36_000) / 100;
        return [
          { kind: "exposure", ...base, clusters: sum.clusters, healthyHours },
          { kind: "health", ...base, clusters: sum.clusters, healthy: sum.healthy },
        ];
      }),
    ),
  ];
  return all.toSorted((a, b) => compareText(evidenceOrder(a), evidenceOrder(b)));
}

type ObservationBase = Pick<Evidence, "module" | "version" | "specHash" | "observedAt" | "source"> &
  Required<Pick<Evidence, "landscape" | "uid" | "generation">>;

function evidenceOrder({ module, version, kind, uid = "" }: Evidence): string {
  return `${module} ${version} ${kind} ${uid}`;
}
