import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson, hashOf } from "../../src/catalogue/canonical.ts";
import { specHash, type ModuleTemplate } from "../../src/catalogue/template.ts";

describe("canonicalJson", () => {
  it("sorts keys, drops members that are absent or null, and keeps nulls in lists", () => {
    expect(canonicalJson({ b: 1, a: { d: undefined, c: null, e: [null, "x", { z: 1, y: 2 }] } })).toBe(
      '{"a":{"e":[null,"x",{"y":2,"z":1}]},"b":1}',
    );
  });

  it("reads back as the value that it stands for", () => {
    const json = fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)) as unknown);
    fc.assert(
      fc.property(json, (value) => {
        const text = canonicalJson(value);

        expect(canonicalJson(JSON.parse(text))).toBe(text);
      }),
    );
  });

  it("does not depend on the order of keys", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.integer()), (record) => {
        expect(hashOf(Object.fromEntries(Object.entries(record).reverse()))).toBe(hashOf(record));
      }),
    );
  });
});

describe("specHash", () => {
  const template: ModuleTemplate = {
    apiVersion: "operator.kyma-project.io/v1beta2",
    kind: "ModuleTemplate",
    metadata: { name: "certs-fast", labels: { team: "a" }, annotations: { doc: "b" } },
    spec: { channel: "fast", mandatory: false, version: "1.0.0", descriptor: {} },
  };

  it("is the same in every channel, mandatory or not, whatever we annotated", () => {
    const other: ModuleTemplate = {
      ...template,
      metadata: { ...template.metadata, name: "certs-1.0.0", annotations: { "kyma-modules/desired": "x", doc: "b" } },
      spec: { descriptor: {}, version: "1.0.0", mandatory: true },
    };

    expect(specHash(other)).toBe(specHash(template));
  });

  it.each<[string, ModuleTemplate]>([
    ["spec", { ...template, spec: { ...template.spec, requiresDowntime: true } }],
    ["a label", { ...template, metadata: { ...template.metadata, labels: { team: "b" } } }],
    ["an annotation", { ...template, metadata: { ...template.metadata, annotations: {} } }],
  ])("differs with %s", (_, other) => {
    expect(specHash(other)).not.toBe(specHash(template));
  });
});
