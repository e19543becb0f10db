import type { ChannelName } from "../names.ts";
import type { SnapshotFile } from "../../document/snapshot.ts";
import type { Hold, Hotfix } from "../policy.ts";
import type { Template } from "../template.ts";
import type { ModuleVersion } from "../version.ts";

/** What the first-parent history of a repository says of some files. */
export interface RecordedHistory {
  /** Oldest first. */
  readonly commits: readonly RecordedCommit[];
  /** Oldest first. */
  readonly changes: readonly RecordedChange[];
}

/** One commit as it describes itself. */
export interface RecordedCommit {
  readonly commit: string;
  /** The one whose history this is comes first; those behind it were merged. */
  readonly parents: readonly string[];
  /** As the committer's clock had it: nobody vouches for it. Unix milliseconds. */
  readonly committerMs: number;
  readonly author: string;
  readonly subject: string;
  /** Everything below the subject, trailers included. */
  readonly body: string;
}

/** What one commit made of one file. A renamed file is one that goes, and one that comes. */
export interface RecordedChange {
  /** The place of the commit in `RecordedHistory.commits`. */
  readonly index: number;
  readonly path: string;
  /** `undefined` when the file is gone. A link is not followed: it is a `bad-link`. */
  readonly content: SnapshotFile | undefined;
}

/** What of a history is read. */
export interface HistoryScope {
  /** Files, and folders with all that lies in them. */
  readonly paths: readonly string[];
  /** Which of the files below these paths count. */
  readonly wants: (path: string) => boolean;
  /** The modules whose files `wants` accepts: what tells this scope from others; `undefined`: all modules. */
  readonly modules?: readonly string[];
  /** Whether commits count that change none of these files: their times do. */
  readonly everyCommit: boolean;
}

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
  /** As its newest text has it; `undefined` where nothing is served, or no text is known. */
  readonly template: () => Template | undefined;
}

/** What each channel served of a module, oldest first, one state after the other, each different from the one before. */
export type ServedStates = ReadonlyMap<ChannelName, readonly ServedState[]>;

/** An entry of a file, from the merge that brought it to the merge that took it away. */
export interface DeclaredEntry<Entry> {
  readonly entry: Entry;
  readonly from: Revision;
  /** `undefined`: it stands at the head. */
  readonly to: Revision | undefined;
}

/** Everything that the history says of one module. */
export interface ModuleHistory {
  readonly served: ServedStates;
  /** Oldest first. */
  readonly holds: readonly DeclaredEntry<Hold>[];
  readonly hotfixes: readonly DeclaredEntry<Hotfix>[];
}
