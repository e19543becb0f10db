import { expect, it } from "vitest";
import type { ModuleUser } from "../../../src/fleet/users.ts";
import { applySetParent } from "../../../src/kubernetes/applySet.ts";
import type { KubernetesObject } from "../../../src/kubernetes/object.ts";
import type { ControlPlane } from "../../../src/ports.ts";
import { LandscapeStore } from "../../../src/sync/controller/store.ts";
import { kyma, manifest } from "../../fleet/istio.ts";
import { quietRun } from "../../support/quietRun.ts";

const BEGAN = "2030-01-01T00:00:00Z";
const LISTED = Date.parse("2030-01-02T00:00:00Z");
const CHANGED = LISTED + 60_000;

/** A Manifest whose state began long before the first list. */
function since(one: KubernetesObject): KubernetesObject {
  return { ...one, status: { ...(one["status"] as object), lastOperation: { lastUpdateTime: BEGAN } } };
}

/** A store of istio's clusters whose first list has `kymas` and `manifests`. */
function storeOf(kymas: readonly KubernetesObject[], manifests: readonly KubernetesObject[], isGate = true) {
  let nowMs = LISTED;
  const controlPlane: Partial<ControlPlane> = {};
  const world = {
    controlPlane: controlPlane as ControlPlane,
    clock: { nowMs: () => nowMs },
    isGate,
    onChange: () => undefined,
  };
  const store = new LandscapeStore("kcp-system", world);
  for (const [what, objects] of [["kymas", kymas] as const, ["manifests", manifests] as const]) {
    const sink = store.sinkOf(what);
    for (const object of objects) sink.changed(object);
    sink.retain(new Set(objects.map(({ metadata }) => metadata.name)));
    store.setState(what, { kind: "current" });
  }
  nowMs = CHANGED;
  const times = async (): Promise<unknown> => {
    const users = await store.users(quietRun());
    const rows: readonly ModuleUser[] = users.kind === "known" ? (users.modules.get("istio") ?? []) : [];
    return Object.fromEntries(rows.map(({ name, condition }) => [name, condition.sinceMs]));
  };
  return { store, times };
}

it("the first list of clusters is not a change: their states began when their objects say so", async () => {
  const failing = { state: "Error" };
  const { times } = storeOf(
    [kyma("known", failing), kyma("unknown", failing), kyma("ready")],
    [since(manifest("m", "known", "1.0.0", "Error")), since(manifest("n", "other", "1.0.0", "Error"))],
  );

  expect(await times()).toStrictEqual({
    "Kyma known": Date.parse(BEGAN),
    "Kyma unknown": undefined,
    "Kyma ready": LISTED,
    "Manifest n": Date.parse(BEGAN),
  });
});

it("a reader does not take the first list for the start of Ready, but sees the changes after it", async () => {
  const { store, times } = storeOf([kyma("a"), kyma("b")], [], false);
  store.sinkOf("kymas").changed(kyma("b", { state: "Error" }));

  expect(await times()).toStrictEqual({ "Kyma a": undefined, "Kyma b": CHANGED });
});

it("a change after the first list of clusters is the start of their state", async () => {
  const { store, times } = storeOf([kyma("a"), kyma("b", { state: "Error" })], []);
  store.sinkOf("kymas").changed(kyma("a", { state: "Error" }));
  store.sinkOf("kymas").changed(kyma("c", { state: "Error" }));
  store.sinkOf("manifests").changed(since(manifest("m", "", "1.0.0", "Error")));

  expect(await times()).toStrictEqual({
    "Kyma a": CHANGED,
    "Kyma b": undefined,
    "Kyma c": CHANGED,
    "Manifest m": CHANGED,
  });
});

it("the parent of the set as this process wrote it is not a change, but that of another client is", async () => {
  const changes: string[] = [];
  const written = applySetParent("kcp-system");
  const of = (resourceVersion: string): KubernetesObject => ({
    ...written,
    metadata: { ...written.metadata, resourceVersion },
  });
  const controlPlane: Partial<ControlPlane> = { apply: () => Promise.resolve(of("1")) };
  const store = new LandscapeStore("kcp-system", {
    controlPlane: controlPlane as ControlPlane,
    clock: { nowMs: () => LISTED },
    isGate: true,
    onChange: (what) => changes.push(what),
  });
  await store.writing.apply(written, "absent", quietRun());

  store.sinkOf("parent").changed(of("1"));
  expect(changes).toEqual([]);
  store.sinkOf("parent").changed(of("2"));
  expect(changes).toEqual(["parent"]);
});
