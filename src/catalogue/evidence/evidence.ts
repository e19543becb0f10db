import type { LandscapeName, ModuleName } from "../names.ts";
import type { ModuleVersion } from "../version.ts";

/** The fields of all evidence. It counts only for its own `specHash`, and for the newest `generation` of its `uid`. */
interface EvidenceBase {
  readonly module: ModuleName;
  readonly version: ModuleVersion;
  /** `specHash` of the observed content. */
  readonly specHash: string;
  /** A smoke test has none of these three, since its cluster is deleted afterwards. */
  readonly landscape?: LandscapeName;
  /** The observed object, and its generation at that time; a generation without an object has no meaning. */
  readonly uid?: string;
  readonly generation?: number;
  /** ISO 8601, with time zone. */
  readonly observedAt: string;
  /** The source, for display: a run, a report, a control plane. */
  readonly source: string;
}

/** The steps of a smoke test, in order. Files of evidence hold these names, so they must not change. */
export const SMOKE_STEPS = [
  "manifests",
  "install",
  "use",
  "upgrade",
  "served",
  "again",
  "dependencies",
  "uninstall",
  "footprint",
] as const;

/** One step of a smoke test. */
export type SmokeStep = (typeof SMOKE_STEPS)[number];

/** One way in which a version came to a cluster, and the results of its steps. A step is in one list at most. */
export interface ObservedPath {
  /** The version before the upgrade, and its `specHash`; both absent for a new installation. */
  readonly from?: ModuleVersion;
  readonly fromSpecHash?: string;
  /** Whether the cluster ran pods, not only an API server. */
  readonly pods: boolean;
  readonly passed: readonly SmokeStep[];
  readonly failed: readonly SmokeStep[];
  readonly notChecked: readonly SmokeStep[];
}

/** One observation for or against a version. Its numbers are not negative. */
export type Evidence = EvidenceBase &
  (
    | {
        readonly kind: "smoke";
        /** The version of Kubernetes that it ran on, such as `1.36.3`. */
        readonly kubernetes: string;
        readonly paths: readonly ObservedPath[];
      }
    /** A landscape serves the version since `observedAt`; `commit`: what its record says it was applied from. */
    | { readonly kind: "served"; readonly commit?: string }
    /** The number of clusters that run the version, and the sum of their healthy hours. */
    | { readonly kind: "exposure"; readonly clusters: number; readonly healthyHours: number }
    /** The number of clusters that run the version, and how many of them are healthy. Whole numbers. */
    | { readonly kind: "health"; readonly clusters: number; readonly healthy: number }
    /** The decision of the person `by`, a login, about the version. */
    | { readonly kind: "approval"; readonly approved: boolean; readonly by: string }
  );

/** All evidence of one kind. */
export type EvidenceOf<K extends Evidence["kind"]> = Extract<Evidence, { readonly kind: K }>;

/** The content of a file of evidence, valid against its schema. */
export interface EvidenceFile {
  readonly evidence: readonly Evidence[];
}
