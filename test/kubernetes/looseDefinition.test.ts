import { expect, it } from "vitest";
import { looseDefinition } from "../../src/kubernetes/looseDefinition.ts";

const WATCHER = { apiVersion: "operator.kyma-project.io/v1beta2", kind: "Watcher", plural: "watchers" };
const anything = { type: "object", "x-kubernetes-preserve-unknown-fields": true };

it("a loose definition accepts any field, and has the subresource status on request", () => {
  const plain = looseDefinition(WATCHER);
  const spec = { type: "object", properties: { isManaged: { type: "boolean", default: true } } };
  const other = looseDefinition(WATCHER, { hasStatus: true, spec });

  expect(plain.metadata.name).toBe("watchers.operator.kyma-project.io");
  expect(plain["spec"]).toMatchObject({
    names: { kind: "Watcher", singular: "watcher" },
    versions: [{ name: "v1beta2", schema: { openAPIV3Schema: { properties: { spec: anything, status: anything } } } }],
  });
  expect(plain["spec"]).not.toHaveProperty("versions.0.subresources");
  expect(other["spec"]).toMatchObject({
    versions: [{ subresources: { status: {} }, schema: { openAPIV3Schema: { properties: { spec } } } }],
  });
});
