import type { Evidence } from "../catalogue/evidence/evidence.ts";
import type { LandscapeName } from "../catalogue/names.ts";
import { parseModuleName } from "../catalogue/names.ts";
import { parseVersion } from "../catalogue/version.ts";
import { compareText } from "../document/order.ts";
import type { ExposureSum, ExposureSums, LiveContent } from "./exposure.ts";

/** Who observed what. */
export interface EvidenceSource {
  readonly landscape: LandscapeName;
  /** For people. */
  readonly source: string;
  readonly served: readonly LiveContent[];
  readonly exposure: ExposureSums;
}

/**
 * What was observed of a landscape, as evidence: what it serves, and of each content the use that it has seen and how its
 * clusters fared at the last look. In an order that does not change.
 */
export function evidenceOf({ landscape, source, served, exposure }: EvidenceSource): readonly Evidence[] {
  const about = (one: LiveContent | ExposureSum, atMs: number): readonly ObservationBase[] => {
    const { specHash, uid, generation } = one;
    const [module, version] = [parseModuleName(one.module), parseVersion(one.version)];
    if (module === undefined || version === undefined) return [];
    const observedAt = new Date(atMs).toISOString();
    return [{ module, version, specHash, landscape, uid, generation, observedAt, source }];
  };
  const all = [
    ...served.flatMap((one) => about(one, sinceOf(one)).map((base): Evidence => ({ kind: "served", ...base }))),
    ...[...exposure.values()].flatMap((sum) =>
      about(sum, sum.observedMs).flatMap((base): readonly Evidence[] => [
        { kind: "exposure", ...base, clusters: sum.clusters, healthyHours: hoursOf(sum.healthyMs) },
        { kind: "health", ...base, clusters: sum.clusters, healthy: sum.healthy },
      ]),
    ),
  ];
  return all.toSorted((a, b) => compareText(orderOf(a), orderOf(b)));
}

type ObservationBase = Pick<Evidence, "module" | "version" | "specHash" | "observedAt" | "source"> &
  Required<Pick<Evidence, "landscape" | "uid" | "generation">>;

function sinceOf({ channels }: LiveContent): number {
  return Math.min(...channels.map(({ appliedMs }) => appliedMs));
}

/** Hours with two decimals; never more than there were. */
function hoursOf(ms: number): number {
  return Math.floor(ms / 36_000) / 100;
}

function orderOf({ module, version, kind, uid = "" }: Evidence): string {
  return `${module} ${version} ${kind} ${uid}`;
}
