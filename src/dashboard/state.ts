import type { Evidence } from "../catalogue/evidence/evidence.ts";
import type { Manifest } from "../kubernetes/manifest.ts";
import type { Gathered } from "../promote/gather.ts";
import type { MergedBranches } from "../promote/readTimeline.ts";
import type { Status } from "../promote/status.ts";
import type { LandscapeStatus, StatusInput } from "../sync/landscapeStatus.ts";

/** The data of all pages: a plain value for one instant. */
export interface DashboardState {
  /** The server's clock. Unix milliseconds. */
  readonly nowMs: number;
  /** The commit that was decided on. */
  readonly revision: string;
  /** The web address of the repository, without a slash at its end; `undefined` if it has none. */
  readonly repositoryUrl: string | undefined;
  /** The input of verdicts, with `catalogue` and `histories`. */
  readonly gathered: Gathered;
  /** The evidence of all modules that verdicts were decided on. */
  readonly evidence: readonly Evidence[];
  /** The branches of all modules, as `readBranches` returns them. */
  readonly branches: MergedBranches;
  /** The status of every module in every channel, as `status` prints it. */
  readonly statuses: readonly Status[];
  /** The manifests of versions by their `inputsFolder`, if the repository contains them. */
  readonly manifests: ReadonlyMap<string, Manifest>;
  /** In roll-out order; empty if no control plane was queried. */
  readonly landscapes: readonly LandscapeSight[];
  /** Since when and why the repository cannot be read; `undefined` if it can. */
  readonly unreadable: Blind | undefined;
  /** Whether the clusters are rehearsed. */
  readonly isRehearsal: boolean;
}

/** The last observation of a landscape. */
export interface LandscapeSight {
  readonly name: string;
  /** As of `seenMs`; `undefined` if it was never seen. */
  readonly input: StatusInput | undefined;
  /** As `status LANDSCAPE` prints it. */
  readonly status: LandscapeStatus | undefined;
  /** The last time that it was seen. Unix milliseconds. */
  readonly seenMs: number | undefined;
  /** `undefined` if it is seen now. */
  readonly blind: Blind | undefined;
}

/** Since when something is not seen, and why. */
export interface Blind {
  /** Unix milliseconds. */
  readonly sinceMs: number;
  /** A sentence. */
  readonly because: string;
}
