import pLimit from "p-limit";
import { deadlineIn } from "../../catalogue/wave.ts";
import { Fleet } from "../../fleet/fleet.ts";
import type { Users } from "../../fleet/users.ts";
import { clusterCondition } from "../../fleet/condition.ts";
import { RESOURCES, type KubernetesObject, type Resource } from "../../kubernetes/object.ts";
import { releaseModule, readReleaseMeta } from "../../kubernetes/releaseMeta.ts";
import { Fault, type Run, type SteadyClock } from "../../ports.ts";
import type { RehearsedHealth } from "../../rehearsal/evidence.ts";
import type { ServedModules, Wish } from "../../rehearsal/lookup.ts";
import { manifestOwner } from "../../rehearsal/manifest.ts";
import { maintenanceWindow } from "../../rehearsal/speed.ts";
import { rehearse, type RehearsedTime } from "../../rehearsal/rehearse.ts";
import { settledCluster } from "../../rehearsal/settled.ts";
import { reflect, type ReflectorSink } from "../../sync/controller/reflector.ts";
import { expectedObject } from "../../sync/identity.ts";
import type { EmbeddedLandscape } from "../compose/demo.ts";
import { untilAborted } from "../compose/systems.ts";

/** The time between two checks for due clusters, in milliseconds. */
const LOOK_MS = 100;
/** The number of watched kinds. */
const FOLLOWED = 4;
/** How many clusters are written at once; 30 per second. */
const AT_ONCE = 3;
/** How many clusters are created in parallel at the start. */
const MADE_AT_ONCE = 8;

/** The simulated clusters of a demo's landscape, kept by a rehearsal of lifecycle-manager. */
export class RehearsedFleet {
  readonly landscape: EmbeddedLandscape;
  readonly #clock: SteadyClock;
  readonly #kymas = new Map<string, KubernetesObject>();
  /** The Manifests by Kyma and module. */
  readonly #manifests = new Map<string, Map<string, KubernetesObject>>();
  readonly #metas = new Map<string, KubernetesObject>();
  readonly #templates = new Map<string, KubernetesObject>();
  readonly #fleet = new Fleet();
  /** When to look at each cluster next, in Unix milliseconds of the demo's clock. */
  readonly #dueMs = new Map<string, number>();
  /** The version that each entry serves, and since when. */
  readonly #served = new Map<string, { readonly version: string; readonly sinceMs: number }>();
  readonly #current = new Set<string>();
  readonly #isCurrent = Promise.withResolvers<undefined>();

  constructor(landscape: EmbeddedLandscape, clock: SteadyClock) {
    this.landscape = landscape;
    this.#clock = clock;
  }

  /** Rehearses until `run` is aborted. Failed writes are retried, because control planes may restart. */
  async keep(run: Run): Promise<never> {
    const sinks = [
      [RESOURCES.moduleReleaseMeta, this.#servedSink(this.#metas)],
      [RESOURCES.moduleTemplate, this.#servedSink(this.#templates)],
      [RESOURCES.kyma, this.#kymaSink()],
      [RESOURCES.manifest, this.#manifestSink()],
    ] as const;
    const followed = sinks.map(([resource, sink]) => this.#follow(resource, sink, run));
    return Promise.race([this.#work(run), ...followed]);
  }

  /** Creates the missing ones of `kymas`, in the state after a day. */
  async populate(kymas: readonly KubernetesObject[], run: Run): Promise<void> {
    await untilAborted(this.#isCurrent.promise, run.signal);
    const missing = kymas.filter(({ metadata }) => !this.#kymas.has(metadata.name));
    await pLimit(MADE_AT_ONCE).map(missing, async (kyma) => {
      const cluster = settledCluster(kyma, this.#servedModules(), this.#timeFor(kyma.metadata.name));
      for (const manifest of cluster.manifests.values()) this.#putManifest(await this.#write(manifest, undefined, run));
      this.#putKyma(await this.#write(cluster.kyma, undefined, run));
    });
  }

  /** The users of each module. */
  users(): Users {
    return this.#fleet.users();
  }

  /** The number of clusters that run a version with a settled state, and how many of them are Ready. */
  healthOf(module: string, version: string): RehearsedHealth {
    const users = this.users();
    const rows = users.kind === "known" ? (users.modules.get(module) ?? []) : [];
    const nowMs = this.#clock.nowMs();
    const deadlineMs = deadlineIn(this.landscape.name, undefined);
    const wanted = { channel: undefined, mandatory: false, version, appliedMs: undefined, deadlineMs };
    const kinds = rows.map((user) => clusterCondition(user, wanted, nowMs).kind);
    const healthy = kinds.filter((kind) => kind === "has").length;
    return { clusters: healthy + kinds.filter((kind) => kind === "failing").length, healthy };
  }

  #servedModules(): ServedModules {
    return { metas: this.#metas, templates: this.#templates };
  }

  #timeFor(kyma: string): RehearsedTime {
    const nowMs = this.#clock.nowMs();
    const servedMs = ({ channel, module }: Wish): number =>
      this.#served.get(`${channel}/${module}`)?.sinceMs ?? -Infinity;
    return { nowMs, window: maintenanceWindow(kyma, nowMs), servedMs };
  }

  async #follow(resource: Resource, sink: ReflectorSink, run: Run): Promise<never> {
    const { namespace, controlPlane } = this.landscape;
    const onState = ({ kind }: { readonly kind: string }): void => {
      if (kind === "current") this.#current.add(resource.kind);
      if (this.#current.size === FOLLOWED) this.#isCurrent.resolve(undefined);
    };
    return reflect(resource, namespace, { controlPlane, clock: this.#clock, random: Math.random, sink, onState }, run);
  }

  async #work(run: Run): Promise<never> {
    for (;;) {
      const nowMs = this.#clock.nowMs();
      const due = [...this.#dueMs].filter(([, dueMs]) => dueMs <= nowMs).toSorted(([, a], [, b]) => a - b);
      await Promise.all(due.slice(0, AT_ONCE).map(([name]) => this.#lookAt(name, run)));
      await this.#clock.pause(LOOK_MS, run);
    }
  }

  async #lookAt(name: string, run: Run): Promise<void> {
    const kyma = this.#kymas.get(name);
    if (kyma === undefined) return;
    const manifests = this.#manifests.get(name) ?? new Map<string, KubernetesObject>();
    const { nextMs, ...changes } = rehearse({ kyma, manifests }, this.#servedModules(), this.#timeFor(name));
    this.#dueMs.set(name, nextMs);
    try {
      for (const manifest of changes.manifests) {
        const before = manifests.get(manifestOwner(manifest).module);
        this.#putManifest(await this.#write(manifest, before, run));
      }
      for (const manifest of changes.removed) await this.#remove(manifest, run);
      if (changes.kyma !== undefined) this.#putKyma(await this.#write(changes.kyma, kyma, run));
    } catch (error) {
      if (!(error instanceof Fault) || run.signal.aborted) throw error;
      run.log.info("the rehearsal could not write, and tries again", { cluster: name, because: error.message });
      this.#dueMs.set(name, this.#clock.nowMs());
    }
  }

  /** Applies the whole object, so that fields of others stay. */
  #write(
    { apiVersion, kind, metadata, spec, status }: KubernetesObject,
    before: KubernetesObject | undefined,
    run: Run,
  ): Promise<KubernetesObject> {
    const { name, namespace, labels, annotations, finalizers } = metadata;
    const own = { name, ...(namespace && { namespace }), ...(labels && { labels }) };
    const more = { ...(annotations && { annotations }), ...(finalizers && { finalizers }) };
    const desired = { apiVersion, kind, metadata: { ...own, ...more }, spec, status };
    return this.landscape.controlPlane.apply(desired, expectedObject(before), run);
  }

  async #remove(manifest: KubernetesObject, run: Run): Promise<void> {
    const { name } = manifest.metadata;
    const ref = { resource: RESOURCES.manifest, namespace: this.landscape.namespace, name };
    await this.landscape.controlPlane.remove(ref, expectedObject(manifest), () => Promise.resolve(undefined), run);
    this.#dropManifest(manifest);
  }

  #putKyma(kyma: KubernetesObject): void {
    this.#kymas.set(kyma.metadata.name, kyma);
    this.#fleet.setKyma(kyma, { nowMs: this.#clock.nowMs(), isFirst: false });
  }

  #putManifest(manifest: KubernetesObject): void {
    const { kyma, module } = manifestOwner(manifest);
    this.#manifests.set(kyma, (this.#manifests.get(kyma) ?? new Map<string, KubernetesObject>()).set(module, manifest));
  }

  #dropManifest(manifest: KubernetesObject): void {
    const { kyma, module } = manifestOwner(manifest);
    this.#manifests.get(kyma)?.delete(module);
    this.#touch([kyma]);
  }

  /** Schedules these clusters for the next look. */
  #touch(names: Iterable<string>): void {
    const nowMs = this.#clock.nowMs();
    for (const name of names) this.#dueMs.set(name, Math.min(nowMs, this.#dueMs.get(name) ?? nowMs));
  }

  #servedSink(objects: Map<string, KubernetesObject>): ReflectorSink {
    const changed = (object: KubernetesObject): void => {
      objects.set(object.metadata.name, object);
      if (objects === this.#metas) this.#noteServed(object);
      this.#touch(this.#kymas.keys());
    };
    const deleted = ({ metadata }: KubernetesObject): void => {
      if (objects.delete(metadata.name)) this.#touch(this.#kymas.keys());
    };
    return { changed, deleted, retain: retaining(objects, deleted) };
  }

  /** A version that is served at the first look counts as served forever. */
  #noteServed(meta: KubernetesObject): void {
    for (const { channel, version } of readReleaseMeta(meta).channels ?? []) {
      const key = `${channel}/${releaseModule(meta)}`;
      const known = this.#served.get(key);
      const sinceMs = known === undefined ? -Infinity : this.#clock.nowMs();
      if (known?.version !== version) this.#served.set(key, { version, sinceMs });
    }
  }

  #kymaSink(): ReflectorSink {
    const changed = (kyma: KubernetesObject): void => {
      this.#putKyma(kyma);
      this.#touch([kyma.metadata.name]);
    };
    const deleted = ({ metadata: { name } }: KubernetesObject): void => {
      this.#kymas.delete(name);
      this.#dueMs.delete(name);
      this.#fleet.removeKyma(name);
    };
    return { changed, deleted, retain: retaining(this.#kymas, deleted) };
  }

  #manifestSink(): ReflectorSink {
    const changed = (manifest: KubernetesObject): void => {
      this.#putManifest(manifest);
      this.#touch([manifestOwner(manifest).kyma]);
    };
    const deleted = (manifest: KubernetesObject): void => {
      this.#dropManifest(manifest);
    };
    const all = (): Map<string, KubernetesObject> => {
      const manifests = [...this.#manifests.values()].flatMap((some) => [...some.values()]);
      return new Map(manifests.map((one) => [one.metadata.name, one]));
    };
    return {
      changed,
      deleted,
      retain: (names) => {
        retaining(all(), deleted)(names);
      },
    };
  }
}

/** Removes the objects that a complete list does not name. */
function retaining(
  objects: ReadonlyMap<string, KubernetesObject>,
  deleted: (object: KubernetesObject) => void,
): ReflectorSink["retain"] {
  return (names) => {
    for (const [name, object] of [...objects]) if (!names.has(name)) deleted(object);
  };
}
