import type { KubernetesObject, ObjectRef, Resource } from "./kubernetes/object.ts";
import type { StatusCause } from "./kubernetes/validation.ts";
import type { Run } from "./run.ts";

/** A kind that an API server serves, from discovery. */
export interface ServedKind extends Resource {
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
}

/** The answer of an API server to a write. */
export type WriteAnswer = { readonly kind: "accepted"; readonly object: KubernetesObject } | ApplyRefusal;

/** Why an API server, or an admission webhook, refuses an object. */
export interface ApplyRefusal {
  readonly kind: "refused";
  readonly status: number;
  /** The message of the API server. */
  readonly message: string;
  readonly causes: readonly StatusCause[];
}

/**
 * A client for objects of any kind in one Kubernetes cluster. Every method has a deadline, and throws CLUSTER faults.
 */
export interface Cluster {
  readonly server: string;
  /** Such as `1.36.3`. */
  version(run: Run): Promise<string>;
  /** Every kind that can be listed and deleted, in the version that the server prefers. Not cached. */
  kinds(run: Run): Promise<readonly ServedKind[]>;
  /** One kind; `undefined` if the server does not serve that version of it. */
  kindOf(apiVersion: string, kind: string, run: Run): Promise<ServedKind | undefined>;
  /** One object; `undefined` when there is none. */
  read(object: ObjectRef, run: Run): Promise<KubernetesObject | undefined>;
  /** The objects of a kind, in one namespace or in all. None if the kind is not served. */
  list(resource: Resource, namespace: string | undefined, run: Run): Promise<readonly KubernetesObject[]>;
  /** Strict server-side apply with force, as field manager `kyma-modules`; `isTrial` is a dry run. */
  apply(object: KubernetesObject, options: { readonly isTrial: boolean }, run: Run): Promise<WriteAnswer>;
  /** A merge patch, as a user would send it; `isTrial` is a dry run. */
  patch(object: ObjectRef, content: object, options: { readonly isTrial: boolean }, run: Run): Promise<WriteAnswer>;
  /** Writes the status of an object on behalf of a missing controller. Ignores an object that is gone. */
  patchStatus(object: ObjectRef, status: object, run: Run): Promise<void>;
  /** Deletes an object; ignores one that is already gone. Returns the refusal if the server refuses. */
  remove(object: ObjectRef, run: Run): Promise<ApplyRefusal | undefined>;
  /** The end of a container's log, or of its previous instance with `isPrevious`; empty if there is none. */
  log(pod: ObjectRef, container: string, isPrevious: boolean, run: Run): Promise<string>;
  /** The current memory of pods (working set, in bytes) by namespace and name. `undefined` if no node reports it. */
  podMemory(run: Run): Promise<ReadonlyMap<string, number> | undefined>;
  /** Finalizes a namespace that is being deleted, on behalf of a missing controller. */
  finalize(namespace: string, run: Run): Promise<void>;
}

/** A supply of clusters to try modules on. */
export interface ClusterSupply {
  /** The value of `--cluster`. */
  readonly place: string;
  /** Whether the clusters run pods. */
  readonly pods: boolean;
  /** Whether the supply can replace a cluster that is lost or not clean. */
  readonly isRenewable: boolean;
  /** Takes a cluster for exclusive use. Loads those of `images` that only this machine has. */
  take(images: readonly string[], run: Run): Promise<TakenCluster>;
  /** Removes every cluster that was created. May be called again. */
  close(): Promise<void>;
}

/** A cluster for exclusive use. */
export interface TakenCluster {
  readonly cluster: Cluster;
  /** A kubeconfig with one context, for another program on this machine. */
  kubeconfig(): Promise<string>;
  /** Returns the cluster to the supply. A renewable supply does not hand out a cluster that is not clean again. */
  giveBack(isClean: boolean): Promise<void>;
}

/**
 * A private lifecycle-manager with its own control plane and registry. It manages every cluster that is registered with
 * it.
 */
export interface ManagerTarget {
  /** The control plane that it reads; its objects are in `kcp-system`. */
  readonly controlPlane: Cluster;
  /** A cluster name that was never used there. */
  newName(): string;
  /** Publishes a component version to its registry. */
  publish(component: ManagedComponent): Promise<void>;
  /** Throws PROCESS_FAILED with the end of its log if it is no longer running. */
  mustRun(): void;
  /** Ends lifecycle-manager, control plane and registry. May be called again. */
  close(): Promise<void>;
}

/** A component version that lifecycle-manager installs. */
export interface ManagedComponent {
  readonly name: string;
  readonly version: string;
  /** YAML. */
  readonly rawManifest: string;
}
