import { describe, expect, test } from "vitest";
import {
  BUMP,
  bumpManifest,
  edit,
  FAST,
  manifestPath,
  manifestText,
  REGULAR,
  templateText,
  type ExampleFiles,
} from "../../../../src/check/example.ts";
import { crdCompatible } from "../../../../src/check/rules/crd/compatible.ts";
import { crdStructural } from "../../../../src/check/rules/crd/structural.ts";
import { sampleValid } from "../../../../src/check/rules/crd/sampleValid.ts";
import { said, wholeContext } from "../../contexts.ts";
import { storedAsV2 } from "../../exampleWorld.ts";
import { judgedContext, saidOf, withoutResources, withResources } from "../resourceContexts.ts";
import { mentions } from "../../../support/mentions.ts";

const SIZE = "size: { type: string, enum: [small, large] }";
const MANIFEST = manifestPath("1.2.0");
const REPLICAS = "replicas: { type: integer, minimum: 1, maximum: 5 }";

/** What compatibility says, without the place. */
async function compatible(change: ExampleFiles, base: ExampleFiles = {}): Promise<readonly string[]> {
  return (await saidOf(crdCompatible, { base, change })).map((text) => text.replace(/^\S+:\d+ /, ""));
}

describe("a definition that Kubernetes refuses", () => {
  test("is an error where it is wrong, also where there are several versions", async () => {
    const one = bumpManifest(SIZE, `${SIZE}\n                mode: { type: text }`);
    expect(await saidOf(crdStructural, { change: one })).toEqual([
      expect.stringMatching(`^${MANIFEST}:22 error Kubernetes refuses samples.operator.example.com: .*"text"`),
    ]);
    const second =
      "    - { name: v2, served: true, storage: false, schema: { openAPIV3Schema: { type: text } } }\n---\napiVersion: v1";
    const two = bumpManifest("---\napiVersion: v1", second);
    expect(await saidOf(crdStructural, { change: two })).toContainEqual(
      expect.stringContaining(`${MANIFEST}:22 error`),
    );
    const name = bumpManifest("name: samples.operator", "name: others.operator");
    expect((await saidOf(crdStructural, { change: name })).join()).toContain(`${MANIFEST}:4 error`);
  });

  test("is not judged where Kubernetes' validation could not", async () => {
    const context = await judgedContext({ change: BUMP });
    const verdict = { kind: "not-evaluated", why: "it took too long" } as const;
    expect(said(crdStructural, withResources(context, { definitions: new Map([[0, verdict]]) }))).toEqual([
      mentions("not run", "samples.operator.example.com", verdict.why),
    ]);
    expect(said(crdStructural, withoutResources(context))).toEqual([mentions("not run", "not gathered")]);
  });
});

describe("a change of a definition", () => {
  test("is compared with what the version in service was built from, not with a manifest that the change adds", async () => {
    const [old, link] = [manifestPath("1.1.0"), "https://github.com/sample/sample/releases/download/1.1.0/sample.yaml"];
    const base = { [REGULAR]: templateText("regular", "1.1.0"), [old]: undefined };
    const narrowed = bumpManifest("maximum: 5", "maximum: 3");
    const change = { ...narrowed, [old]: edit(manifestText("1.1.0"), "maximum: 5", "maximum: 3") };
    const outside = { components: { "sample 1.1.0": undefined }, links: { [link]: manifestText("1.1.0") } };
    expect(await saidOf(crdCompatible, { base, change, outside })).toEqual([
      mentions("error", "Breaks 1.1.0 (proven)"),
    ]);
    expect(await saidOf(crdCompatible, { base, change })).toContainEqual(
      mentions("not run", "1.1.0", "manifest", "repository"),
    );
  });

  test("is not judged against a version whose manifest cannot be read in part, which may have the definition", async () => {
    const [old, spoilt] = [
      manifestPath("1.1.0"),
      edit(manifestText("1.1.0"), "  scope:", "  scope: Cluster\n  scope:"),
    ];
    const base = { [REGULAR]: templateText("regular", "1.1.0"), [old]: spoilt };
    const removed = { ...BUMP, [MANIFEST]: manifestText("1.2.0").replace(/^[^]*?---\n/, "") };

    for (const change of [bumpManifest("maximum: 5", "maximum: 3"), removed])
      expect(await saidOf(crdCompatible, { base, change })).toEqual([mentions("not run", "1.1.0", old, "line 9")]);
  });

  test("is one error for all versions that it breaks, with an object", async () => {
    const [text, ...others] = await compatible(bumpManifest("maximum: 5", "maximum: 3"));
    expect(others).toEqual([]);
    expect(text).toEqual(mentions("error samples.operator.example.com v1", "1.1.0, 1.0.0 (proven)", "can still"));
    expect(text).toMatch(/^.*\n.*:\n {2}apiVersion: [^]*\n {4}replicas: 4$/);
  });

  test("says where a stored object cannot be changed any more, and what was changed to what", async () => {
    const rules = (rule: string): string => `x-kubernetes-validations: [{ rule: '${rule}' }]`;
    const root = `        openAPIV3Schema:\n          ${rules("!has(self.spec.size)")}`;
    const [whole] = await compatible(bumpManifest("        openAPIV3Schema:", root));
    const spec = `            spec:\n              ${rules("self == oldSelf")}`;
    const [change] = await compatible(bumpManifest("            spec:", spec));

    expect(whole).toEqual(mentions("(proven)", "new objects", "stored ones"));
    expect(change).toMatch(/\(proven\): .*\n.*:\n {2}api[^]*\n\S.*:\n {2}api/);
  });

  test("is reported separately for different old values", async () => {
    const base = { [manifestPath("1.0.0")]: edit(manifestText("1.0.0"), "maximum: 5", "maximum: 4") };
    expect(await compatible(bumpManifest("maximum: 5", "maximum: 3"), base)).toEqual([
      mentions("error", "Breaks 1.1.0 (proven)"),
      mentions("error", "Breaks 1.0.0 (proven)"),
    ]);
  });

  test("is not reported where it is safe, and a warning where it is only risky", async () => {
    expect(await compatible(bumpManifest("maximum: 5", "maximum: 6"))).toEqual([]);
    expect(await compatible(bumpManifest("maximum: 5", "maximum: 5, default: 1"))).toEqual([
      mentions("warning", "Risky", "1.1.0, 1.0.0", "behaves differently"),
    ]);
  });

  test("is an error where a rule refuses what a default leaves", async () => {
    const spec = "            spec:";
    const ruled = (text: string): string =>
      edit(text, spec, `${spec}\n              x-kubernetes-validations: [{ rule: has(self.replicas) }]`);
    const filled = edit(ruled(manifestText("1.1.0")), REPLICAS, REPLICAS.replace("5 }", "5, default: 1 }"));
    const base = { [manifestPath("1.0.0")]: filled, [manifestPath("1.1.0")]: filled };

    expect(await compatible({ ...BUMP, [MANIFEST]: ruled(manifestText("1.2.0")) }, base)).toEqual([
      mentions("error", ".spec.replicas", "no default", "1", "1.1.0, 1.0.0 (proven)"),
    ]);
  });

  test("is an error where a stored object loses something, with the object before and after", async () => {
    const schema =
      "{ openAPIV3Schema: { type: object, properties: { spec: { type: object, properties: { size: { type: string } } } } } }";
    const [text] = await compatible(storedAsV2(schema));

    expect(text).toEqual(mentions("error samples.operator.example.com v1", "lose .spec.replicas", "(proven)"));
    expect(text).toMatch(/\n.*:\n {2}api[^]*spec:\n {4}replicas: 1\n.*:\n {2}api[^]*spec: \{\}$/);
  });

  test("is a warning where it could not be shown to refuse anything", async () => {
    const size = (pattern: string): string => `size: { type: string, pattern: '${pattern}' }`;
    const base = Object.fromEntries(
      ["1.0.0", "1.1.0"].map((version) => [
        manifestPath(version),
        edit(manifestText(version), SIZE, size("^[ab]{3}$")),
      ]),
    );
    const wanted = edit(manifestText("1.2.0"), SIZE, size("^(a|b){3}$"));
    expect(await compatible({ ...BUMP, [MANIFEST]: wanted }, base)).toEqual([
      mentions("warning", "May break 1.1.0, 1.0.0 (unknown)", "objects tried"),
    ]);
    const spoilt = edit(wanted, REPLICAS, "replicas: { type: text }");
    expect(await compatible({ ...BUMP, [MANIFEST]: spoilt }, base)).toEqual([
      mentions("error", "1.1.0, 1.0.0 (certain)", "schema"),
      mentions("warning", "1.1.0, 1.0.0 (unknown)"),
    ]);
  });

  test("of the definition as a whole names no version", async () => {
    const [text] = await compatible(bumpManifest("scope: Namespaced", "scope: Cluster"));
    expect(text).toMatch(/^error samples.operator.example.com( [.]spec[.]scope)?: /);
  });

  test("of the definition as a whole, or of a whole version, is one too", async () => {
    const context = await judgedContext({ change: bumpManifest("maximum: 5", "maximum: 3") });
    const fact = context.facts.customResources.get("sample 1.2.0");
    if (fact?.kind !== "known") throw new Error("nothing is known");
    const against = fact.value.against.map((one) => ({
      ...one,
      definitions: one.definitions.map((definition) => ({
        ...definition,
        changes: definition.changes.map((change) => ({ ...change, message: "It is narrower.", version: undefined })),
      })),
    }));
    expect(said(crdCompatible, withResources(context, { against }))).toEqual([
      expect.stringContaining("samples.operator.example.com .spec.replicas: It is narrower."),
    ]);
  });
});

describe("a definition that is gone", () => {
  test("is an error at the template", async () => {
    const change = { ...BUMP, [MANIFEST]: manifestText("1.2.0").replace(/^[^]*?---\n/, "") };
    expect(await saidOf(crdCompatible, { change })).toEqual([
      mentions(`${FAST}:11 error`, "samples.operator.example.com", "gone", "1.1.0, 1.0.0", "deletes"),
    ]);
  });
});

describe("a sample", () => {
  const FILE = "modules/sample/1.2.0/samples/a.yaml";
  const sample = (spec: string): string =>
    `apiVersion: operator.example.com/v1\nkind: Sample\nmetadata: { name: a }\nspec: ${spec}\n`;
  const samples = (text: string): ExampleFiles => ({ ...BUMP, [FILE]: text });

  test("is read, known to the manifest, and accepted", async () => {
    expect(await saidOf(sampleValid, { change: samples(sample("{ replicas: 2 }")) })).toEqual([]);
    expect(await saidOf(sampleValid, { change: samples(sample("{ replicas: 9 }")) })).toEqual([
      mentions(`${FILE}:4 error`, "sample", "refused", "spec.replicas"),
    ]);
    expect(await saidOf(sampleValid, { change: samples(sample("{ replicas: 2").slice(0, -1)) })).toEqual([
      mentions(`${FILE}:4 error`, "not YAML"),
    ]);
    expect(await saidOf(sampleValid, { change: samples(sample("{}").replace("Sample", "Other")) })).toEqual([
      mentions(`${FILE}:2 error`, "sample", "Other (operator.example.com/v1)", "manifest"),
    ]);
  });

  test("of a version in service proves a break that cannot be guessed", async () => {
    const guarded = (version: string, more: string): string =>
      edit(
        edit(manifestText(version), SIZE, `${SIZE}\n                key: { type: string }`),
        "            spec:",
        `            spec:\n              x-kubernetes-validations: [{ rule: "self.key.startsWith('s3cr3t-'.replace('3', 'e'))" }${more}]`,
      );
    const base = {
      [manifestPath("1.0.0")]: guarded("1.0.0", ""),
      [manifestPath("1.1.0")]: guarded("1.1.0", ""),
      "modules/sample/1.1.0/samples/a.yaml": sample("{ key: secret-a, size: small }"),
    };
    const change = { ...BUMP, [MANIFEST]: edit(guarded("1.2.0", ""), "[small, large]", "[large]") };
    const without = { ...base, "modules/sample/1.1.0/samples/a.yaml": "" };

    expect(await compatible(change, base)).toContainEqual(expect.stringMatching(/\(proven\): [^]*key: secret-a/));
    expect(await compatible(change, without)).not.toContainEqual(expect.stringContaining("(proven)"));
  });

  test("is not judged where Kubernetes' validation could not", async () => {
    const context = await judgedContext({ change: samples(sample("{}")) });
    const fact = context.facts.customResources.get("sample 1.2.0");
    const [one] = fact?.kind === "known" ? fact.value.samples : [];
    if (one === undefined) throw new Error("there is a sample");
    const verdict = { kind: "not-evaluated", why: "it took too long" } as const;
    expect(said(sampleValid, withResources(context, { samples: [{ ...one, verdict }] }))).toEqual([
      mentions("not run", "sample a", verdict.why),
    ]);
  });
});

describe("versions that cannot be compared", () => {
  test("are named, unless no version will follow them", async () => {
    const base = { [manifestPath("1.1.0")]: undefined };
    expect(await compatible(BUMP, base)).toEqual([mentions("not run", "1.1.0")]);
    expect(await compatible(BUMP, { [REGULAR]: undefined })).toEqual([]);
    const patch = { [REGULAR]: templateText("regular", "1.0.1"), [manifestPath("1.0.1")]: manifestText("1.0.1") };
    expect(await compatible(patch, base)).toEqual([]);
    expect(said(crdCompatible, withResources(await wholeContext(BUMP), {}))).toEqual([
      mentions("not run", "not gathered"),
      // Of 1.1.0, which no channel serves then, there are build inputs.
      mentions("not run", "not gathered"),
    ]);
  });
});
