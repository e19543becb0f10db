import { expect, test } from "vitest";
import { objectHostAccess } from "../../src/kubernetes/hostAccess.ts";
import { objectImages } from "../../src/kubernetes/imagesInManifest.ts";
import type { ManifestObject } from "../../src/kubernetes/manifest.ts";
import {
  podContainers,
  apiGroup,
  mapsAt,
  namedObject,
  workloadPodTemplate,
  textsAt,
} from "../../src/kubernetes/workload.ts";
import { objectIn, podOf } from "./pods.ts";

test.each([
  ["v1", "Pod", "spec: { containers: [{ name: one, image: a }] }"],
  ["v1", "PodTemplate", "template: { spec: { containers: [{ name: one, image: a }] } }"],
  ["v1", "ReplicationController", "spec: { template: { spec: { containers: [{ name: one, image: a }] } } }"],
  ["apps/v1", "Deployment", "spec: { template: { spec: { containers: [{ name: one, image: a }] } } }"],
  ["apps/v1beta2", "StatefulSet", "spec: { template: { spec: { containers: [{ name: one, image: a }] } } }"],
  [
    "batch/v1",
    "CronJob",
    "spec: { jobTemplate: { spec: { template: { spec: { containers: [{ name: one, image: a }] } } } } }",
  ],
])("finds the pods of %s %s", (apiVersion, kind, rest) => {
  const object = objectIn(`apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: { name: sample }\n${rest}\n`);
  expect(objectImages(object).map(({ text }) => text)).toEqual(["a"]);
});

test("finds no pods in other kinds, in foreign kinds, and without a spec", () => {
  for (const [apiVersion, kind] of [
    ["v1", "ConfigMap"],
    ["example.com/v1", "Deployment"],
    ["apps/v1", "Deployment"],
  ])
    expect(objectImages(objectIn(`apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: { name: sample }\n`))).toEqual(
      [],
    );
});

test("lists containers with their paths, in the order in which they start", () => {
  const object = podOf(
    "{ containers: [{ name: b }, text], initContainers: [{ name: a }], ephemeralContainers: [{ name: c }] }",
  );
  const pods = workloadPodTemplate(object);
  expect(pods && podContainers(pods).map(({ name, path }) => `${name} ${path.join(".")}`)).toEqual([
    "a spec.initContainers.0",
    "b spec.containers.0",
    "c spec.ephemeralContainers.0",
  ]);
});

test("finds images of containers and of volumes, also invalid ones", () => {
  const object = podOf(
    "{ containers: [{ name: a }, { name: b, image: 'B B' }], volumes: [{ name: v, image: { reference: 'a:1' } }, { name: w }] }",
  );
  expect(objectImages(object).map(({ path, text, image }) => [path.join("."), text, image?.tag])).toEqual([
    ["spec.containers.0.image", "", undefined],
    ["spec.containers.1.image", "B B", undefined],
    ["spec.volumes.0.image.reference", "a:1", "1"],
  ]);
});

test("finds the images that environment variables of Deployments and StatefulSets name, and nothing that only looks like one", () => {
  const values = [
    ...["webhook:v1.2.0", "registry.example.com:5000/prod/proxy:1.0", `proxy@sha256:${"a".repeat(64)}`, "cache:6379"],
    ...["text", "http://example.com:80", "a b:1", "0.0.0.0:8080", "localhost:8080", "one.svc.cluster.local:443"],
    ...["registry.example.com:5000/prod/proxy", "${IMAGE}", ""],
  ];
  const env = JSON.stringify([...values.map((value) => ({ name: "A", value })), { name: "B", valueFrom: {} }]);
  const named = (kind: string): readonly string[] => {
    const spec = `{ template: { spec: { initContainers: [{ name: a, image: b, env: ${env} }] } } }`;
    const object = objectIn(`apiVersion: apps/v1\nkind: ${kind}\nmetadata: { name: a }\nspec: ${spec}\n`);
    return objectImages(object).map(({ path, text }) => `${path.slice(4).join(".")} ${text}`);
  };

  const found = ["image b", ...values.slice(0, 4).map((value, index) => `env.${index}.value ${value}`)].map(
    (text) => `0.${text}`,
  );
  expect(named("Deployment")).toEqual(found);
  expect(named("StatefulSet")).toEqual(found);
  expect(named("DaemonSet")).toEqual(["0.image b"]);
});

test("finds the resources of its node that a pod or a volume can access", () => {
  const accessOf = (object: ManifestObject): readonly string[] =>
    objectHostAccess(object).map(({ what, path }) => `${what} at ${path.join(".")}`);
  const pod =
    podOf(`{ hostNetwork: true, hostPID: false, volumes: [{ name: v, hostPath: { path: /run } }, { name: w, hostPath: {} }, { name: x }],
      containers: [{ name: a, ports: [{ containerPort: 1 }, { containerPort: 2, hostPort: 3 }] }] }`);
  expect(accessOf(pod)).toEqual([
    "hostNetwork at spec.hostNetwork",
    "hostPath /run at spec.volumes.0.hostPath",
    "hostPath  at spec.volumes.1.hostPath",
    "hostPort 3 at spec.containers.0.ports.1.hostPort",
  ]);
  const volume = (spec: string, apiVersion = "v1", kind = "PersistentVolume"): readonly string[] =>
    accessOf(objectIn(`apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: { name: a }\nspec: ${spec}\n`));
  expect(volume("{ hostPath: { path: / } }")).toEqual(["hostPath / at spec.hostPath"]);
  expect(volume("{ local: { path: /run } }")).toEqual(["hostPath /run at spec.local"]);
  expect(volume("{ csi: {} }")).toEqual([]);
  expect(volume("{ local: {} }", "example.com/v1")).toEqual([]);
  expect(volume("{ local: {} }", "v1", "ConfigMap")).toEqual([]);
});

test("names objects for display", () => {
  expect(namedObject(podOf("{}"))).toBe("Pod kyma-system/sample");
  expect(namedObject(objectIn("apiVersion: v1\nkind: Node\nmetadata: { name: one }\n"))).toBe("Node one");
  expect([apiGroup("v1"), apiGroup("apps/v1")]).toEqual(["", "apps"]);
  expect([
    mapsAt({ list: "text" }, "list"),
    textsAt({ list: "text" }, "list"),
    textsAt({ list: ["a", 1] }, "list"),
  ]).toEqual([[], [], ["a"]]);
});
