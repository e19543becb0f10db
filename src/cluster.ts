import type { KubernetesObject, ObjectRef, Resource } from "./kubernetes/object.ts";
import type { StatusCause } from "./kubernetes/validation.ts";
import type { Run } from "./run.ts";

/** A kind that an API server serves, as discovery tells. */
export interface ServedKind extends Resource {
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
}

/** What an API server makes of a write. */
export type WriteAnswer = { readonly kind: "accepted"; readonly object: KubernetesObject } | ApplyRefusal;

/** Why an API server, or a webhook that it asks, does not take an object. */
export interface ApplyRefusal {
  readonly kind: "refused";
  readonly status: number;
  /** In the words of the API server. */
  readonly message: string;
  readonly causes: readonly StatusCause[];
}

/** One Kubernetes cluster with objects of any kind. Every method has a deadline, and throws Faults of the cluster. */
export interface Cluster {
  readonly server: string;
  /** Such as `1.36.3`. */
  version(run: Run): Promise<string>;
  /** Every kind that can be listed and deleted, in the version that the server prefers, asked anew. */
  kinds(run: Run): Promise<readonly ServedKind[]>;
  /** One kind; `undefined` where the server does not serve that version of it. */
  kindOf(apiVersion: string, kind: string, run: Run): Promise<ServedKind | undefined>;
  /** One object; `undefined` when there is none. */
  read(object: ObjectRef, run: Run): Promise<KubernetesObject | undefined>;
  /** The objects of a kind: of one namespace, or of all. None where the kind is not served. */
  list(resource: Resource, namespace: string | undefined, run: Run): Promise<readonly KubernetesObject[]>;
  /** Server-side apply with force, strictly, as field manager `kyma-modules`; `isTrial` stores nothing. */
  apply(object: KubernetesObject, options: { readonly isTrial: boolean }, run: Run): Promise<WriteAnswer>;
  /** A merge patch, as a user would send it; `isTrial` stores nothing. */
  patch(object: ObjectRef, content: object, options: { readonly isTrial: boolean }, run: Run): Promise<WriteAnswer>;
  /** Writes the status of an object, where nothing in the cluster does; of one that is gone, nothing. */
  patchStatus(object: ObjectRef, status: object, run: Run): Promise<void>;
  /** Deletes an object; one that is gone already is fine. Gives why it may not be deleted. */
  remove(object: ObjectRef, run: Run): Promise<ApplyRefusal | undefined>;
  /** The end of what a container said, in its life before where `isPrevious`; empty where there is nothing. */
  log(pod: ObjectRef, container: string, isPrevious: boolean, run: Run): Promise<string>;
  /** What pods use now, by namespace and name: their working sets, in bytes. `undefined` where no node tells. */
  podMemory(run: Run): Promise<ReadonlyMap<string, number> | undefined>;
  /** Ends a namespace that is being deleted, where nothing in the cluster does. */
  finalize(namespace: string, run: Run): Promise<void>;
}

/** Where clusters to try modules on come from. */
export interface ClusterSupply {
  /** As `--cluster` names it. */
  readonly place: string;
  /** Whether anything runs pods there. */
  readonly pods: boolean;
  /** Whether a further cluster can be had where one is lost or left untidy. */
  readonly isRenewable: boolean;
  /** A cluster that nobody else uses until it is given back. It gets those of `images` that only this machine has. */
  take(images: readonly string[], run: Run): Promise<TakenCluster>;
  /** Removes every cluster that was made. May be called again. */
  close(): Promise<void>;
}

/** A cluster of one's own. */
export interface TakenCluster {
  readonly cluster: Cluster;
  /** For another program on this machine, with one context. */
  kubeconfig(): Promise<string>;
  /** Takes it back; one that is not clean is not given to anybody else where there are others. */
  giveBack(isClean: boolean): Promise<void>;
}

/** A lifecycle-manager of one's own, with a control plane and a registry of its own. It reaches every cluster that it is told of. */
export interface ManagerSite {
  /** Where it reads what clusters shall have; the objects are in `kcp-system`. */
  readonly controlPlane: Cluster;
  /** A name for a cluster, which no other cluster there has or had. */
  newName(): string;
  /** Serves what a component version installs. */
  publish(component: ManagedComponent): Promise<void>;
  /** Throws PROCESS_FAILED with its last words where it has ended. */
  mustRun(): void;
  /** Ends all of it. May be called again. */
  close(): Promise<void>;
}

/** A component version that lifecycle-manager installs. */
export interface ManagedComponent {
  readonly name: string;
  readonly version: string;
  /** YAML. */
  readonly rawManifest: string;
}
