import type { LandscapeName, ModuleName } from "../names.ts";
import type { ModuleVersion } from "../version.ts";

/** What all evidence says of itself. It counts only for its own `specHash`, and for the newest `generation` of its `uid`. */
interface EvidenceBase {
  readonly module: ModuleName;
  readonly version: ModuleVersion;
  /** `specHash` of the content that was observed. */
  readonly specHash: string;
  /** A smoke test has none of these three: its cluster is thrown away. */
  readonly landscape?: LandscapeName;
  /** The object that was observed, and its generation then; a generation without an object means nothing. */
  readonly uid?: string;
  readonly generation?: number;
  /** ISO 8601, with zone. */
  readonly observedAt: string;
  /** Where it comes from, for people: a run, a report, a control plane. */
  readonly source: string;
}

/** The steps of a smoke test, in their order. They stand in files of evidence: a name never changes. */
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

/** One way in which a version came to a cluster, and what became of its steps: each is in one list at most. */
export interface ObservedPath {
  /** The version that was upgraded from, and its `specHash`; both absent: the version was installed where none was. */
  readonly from?: ModuleVersion;
  readonly fromSpecHash?: string;
  /** Whether pods ran, and not only an API server. */
  readonly pods: boolean;
  readonly passed: readonly SmokeStep[];
  readonly failed: readonly SmokeStep[];
  readonly notChecked: readonly SmokeStep[];
}

/** One observation that speaks for a version, or against it. Its numbers are not negative. */
export type Evidence = EvidenceBase &
  (
    | {
        readonly kind: "smoke";
        /** The version of Kubernetes that it ran on, such as `1.36.3`. */
        readonly kubernetes: string;
        readonly paths: readonly ObservedPath[];
      }
    /** A landscape serves the version since `observedAt`. */
    | { readonly kind: "served" }
    /** Clusters that run the version, a whole number, and the hours that they were healthy, added up. */
    | { readonly kind: "exposure"; readonly clusters: number; readonly healthyHours: number }
    /** How many of the clusters that run the version are healthy. Whole numbers; `healthy` is at most `clusters`. */
    | { readonly kind: "health"; readonly clusters: number; readonly healthy: number }
    /** What the person `by`, a login, decided about the version. */
    | { readonly kind: "approval"; readonly approved: boolean; readonly by: string }
  );

/** All evidence of one kind. */
export type EvidenceOf<K extends Evidence["kind"]> = Extract<Evidence, { readonly kind: K }>;

/** A file of evidence as it is written, once the schema accepted it. */
export interface EvidenceFile {
  readonly evidence: readonly Evidence[];
}
