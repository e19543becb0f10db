import { describe, expect, it } from "vitest";
import { compareDefinitions, type SchemaChange } from "../../../src/kubernetes/crd/compare.ts";
import type { JsonObject } from "../../../src/kubernetes/object.ts";
import { mentions } from "../../support/mentions.ts";
import { definitionOf, version, withSpec, type TestDefinition } from "./definitions.ts";

const SERVED = withSpec(definitionOf({}), { versions: [version("v1", { storage: true })] });
const STORED = { storage: true };

function of(spec: Partial<TestDefinition["spec"]>): TestDefinition {
  return withSpec(SERVED, spec);
}

function compare(old: TestDefinition, wanted: TestDefinition): readonly (readonly [string, string, string])[] {
  return compareDefinitions(old, wanted).map((change) => [change.check, change.class, change.field]);
}

/** The schema of a version whose objects have these fields in `spec`. */
function schemaOf(properties: JsonObject): JsonObject {
  return { openAPIV3Schema: { type: "object", properties: { spec: { type: "object", properties } } } };
}

function only(changes: readonly SchemaChange[]): SchemaChange {
  const [first, ...others] = changes;
  if (first === undefined || others.length > 0) throw new Error(JSON.stringify(changes));
  return first;
}

describe("the names of two definitions", () => {
  it.each([
    ["group-changed", "breaking", ".spec.group", { group: "example.com" }],
    ["kind-changed", "breaking", ".spec.names.kind", { names: { ...SERVED.spec.names, kind: "Other" } }],
    ["plural-changed", "breaking", ".spec.names.plural", { names: { ...SERVED.spec.names, plural: "others" } }],
    ["singular-changed", "risky", ".spec.names.singular", { names: { ...SERVED.spec.names, singular: "other" } }],
    ["list-kind-changed", "risky", ".spec.names.listKind", { names: { ...SERVED.spec.names, listKind: "Others" } }],
    ["scope-changed", "breaking", ".spec.scope", { scope: "Cluster" }],
    ["short-name-added", "safe", ".spec.names.shortNames", { names: { ...SERVED.spec.names, shortNames: ["s"] } }],
    ["category-added", "safe", ".spec.names.categories", { names: { ...SERVED.spec.names, categories: ["all"] } }],
  ] as const)("differ: %s", (check, impact, field, spec) => {
    expect(compare(SERVED, of(spec))).toEqual([[check, impact, field]]);
  });

  it("lose short names and categories", () => {
    const old = of({ names: { ...SERVED.spec.names, shortNames: ["s"], categories: ["all"] } });
    expect(compare(old, SERVED)).toEqual([
      ["short-name-removed", "risky", ".spec.names.shortNames"],
      ["category-removed", "risky", ".spec.names.categories"],
    ]);
  });

  it("are equal when one relies on the default of the API server", () => {
    const { singular: _singular, listKind: _listKind, ...names } = SERVED.spec.names;
    expect(compare(SERVED, of({ names }))).toEqual([]);
  });

  it("have an object that proves another scope", () => {
    const { path, message, counterexamples } = only(compareDefinitions(SERVED, of({ scope: "Cluster" })));
    expect(path).toEqual(["spec", "scope"]);
    expect(message).toEqual(mentions("scope", "Cluster", "Namespaced"));
    const object = {
      apiVersion: "example.org/v1",
      kind: "Sample",
      metadata: { name: "example", namespace: "default" },
    };
    expect(counterexamples).toEqual([{ kind: "create", object }]);
  });

  it("have no proof when no version was served, or no small object is known", () => {
    const unserved = of({ versions: [version("v1", { storage: true, served: false })] });
    const required = { type: "object", required: ["a"], properties: { a: { type: "string", pattern: "\\bx" } } };
    const odd = of({ versions: [version("v1", { storage: true, schema: { openAPIV3Schema: required } })] });
    for (const old of [unserved, odd]) {
      expect(
        only(compareDefinitions(old, { ...old, spec: { ...old.spec, scope: "Cluster" } })).counterexamples,
      ).toEqual([]);
    }
  });
});

describe("the versions of two definitions", () => {
  const both = of({ versions: [version("v1", STORED), version("v2")] });

  it("lose one, which an object of it proves", () => {
    const { check, version: name, counterexamples, path } = only(compareDefinitions(both, SERVED));
    expect([check, name, path]).toEqual(["version-removed", "v2", ["spec", "versions"]]);
    expect(counterexamples).toMatchObject([{ kind: "create", object: { apiVersion: "example.org/v2" } }]);
  });

  it("lose one in which objects are stored, by the status of a live definition", () => {
    const live = { ...both, status: { storedVersions: ["v1", "v2"] } };
    expect(only(compareDefinitions(live, SERVED)).check).toBe("stored-version-removed");
    const unserved = of({ versions: [version("v1", STORED), version("v2", { served: false })] });
    expect(only(compareDefinitions(unserved, SERVED))).toMatchObject({
      check: "unserved-version-removed",
      class: "risky",
      message: mentions("version v2"),
      remedy: mentions("status.storedVersions"),
    });
  });

  it.each([
    ["version-unserved", "breaking", { served: false }, {}],
    ["version-served", "safe", {}, { served: false }],
    ["version-deprecated", "safe", { deprecated: true }, {}],
    ["status-subresource-added", "risky", { subresources: { status: {} } }, {}],
    ["status-subresource-removed", "breaking", {}, { subresources: { status: {} } }],
    ["scale-subresource-added", "safe", { subresources: { scale: {} } }, {}],
    ["scale-subresource-removed", "breaking", {}, { subresources: { scale: {} } }],
    [
      "scale-subresource-changed",
      "risky",
      { subresources: { scale: { specReplicasPath: ".spec.size" } } },
      { subresources: { scale: {} } },
    ],
    ["printer-columns-changed", "safe", { additionalPrinterColumns: [{ name: "Size" }] }, {}],
  ] as const)("differ: %s", (check, impact, wanted: JsonObject, old: JsonObject) => {
    const definitions = [old, wanted].map((rest) => of({ versions: [version("v1", { ...STORED, ...rest })] })) as [
      TestDefinition,
      TestDefinition,
    ];
    expect(compare(...definitions)).toEqual([[check, impact, "."]]);
  });

  it("are identified by name, in any order", () => {
    expect(compare(both, of({ versions: [version("v2"), version("v1", STORED)] }))).toEqual([]);
  });

  it("differ in selectable fields", () => {
    const selecting = of({ versions: [version("v1", { ...STORED, selectableFields: [{ jsonPath: ".spec.size" }] })] });
    expect(compare(selecting, SERVED)).toEqual([["selectable-field-removed", "breaking", ".spec.size"]]);
    expect(compare(SERVED, selecting)).toEqual([["selectable-field-added", "safe", ".spec.size"]]);
  });

  it("keep the same scale and columns", () => {
    const rest = {
      ...STORED,
      subresources: { scale: {} },
      additionalPrinterColumns: [{ name: "Size", type: "integer" }],
    };
    const swapped = { ...rest, additionalPrinterColumns: [{ type: "integer", name: "Size" }] };
    expect(compare(of({ versions: [version("v1", rest)] }), of({ versions: [version("v1", swapped)] }))).toEqual([]);
  });

  it("change the storage version", () => {
    const wanted = of({ versions: [version("v1"), version("v2", STORED)] });
    expect(compare(both, wanted)).toEqual([["storage-version-changed", "risky", "."]]);
  });

  it("change the storage version to one with fewer fields, which is one break for all fields", () => {
    const names = Array.from({ length: 12 }, (_, index) => `f${index}`);
    const rich = schemaOf(Object.fromEntries(names.map((name) => [name, { type: "string" }])));
    const of12 = [version("v1", { ...STORED, schema: rich }), version("v2", { schema: schemaOf({}) })];
    const [v1, v2] = of12.map((one) => ({ ...one, storage: one.name === "v2" }));
    const before = of({ versions: of12 });
    const change = (spec: Partial<TestDefinition["spec"]>): readonly SchemaChange[] =>
      compareDefinitions(before, of(spec));

    expect(change({ versions: [v1, v2].flatMap((one) => one ?? []) })).toEqual([
      expect.objectContaining({
        check: "stored-fields-lost",
        version: "v1",
        certain: true,
        message: mentions(
          "v2",
          "conversion",
          "v1",
          ".spec.f0, .spec.f1, .spec.f10, .spec.f11, .spec.f2, .spec.f3, .spec.f4, .spec.f5 and 4 more",
        ),
        path: ["spec", "versions", 1, "storage"],
        sought: expect.objectContaining({ act: "read" }) as unknown,
      }),
    ]);
    expect(
      change({ versions: [v1, v2].flatMap((one) => one ?? []), conversion: { strategy: "Webhook" } }).map(
        ({ check }) => check,
      ),
    ).toEqual(["conversion-changed", "storage-version-changed"]);
  });
});

describe("a new version", () => {
  const schema = schemaOf({});
  const poorer = { versions: [version("v1", STORED), version("v2", { schema })] };

  it("that has no conversion and cannot represent stored objects is risky", () => {
    const changes = compareDefinitions(SERVED, of(poorer));
    expect(changes.map(({ check, class: impact, version: name, field }) => [check, impact, name, field])).toEqual([
      ["version-added", "safe", "v2", "."],
      ["new-version-differs", "risky", "v2", "."],
    ]);
    expect(changes[1]?.message).toEqual(mentions("v1", "v2", "no conversion", ".spec.size"));
    expect(changes[1]?.path).toEqual(["spec", "versions", 1, "schema", "openAPIV3Schema"]);
  });

  it("with a conversion webhook is safe", () => {
    const conversion = { strategy: "Webhook", webhook: {} };
    expect(compare(SERVED, of({ ...poorer, conversion })).map(([check]) => check)).toEqual([
      "conversion-changed",
      "version-added",
    ]);
  });

  it("of which the conversion webhook is gone loses what the stored one does not have, or is lost there", () => {
    const conversion = { strategy: "Webhook", webhook: {} };
    const richer = { versions: [version("v1"), version("v2", { ...STORED, schema })] };
    const dropped = (spec: Parameters<typeof of>[0]): readonly unknown[] =>
      compareDefinitions(of({ ...spec, conversion }), of(spec)).map(({ check, version: name, certain }) => [
        check,
        name,
        certain,
      ]);
    const changed = ["conversion-changed", undefined, true];
    const both = { versions: [version("v1"), version("v2", STORED), version("v3", { served: false, schema })] };

    expect(dropped(richer)).toEqual([changed, ["stored-fields-lost", "v1", true]]);
    expect(dropped(poorer)).toEqual([changed, ["conversion-removed", "v2", true]]);
    expect(dropped(both)).toEqual([changed]);
  });

  it("is only new when nothing is stored", () => {
    const unstored = of({ versions: [version("v1")] });
    expect(compare(unstored, of({ versions: [version("v1"), version("v2", { schema })] }))).toEqual([
      ["version-added", "safe", "."],
    ]);
  });
});

describe("a value that is not a definition", () => {
  it.each([
    undefined,
    null,
    "text",
    [],
    {},
    { spec: [] },
    { spec: { versions: [null, "v1", { selectableFields: [3] }] } },
    { spec: { names: 3, versions: {} } },
  ])("is compared without a crash: %j", (odd) => {
    expect(compareDefinitions(odd, odd)).toEqual([]);
    expect(compareDefinitions(SERVED, odd).map(({ check }) => check)).toContain("stored-version-removed");
    expect(compareDefinitions(odd, SERVED).map(({ check }) => check)).toContain("version-added");
  });

  it("may be a live definition that kept unknown fields", () => {
    const live = of({ preserveUnknownFields: true });
    expect(compare(live, SERVED)).toEqual([["unknown-fields-dropped", "breaking", ".spec.preserveUnknownFields"]]);
    expect(compare(SERVED, live)).toEqual([]);
  });
});
