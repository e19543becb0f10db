import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject, KubernetesObject, ManagedFieldsEntry } from "../../src/kubernetes/object.ts";
import { lastForeignManager, fieldOwners, takeOwnership } from "../../src/kubernetes/ownership.ts";

const OURS = { manager: "kyma-modules", operation: "Apply" };

function owned(...managedFields: readonly ManagedFieldsEntry[]): KubernetesObject {
  return { apiVersion: "v1beta2", kind: "ModuleReleaseMeta", metadata: { name: "istio", managedFields } };
}

const bare: KubernetesObject = { apiVersion: "v1beta2", kind: "ModuleReleaseMeta", metadata: { name: "istio" } };
const own = (fieldsV1: JsonObject): JsonObject => fieldsV1;
const version = ["spec", "channels", { key: "channel", value: "fast" }, "version"] as const;

describe("the owners of a field", () => {
  const fast = own({ "f:spec": { "f:channels": { 'k:{"channel":"fast"}': { ".": {}, "f:version": {} } } } });

  it("are the managers that set it, each once, without our own", () => {
    const object = owned(
      { ...OURS, fieldsV1: fast },
      { manager: "edit", operation: "Update", fieldsV1: fast },
      { manager: "edit", operation: "Apply", fieldsV1: fast },
      { operation: "Update", fieldsV1: fast },
      { manager: "other", operation: "Update", fieldsV1: { "f:metadata": {} } },
    );

    expect(fieldOwners(object, version)).toEqual(["edit", "unknown"]);
  });

  it("include a manager with our name that did not use apply", () => {
    expect(fieldOwners(owned({ ...OURS, operation: "Update", fieldsV1: fast }), version)).toEqual(["kyma-modules"]);
  });

  it("include the owner of a larger value that contains it", () => {
    const object = owned({ manager: "edit", operation: "Update", fieldsV1: { "f:spec": { "f:data": {} } } });

    expect(fieldOwners(object, ["spec", "data", "spec", "size"])).toEqual(["edit"]);
  });

  it("do not include the owner of another field, or of something that is not a set of fields", () => {
    const object = owned(
      { manager: "a", operation: "Update", fieldsV1: { "f:spec": { "f:beta": {}, "f:data": { "f:x": {} } } } },
      { manager: "b", operation: "Update", fieldsV1: { "f:spec": { "f:data": true } } },
      { manager: "c", operation: "Update" },
    );

    expect(fieldOwners(object, ["spec", "data", "spec"])).toEqual([]);
  });

  it("are all foreign managers for the whole object, except for those of a subresource", () => {
    const object = owned(
      { ...OURS, fieldsV1: fast },
      { manager: "edit", operation: "Update", fieldsV1: fast },
      { manager: "lifecycle-manager", operation: "Update", subresource: "status", fieldsV1: { "f:status": {} } },
    );

    expect(fieldOwners(object, [])).toEqual(["edit"]);
  });

  it("are empty when none is recorded", () => {
    expect(fieldOwners(bare, version)).toEqual([]);
  });
});

describe("the last foreign manager", () => {
  const at = (manager: string, time?: string): ManagedFieldsEntry => ({
    manager,
    operation: "Update",
    ...(time !== undefined && { time }),
  });

  it("is the one with the latest time", () => {
    const entries = [at("a", "2026-01-02T00:00:00Z"), at("b", "2026-01-03T00:00:00Z"), at("c", "2026-01-01T00:00:00Z")];

    expect(lastForeignManager(owned(...entries, { ...OURS, time: "2026-02-01T00:00:00Z" }))).toBe("b");
  });

  it("is undefined when no foreign entry has a time", () => {
    expect(lastForeignManager(owned(at("a"), { ...OURS, time: "2026-02-01T00:00:00Z" }))).toBeUndefined();
  });
});

describe("taking ownership", () => {
  const foreign: ManagedFieldsEntry = {
    manager: "kubectl-client-side-apply",
    operation: "Update",
    apiVersion: "v1beta2",
    fieldsType: "FieldsV1",
    fieldsV1: {
      "f:metadata": {
        "f:annotations": { ".": {}, "f:note": {} },
        "f:labels": { ".": {}, "f:operator.kyma-project.io/beta": {}, "f:team": {} },
        "f:finalizers": { ".": {} },
      },
      "f:spec": { "f:beta": {} },
      "f:data": { "f:key": {} },
    },
  };
  const ours: ManagedFieldsEntry = {
    ...OURS,
    apiVersion: "v1beta1",
    time: "2026-01-01T00:00:00Z",
    fieldsType: "FieldsV1",
    fieldsV1: { "f:spec": { "f:moduleName": {} } },
  };

  it("takes spec and the labels that control lifecycle-manager, and keeps all other owners", () => {
    expect(takeOwnership(owned(foreign, ours), "judged", [])).toEqual([
      {
        ...foreign,
        fieldsV1: {
          "f:metadata": {
            "f:annotations": { ".": {}, "f:note": {} },
            "f:labels": { ".": {}, "f:team": {} },
            "f:finalizers": { ".": {} },
          },
          "f:data": { "f:key": {} },
        },
      },
      {
        ...ours,
        fieldsV1: {
          "f:spec": { "f:moduleName": {}, "f:beta": {} },
          "f:metadata": { "f:labels": { ".": {}, "f:operator.kyma-project.io/beta": {} } },
        },
      },
    ]);
  });

  it("also takes all labels, annotations and data for the extent everything", () => {
    expect(takeOwnership(owned(foreign, ours), "everything", [])).toEqual([
      { ...foreign, fieldsV1: { "f:metadata": { "f:finalizers": { ".": {} } } } },
      {
        ...ours,
        fieldsV1: {
          "f:spec": { "f:moduleName": {}, "f:beta": {} },
          "f:data": { "f:key": {} },
          "f:metadata": {
            "f:annotations": { ".": {}, "f:note": {} },
            "f:labels": { ".": {}, "f:operator.kyma-project.io/beta": {}, "f:team": {} },
          },
        },
      },
    ]);
  });

  it("removes entries without fields", () => {
    const entry = { manager: "edit", operation: "Update", fieldsV1: { "f:spec": { "f:beta": {} } } };
    const managers = takeOwnership(owned(entry, { manager: "idle", operation: "Update" }), "judged", []);

    expect(managers.map(({ manager }) => manager)).toEqual(["kyma-modules"]);
  });

  it("does not change the entries of subresources", () => {
    const status = { manager: "lm", operation: "Update", subresource: "status", fieldsV1: { "f:spec": { "f:x": {} } } };

    expect(takeOwnership(owned(status), "everything", [])[0]).toEqual(status);
  });

  it("takes fields without an owner", () => {
    const extra = [version, ["spec", "beta"], ["metadata", "labels", "operator.kyma-project.io/beta"]] as const;

    expect(takeOwnership(bare, "judged", extra)).toEqual([
      {
        ...OURS,
        apiVersion: "v1beta2",
        fieldsType: "FieldsV1",
        fieldsV1: {
          "f:spec": {
            "f:channels": { 'k:{"channel":"fast"}': { ".": {}, "f:version": {} } },
            "f:beta": {},
          },
          "f:metadata": { "f:labels": { "f:operator.kyma-project.io/beta": {} } },
        },
      },
    ]);
  });

  const leaves = fc.dictionary(fc.constantFrom("f:a", "f:operator.kyma-project.io/beta", "f:b"), fc.constant({}), {
    maxKeys: 3,
  });
  const entry = fc.record({
    manager: fc.constantFrom("kyma-modules", "edit", "other"),
    operation: fc.constantFrom("Apply", "Update"),
    fieldsV1: fc.record({
      "f:metadata": fc.record({ "f:labels": leaves, "f:annotations": leaves, "f:finalizers": leaves }),
      "f:spec": leaves,
    }),
  });
  const entries = fc.uniqueArray(entry, {
    selector: ({ manager, operation }) => `${manager} ${operation}`,
    maxLength: 4,
  });
  const extents = fc.constantFrom("judged" as const, "everything" as const);

  it("loses no field, and is idempotent", () => {
    fc.assert(
      fc.property(entries, extents, (before, extent) => {
        const after = takeOwnership(owned(...before), extent, []);

        expect(new Set(after.flatMap(leavesOf))).toEqual(new Set(before.flatMap(leavesOf)));
        expect(takeOwnership(owned(...after), extent, [])).toEqual(after);
      }),
    );
  });

  it("leaves no other owner in spec", () => {
    fc.assert(
      fc.property(entries, extents, (before, extent) => {
        expect(fieldOwners(owned(...takeOwnership(owned(...before), extent, [])), ["spec", "a"])).toEqual([]);
      }),
    );
  });
});

function leavesOf({ fieldsV1 = {} }: ManagedFieldsEntry): readonly string[] {
  const walk = (fields: JsonObject, path: string): readonly string[] =>
    Object.entries(fields).flatMap(([key, below]) => {
      const members = walk((below ?? {}) as JsonObject, `${path} ${key}`);
      return members.length > 0 || Object.keys((below ?? {}) as JsonObject).length > 0 ? members : [`${path} ${key}`];
    });
  return walk(fieldsV1, "").filter((path) => path.split(" ").length > 3 || path.startsWith(" f:spec f:"));
}
