import type { ChannelName } from "../names.ts";
import type { SnapshotFile } from "../../document/snapshot.ts";
import type { Hold, Hotfix } from "../policy.ts";
import type { Template } from "../template.ts";
import type { ModuleVersion } from "../version.ts";

/** The history of some files of a repository, along the line of its branch: what the branch was, commit by commit. */
export interface RecordedHistory {
  /** Oldest first. */
  readonly commits: readonly RecordedCommit[];
  /** Oldest first. */
  readonly changes: readonly RecordedChange[];
}

/** One commit with the data that it records. */
export interface RecordedCommit {
  readonly commit: string;
  /** The first is what the branch was before; the others were merged. After some merges, it is not Git's first parent. */
  readonly parents: readonly string[];
  /** The time of the committer's clock, which can be wrong. Unix milliseconds. */
  readonly committerMs: number;
  readonly author: string;
  readonly subject: string;
  /** The text below the subject, with trailers. */
  readonly body: string;
}

/** The change of one file in one commit. Renaming a file is a removal and an addition. */
export interface RecordedChange {
  /** The position of the commit in `RecordedHistory.commits`. */
  readonly index: number;
  readonly path: string;
  /** `undefined` when the file was removed. A link is not followed: it is a `bad-link`. */
  readonly content: SnapshotFile | undefined;
}

/** One content that a file had at some time. */
export interface FileContent {
  readonly path: string;
  readonly content: SnapshotFile;
}

/** The part of a history to read. */
export interface HistoryScope {
  /** Files, and folders with all their content. In a path, `*` stands for any name. */
  readonly paths: readonly string[];
  /** Selects files below these paths. */
  readonly wants: (path: string) => boolean;
  /** The modules whose files `wants` selects, to distinguish scopes; `undefined`: all modules. */
  readonly modules?: readonly string[];
  /** Whether to include commits that change none of these files, for their times. */
  readonly everyCommit: boolean;
}

/** One commit of the history. */
export interface Revision {
  /** Its position in the history: later commits have larger ones. */
  readonly index: number;
  readonly commit: string;
  /** The trusted time of its merge (.github/docs/promotion.md). Unix milliseconds. */
  readonly atMs: number;
}

/** The version and content that a channel served of a module from one revision on. */
export interface ServedState {
  readonly revision: Revision;
  /** `undefined` after the channel's file was removed. */
  readonly version: ModuleVersion | undefined;
  /** `specHash` of the content; empty when nothing is served. Computed on demand. */
  readonly hash: () => string;
  /** The template in its newest text; `undefined` when nothing is served, or the text is unknown. */
  readonly template: () => Template | undefined;
}

/** The states of a module in each channel, oldest first. Each differs from the one before. */
export type ServedStates = ReadonlyMap<ChannelName, readonly ServedState[]>;

/** An entry of a file, from the merge that added it to the merge that removed it. */
export interface DeclaredEntry<Entry> {
  readonly entry: Entry;
  readonly from: Revision;
  /** `undefined`: it still exists at the head. */
  readonly to: Revision | undefined;
}

/** The history of one module. */
export interface ModuleHistory {
  readonly served: ServedStates;
  /** Oldest first. */
  readonly holds: readonly DeclaredEntry<Hold>[];
  readonly hotfixes: readonly DeclaredEntry<Hotfix>[];
}
