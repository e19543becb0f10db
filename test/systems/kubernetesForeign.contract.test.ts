import { expect, it } from "vitest";
import { RESOURCES, type ObjectRef } from "../../src/kubernetes/object.ts";
import type { Cluster, ControlPlane, TrialServer } from "../../src/ports.ts";
import { LIMITS, openAccess } from "../../src/systems/kubernetes/access.ts";
import { openCluster } from "../../src/systems/kubernetes/cluster.ts";
import { controlPlane } from "../../src/systems/kubernetes/controlPlane.ts";
import { trialServer } from "../../src/systems/kubernetes/trial.ts";
import { quietRun } from "../support/quietRun.ts";
import { sharedWorld } from "../sync/world.ts";
import { atFirst, troublesomeProxy, type Trouble } from "./troublesomeProxy.ts";

interface Clients {
  readonly plane: ControlPlane;
  readonly cluster: Cluster;
  readonly server: TrialServer;
}

const run = quietRun();
const { configMap } = RESOURCES;
const refIn = (namespace: string): ObjectRef => ({ resource: configMap, namespace, name: "any" });
const objectIn = (namespace: string) => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "any", namespace } });
const SEEN = { uid: "u", resourceVersion: "1" };
const unblocked = (): Promise<undefined> => Promise.resolve(undefined);

/** Every kind of request. */
const REQUESTS: Readonly<Record<string, (clients: Clients, namespace: string) => Promise<unknown>>> = {
  "a read": ({ plane }, namespace) => plane.read(refIn(namespace), run),
  "a list": ({ plane }, namespace) => Array.fromAsync(plane.list(configMap, namespace, run)),
  "a watch": ({ plane }, namespace) => Array.fromAsync(plane.watch(configMap, namespace, "1", run)),
  "a question for a kind": ({ plane }) => plane.knows(RESOURCES.kyma, run),
  "an apply": ({ plane }, namespace) => plane.apply(objectIn(namespace), SEEN, run),
  "a move of ownership": ({ plane }, namespace) => plane.moveOwnership(refIn(namespace), SEEN, [], run),
  "a removal": ({ plane }, namespace) => plane.remove(refIn(namespace), SEEN, unblocked, run),
  "a question for the version": ({ cluster }) => cluster.version(run),
  "a question for all kinds": ({ cluster }) => cluster.kinds(run),
  "a read in a cluster": ({ cluster }, namespace) => cluster.read(refIn(namespace), run),
  "a list in a cluster": ({ cluster }) => cluster.list(configMap, undefined, run),
  "a patch in a cluster": ({ cluster }, namespace) => cluster.patch(refIn(namespace), {}, { isTrial: false }, run),
  "a trial in a cluster": ({ cluster }, namespace) => cluster.patch(refIn(namespace), {}, { isTrial: true }, run),
  "a patch of a status": ({ cluster }, namespace) => cluster.patchStatus(refIn(namespace), {}, run),
  "a removal in a cluster": ({ cluster }, namespace) => cluster.remove(refIn(namespace), run),
  "an apply in a cluster": ({ cluster }, namespace) => cluster.apply(objectIn(namespace), { isTrial: false }, run),
  "an end of a namespace": ({ cluster }, namespace) => cluster.finalize(namespace, run),
  "a trial": ({ server }, namespace) => server.judge([objectIn(namespace)], run),
};

const typed = (kind: string, more: object): string => JSON.stringify({ apiVersion: "v1", kind, ...more });
const other = { name: "other", namespace: "other", ...SEEN };

const PAGE = "<!DOCTYPE html><html>Please log in</html>";
/** What no API server would answer to any of them. */
const FOREIGN: readonly string[] = [
  ...["", "{}", "null", "[]", PAGE, '"ok"', '{"kind":"ConfigMap","apiVersion":"v1","meta'],
  typed("ConfigMap", { metadata: null }),
  typed("ConfigMap", { metadata: { ...other, name: "any", resourceVersion: "" } }),
  typed("ConfigMap", { metadata: other }),
  typed("Secret", { metadata: other }),
  typed("SecretList", { metadata: { resourceVersion: "1" }, items: [] }),
  typed("ConfigMapList", { metadata: { resourceVersion: "1" }, items: null }),
  typed("ConfigMapList", { metadata: { resourceVersion: "1" }, items: [null] }),
  '{"type":"ADDED","object":null}\n{"type":"BOOKMARK","object":{}}\n',
];

it.for(Object.entries(REQUESTS))(
  "%s fails with what came, if that is not what was asked",
  async ([name, request], context) => {
    const world = await sharedWorld(context);
    let body = "";
    const { kubeconfig } = await troublesomeProxy(world.access, () => ({ status: 200, body }));
    const access = await openAccess({ kubeconfig }, { ...LIMITS, backOffMs: 0 });
    const clients = { plane: controlPlane(access), cluster: openCluster(access), server: trialServer(access, false) };
    for (body of FOREIGN) {
      const answer = request(clients, world.namespace).catch((error: unknown) => error);
      const fault = { name: "Fault", code: "CLUSTER_UNREACHABLE", retry: true };

      // A watch may end at any time.
      if (name === "a watch" && body === "") expect(await answer).toEqual([]);
      else expect(await answer, body).toMatchObject({ ...fault, message: containing(body.slice(0, 20)) });
    }
  },
);

function containing(text: string): unknown {
  return expect.stringContaining(JSON.stringify(text).slice(1, -1));
}

it.for<[string, Trouble]>([
  ["a page", { status: 200, body: PAGE }],
  ["an empty map", { status: 200, body: "{}" }],
  ["the 404 of a gateway", { status: 404, body: "page not found" }],
  ["the 403 of a gateway", { status: 403, body: "<html>Blocked</html>" }],
  ["a redirect to a page", { status: 302, headers: { location: "https://example.com/login" } }],
])("a request that is answered by %s is repeated", async ([, trouble], context) => {
  const world = await sharedWorld(context);
  const { controlPlane, requests } = await troublesomeProxy(world.access, atFirst(trouble, trouble));

  expect(await controlPlane.read(refIn(world.namespace), run)).toBeUndefined();
  expect(requests).toHaveLength(3);
});

it("a page in the place of a log is no log", async (context) => {
  const world = await sharedWorld(context);
  const trouble = { status: 200, headers: { "content-type": "text/html" }, body: PAGE };
  const { kubeconfig } = await troublesomeProxy(world.access, () => trouble);
  const cluster = openCluster(await openAccess({ kubeconfig }, { ...LIMITS, backOffMs: 0 }));
  const pod = { ...refIn(world.namespace), resource: { apiVersion: "v1", kind: "Pod", plural: "pods" } };

  await expect(cluster.log(pod, "main", false, run)).rejects.toMatchObject({ code: "CLUSTER_UNREACHABLE" });
});
