import type { Expected, KubernetesObject, Resource } from "../../../src/kubernetes/object.ts";
import { Fault, type ControlPlane, type ListPage } from "../../../src/ports.ts";

/** The objects of a modelled control plane, by `<kind> <name>`. */
export type Objects = Map<string, KubernetesObject>;

/** A modelled control plane for a sync. Something else may happen before each call. */
export interface ModelControlPlane extends ControlPlane {
  readonly objects: Objects;
  /** Writes like other clients: without a set, and without a precondition. */
  put(object: KubernetesObject): void;
  delete(kind: string, name: string): void;
  get(kind: string, name: string): KubernetesObject | undefined;
}

let versions = 0;

/** `before` runs before every call, and may throw: the program is then killed there. */
export function modelControlPlane(
  objects: Objects,
  before: (verb: string) => void = () => undefined,
): ModelControlPlane {
  const keyOf = (kind: string, name: string): string => `${kind} ${name}`;
  const get = (kind: string, name: string): KubernetesObject | undefined => objects.get(keyOf(kind, name));
  const put = (object: KubernetesObject): KubernetesObject => {
    const live = get(object.kind, object.metadata.name);
    const identity = { uid: live?.metadata.uid ?? `uid-${++versions}`, resourceVersion: String(++versions) };
    const stored = { ...object, metadata: { ...object.metadata, ...identity } };
    objects.set(keyOf(object.kind, object.metadata.name), stored);
    return stored;
  };
  const expect = (live: KubernetesObject | undefined, expected: Expected): void => {
    const isThere =
      expected === "absent" ? live === undefined : live?.metadata.resourceVersion === expected.resourceVersion;
    if (!isThere) throw new Fault("CLUSTER_CONFLICT", "it moved");
  };
  const list = async function* ({ kind }: Resource): AsyncGenerator<ListPage> {
    before(`list ${kind}`);
    const found = [...objects.values()].filter((object) => object.kind === kind);
    yield await Promise.resolve({ objects: found, resourceVersion: String(versions) });
  };
  return {
    server: "model",
    objects,
    put,
    get,
    delete: (kind, name) => void objects.delete(keyOf(kind, name)),
    list,
    watch: () => {
      throw new Error("a sync watches nothing");
    },
    knows: () => Promise.resolve(true),
    read: async ({ resource, name }) => {
      if (resource.kind === "Namespace") return { apiVersion: "v1", kind: "Namespace", metadata: { name } };
      before(`read ${resource.kind}`);
      return Promise.resolve(get(resource.kind, name));
    },
    apply: async (desired, expected) => {
      before(`apply ${desired.kind}`);
      expect(get(desired.kind, desired.metadata.name), expected);
      return Promise.resolve(put(desired));
    },
    moveOwnership: async ({ resource, name }, expected) => {
      before(`own ${resource.kind}`);
      const live = get(resource.kind, name);
      expect(live, expected);
      return Promise.resolve(
        live === undefined ? Promise.reject(new Fault("CLUSTER_CONFLICT", "it is gone")) : put(live),
      );
    },
    remove: async ({ resource, name }, expected, blocker) => {
      before(`remove ${resource.kind}`);
      const because = await blocker();
      if (because !== undefined) return because;
      const live = get(resource.kind, name);
      if (live !== undefined) expect(live, expected);
      objects.delete(keyOf(resource.kind, name));
      return undefined;
    },
  };
}
