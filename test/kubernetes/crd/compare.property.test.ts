import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { loadAll } from "js-yaml";
import { describe, expect, it } from "vitest";
import { compareDefinitions } from "../../../src/kubernetes/crd/compare.ts";
import { isJsonObject, type JsonObject } from "../../../src/kubernetes/object.ts";
import { definitionOf } from "./definitions.ts";
import { holding, listOf, TEXT } from "./pairs.ts";
import { describeUnless } from "../../support/describeUnless.ts";

const CRDS = join(import.meta.dirname, "../../../../shared/kyma-data/crds");

/** Any schema of a few levels, with and without bounds. */
const { schema } = fc.letrec<{
  schema: JsonObject;
  leaf: JsonObject;
  object: JsonObject;
  list: JsonObject;
  map: JsonObject;
}>((tie) => ({
  schema: fc.oneof({ maxDepth: 3 }, tie("leaf"), tie("object"), tie("list"), tie("map")),
  leaf: fc.oneof(
    fc.record(
      {
        type: fc.constantFrom("integer", "number"),
        minimum: fc.integer(),
        maximum: fc.integer(),
        nullable: fc.boolean(),
      },
      { requiredKeys: ["type"] },
    ),
    fc.record(
      {
        type: fc.constant("string"),
        enum: fc.uniqueArray(fc.string(), { minLength: 1 }),
        maxLength: fc.nat(),
        pattern: fc.string(),
        format: fc.constantFrom("ipv4", "date"),
      },
      { requiredKeys: ["type"] },
    ),
    fc.record({ "x-kubernetes-preserve-unknown-fields": fc.constant(true) }),
  ),
  object: fc.dictionary(fc.stringMatching(/^[a-z]{1,4}$/), tie("schema"), { maxKeys: 4 }).chain((properties) =>
    fc.record(
      {
        type: fc.constant("object"),
        properties: fc.constant(properties),
        required: fc.subarray(Object.keys(properties)),
        minProperties: fc.nat(3),
      },
      { requiredKeys: ["type", "properties"] },
    ),
  ),
  list: fc.record(
    {
      type: fc.constant("array"),
      items: tie("schema"),
      minItems: fc.nat(3),
      "x-kubernetes-list-type": fc.constantFrom("set", "atomic"),
    },
    { requiredKeys: ["type", "items"] },
  ),
  map: fc.record(
    { type: fc.constant("object"), additionalProperties: tie("schema"), maxProperties: fc.nat() },
    { requiredKeys: ["type", "additionalProperties"] },
  ),
}));

/** Keywords without which a schema accepts at least what it accepted. */
const NARROWING = new Set([
  "minimum",
  "maximum",
  "enum",
  "maxLength",
  "pattern",
  "required",
  "minProperties",
  "minItems",
  "maxProperties",
]);

/** The schema without the narrowing keywords that `drops` picks, and with new optional fields. */
function loosened(value: JsonObject, drops: () => boolean): JsonObject {
  const entries = Object.entries(value).filter(([key]) => !NARROWING.has(key) || !drops());
  return Object.fromEntries(
    entries.map(([key, member]) => {
      if (!isJsonObject(member)) return [key, member];
      if (key !== "properties") return [key, loosened(member, drops)];
      const fields = Object.entries(member).map(([name, field]) => [name, loosened(field as JsonObject, drops)]);
      return [key, { ...Object.fromEntries(fields), ...(drops() && { added: TEXT }) }];
    }),
  );
}

/** The same with the fields of every object the other way round. */
function reversed(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, member]) => [key, reversed(member)]),
  );
}

describe("the comparison of any two definitions", () => {
  it("finds nothing between a definition and itself", () => {
    fc.assert(
      fc.property(schema, (value) => {
        expect(compareDefinitions(definitionOf({ value }), definitionOf({ value }))).toEqual([]);
      }),
    );
  });

  it("never reports a loosened schema as breaking", () => {
    fc.assert(
      fc.property(schema, fc.infiniteStream(fc.boolean()), (value, choices) => {
        const looser = loosened(value, () => choices.next().value === true);
        const changes = compareDefinitions(definitionOf({ value }), definitionOf({ value: looser }));
        expect(changes.filter((change) => change.class === "breaking")).toEqual([]);
      }),
    );
  });

  it("does not depend on the order of fields", () => {
    fc.assert(
      fc.property(schema, schema, (one, two) => {
        const [old, wanted] = [definitionOf({ value: one }), definitionOf({ value: two })];
        const other = compareDefinitions(reversed(old), reversed(wanted));
        expect(other.map(({ check, field, path }) => ({ check, field, path }))).toEqual(
          compareDefinitions(old, wanted).map(({ check, field, path }) => ({ check, field, path })),
        );
      }),
    );
  });

  it("names an existing place of the wanted document", () => {
    fc.assert(
      fc.property(schema, schema, (one, two) => {
        const wanted = definitionOf({ value: two });
        for (const { path } of compareDefinitions(definitionOf({ value: one }), wanted)) {
          const found = path.reduce<unknown>((at, step) => (at as Record<string | number, unknown>)[step], wanted);
          expect(found).toBeDefined();
        }
      }),
    );
  });
});

describe("the comparison of large definitions", () => {
  it("handles 3,000 changed fields, and gives each a small object", () => {
    const fields = (leaf: JsonObject): JsonObject =>
      Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [`field${index}`, leaf]));
    const changes = compareDefinitions(definitionOf(fields(TEXT)), definitionOf(fields({ ...TEXT, maxLength: 3 })));
    expect(changes).toHaveLength(3000);
    expect(changes.every(({ counterexamples }) => counterexamples.length > 0)).toBe(true);
  });

  it("handles a schema of 20,000 levels", () => {
    const deep = (leaf: JsonObject): JsonObject => {
      let schemaOfLevel = leaf;
      for (let level = 0; level < 20_000; level++)
        schemaOfLevel = level % 2 === 0 ? holding(schemaOfLevel) : listOf(schemaOfLevel);
      return schemaOfLevel;
    };
    const changes = compareDefinitions(
      definitionOf({ deep: deep(TEXT) }),
      definitionOf({ deep: deep({ type: "integer" }) }),
    );
    expect(changes.map(({ check }) => check)).toEqual(["type-changed"]);
  });
});

const missing = existsSync(CRDS) ? undefined : "there is no ../shared/kyma-data beside this repository";

describeUnless(missing, "the comparison of real definitions", () => {
  const definitions = globSync("**/*.yaml", { cwd: CRDS })
    .flatMap((file) => loadAll(readFileSync(join(CRDS, file), "utf8")) as (JsonObject | null)[])
    .filter((document) => document !== null);

  it("finds nothing between a definition and itself", () => {
    expect(definitions.length).toBeGreaterThan(20);
    for (const definition of definitions) {
      expect(compareDefinitions(definition, structuredClone(definition))).toEqual([]);
    }
  });

  it("distinguishes kinds", () => {
    const [first] = definitions;
    const names = new Set(definitions.map(({ metadata }) => (metadata as JsonObject)["name"]));
    const others = definitions.filter((definition) =>
      compareDefinitions(first, definition).some(({ check }) => check === "kind-changed"),
    );
    expect(new Set(others.map(({ metadata }) => (metadata as JsonObject)["name"])).size).toBe(names.size - 1);
  });
});
