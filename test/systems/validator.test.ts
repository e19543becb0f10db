import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, it } from "vitest";
import type { ValidationVerdict } from "../../src/kubernetes/validation.ts";
import { openValidator } from "../../src/systems/validator.ts";
import { mentions } from "../support/mentions.ts";
import { quietRun } from "../support/quietRun.ts";
import { definitionOf } from "./validator/definitions.ts";
import type { Schema } from "./validator/sample.ts";

const validator = openValidator();
afterAll(() => validator.close());

const ACCEPTED: ValidationVerdict = { kind: "accepted" };
const apiVersion = "generated.differential.test/v1";

const SIZE: Schema = {
  type: "object",
  properties: { size: { type: "integer", minimum: 1 }, tag: { type: "string", pattern: "^(a+)+$" } },
  "x-kubernetes-validations": [{ rule: "self.size >= oldSelf.size", message: "must not shrink" }],
};
const BOX = definitionOf("Box", SIZE);
const box = (spec: unknown, metadata: object = { name: "a" }): object => ({ apiVersion, kind: "Box", metadata, spec });

async function creates(definition: unknown, ...objects: readonly unknown[]): Promise<readonly ValidationVerdict[]> {
  const [found] = await validator.judge([{ definition, creates: objects, updates: [] }], quietRun());
  return found === undefined ? [] : [found.definition, ...found.creates];
}

const fieldsOf = (verdict: ValidationVerdict | undefined): readonly string[] =>
  verdict?.kind === "refused" ? verdict.causes.map(({ field, reason }) => `${field} ${reason}`) : [];

describe("validator", () => {
  it("accepts what an API server accepts, and returns field, reason and message of refusals", async () => {
    const [definition, good, low, unknown, named] = await creates(
      BOX,
      box({ size: 1 }),
      box({ size: 0 }),
      box({ size: 1, depth: { a: 1 } }),
      box({ size: 1 }, { name: "Upper", labels: { "a b": "c" } }),
    );

    expect([definition, good]).toEqual([ACCEPTED, ACCEPTED]);
    expect(low).toEqual({
      kind: "refused",
      causes: [
        {
          field: "spec.size",
          reason: "FieldValueInvalid",
          message: "Invalid value: 0: spec.size in body should be greater than or equal to 1",
        },
      ],
    });
    expect(fieldsOf(unknown)).toEqual(["spec.depth FieldValueForbidden"]);
    expect(fieldsOf(named)).toEqual(["metadata.name FieldValueInvalid", "metadata.labels FieldValueInvalid"]);
  });

  it("compares an update with the old object, and tolerates old mistakes", async () => {
    const updates = [
      { old: box({ size: 2 }), new: box({ size: 1 }) },
      { old: box({ size: 2 }), new: box({ size: 3 }) },
      { old: box({ size: 0, tag: "a" }), new: box({ size: 0, tag: "aa" }) },
      { old: box({ size: 1 }), new: box({ size: 1 }, { name: "b" }) },
    ];
    const [found] = await validator.judge([{ definition: BOX, creates: [], updates }], quietRun());

    expect(found?.updates.map(({ kind }) => kind)).toEqual(["refused", "accepted", "accepted", "refused"]);
    expect(found?.updates[0]).toMatchObject({ causes: [{ field: "spec", message: "Invalid value: must not shrink" }] });
  });

  it("refuses a definition as the API server does, and then evaluates no object", async () => {
    const broken = [
      definitionOf("Box", { type: "object", properties: { size: {} } }),
      definitionOf("Box", { type: "object", "x-kubernetes-validations": [{ rule: "self.nothing" }] }),
      { ...BOX, spec: { ...BOX.spec, unheard: 1 } },
      { ...BOX, metadata: { name: "other" } },
    ];
    const found = await Promise.all(broken.map((definition) => creates(definition, box({ size: 1 }))));

    expect(found.map(([definition]) => fieldsOf(definition)[0])).toEqual([
      "spec.validation.openAPIV3Schema.properties[spec].properties[size].type FieldValueRequired",
      "spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-validations[0].rule FieldValueInvalid",
      "spec.unheard FieldValueForbidden",
      "metadata.name FieldValueInvalid",
    ]);
    expect(found.map(([, object]) => object?.kind)).toEqual(Array(4).fill("not-evaluated"));
  });

  it("does not evaluate unserved versions, webhooks, and other kinds of definitions", async () => {
    const [first] = BOX.spec.versions;
    const versions = [
      first,
      { ...first, name: "v2", storage: false },
      { ...first, name: "v3", storage: false, served: false },
    ];
    const clientConfig = { url: "https://example.org/convert" };
    const webhook = { strategy: "Webhook", webhook: { clientConfig, conversionReviewVersions: ["v1"] } };
    const two = { ...BOX, spec: { ...BOX.spec, versions, conversion: webhook } };
    const as = (version: string, size = 1): object => ({
      ...box({ size }),
      apiVersion: `generated.differential.test/${version}`,
    });
    const found = await creates(two, as("v1"), as("v2"), as("v2", 0), as("v3"));
    const [old] = await creates({ ...BOX, apiVersion: "apiextensions.k8s.io/v1beta1" });

    expect(found.map(({ kind }) => kind)).toEqual([
      "accepted",
      "accepted",
      "not-evaluated",
      "refused",
      "not-evaluated",
    ]);
    expect(found[2]).toEqual({ kind: "not-evaluated", why: "it is valid as v2, and a webhook would convert it to v1" });
    expect(found[4]).toMatchObject({ why: "version v3 of Box.generated.differential.test is not served" });
    expect(old?.kind).toBe("not-evaluated");
  });

  it("answers several requests in order", async () => {
    const kinds = Array.from({ length: 20 }, (_, index) => `Kind${index}`);
    const requests = kinds.map((kind, index) => ({
      definition: definitionOf(kind, SIZE),
      creates: Array.from({ length: 40 }, () => ({ ...box({ size: index % 2 }), kind })),
      updates: [],
    }));
    const found = await validator.judge(requests, quietRun());

    expect(found.map(({ creates: [verdict] }) => verdict?.kind)).toEqual(
      kinds.map((_, index) => (index % 2 === 1 ? "accepted" : "refused")),
    );
  });
});

describe("validator with bad input", () => {
  it("handles a definition of 3,000 fields, and patterns that would hang JavaScript", async () => {
    const names = Array.from({ length: 3000 }, (_, index) => [`field${index}`, { type: "string" }]);
    const wide = definitionOf("Box", {
      type: "object",
      properties: Object.fromEntries(names) as Record<string, Schema>,
    });
    const [definition, object] = await creates(wide, box({ field0: "a", field2999: 1 }));
    const [, hanging] = await creates(BOX, box({ size: 1, tag: `${"a".repeat(100_000)}b` }));

    expect(definition).toEqual(ACCEPTED);
    expect(fieldsOf(object)[0]).toBe("spec.field2999 FieldValueTypeInvalid");
    expect(fieldsOf(hanging)).toEqual(["spec.tag FieldValueInvalid"]);
  });

  it("does not evaluate values that are too deep, too large, or not JSON", async () => {
    let deep: unknown = 1;
    for (let depth = 0; depth < 100_000; depth++) deep = [deep];
    const circle: { self?: unknown } = {};
    circle.self = circle;
    const found = await creates(BOX, deep, circle, undefined, box("x".repeat(4_000_000)), box({ size: 1 }));
    const [none, object] = await creates(circle, box({ size: 1 }));

    expect(found.map(({ kind }) => kind)).toEqual(["accepted", ...Array<string>(4).fill("not-evaluated"), "accepted"]);
    expect([none?.kind, object?.kind]).toEqual(["not-evaluated", "not-evaluated"]);
  });

  it("survives nonsense in place of definitions and objects", async () => {
    const nonsense = [null, 1, "text", [], {}, { kind: "Box" }, { ...box(1), metadata: 1 }, box(1, { name: 1 })];
    const objects = await creates(BOX, ...nonsense);
    const definitions = await Promise.all(nonsense.map((one) => creates(one)));

    expect(objects.slice(1).filter(({ kind }) => kind === "accepted")).toEqual([]);
    expect(definitions.filter(([verdict]) => verdict?.kind === "accepted")).toEqual([]);
  });
});

describe("validator's workers", () => {
  it("are ended when they exceed the limit, and nothing of that definition is answered then or later", async () => {
    const hasty = openValidator({ limitMs: 1 });
    const request = { definition: BOX, creates: [box({ size: 1 })], updates: [] };
    let starts = 0;
    const { signal, log } = quietRun();
    const run = { signal, log: { ...log, warn: () => void (starts += 1) } };
    const found = [...(await hasty.judge([request], run)), ...(await hasty.judge([request], run))];
    await hasty.close();

    const verdict = { kind: "not-evaluated", isUnanswered: true, why: mentions("validator", "0.001 s") };
    expect(found).toEqual(Array(2).fill({ definition: verdict, creates: [verdict], updates: [], reads: [] }));
    expect(starts).toBe(1);
  });

  it("stop when the signal aborts, and start again for the next request", async () => {
    const own = openValidator();
    const controller = new AbortController();
    const request = { definition: BOX, creates: [box({ size: 1 })], updates: [] };
    const judged = own.judge([request], quietRun(controller.signal));
    controller.abort();

    await expect(judged).rejects.toThrow("aborted");
    await expect(own.judge([request], quietRun())).resolves.toMatchObject([{ creates: [ACCEPTED] }]);
    await own.close();
    await own.close();
  });

  it("do not keep the process alive, and print nothing", async () => {
    const entry = join(import.meta.dirname, "../../src/systems/validator.ts");
    const script = `
      const { openValidator } = await import(${JSON.stringify(entry)});
      const run = { signal: new AbortController().signal, log: { info() {}, warn() {}, with() { return this; } } };
      const [found] = await openValidator().judge([${JSON.stringify({ definition: BOX, creates: [], updates: [] })}], run);
      process.stdout.write(found.definition.kind);`;
    const done = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", script]);

    expect(done).toEqual({ stdout: "accepted", stderr: "" });
  });
});
