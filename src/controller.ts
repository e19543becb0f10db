import type { Run } from "./run.ts";

/** A branch of a remote Git repository, followed through a bare clone on this machine. */
export interface Upstream {
  /** The address without credentials, and the branch; for messages. */
  readonly name: string;
  /**
   * Fetches the branch into the clone and returns its commit. Throws FORGE_UNREACHABLE, FORGE_UNAUTHORIZED,
   * FORGE_TIMEOUT, DISK_FULL, FILE_UNREADABLE, GIT_FAILED, and REVISION_UNKNOWN when the branch does not exist.
   */
  fetch(run: Run): Promise<string>;
  /**
   * Whether the clone has a commit, or can fetch it: a rewritten branch may no longer contain it.
   * Throws as `fetch` does.
   */
  obtain(commit: string, run: Run): Promise<boolean>;
  /**
   * The commits on the first-parent line after `from` (`undefined`: only `to`) up to `to` that no allowed signer
   * signed, newest first. Throws REVISION_UNKNOWN for a commit that the clone does not have, CONFIGURATION, GIT_FAILED.
   */
  unsigned(from: string | undefined, to: string, run: Run): Promise<readonly UnsignedCommit[]>;
}

/** A commit that no allowed signer signed. */
export interface UnsignedCommit {
  readonly commit: string;
  /** As the commit claims, unverified. */
  readonly author: string;
  /** Such as `no signature`, or `signed by an unknown key`. */
  readonly why: string;
}

/** The metrics of the controller. No method fails or waits. */
export interface ControllerMetrics {
  /** Records the end of a sync of a landscape; `tookMs` is `undefined` if it did not get to the plan. */
  synced(landscape: string, result: SyncEnd, tookMs: number | undefined): void;
  /** Records how many modules of a landscape wait for another attempt after a failure. */
  retries(landscape: string, count: number): void;
  /** Records the entries of a landscape's last plan by state, and the refused ones by refusal. */
  planned(
    landscape: string,
    entries: Readonly<Record<EntryState, number>>,
    refusals: ReadonlyMap<string, number>,
  ): void;
  /** Records how many modules of the commit that a landscape serves have files that cannot be used. */
  withheld(landscape: string, count: number): void;
  /** Records the wave states of the entries of a landscape. */
  inWaves(landscape: string, entries: readonly EntryInWave[]): void;
  /** Records drift that a field manager, such as `kubectl-edit`, caused. */
  drifted(landscape: string, manager: string): void;
  /**
   * Records an observation of a landscape's clusters at `atMs` (Unix milliseconds). `figures` is called when metrics
   * are read.
   */
  seen(landscape: string, atMs: number, figures: () => FleetFigures): void;
  /** Records that a cluster became Ready with the version that an entry serves, `tookMs` after it was applied. */
  ready(landscape: string, entry: Pick<RolloutFigures, "module" | "channel" | "version">, tookMs: number): void;
  /** Records the longest time that a landscape has been without a fetched commit; 0 if all have the newest. */
  lags(ms: number): void;
  /** Records a fetch of the followed repository. */
  fetched(result: FetchResult): void;
  /** Records whether this process holds the lease of a landscape. */
  leads(landscape: string, isLeader: boolean): void;
  /**
   * Records a request to a landscape's API server. `verb` is an HTTP method or `watch`; `code` is `undefined` without
   * an answer.
   */
  asked(landscape: string, verb: string, code: number | undefined): void;
  /** Removes the gauges of a landscape that is no longer followed. */
  forget(landscape: string): void;
}

/**
 * The result of a sync: all done; done, but something waits for others; failed; ended by a signal; or refused as a
 * whole.
 */
export type SyncEnd = "done" | "settled" | "failed" | "interrupted" | "refused";

/** The state of an entry in a plan. */
export type EntryState = "unchanged" | "create" | "raise" | "lower" | "remove" | "refused" | "waiting";

/** An entry that reaches a landscape in a wave. */
export interface EntryInWave {
  readonly module: string;
  readonly channel: string;
  /** `unknown`: the earlier landscape cannot be read; `halted`: its clusters in this landscape fail. */
  readonly state: "waiting" | "unknown" | "halted" | "passed";
  /** When its version was applied, while clusters wait for it; `undefined`: none does. Unix milliseconds. */
  readonly sinceMs: number | undefined;
}

/** One observation of a landscape's clusters. Clusters are counted, never named. */
export interface FleetFigures {
  readonly clusters: readonly ClusterFigures[];
  readonly rollouts: readonly RolloutFigures[];
  readonly uses: readonly VersionUse[];
}

/** The number of clusters of an entry that run a version in a state. */
export interface ClusterFigures {
  readonly module: string;
  readonly channel: string;
  readonly version: string;
  readonly state: string;
  readonly clusters: number;
}

/** The states of an entry's clusters with the version that it serves. */
export interface RolloutFigures {
  readonly module: string;
  readonly channel: string;
  readonly version: string;
  readonly inOrder: number;
  readonly pending: number;
  readonly failing: number;
  /** 0 to 1. */
  readonly failingRatio: number;
  /** The same before the version was applied; `undefined` if unknown. */
  readonly failedBefore: number | undefined;
}

/** The total time that clusters were Ready with a version. */
export interface VersionUse {
  readonly module: string;
  readonly version: string;
  readonly healthyMs: number;
}

/** Whether a fetch brought another commit. */
export type FetchResult = "moved" | "unchanged" | "failed";
