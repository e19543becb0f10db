import type { FileContent, HistoryScope, RecordedCommit, RecordedHistory } from "./catalogue/history/history.ts";
import type { SnapshotFile } from "./document/snapshot.ts";
import type { Expected, KubernetesObject, ManagedFieldsEntry, ObjectRef, Resource } from "./kubernetes/object.ts";
import type { Counterexample } from "./kubernetes/crd/compare.ts";
import type { Validation, ValidationRequest, ValidationVerdict } from "./kubernetes/validation.ts";
import type { Fault, Run } from "./run.ts";

export type {
  ClusterFigures,
  ControllerMetrics,
  EntryInWave,
  EntryState,
  FetchResult,
  FleetFigures,
  RolloutFigures,
  SyncEnd,
  UnsignedCommit,
  Upstream,
  VersionUse,
} from "./controller.ts";
export type { Cluster, ClusterSupply, ApplyRefusal, ServedKind, TakenCluster, WriteAnswer } from "./cluster.ts";
export type { ManagedComponent, ManagerTarget } from "./cluster.ts";
export type { Board, BoardIssue, CloseOutcome, Forge, ForgeView, IssueText, Merge, MergedPull } from "./forge.ts";
export type { BranchContent, BranchElsewhere, Proposal, ProposalDraft } from "./forge.ts";
export { asFault, Fault, type FaultCode, type Log, type LogFields, type Run } from "./run.ts";

/** Wall clock, Unix milliseconds in UTC. */
export interface Clock {
  /** Now. Instants run `speed` times as fast as waits and durations; once if it is `undefined`. */
  nowMs(): number;
  readonly speed?: number;
  /** Waits for `ms` milliseconds; an abort ends the wait and throws its reason. */
  pause(ms: number, run: Run): Promise<void>;
}

/** A clock that also measures durations, even when the wall clock is changed meanwhile. */
export interface SteadyClock extends Clock {
  /** Milliseconds since an arbitrary moment; monotonic. */
  elapsedMs(): number;
}

/** The files of a repository at one moment. */
export interface Snapshot {
  /** The commit, or `undefined` for a working directory. */
  readonly revision: string | undefined;
  /** Path relative to the repository, with `/`, to content. Only the requested paths. */
  readonly files: ReadonlyMap<string, SnapshotFile>;
}

/** The source of a catalogue: a directory, or a Git revision (which is not checked out). */
export interface Source {
  /** Reads every file whose path `wants` accepts. Throws FILE_UNREADABLE, GIT_FAILED, REVISION_UNKNOWN. */
  snapshot(wants: (path: string) => boolean, run: Run): Promise<Snapshot>;
}

/** The history of a repository, along the line of its branch. */
export interface History {
  /**
   * The history up to `revision`; empty for a folder without a Git repository or a commit. Throws REVISION_UNKNOWN,
   * GIT_FAILED, and CONFIGURATION for a merge of which it is unknown what the branch was before.
   */
  read(revision: string, scope: HistoryScope, run: Run): Promise<ReadHistory>;
  /** What the merges of a part of a history brought: by merge, the commits of its branches. All oldest first. */
  brought(line: readonly RecordedCommit[], run: Run): Promise<ReadonlyMap<string, readonly RecordedCommit[]>>;
  /** The contents that files had in all that `commits` contain, which may be missing in the clone. Throws GIT_FAILED. */
  contents(commits: readonly string[], paths: readonly string[], run: Run): Promise<readonly FileContent[]>;
}

/** A branch that only programs write, at a remote or in this repository. No working tree is touched. */
export interface KeptBranch {
  /** Its name in messages. */
  readonly name: string;
  /** Fetches the branch into the clone; returns its commit, if it exists. Throws the FORGE codes. */
  fetch(run: Run): Promise<string | undefined>;
  /**
   * Commits files on top of `tip` and moves the branch there atomically. Returns the commit; `undefined` when the
   * branch is no longer at `tip`. Throws FORGE_REFUSED, and CONFIGURATION when Git has no author configured.
   */
  append(tip: string | undefined, draft: KeptDraft, run: Run): Promise<string | undefined>;
}

/** A commit for a kept branch; `files`: path to text. */
export interface KeptDraft {
  readonly files: ReadonlyMap<string, string>;
  readonly message: string;
}

/** The part of a history that a clone holds. */
export interface ReadHistory extends RecordedHistory {
  /** The fault to throw when older commits are needed: HISTORY_TOO_SHALLOW. `undefined` if the history is complete. */
  readonly cut: Fault | undefined;
}

/** One Kubernetes API server. Every method has a deadline and retries what is safe to repeat. */
export interface ControlPlane {
  /** The address of the server, for messages. */
  readonly server: string;
  /** All objects of a namespace, a page at a time. Throws CLUSTER_KIND_MISSING for an unknown kind. */
  list(resource: Resource, namespace: string, run: Run): AsyncIterable<ListPage>;
  /**
   * The changes after the resource version `from`, until the server ends the stream, which it does every few minutes.
   * If no change is available at first, the stream begins with a bookmark of `from`.
   * Throws CLUSTER_TIMEOUT when neither a change nor a bookmark arrives for too long, and what `list` throws.
   */
  watch(resource: Resource, namespace: string, from: string, run: Run): AsyncIterable<WatchEvent>;
  /**
   * Whether discovery knows the kind in any version. Throws if the answer is unclear: a 404 may come from a gateway.
   */
  knows(resource: Resource, run: Run): Promise<boolean>;
  /** One object, or `undefined` when there is none. */
  read(object: ObjectRef, run: Run): Promise<KubernetesObject | undefined>;
  /**
   * Server-side apply with force, as field manager `kyma-modules`. Returns the stored object. Throws CLUSTER_CONFLICT
   * when the object is not as `expected`.
   */
  apply(desired: KubernetesObject, expected: Expected, run: Run): Promise<KubernetesObject>;
  /** Replaces `metadata.managedFields` only. Throws CLUSTER_CONFLICT as `apply` does. */
  moveOwnership(
    object: ObjectRef,
    expected: Expected,
    managedFields: readonly ManagedFieldsEntry[],
    run: Run,
  ): Promise<KubernetesObject>;
  /**
   * Deletes the object if it is as `expected`; ignores an object that is already gone. Calls `blocker` before every
   * attempt; if that returns a text, deletes nothing and returns the text.
   */
  remove(
    object: ObjectRef,
    expected: Expected,
    blocker: () => Promise<string | undefined>,
    run: Run,
  ): Promise<string | undefined>;
}

/** One page of a list. */
export interface ListPage {
  readonly objects: readonly KubernetesObject[];
  /** Resource version of the whole list: a watch from there sees every later change. */
  readonly resourceVersion: string;
}

/** One event of a watch. */
export type WatchEvent =
  | { readonly kind: "changed" | "deleted"; readonly object: KubernetesObject }
  /** Nothing changed up to here. */
  | { readonly kind: "bookmark"; readonly resourceVersion: string }
  /** The server no longer knows the changes since then: list again. The last event. */
  | { readonly kind: "expired" };

/** Kubernetes' own validation of custom resources, without an API server. */
export interface Validator {
  /** Judges each request; the results are in the same order. Requests for one kind share its compiled schema. */
  judge(requests: readonly ValidationRequest[], run: Run): Promise<readonly Validation[]>;
  /** Ends the workers. May be called again. */
  close(): Promise<void>;
}

/** The OCI registries that hold images and component versions. Every digest is verified. */
export interface Registry {
  /**
   * Resolves an image reference to a digest: by its digest, else its tag, else `latest`. `undefined` when the registry
   * does not have it. Throws REGISTRY_CORRUPT for an answer that is not the manifest of an image, or of another digest.
   */
  digestOf(reference: string, run: Run): Promise<string | undefined>;
  /**
   * The component version `name:version` below `baseUrl` (host, port, path), as lifecycle-manager reads it; `undefined`
   * when it does not exist. Throws REGISTRY_CORRUPT for an artefact that lifecycle-manager could not read.
   */
  component(baseUrl: string, name: string, version: string, run: Run): Promise<ComponentVersion | undefined>;
  /** Whether a repository, such as `registry.example.com/component-descriptors/name`, has the blob `digest`. */
  hasLayer(repository: string, digest: string, run: Run): Promise<boolean>;
}

/** A component version in a registry. */
export interface ComponentVersion {
  readonly descriptor: unknown;
  /** The digest of its image manifest. */
  readonly digest: string;
  /** YAML; `undefined` when the descriptor does not name exactly one in the same image. */
  readonly rawManifest: Uint8Array | undefined;
}

/** The source repositories of modules. */
export interface Releases {
  /**
   * Whether the Git repository at an https address has the tag `version` or `v` and `version`.
   * Throws GIT_FAILED when the repository does not exist, or cannot be read without credentials.
   */
  tagExists(repositoryUrl: string, version: string, run: Run): Promise<boolean>;
}

/** Files that users name on the command line. */
export interface NamedFiles {
  /**
   * Reads the files, and for a folder all YAML and JSON files below it; each file once.
   * Throws CONFIGURATION for a path that does not exist and for a folder without such files, and FILE_UNREADABLE.
   */
  read(paths: readonly string[], run: Run): Promise<readonly NamedFile[]>;
  /** Reads one file. Throws CONFIGURATION also for a folder. */
  readOne(path: string, run: Run): Promise<NamedFile>;
}

/** A file that a user named, or in a folder that a user named. */
export interface NamedFile {
  /** The path as the user wrote it. */
  readonly name: string;
  readonly content: Uint8Array;
}

/** Files behind https links. */
export interface Links {
  /**
   * Downloads `url`, following redirects; `undefined` when nothing is there (404, 410). Throws LINK_REFUSED for more than
   * `maxBytes`, for an address that is not https, and for any other refusal.
   */
  download(url: string, maxBytes: number, run: Run): Promise<Uint8Array | undefined>;
}

/** An address that receives notifications. */
export interface Webhook {
  /** Posts a JSON document. Throws LINK_UNREACHABLE, LINK_REFUSED; the document may have arrived nevertheless. */
  post(document: string, run: Run): Promise<void>;
}

/** An API server that validates objects by dry run and stores none of them. */
export interface TrialServer {
  /**
   * The verdict of a strict dry run on each object, in order. An object that the server cannot judge, such as one of a
   * kind that is not installed there, is not evaluated.
   */
  judge(objects: readonly unknown[], run: Run): Promise<readonly ValidationVerdict[]>;
  /**
   * Installs a CustomResourceDefinition and tries an example. The objects stay there: use a throw-away server only. The
   * verdict contains the object as it is read afterwards.
   */
  attempt(definition: unknown, example: Counterexample, run: Run): Promise<ValidationVerdict>;
}
