import type { Evidence } from "../catalogue/evidence/evidence.ts";
import type { Manifest } from "../kubernetes/manifest.ts";
import type { Gathered } from "../promote/gather.ts";
import type { BranchTips } from "../promote/readTimeline.ts";
import type { Status } from "../promote/status.ts";
import type { LandscapeStatus, StatusInput } from "../sync/landscapeStatus.ts";

/** What all pages are made of: a plain value of one instant. */
export interface DashboardState {
  /** The server's clock. Unix milliseconds. */
  readonly nowMs: number;
  /** The commit that is decided on. */
  readonly revision: string;
  /** Where people see the repository, without a slash at its end; `undefined`: nowhere on the web. */
  readonly repositoryUrl: string | undefined;
  /** What verdicts are made of; `catalogue` and `histories` are in it. */
  readonly gathered: Gathered;
  /** Of all modules: what verdicts were decided on. */
  readonly evidence: readonly Evidence[];
  /** Of all modules, as `readBranchTips` gives them. */
  readonly branchTips: BranchTips;
  /** How every module stands in every channel, as `status` says it. */
  readonly statuses: readonly Status[];
  /** What versions install, by their `inputsFolder`, as far as the repository holds it. */
  readonly manifests: ReadonlyMap<string, Manifest>;
  /** In roll-out order; none where no control plane was asked. */
  readonly landscapes: readonly LandscapeSight[];
  /** Since when the repository cannot be read; `undefined`: it can. */
  readonly unreadable: Blind | undefined;
  /** Whether the clusters are rehearsed. */
  readonly isRehearsal: boolean;
}

/** What is seen of a landscape. */
export interface LandscapeSight {
  readonly name: string;
  /** As of `seenMs`; `undefined`: it was never seen. */
  readonly input: StatusInput | undefined;
  /** As `status LANDSCAPE` says it. */
  readonly status: LandscapeStatus | undefined;
  /** When it was seen last. Unix milliseconds. */
  readonly seenMs: number | undefined;
  /** `undefined`: it is seen now. */
  readonly blind: Blind | undefined;
}

/** Since when something is not seen, and why. */
export interface Blind {
  /** Unix milliseconds. */
  readonly sinceMs: number;
  /** A sentence. */
  readonly because: string;
}
