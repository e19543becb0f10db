import type { Run } from "./run.ts";

/** A branch of a Git repository elsewhere, followed through a bare clone of it on this machine. */
export interface Upstream {
  /** The address without credentials, and the branch; for messages. */
  readonly name: string;
  /**
   * The commit that the branch is at now; the clone has it then. Throws FORGE_UNREACHABLE, FORGE_UNAUTHORIZED,
   * FORGE_TIMEOUT, DISK_FULL, FILE_UNREADABLE, GIT_FAILED, and REVISION_UNKNOWN when there is no such branch.
   */
  fetch(run: Run): Promise<string>;
  /**
   * Whether the clone has a commit, or gets it from the remote: a branch that was rewritten does not have it any more.
   * Throws as `fetch` does.
   */
  obtain(commit: string, run: Run): Promise<boolean>;
  /**
   * The commits on the first-parent line after `from` (`undefined`: `to` alone) up to `to` that no allowed signer signed,
   * newest first. Throws REVISION_UNKNOWN for a commit that the clone does not have, CONFIGURATION, GIT_FAILED.
   */
  unsigned(from: string | undefined, to: string, run: Run): Promise<readonly UnsignedCommit[]>;
}

/** A commit that no allowed signer signed. */
export interface UnsignedCommit {
  readonly commit: string;
  /** As the commit says: nobody vouches for it. */
  readonly author: string;
  /** Such as `no signature`, or `signed by an unknown key`. */
  readonly why: string;
}

/** What the controller tells of its work, as numbers. Nothing here fails or waits. */
export interface ControllerMetrics {
  /** A sync of a landscape ended. */
  synced(landscape: string, result: SyncEnd, tookMs: number): void;
  /** What the last plan makes of the entries of a landscape; the refused ones also by what refuses them. */
  planned(
    landscape: string,
    entries: Readonly<Record<EntryState, number>>,
    refusals: ReadonlyMap<string, number>,
  ): void;
  /** Where the entries of a landscape are in their waves now. */
  inWaves(landscape: string, entries: readonly EntryInWave[]): void;
  /** Drift was found that a field manager, such as `kubectl-edit`, caused. */
  drifted(landscape: string, manager: string): void;
  /** A look at the clusters of a landscape: when it was (Unix milliseconds), and what it found, which is asked for when it is read. */
  seen(landscape: string, atMs: number, figures: () => FleetFigures): void;
  /** A cluster became Ready with the version that an entry serves, so long after it was applied. */
  ready(landscape: string, entry: Pick<RolloutFigures, "module" | "channel" | "version">, tookMs: number): void;
  /** How long ago the commit that is not yet synced everywhere was fetched; 0 where there is none. */
  lags(ms: number): void;
  /** The followed repository was asked. */
  fetched(result: FetchResult): void;
  /** Whether this process holds the lease of a landscape. */
  leads(landscape: string, isLeader: boolean): void;
  /** The API server of a landscape was asked: a method of HTTP, or `watch`. `code`: `undefined` where there was no answer. */
  asked(landscape: string, verb: string, code: number | undefined): void;
  /** A landscape is not followed any more: nothing that is true only now is told of it. */
  forget(landscape: string): void;
}

/** How a sync ended: all done; done, and something waits for others; failed; ended by a signal; or refused as a whole. */
export type SyncEnd = "done" | "settled" | "failed" | "interrupted" | "refused";

/** What a plan makes of an entry. */
export type EntryState = "unchanged" | "create" | "raise" | "lower" | "remove" | "refused" | "waiting";

/** An entry that comes into a landscape by a wave. */
export interface EntryInWave {
  readonly module: string;
  readonly channel: string;
  /** `unknown`: the earlier landscape cannot be read; `halted`: its clusters here fail. */
  readonly state: "waiting" | "unknown" | "halted" | "passed";
}

/** What one look at the clusters of a landscape found. Clusters are counted, and never named. */
export interface FleetFigures {
  readonly clusters: readonly ClusterFigures[];
  readonly rollouts: readonly RolloutFigures[];
  readonly uses: readonly VersionUse[];
}

/** How many clusters of an entry run a version in a state. */
export interface ClusterFigures {
  readonly module: string;
  readonly channel: string;
  readonly version: string;
  readonly state: string;
  readonly clusters: number;
}

/** How the clusters of an entry fare with the version that it serves. */
export interface RolloutFigures {
  readonly module: string;
  readonly channel: string;
  readonly version: string;
  readonly inOrder: number;
  readonly pending: number;
  readonly failing: number;
  /** 0 to 1. */
  readonly failingRatio: number;
  /** The same before the version was applied; `undefined`: that is not known. */
  readonly failedBefore: number | undefined;
}

/** For how long clusters were Ready with a version, added up. */
export interface VersionUse {
  readonly module: string;
  readonly version: string;
  readonly healthyMs: number;
}

/** Whether a fetch brought another commit. */
export type FetchResult = "moved" | "unchanged" | "failed";
