import { describe, expect, it } from "vitest";
import type { KubernetesObject } from "../../src/kubernetes/object.ts";
import { lostFields, lostText } from "../../src/smoke/judge/kept.ts";
import { objectInventory } from "../../src/smoke/judge/leftOver.ts";
import { judgeWorkload, wantsNoPods } from "../../src/smoke/judge/pods.ts";
import { requested } from "../../src/smoke/judge/footprint.ts";
import { unrestIn } from "../../src/smoke/judge/still.ts";
import { optionalFields } from "../../src/smoke/judge/userChange.ts";
import { mentions } from "../support/mentions.ts";

const IN_ORDER = { observedGeneration: 2, replicas: 1, updatedReplicas: 1, availableReplicas: 1, readyReplicas: 1 };

function workload(status: object, kind = "Deployment"): KubernetesObject {
  const metadata = { name: "manager", namespace: "n", generation: 2 };
  return {
    apiVersion: "apps/v1",
    kind,
    metadata,
    spec: { replicas: 1, selector: { matchLabels: { app: "a" } } },
    status,
  };
}

function pod(container: object, metadata: object = {}): KubernetesObject {
  const status = { containerStatuses: [{ name: "manager", restartCount: 0, ...container }] };
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "p", namespace: "n", labels: { app: "a" }, ...metadata },
    status,
  };
}

describe("a workload", () => {
  it("is available in its newest generation, with the pods of that alone", () => {
    expect(judgeWorkload(workload(IN_ORDER), [pod({})])).toEqual({ kind: "available" });
    expect(judgeWorkload(workload({ ...IN_ORDER, observedGeneration: 1 }), [])).toMatchObject({ kind: "waiting" });
    const daemons = { observedGeneration: 2, desiredNumberScheduled: 2, updatedNumberScheduled: 2, numberAvailable: 2 };
    expect(judgeWorkload(workload(daemons, "DaemonSet"), [])).toEqual({ kind: "available" });
  });

  it.each([
    [["0 of 1 pods"], { observedGeneration: 2 }],
    [["1", "previous version"], { ...IN_ORDER, replicas: 2 }],
  ])("is waited for: %j", (said, status) => {
    expect(judgeWorkload(workload(status), [])).toEqual({ kind: "waiting", said: mentions(...said) });
  });

  it.each<[string, KubernetesObject, string | undefined]>([
    ["a ReplicaSet without pods", workload({ observedGeneration: 2 }, "ReplicaSet"), "0 of 1 pods are available"],
    ["a ReplicaSet", workload({ ...IN_ORDER, updatedReplicas: undefined }, "ReplicaSet"), undefined],
    ["a Job whose pods never succeeded", workload({ active: 1 }, "Job"), "0 of 1 pods succeeded"],
    ["a Job", workload({ succeeded: 1, conditions: [{ type: "Complete", status: "True" }] }, "Job"), undefined],
    ["a Pod that never started", { ...workload({ phase: "Pending" }, "Pod") }, "not Ready"],
    ["a Pod that is Ready", workload({ conditions: [{ type: "Ready", status: "True" }] }, "Pod"), undefined],
    ["a Pod that has ended well", workload({ phase: "Succeeded" }, "Pod"), undefined],
  ])("is waited for until its pods run, whatever its kind: %s", (_, object, said) => {
    expect(judgeWorkload(object, [])).toEqual(
      said === undefined ? { kind: "available" } : { kind: "waiting", said: expect.stringContaining(said) as string },
    );
  });

  it("may want no pods, so that nothing is known about them", () => {
    const idle = { ...workload({ observedGeneration: 2 }), spec: { replicas: 0 } };
    const wanted = [idle, workload({}, "DaemonSet"), { ...workload({}, "Job"), spec: { suspend: true } }];

    expect([...wanted, workload({}), workload({}, "Pod")].map(wantsNoPods)).toEqual([true, true, true, false, false]);
  });

  it("is waited for while pods of the previous version end", () => {
    const ending = pod({}, { deletionTimestamp: "2026-01-01T00:00:00Z" });

    expect(judgeWorkload(workload(IN_ORDER), [ending])).toEqual({
      kind: "waiting",
      said: mentions("Pod n/p", "previous version"),
    });
  });

  it("is broken where a container was restarted, or its image cannot be had", () => {
    const crashed = { restartCount: 2, lastState: { terminated: { reason: "Error", exitCode: 1 } } };
    expect(judgeWorkload(workload(IN_ORDER), [pod(crashed)])).toEqual({
      kind: "broken",
      said: "Pod n/p, container manager: it was restarted 2 times, it ended with Error (exit code 1)",
      pod: "p",
      log: { container: "manager", isPrevious: true },
    });
    const pulling = { state: { waiting: { reason: "ImagePullBackOff", message: "not found" } } };
    expect(judgeWorkload(workload(IN_ORDER), [pod(pulling)])).toMatchObject({
      said: "Pod n/p, container manager: ImagePullBackOff, not found",
      log: undefined,
    });
  });
});

describe("the object of a user", () => {
  const wrote = {
    apiVersion: "a/v1",
    kind: "A",
    metadata: { name: "a", labels: { "a.b/c": "d" } },
    spec: { size: 3, list: [{ a: 1 }, { a: 2 }], none: {}, unset: null },
  };

  it("is kept if every field reads as before, even with new fields", () => {
    expect(lostFields({ wrote, stored: wrote }, { ...wrote, spec: { ...wrote.spec, more: 1 } })).toEqual([]);
  });

  it("is lost field by field", () => {
    const now = { ...wrote, metadata: { name: "a" }, spec: { size: 4, list: [{ a: 1 }] } };

    expect(lostFields({ wrote, stored: wrote }, now).map(lostText)).toEqual([
      'metadata.labels["a.b/c"] was "d", and is gone',
      "spec.size was 3, and is 4",
      "spec.list[1].a was 2, and is gone",
    ]);
  });
});

describe("a field that a user may set", () => {
  it("is an optional field that is not set: defaults first, then what does little", () => {
    const properties = {
      name: { type: "string" },
      day: { type: "string", format: "date" },
      count: { type: "integer", minimum: 2 },
      mode: { enum: ["a", "b"] },
      on: { type: "boolean" },
      size: { default: 5 },
      must: { type: "string" },
      set: { type: "string" },
    };
    const schema = { properties: { spec: { properties, required: ["must"] } } };
    const object = { apiVersion: "a/v1", kind: "A", metadata: { name: "a" }, spec: { set: "x" } };

    expect(optionalFields(schema, object)).toEqual([
      { size: 5 },
      { on: false },
      { mode: "a" },
      { count: 2 },
      { name: "smoke" },
    ]);
    expect(optionalFields(undefined, object)).toEqual([]);
  });
});

describe("objects that are watched", () => {
  const look = (resourceVersion: number, spec: object = {}, uid = "u"): readonly KubernetesObject[] => [
    { apiVersion: "a/v1", kind: "A", metadata: { name: "a", uid, resourceVersion: String(resourceVersion) }, spec },
  ];

  it("stay unchanged, even if their status changes now and then", () => {
    expect(unrestIn([look(1), look(1), look(2), look(2), look(2)])).toBeUndefined();
    expect(unrestIn([])).toBeUndefined();
  });

  it("do not stay unchanged if they change, disappear, or if their status is written endlessly", () => {
    expect(unrestIn([look(1), look(2, { a: 1 })])?.said).toMatch(/changes/);
    expect(unrestIn([look(1), [undefined]])?.said).toMatch(/disappeared/);
    expect(unrestIn([look(1), look(2), look(3), look(4), look(5)])?.said).toMatch(/status .*\b4 times/);
  });
});

describe("the requests of a version", () => {
  it("are added up over its pods", () => {
    const containers = [{ image: "a:1", resources: { requests: { cpu: "10m", memory: "16Mi" } } }, { image: "a:1" }];
    const spec = { replicas: 2, template: { spec: { containers } } };
    const deployment = { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "a" }, spec };

    expect(requested([deployment])).toEqual({
      images: ["a:1"],
      requests: { cpuMillicores: 20, memoryBytes: 2 * 16 * 2 ** 20 },
    });
  });
});

describe("an inventory", () => {
  const object = (kind: string, name: string, owner?: string): KubernetesObject => {
    const ownerReferences = owner === undefined ? [] : [{ uid: owner }];
    return { apiVersion: "v1", kind, metadata: { name, namespace: "n", uid: name, ownerReferences } as never };
  };
  const texts = (objects: readonly KubernetesObject[], omitted = ""): readonly string[] =>
    [...objectInventory(objects, ({ metadata }) => metadata.name === omitted).values()].map(({ text }) => text);

  it("omits all direct and indirect dependants of omitted objects", () => {
    const objects = [object("Pod", "c", "b"), object("Set", "b", "a"), object("Deployment", "a"), object("Pod", "d")];

    expect(texts(objects, "a")).toEqual(["Pod n/d"]);
  });

  it("does not count objects whose owners are gone", () => {
    expect(texts([object("ConfigMap", "a", "gone"), object("Lease", "b", "node"), object("Node", "node")])).toEqual([
      "Lease n/b",
    ]);
  });
});
