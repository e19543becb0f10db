import type { LandscapeName, ModuleName } from "./names.ts";
import type { ModuleVersion } from "./version.ts";

/** What all evidence says of itself. It counts only for its own `specHash`, and for the newest `generation` of its `uid`. */
interface EvidenceBase {
  readonly module: ModuleName;
  readonly version: ModuleVersion;
  /** `specHash` of the content that was observed. */
  readonly specHash: string;
  readonly landscape?: LandscapeName;
  /** The object that was observed, and its generation then; a generation without an object means nothing. */
  readonly uid?: string;
  readonly generation?: number;
  /** ISO 8601, with zone. */
  readonly observedAt: string;
  /** Where it comes from, for people: a run, a report, a control plane. */
  readonly source: string;
}

/** One observation that speaks for a version, or against it. Its numbers are not negative. */
export type Evidence = EvidenceBase &
  (
    | { readonly kind: "smoke"; readonly passed: boolean }
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
