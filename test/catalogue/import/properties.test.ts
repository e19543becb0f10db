import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "../../../src/document/canonical.ts";
import type { Import, ImportInput } from "../../../src/catalogue/import/result.ts";
import { readYaml } from "../../../src/document/yaml/read.ts";
import type { KubernetesObject } from "../../../src/kubernetes/object.ts";
import {
  complete,
  file,
  importAll,
  live,
  MODULE_LABEL,
  parseAfter,
  releaseMeta,
  textsAfter,
  written,
  type Texts,
} from "./samples.ts";
import { tries } from "../../support/tries.ts";

const modules = fc.constantFrom("istio", "keda");
const versions = fc.constantFrom("1.0.0", "1.1.0", "1.1.0-rc1");
const channels = fc.constantFrom("fast", "regular", "mandatory");

const templates = fc
  .record({
    module: modules,
    version: versions,
    channel: fc.option(channels, { nil: undefined }),
    mandatory: fc.option(fc.boolean(), { nil: undefined, freq: 4 }),
    variant: fc.constantFrom("one", "one", "two"),
    label: fc.option(fc.constantFrom("managed-by", "operator.kyma-project.io/beta"), { nil: undefined }),
    name: fc.option(fc.constant("another-name"), { nil: undefined, freq: 9 }),
  })
  .map(({ module, version, channel, mandatory, variant, label, name }): KubernetesObject => {
    const spec = {
      ...(channel !== undefined && { channel }),
      ...(mandatory !== undefined && { mandatory }),
      info: { repository: variant, documentation: "" },
    };
    const labels = { [MODULE_LABEL]: module, ...(label !== undefined && { [label]: "true" }) };
    return complete(module, version, spec, { labels, ...(name !== undefined && { name }) });
  });

const entries = fc.uniqueArray(fc.record({ channel: channels, version: versions }), {
  selector: ({ channel }) => channel,
});
const terms = fc.constantFrom({}, {}, { beta: true }, { ocmComponentName: "example.com/one" });
const metas = fc
  .tuple(
    modules,
    terms,
    fc.oneof(
      entries.map((list) => ({ channels: list })),
      versions.map((version) => ({ mandatory: { version } })),
    ),
  )
  .map(([module, same, spec]) => releaseMeta(module, { ...same, ...spec }));

const times = fc.option(fc.nat(5), { nil: undefined });
const inputsOf: fc.Arbitrary<readonly ImportInput[]> = fc
  .array(
    fc.tuple(fc.oneof({ weight: 4, arbitrary: templates }, { weight: 1, arbitrary: metas }), fc.boolean(), times),
    { maxLength: 8 },
  )
  .map((all) =>
    all.map(([object, isLive, changedMs], index) =>
      isLive ? { ...live(object), name: `live ${index}` } : file(`${index}.yaml`, object, changedMs),
    ),
  );

/** Inputs, a repository that an earlier import made, and how to decide. */
const cases = fc.record({
  inputs: inputsOf,
  before: fc.option(inputsOf, { nil: [], freq: 2 }).map((inputs) => textsAfter(importAll(inputs))),
  preferNewest: fc.boolean(),
  repositoryMs: times,
});

type Case = typeof cases extends fc.Arbitrary<infer T> ? T : never;

function decide({ preferNewest, repositoryMs }: Case, inputs: readonly ImportInput[], repository: Texts): Import {
  const known = repositoryMs === undefined ? [] : Object.keys(repository).map((path) => [path, repositoryMs] as const);
  return importAll(inputs, { preferNewest, changedMs: new Map(known) }, repository);
}

describe("an import of any input", () => {
  it("decides the same in every order of its inputs", () => {
    const shuffled = cases.chain((one) =>
      fc.tuple(fc.constant(one), fc.shuffledSubarray([...one.inputs], { minLength: one.inputs.length })),
    );
    fc.assert(
      fc.property(shuffled, ([one, others]) => {
        expect(decide(one, others, one.before)).toEqual(decide(one, one.inputs, one.before));
      }),
      tries(40),
    );
  });

  it("changes nothing the second time", () => {
    fc.assert(
      fc.property(cases, (one) => {
        const first = decide(one, one.inputs, one.before);
        const after = textsAfter(first, one.before);
        const second = decide(one, one.inputs, after);

        expect(second.files).toEqual([]);
        expect(second.leftOut.map(({ source }) => source)).toEqual(first.leftOut.map(({ source }) => source));
      }),
      tries(40),
    );
  });

  it("leaves a catalogue that loads without contradictions", () => {
    fc.assert(
      fc.property(cases, (one) => {
        const decision = decide(one, one.inputs, one.before);
        if (Object.keys(textsAfter(decision, one.before)).length === 0) return;

        expect(parseAfter(decision, one.before)).toMatchObject({
          kind: "catalogue",
          catalogue: { findings: [], withheld: new Set() },
        });
      }),
      tries(40),
    );
  });

  it("takes each template, or reports it as present or left out", () => {
    fc.assert(
      fc.property(cases, (one) => {
        const decision = decide(one, one.inputs, one.before);
        const heard = new Set([
          ...written(decision).flatMap(({ from, releasedBy, merged }) => [
            from,
            ...releasedBy,
            ...merged.map(({ source }) => source),
          ]),
          ...decision.present.flatMap(({ from }) => from),
          ...decision.leftOut.map(({ source }) => source),
        ]);
        const silent = one.inputs.filter(({ name }) => !heard.has(name));

        // Only a release meta without channels says nothing that could be taken or not.
        expect(
          silent.map((input) => (input.kind === "file" ? input.content.toString() : JSON.stringify(input.object))),
        ).toEqual(silent.map(() => expect.stringMatching(/channels"?: ?\[\]/) as unknown));
      }),
      tries(40),
    );
  });

  it("writes files that read as the original objects", () => {
    const texts = fc.oneof(
      fc.string({ unit: "grapheme" }),
      fc.constantFrom("on", "017", "1e3", "~", "a: b", "# c", "- d", " e ", "f\n\n g\n", "\t", "12:30"),
    );
    const values = fc.letrec((tie) => ({
      value: fc.oneof({ maxDepth: 3 }, texts, fc.integer(), fc.boolean(), fc.constant(null), tie("list"), tie("map")),
      list: fc.array(tie("value"), { maxLength: 3 }),
      map: fc.dictionary(
        texts.filter((key) => key !== "__proto__"),
        tie("value"),
        { maxKeys: 3 },
      ),
    }));
    fc.assert(
      fc.property(values.map, (spec) => {
        const given = complete("istio", "1.0.0", { data: { apiVersion: "v1", kind: "Sample", spec } });
        const [template] = written(importAll([live(given)]));
        const reading = readYaml("", { kind: "bytes", bytes: Buffer.from(template?.text ?? "") });

        expect(reading.kind === "read" && canonicalJson(reading.file.value)).toBe(canonicalJson(given));
      }),
      tries(80),
    );
  });
});
