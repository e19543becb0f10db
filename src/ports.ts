import type { HistoryScope, RecordedCommit, RecordedHistory } from "./catalogue/history/history.ts";
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
export type { ManagedComponent, ManagerSite } from "./cluster.ts";
export type {
  Board,
  BoardIssue,
  CloseOutcome,
  Forge,
  ForgeView,
  IssueText,
  Merge,
  MergedPull,
  Proposal,
  ProposalDraft,
} from "./forge.ts";
export { Fault, type FaultCode, type Log, type LogFields, type Run } from "./run.ts";

/** Wall clock, Unix milliseconds in UTC. */
export interface Clock {
  /** Now. */
  nowMs(): number;
  /** Waits for `ms` milliseconds; an abort ends the wait and throws its reason. */
  pause(ms: number, run: Run): Promise<void>;
}

/** A clock that also tells how long something takes, whatever becomes of the wall clock meanwhile. */
export interface SteadyClock extends Clock {
  /** Since some moment; never goes back, nor jumps. Milliseconds. */
  elapsedMs(): number;
}

/** The files of a repository at one moment. */
export interface Snapshot {
  /** The commit, or `undefined` for a directory as it lies there. */
  readonly revision: string | undefined;
  /** Path relative to the repository, with `/`, to content. Only the paths that were asked for. */
  readonly files: ReadonlyMap<string, SnapshotFile>;
}

/** Where a catalogue comes from: a directory, or a Git revision (which is not checked out). */
export interface Source {
  /** Reads every file whose path `wants` accepts. Throws FILE_UNREADABLE, GIT_FAILED, REVISION_UNKNOWN. */
  snapshot(wants: (path: string) => boolean, run: Run): Promise<Snapshot>;
}

/** The first-parent history of a repository. */
export interface History {
  /**
   * What there is up to `revision`. A folder that is not a Git repository, or has no commit, has an empty history.
   * Throws REVISION_UNKNOWN, GIT_FAILED.
   */
  read(revision: string, scope: HistoryScope, run: Run): Promise<ReadHistory>;
  /** Commits by their full names, such as the last ones of merged branches. Throws GIT_FAILED for one that is not there. */
  commits(names: readonly string[], run: Run): Promise<readonly RecordedCommit[]>;
}

/** A branch that only programs write, at a remote or in this very repository. No working tree is touched. */
export interface KeptBranch {
  /** What it is called in messages. */
  readonly name: string;
  /** Its commit now, which the clone has from then on; `undefined` where there is none. Throws FORGE_UNREACHABLE and its kin. */
  fetch(run: Run): Promise<string | undefined>;
  /**
   * Commits files on top of `tip` and moves the branch there, or nowhere. Gives the commit; `undefined` when the branch is
   * not at `tip` any more. Throws FORGE_REFUSED, and CONFIGURATION where Git knows nobody to name as author.
   */
  append(tip: string | undefined, draft: KeptDraft, run: Run): Promise<string | undefined>;
}

/** A commit for such a branch. */
export interface KeptDraft {
  /** Path to text. */
  readonly files: ReadonlyMap<string, string>;
  readonly message: string;
}

/** What a clone holds of a history. */
export interface ReadHistory extends RecordedHistory {
  /** What is thrown where older commits matter: HISTORY_TOO_SHALLOW. `undefined` where there are none. */
  readonly cut: Fault | undefined;
}

/** One Kubernetes API server. Every method has a deadline and retries what is safe to repeat. */
export interface ControlPlane {
  /** The address of the server, for messages. */
  readonly server: string;
  /** All objects of a namespace, a page at a time. Throws CLUSTER_KIND_MISSING for an unknown kind. */
  list(resource: Resource, namespace: string, run: Run): AsyncIterable<ListPage>;
  /**
   * What changes after the resource version `from`, until the server ends the stream, which it does every few minutes.
   * A stream that begins with no change begins with a bookmark of `from`.
   * Throws CLUSTER_TIMEOUT when nothing comes for too long, not even a bookmark, and what `list` throws.
   */
  watch(resource: Resource, namespace: string, from: string, run: Run): AsyncIterable<WatchEvent>;
  /** Whether discovery knows the kind in any version. Throws where it gives no clear answer: a 404 may be a gateway's. */
  knows(resource: Resource, run: Run): Promise<boolean>;
  /** One object, or `undefined` when there is none. */
  read(object: ObjectRef, run: Run): Promise<KubernetesObject | undefined>;
  /**
   * Server-side apply with force, as field manager `kyma-modules`. Throws CLUSTER_CONFLICT when the object is not
   * as `expected`. Gives what the server stored.
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
   * Deletes exactly the object that is `expected`; one that is gone already is fine. `obstacle` is asked before every
   * attempt: where it names one, nothing is deleted. Gives that obstacle.
   */
  remove(
    object: ObjectRef,
    expected: Expected,
    obstacle: () => Promise<string | undefined>,
    run: Run,
  ): Promise<string | undefined>;
}

/** Some of the objects of a list. */
export interface ListPage {
  readonly objects: readonly KubernetesObject[];
  /** Of the whole list: what changes after it is seen by a watch from there. */
  readonly resourceVersion: string;
}

/** One event of a watch. */
export type WatchEvent =
  | { readonly kind: "changed" | "deleted"; readonly object: KubernetesObject }
  /** Nothing changed up to here. */
  | { readonly kind: "bookmark"; readonly resourceVersion: string }
  /** The server no longer knows what changed since: list again. The last event. */
  | { readonly kind: "expired" };

/** Kubernetes' own validation of custom resources, without an API server. */
export interface Validator {
  /** The verdicts on each request, in order. Requests for one kind share its compiled schema. */
  judge(requests: readonly ValidationRequest[], run: Run): Promise<readonly Validation[]>;
  /** Ends what runs behind it. May be called again. */
  close(): Promise<void>;
}

/** The OCI registries that images and component versions lie in. Every digest is verified. */
export interface Registry {
  /**
   * The digest that an image reference stands for: what its digest says, else its tag, else `latest`. `undefined` when
   * the registry has none. Throws REGISTRY_CORRUPT when the registry has another one under the digest that was asked for.
   */
  digestOf(reference: string, run: Run): Promise<string | undefined>;
  /**
   * The component version `name:version` below `baseUrl` (host, port, path), as lifecycle-manager reads it; `undefined`
   * when there is none. Throws REGISTRY_CORRUPT for an artefact that lifecycle-manager could not read.
   */
  component(baseUrl: string, name: string, version: string, run: Run): Promise<ComponentVersion | undefined>;
  /** Whether a repository, such as `registry.example.com/component-descriptors/name`, has the blob `digest`. */
  hasLayer(repository: string, digest: string, run: Run): Promise<boolean>;
}

/** A component version as a registry has it. */
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
   * Throws GIT_FAILED when there is no such repository, or none that may be read without credentials.
   */
  tagExists(repositoryUrl: string, version: string, run: Run): Promise<boolean>;
}

/** Files that people named, as they lie there. */
export interface NamedFiles {
  /**
   * Those files, and in place of a folder the files in it that look like YAML or JSON, however deep; each once.
   * Throws CONFIGURATION for a path that does not exist and for a folder without such files, and FILE_UNREADABLE.
   */
  read(paths: readonly string[], run: Run): Promise<readonly NamedFile[]>;
  /** That one file. Throws CONFIGURATION also for a folder. */
  readOne(path: string, run: Run): Promise<NamedFile>;
}

/** A file that a person named, or that lies in a folder they named. */
export interface NamedFile {
  /** The path as it was named. */
  readonly name: string;
  readonly content: Uint8Array;
}

/** Files behind https links. */
export interface Links {
  /**
   * What stands behind `url`; `undefined` when nothing does (404, 410). Redirects are followed.
   * Throws LINK_REFUSED for more than `maxBytes`, for what is not an https address, and for any other refusal.
   */
  download(url: string, maxBytes: number, run: Run): Promise<Uint8Array | undefined>;
}

/** An address that people are told something at. */
export interface Webhook {
  /** Posts a JSON document. Throws LINK_UNREACHABLE, LINK_REFUSED; it may have come all the same. */
  post(document: string, run: Run): Promise<void>;
}

/** An API server that says what it would make of objects, and keeps none of them. */
export interface TrialServer {
  /**
   * The verdicts of a strict dry run on each object, in order. What it cannot judge, such as an object of a kind that is
   * not installed there, is not evaluated.
   */
  judge(objects: readonly unknown[], run: Run): Promise<readonly ValidationVerdict[]>;
  /**
   * Installs a CustomResourceDefinition and carries an example out: what it creates stays there, so that only a throw-away
   * server is asked. The verdict has the object as it is read afterwards.
   */
  attempt(definition: unknown, example: Counterexample, run: Run): Promise<ValidationVerdict>;
}
