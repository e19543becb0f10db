import { messageCause } from "../../src/fleet/cause.ts";
import { fieldAt, listAt, textAt } from "../../src/document/fields.ts";
import { RESOURCES, type KubernetesObject } from "../../src/kubernetes/object.ts";
import type { ServedModules } from "../../src/rehearsal/lookup.ts";
import { FAILS_ANNOTATION, manifestOwner } from "../../src/rehearsal/manifest.ts";
import { rehearse, type Rehearsal, type RehearsedTime } from "../../src/rehearsal/rehearse.ts";
import { MODULE, type Believed, type Situation } from "./script.ts";

const NAMESPACE = "kcp-system";

/** A ModuleTemplate with the fields that a rehearsal reads. */
export function templateOf(module: string, version: string, spec: object = {}, isBeta = false): KubernetesObject {
  const { apiVersion, kind } = RESOURCES.moduleTemplate;
  const labels = isBeta ? { "operator.kyma-project.io/beta": "true" } : {};
  const metadata = { name: `${module}-${version}`, namespace: NAMESPACE, generation: 1, labels };
  return { apiVersion, kind, metadata, spec: { moduleName: module, version, ...spec } };
}

/** A ModuleReleaseMeta with the fields that a rehearsal reads. */
export function metaOf(module: string, spec: object): KubernetesObject {
  const { apiVersion, kind } = RESOURCES.moduleReleaseMeta;
  return { apiVersion, kind, metadata: { name: module, namespace: NAMESPACE }, spec: { moduleName: module, ...spec } };
}

/** The modules that these objects of a control plane serve. */
export function servedBy(...objects: readonly KubernetesObject[]): ServedModules {
  const named = (kind: string): ReadonlyMap<string, KubernetesObject> =>
    new Map(objects.flatMap((object) => (object.kind === kind ? [[object.metadata.name, object] as const] : [])));
  return { metas: named("ModuleReleaseMeta"), templates: named("ModuleTemplate") };
}

/** The modules that the control plane of a situation serves. */
export function servedIn({ templates, channels }: Situation): ServedModules {
  return servedBy(
    ...Object.entries(templates).map(([version, { beta, ...spec }]) => templateOf(MODULE, version, spec, beta)),
    ...(channels === undefined ? [] : [metaOf(MODULE, { channels: entriesOf(channels) })]),
  );
}

/** Entries of a release meta. */
export function entriesOf(channels: Readonly<Record<string, string>>): readonly object[] {
  return Object.entries(channels).map(([channel, version]) => ({ channel, version }));
}

/** One cluster of a rehearsal, and the clock. */
export class Stage {
  kyma: KubernetesObject;
  readonly manifests: Map<string, KubernetesObject>;
  nowMs: number = Date.parse("2026-01-01T12:00:00Z");
  servedMs: RehearsedTime["nowMs"] = -Infinity;
  window: RehearsedTime["window"];
  /** The number of writes. */
  writes = 0;

  constructor(spec: object, { labels = {}, fails = "" }: { labels?: Record<string, string>; fails?: string } = {}) {
    this.manifests = new Map();
    const { apiVersion, kind } = RESOURCES.kyma;
    const annotations = { [FAILS_ANNOTATION]: fails };
    const metadata = { name: "early", namespace: NAMESPACE, labels, annotations, finalizers: ["kyma"] };
    this.kyma = { apiVersion, kind, metadata, spec };
  }

  /** The user of the cluster enables modules. */
  enable(...modules: readonly object[]): void {
    this.kyma = { ...this.kyma, spec: { ...(this.kyma["spec"] as object), modules } };
  }

  /** Looks once, and writes. */
  look(served: ServedModules): Rehearsal {
    const { nowMs, window } = this;
    const time = { nowMs, window, servedMs: () => this.servedMs };
    const rehearsal = rehearse({ kyma: this.kyma, manifests: this.manifests }, served, time);
    if (rehearsal.kyma !== undefined) this.kyma = rehearsal.kyma;
    for (const manifest of rehearsal.manifests) this.manifests.set(manifestOwner(manifest).module, manifest);
    for (const manifest of rehearsal.removed) this.manifests.delete(manifestOwner(manifest).module);
    this.writes += Number(rehearsal.kyma !== undefined) + rehearsal.manifests.length + rehearsal.removed.length;
    return rehearsal;
  }

  /** Looks again whenever a write is due, until none is. */
  settle(served: ServedModules): void {
    for (let writes = -1; ;) {
      const { nextMs } = this.look(served);
      if (nextMs === Infinity && writes === this.writes) return;
      writes = this.writes;
      if (nextMs !== Infinity) this.nowMs = nextMs;
    }
  }

  /** The module's status in the Kyma. */
  said(module: string): unknown {
    return listAt(this.kyma, ["status", "modules"]).find((one) => textAt(one, ["name"]) === module);
  }

  /** The same with the installed version, as the script expects it. */
  believed(module: string): Believed | undefined {
    return believedIn(this.said(module), textAt(this.manifests.get(module), ["spec", "version"]));
  }
}

/** The result for a module, from its status in the Kyma. */
export function believedIn(said: unknown, installed: string | undefined): Believed | undefined {
  if (said === undefined) return undefined;
  return {
    state: textAt(said, ["state"]) ?? "",
    channel: textAt(said, ["channel"]) ?? "",
    version: textAt(said, ["version"]),
    template: textAt(said, ["template", "metadata", "name"]),
    cause: messageCause(textAt(said, ["message"]), ["early"]),
    maintenance: fieldAt(said, ["maintenance"]) === true,
    installed,
  };
}
