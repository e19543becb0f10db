import { describe, expect, it } from "vitest";
import { graft, variants, type Spot } from "../../../src/kubernetes/crd/seek.ts";
import type { JsonObject } from "../../../src/kubernetes/object.ts";

const TEXT: JsonObject = { type: "string" };
const object = (properties: JsonObject, rest: JsonObject = {}): JsonObject => ({ type: "object", properties, ...rest });
const at = (...steps: Spot["steps"]): Spot => ({ steps, field: undefined, isAbsent: false });
const spec = { name: "spec" };

describe("a value that is grafted into an object", () => {
  const schema = object({ spec: object({ parts: { type: "array", items: object({ name: TEXT }) }, size: TEXT }) });

  it("is at its place, and everything else stays", () => {
    expect(graft({ spec: { size: "a" } }, at(spec, { name: "size" }), "b", schema)).toEqual({ spec: { size: "b" } });
    expect(
      graft(
        { spec: { parts: [{ name: "a" }, { name: "b" }] } },
        at(spec, { name: "parts" }, "item", { name: "name" }),
        "c",
        schema,
      ),
    ).toEqual({
      spec: { parts: [{ name: "c" }, { name: "b" }] },
    });
  });

  it("creates missing parents", () => {
    expect(graft({}, at(spec, { name: "parts" }, "item", { name: "name" }), "c", schema)).toEqual({
      spec: { parts: [{ name: "c" }] },
    });
    const impossible = object({ spec: object({ a: { ...TEXT, minLength: 1_000_000 } }, { required: ["a"] }) });
    expect(graft({}, at(spec, { name: "unheard" }, { name: "of" }), 1, impossible)).toEqual({
      spec: { unheard: { of: 1 } },
    });
  });

  it("keeps the required fields of an object, and the fields beside a sought field", () => {
    const needs = object({ name: TEXT, size: TEXT }, { required: ["name"] });
    const known = { name: "a", size: "b" };

    expect(graft(known, at(), { name: "x" }, needs)).toEqual({ name: "a" });
    expect(graft({ size: "b" }, at(), { name: "x" }, needs)).toEqual({ name: "x" });
    expect(graft(known, { ...at(), field: "old" }, { old: 1 }, needs)).toEqual({ ...known, old: 1 });
    expect(graft(known, { ...at(), field: "size", isAbsent: true }, {}, needs)).toEqual({ name: "a" });
    expect(graft(undefined, { ...at(), field: "old" }, { old: 1 }, needs)).toEqual({ old: 1 });
  });
});

describe("the variants of a refused object", () => {
  const head = { apiVersion: "example.org/v1", kind: "Sample", metadata: { name: "a" } };
  const schema = object({
    spec: object({ a: object({ deep: TEXT }), b: TEXT, parts: { type: "array", items: object({ c: TEXT }) } }),
  });

  it("drop and add the fields in the message, and keep the sought value", () => {
    const whole = { ...head, spec: { a: { deep: "x" }, b: "y" } };
    const found = variants(
      whole,
      schema,
      { field: "spec", message: "Too many" },
      at(spec, { name: "a" }, { name: "deep" }),
    );

    expect(found).toContainEqual({ ...head, spec: { a: { deep: "x" } } });
    expect(found.every((one) => one["kind"] === "Sample")).toBe(true);
    expect(found.every(({ spec: inner }) => inner === undefined || "a" in (inner as object))).toBe(true);
  });

  it("are none within the sought place", () => {
    const whole = { ...head, spec: { a: { deep: "x" } } };

    expect(variants(whole, schema, { field: "spec.a.deep", message: "too short" }, at())).toEqual([]);
  });

  it("do not add a field that must be absent, and keep one that must be present", () => {
    const whole = { ...head, spec: { b: "y" } };
    const absent = variants(
      whole,
      schema,
      { field: "spec", message: "a is wanted" },
      { ...at(spec), field: "a", isAbsent: true },
    );
    const present = variants(whole, schema, { field: "spec", message: "a is wanted" }, { ...at(spec), field: "b" });

    expect(absent.filter(({ spec: inner }) => inner !== undefined && "a" in (inner as object))).toEqual([]);
    expect(present).toContainEqual({ ...head, spec: { a: {}, b: "y" } });
    expect(present.filter(({ spec: inner }) => inner !== undefined && !("b" in (inner as object)))).toEqual([]);
  });

  it("include changes in items of lists, and beside them", () => {
    const whole = { ...head, spec: { parts: [{}, {}] } };
    const second = variants(
      whole,
      schema,
      { field: "spec.parts[1]", message: "c is wanted" },
      at(spec, { name: "parts" }, "item"),
    );
    const first = variants(
      whole,
      schema,
      { field: "spec.parts[0]", message: "c is wanted" },
      at(spec, { name: "parts" }, "item", { name: "c" }),
    );

    expect(second).toContainEqual({ ...head, spec: { parts: [{}, { c: "a-example" }] } });
    expect(first.length).toBeGreaterThan(0);
    expect(
      variants(whole, schema, { field: "spec[parts][0].c.d", message: "" }, at({ name: "status" })).length,
    ).toBeGreaterThan(0);
    expect(
      variants(whole, schema, { field: "spec.parts", message: "c is wanted" }, at(spec, { name: "parts" }, "item"))
        .length,
    ).toBeGreaterThan(0);
  });

  it("ignore fields without a schema", () => {
    expect(variants({ ...head, other: { b: 1 } }, schema, { field: "other.b", message: "" }, at(spec))).toEqual([
      { ...head, other: {} },
      head,
    ]);
  });

  it("accept malformed objects, such as an object in place of a list", () => {
    const whole = { ...head, spec: { parts: { c: "x" } } };
    const sought = at(spec, { name: "parts" }, "item");

    expect(variants(whole, schema, { field: "spec.parts.c", message: "" }, sought).length).toBeGreaterThan(0);
  });
});
