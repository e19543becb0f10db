import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compare, fieldText } from "../../src/kubernetes/compare.ts";
import type { KubernetesObject } from "../../src/kubernetes/object.ts";
import { tries } from "../support/tries.ts";

const name = fc.constantFrom("a", "b", "name", "a.b", "operator.kyma-project.io/beta");
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom(null, true, false, 0, 1, "", "x"),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(name, tie("value"), { maxKeys: 3 }),
  ),
})).value;

const listMap = (key: string): fc.Arbitrary<readonly Readonly<Record<string, string>>[]> =>
  fc.uniqueArray(fc.record({ [key]: fc.constantFrom("x", "y", "z"), version: fc.constantFrom("1", "2") }), {
    selector: (element) => element[key],
  });

const spec = fc.record(
  { version: json, data: json, channels: listMap("channel"), resources: listMap("name"), beta: fc.boolean() },
  { requiredKeys: [] },
);
const texts = fc.dictionary(name, fc.constantFrom("true", "false"), { maxKeys: 3 });
const object = fc
  .record({ kind: fc.constantFrom("ModuleTemplate", "ModuleReleaseMeta"), spec, labels: texts, annotations: texts })
  .map(({ kind, labels, annotations, ...rest }): KubernetesObject => {
    return { apiVersion: "v1", kind, metadata: { name: "n", labels, annotations }, ...rest };
  });
/** Two objects of one kind; now and then they are much alike. */
const pair = fc
  .tuple(object, object, fc.boolean())
  .map(([a, b, alike]) => [a, { ...b, kind: a.kind, ...(alike && { spec: { ...fields(b), ...fields(a) } }) }] as const);

const KEYS: Readonly<Record<string, string>> = { channels: "channel", resources: "name" };
const isListMap = (kind: string, field: string): boolean =>
  (kind === "ModuleReleaseMeta" && field === "channels") || (kind === "ModuleTemplate" && field === "resources");

function fields(one: KubernetesObject): Readonly<Record<string, unknown>> {
  return one["spec"] as Readonly<Record<string, unknown>>;
}

/** A spec in a form in which equal means the same: no nulls, list-maps in order, no default that was not wanted. */
function canonical(one: KubernetesObject, desired: KubernetesObject): unknown {
  const entries = Object.entries(fields(one)).map(([field, value]): [string, unknown] => {
    const key = KEYS[field] ?? "";
    const elements = value as readonly Readonly<Record<string, string>>[];
    const ordered =
      isListMap(one.kind, field) && elements.toSorted((a, b) => ((a[key] ?? "") < (b[key] ?? "") ? -1 : 1));
    return [field, ordered === false ? value : ordered];
  });
  const isDefault = ([field, value]: [string, unknown]): boolean =>
    one.kind === "ModuleReleaseMeta" && field === "beta" && value === false && !("beta" in fields(desired));
  return withoutNulls(Object.fromEntries(entries.filter((entry) => !isDefault(entry))));
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(kept.map(([key, member]) => [key, withoutNulls(member)]));
}

/** The same value with its fields in another order. */
function reordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reordered);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).toReversed();
  return Object.fromEntries(entries.map(([key, member]) => [key, reordered(member)]));
}

describe("comparing", () => {
  it("finds no difference between an object and itself, in any extent", () => {
    fc.assert(
      fc.property(object, fc.constantFrom("judged" as const, "everything" as const), (desired, extent) => {
        expect(compare(desired, structuredClone(desired), extent)).toEqual([]);
      }),
    );
  });

  it("finds a difference in spec only when the two have different meanings", () => {
    fc.assert(
      fc.property(pair, ([desired, live]) => {
        const found = compare(desired, live).filter(({ path: [root] }) => root === "spec");

        expect(found.length === 0).toBe(isDeepStrictEqual(canonical(desired, desired), canonical(live, desired)));
      }),
      tries(200),
    );
  });

  it("does not depend on the order of fields", () => {
    fc.assert(
      fc.property(pair, ([desired, live]) => {
        const texts = (found: ReturnType<typeof compare>): readonly string[] =>
          found.map(({ kind, path }) => `${kind} ${fieldText(path)}`).sort();
        const again = compare(reordered(desired) as KubernetesObject, reordered(live) as KubernetesObject);

        expect(texts(again)).toEqual(texts(compare(desired, live)));
      }),
    );
  });

  it("names each field once", () => {
    fc.assert(
      fc.property(pair, ([desired, live]) => {
        const paths = compare(desired, live).map(({ path }) => JSON.stringify(path));

        expect(new Set(paths).size).toBe(paths.length);
      }),
    );
  });
});
