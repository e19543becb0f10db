import { describe, expect, it } from "vitest";
import type { KubernetesObject } from "../../src/kubernetes/object.ts";
import { describeUsers, ReferenceCollector, type References } from "../../src/sync/references.ts";

function collect({
  kymas = [],
  manifests = [],
}: Record<string, readonly KubernetesObject[]>): Exclude<References, { kind: "unknown" }> {
  const collector = new ReferenceCollector();
  for (const kyma of kymas) collector.addKyma(kyma);
  for (const manifest of manifests) collector.addManifest(manifest);
  const references = collector.collected();
  if (references.kind === "unknown") throw new Error("not known");
  return references;
}

const kyma = (name: string, modules: unknown): KubernetesObject => ({
  apiVersion: "operator.kyma-project.io/v1beta2",
  kind: "Kyma",
  metadata: { name },
  status: { modules },
});

const MODULE = "operator.kyma-project.io/module-name";
const CHANNEL = "operator.kyma-project.io/channel";

const manifest = (name: string, labels: Readonly<Record<string, string>>, version?: string): KubernetesObject => ({
  apiVersion: "operator.kyma-project.io/v1beta2",
  kind: "Manifest",
  metadata: { name, labels },
  spec: { ...(version !== undefined && { version }) },
});

const istio = { name: "istio", channel: "fast", version: "1.3.0", template: { metadata: { name: "istio-1.3.0" } } };

describe("references", () => {
  it("of a Kyma are the templates, modules and channels that its status names", () => {
    const { templates, modules } = collect({ kymas: [kyma("a", [istio]), kyma("b", [istio, { name: "keda" }])] });

    expect(Object.fromEntries(templates)).toEqual({ "istio-1.3.0": { count: 2, examples: ["Kyma a", "Kyma b"] } });
    expect([...modules.keys()]).toEqual(["istio", "istio/fast", "keda"]);
  });

  it("of a Kyma without a status, or with half of one, are what it says", () => {
    const bare: KubernetesObject = { apiVersion: "v1", kind: "Kyma", metadata: { name: "bare" } };
    const nameless = { template: { metadata: { name: "istio-1.2.0" } } };
    const odd = [null, "text", { name: "" }, { template: { metadata: null } }, nameless];
    const { templates, modules } = collect({ kymas: [bare, kyma("a", "none"), kyma("b", odd)] });

    expect([[...templates.keys()], [...modules.keys()]]).toEqual([["istio-1.2.0"], []]);
  });

  it("of a Manifest are its module, and the template of its version", () => {
    const { templates, modules } = collect({ manifests: [manifest("a", { [MODULE]: "istio" }, "1.3.0")] });

    expect([[...templates.keys()], [...modules.keys()]]).toEqual([["istio-1.3.0"], ["istio"]]);
  });

  it("of a Manifest of an older lifecycle-manager are the template of its channel", () => {
    const { templates } = collect({ manifests: [manifest("a", { [MODULE]: "istio", [CHANNEL]: "fast" })] });

    expect([...templates.keys()]).toEqual(["istio-fast"]);
  });

  it("of a Manifest that names no module are none", () => {
    const unlabelled: KubernetesObject = { apiVersion: "v1", kind: "Manifest", metadata: { name: "b" } };
    const { templates, modules } = collect({ manifests: [manifest("a", {}, "1.3.0"), unlabelled] });

    expect([templates.size, modules.size]).toEqual([0, 0]);
  });

  it("name the first few users and count them all", () => {
    const kymas = ["a", "b", "c", "d"].map((name) => kyma(name, [istio]));
    const [one, four] = [collect({ kymas: kymas.slice(0, 1) }), collect({ kymas })].map(({ templates }) =>
      templates.get("istio-1.3.0"),
    );

    expect(one && describeUsers(one)).toBe("1 user (Kyma a)");
    expect(four && describeUsers(four)).toBe("4 users (Kyma a, Kyma b, Kyma c, …)");
  });
});
