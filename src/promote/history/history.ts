import type { ChannelName } from "../../catalogue/names.ts";
import type { Hold, Hotfix, Level } from "../../catalogue/policy.ts";
import type { ModuleVersion } from "../../catalogue/version.ts";
import type { Interval } from "../verdict/interval.ts";

/** One commit of the first-parent history. */
export interface Revision {
  /** Its place in the first-parent history: a later one is larger. */
  readonly index: number;
  readonly commit: string;
  /** When it was merged, as far as that can be believed (.github/docs/promotion.md). Unix milliseconds. */
  readonly atMs: number;
}

/** What a channel served of a module from one revision on. */
export interface ServedState {
  readonly revision: Revision;
  /** `undefined` once the channel's file is gone. */
  readonly version: ModuleVersion | undefined;
  /** `specHash` of the content; empty where nothing is served. Worked out when it is asked for. */
  readonly hash: () => string;
}

/** An entry of a file, from the merge that brought it to the merge that took it away. */
export interface DeclaredEntry<Entry> {
  readonly entry: Entry;
  readonly from: Revision;
  /** `undefined`: it stands at the head. */
  readonly to: Revision | undefined;
}

/** Everything that the history says of one module. */
export interface ModuleHistory {
  /** Oldest first, one state after the other, each different in content from the one before. */
  readonly served: ReadonlyMap<ChannelName, readonly ServedState[]>;
  /** Oldest first. */
  readonly holds: readonly DeclaredEntry<Hold>[];
  readonly hotfixes: readonly DeclaredEntry<Hotfix>[];
}

/** A time in which the followed channel served one version on all of its landscapes; the last one has no end. */
export interface Service extends Interval {
  readonly version: ModuleVersion;
}

/** What was known at a moment: the history up to it, and the time. Unix milliseconds. */
export interface AsOf {
  readonly history: ModuleHistory;
  readonly nowMs: number;
}

/** What the followed channel served when. */
export interface ServiceRecord {
  /** Those of the version of a step, or of the line that its level names, oldest first, as they looked at a moment. */
  of(version: ModuleVersion, level: Level, asOf: AsOf): readonly Service[];
}
