import { afterAll, describe, expect, test } from "vitest";
import {
  BUMP,
  bumpManifest,
  edit,
  FAST,
  manifestPath,
  manifestText,
  REGULAR,
  templateText,
  type Example,
} from "../../../src/check/example.ts";
import type { ConfirmedChange, CustomResources, Fact } from "../../../src/check/facts.ts";
import { Fault, type Validator } from "../../../src/ports.ts";
import { openValidator } from "../../../src/systems/validator.ts";
import { judgeExample } from "../exampleWorld.ts";

const validator = openValidator();
afterAll(() => validator.close());

const SIZE = "size: { type: string, enum: [small, large] }";

async function factsOf(
  example: Example,
  by: Validator = validator,
): Promise<ReadonlyMap<string, Fact<CustomResources>>> {
  return (await judgeExample(example, [], by)).context.facts.customResources;
}

async function resourcesOf(example: Example, version = "1.2.0"): Promise<CustomResources> {
  const fact = (await factsOf(example)).get(`sample ${version}`);
  if (fact?.kind !== "known") throw new Error(`Nothing is known of ${version}.`);
  return fact.value;
}

/** The changes of the one definition, with the versions in service against which they are changes. */
function changesOf({ against }: CustomResources): readonly (readonly [string, string, string])[] {
  return against.flatMap(({ served, definitions }) =>
    definitions.flatMap(({ changes }) =>
      changes.map(({ check, confirmation }): [string, string, string] => [served.version, check, confirmation]),
    ),
  );
}

function firstChange({ against }: CustomResources): ConfirmedChange | undefined {
  return against[0]?.definitions[0]?.changes[0];
}

describe("a version alone", () => {
  test("has a verdict on each definition and on its default CR", async () => {
    const { definitions, defaultCr, against } = await resourcesOf({ change: BUMP });
    expect([...definitions]).toEqual([[0, { kind: "accepted" }]]);
    expect(defaultCr).toEqual({ kind: "accepted" });
    expect(against.map(({ served, definitions: changed }) => [served.version, changed])).toEqual([
      ["1.1.0", []],
      ["1.0.0", []],
    ]);
  });

  test("has a default CR without a definition, or none at all", async () => {
    const template = edit(templateText("fast", "1.2.0"), "kind: Sample", "kind: Other");
    expect((await resourcesOf({ change: { ...BUMP, [FAST]: template } })).defaultCr).toBe("no-definition");
    const without = templateText("fast", "1.2.0").replace(/ {2}data:[^]*(?= {2}descriptor)/, "");
    expect((await resourcesOf({ change: { ...BUMP, [FAST]: without } })).defaultCr).toBeUndefined();
  });

  test("has a refused default CR where the definition does not serve its version", async () => {
    const change = bumpManifest("served: true", "served: false");
    const { defaultCr } = await resourcesOf({ change });
    expect(defaultCr).toMatchObject({ kind: "refused", causes: [{ field: "apiVersion" }] });
    const nothing = edit(manifestText("1.2.0"), "  versions:", "  versions: none\n  others:");
    const broken = await resourcesOf({ change: { ...BUMP, [manifestPath("1.2.0")]: nothing } });
    expect(broken.defaultCr?.valueOf()).toMatchObject({ kind: "refused" });
    expect(broken.definitions.get(0)).toMatchObject({ kind: "refused" });
  });

  test("is unknown where its manifest is", async () => {
    const facts = await factsOf({ change: { ...BUMP, [manifestPath("1.2.0")]: undefined } });
    expect(facts.get("sample 1.2.0")).toMatchObject({ kind: "unknown" });
  });

  test("asks nothing where there is no definition", async () => {
    const silent: Validator = { judge: () => Promise.reject(new Error("asked")), close: () => Promise.resolve() };
    const text = "apiVersion: v1\nkind: ServiceAccount\nmetadata: { name: a }\n";
    const facts = await factsOf(
      {
        change: { ...BUMP, [manifestPath("1.2.0")]: text },
        base: { [manifestPath("1.1.0")]: text, [manifestPath("1.0.0")]: text },
      },
      silent,
    );
    expect(facts.get("sample 1.2.0")).toMatchObject({ kind: "known", value: { defaultCr: "no-definition" } });
  });
});

describe("a version beside those in service", () => {
  test("has the changes of its definitions, breaking ones with an object that is refused now", async () => {
    const resources = await resourcesOf({ change: bumpManifest("maximum: 5", "maximum: 3") });
    expect(changesOf(resources)).toEqual([
      ["1.1.0", "maximum-narrowed", "confirmed"],
      ["1.0.0", "maximum-narrowed", "confirmed"],
    ]);
    expect(firstChange(resources)).toMatchObject({
      object: { spec: { replicas: 4 } },
    });
  });

  test("breaks a transition by an update that is refused now", async () => {
    const rule = "rule: self == oldSelf, message: it stays";
    const change = bumpManifest(
      "minimum: 1, maximum: 5 }",
      `minimum: 1, maximum: 5, x-kubernetes-validations: [{ ${rule} }] }`,
    );
    expect(changesOf(await resourcesOf({ change }))[0]).toEqual(["1.1.0", "rule-added", "confirmed"]);
  });

  test("refutes what only looks like a break", async () => {
    const size = (pattern: string): string => `size: { type: string, pattern: '${pattern}' }`;
    const base = Object.fromEntries(
      ["1.0.0", "1.1.0"].map((version) => [
        manifestPath(version),
        edit(manifestText(version), SIZE, size("^[ab]{3}$")),
      ]),
    );
    const change = { ...BUMP, [manifestPath("1.2.0")]: edit(manifestText("1.2.0"), SIZE, size("^(a|b){3}$")) };
    expect(changesOf(await resourcesOf({ base, change }))[0]).toEqual(["1.1.0", "pattern-changed", "refuted"]);
  });

  test("leaves open what an invalid definition cannot show", async () => {
    const change = bumpManifest("replicas: { type: integer, minimum: 1, maximum: 5 }", "replicas: { type: text }");
    expect(changesOf(await resourcesOf({ change })).map(([, , confirmation]) => confirmation)).not.toContain(
      "confirmed",
    );
  });

  test("leaves open what is refused for another change", async () => {
    const size = (pattern: string): string => `size: { type: string, pattern: '${pattern}' }`;
    const base = {
      [REGULAR]: undefined,
      [manifestPath("1.1.0")]: edit(manifestText("1.1.0"), SIZE, size("^[ab]{3}$")),
    };
    const more = `${size("^(a|b){3}$")}\n                mode: { type: string }\n              required: [mode]`;
    const change = { ...BUMP, [manifestPath("1.2.0")]: edit(manifestText("1.2.0"), SIZE, more) };
    expect(changesOf(await resourcesOf({ base, change })).toSorted()).toEqual([
      ["1.1.0", "field-added", "open"],
      ["1.1.0", "field-required", "confirmed"],
      ["1.1.0", "pattern-changed", "open"],
    ]);
  });

  test("does not repeat changes that its channel already went through", async () => {
    const base = { [manifestPath("1.1.0")]: edit(manifestText("1.1.0"), "maximum: 5", "maximum: 3") };
    const change = bumpManifest("maximum: 5", "maximum: 3");
    expect(changesOf(await resourcesOf({ base, change }))).toEqual([]);
    const narrower = bumpManifest("maximum: 5", "maximum: 2");
    expect(changesOf(await resourcesOf({ base, change: narrower })).map(([version]) => version)).toEqual([
      "1.1.0",
      "1.0.0",
    ]);
    const unknown = { ...base, [manifestPath("1.1.0")]: undefined };
    expect(changesOf(await resourcesOf({ base: unknown, change })).map(([version]) => version)).toEqual(["1.0.0"]);
  });

  test("is not compared with a newer one, even in its own channel: a withdrawal loses what that brought", async () => {
    const base = {
      [manifestPath("1.1.0")]: edit(manifestText("1.1.0"), SIZE, `${SIZE}\n                mode: { type: string }`),
    };
    const bump = { [REGULAR]: templateText("regular", "1.0.1"), [manifestPath("1.0.1")]: manifestText("1.0.1") };
    expect((await resourcesOf({ base, change: bump }, "1.0.1")).against.map(({ served }) => served.version)).toEqual([
      "1.0.0",
    ]);
    const back = { [FAST]: templateText("fast", "1.0.1"), [manifestPath("1.0.1")]: manifestText("1.0.1") };
    expect(changesOf(await resourcesOf({ base, change: back }, "1.0.1"))).toEqual([]);
  });

  test("says which definitions are gone, once", async () => {
    const without = (version: string): string => manifestText(version).replace(/^[^]*?---\n/, "");
    const change = { ...BUMP, [manifestPath("1.2.0")]: without("1.2.0") };
    const gone = [{ index: -1, name: "samples.operator.example.com", changes: [] }];
    const { against } = await resourcesOf({ change });
    expect(against.map(({ definitions }) => definitions)).toEqual([gone, gone]);
    const base = { [manifestPath("1.1.0")]: without("1.1.0") };
    expect((await resourcesOf({ base, change })).against.map(({ definitions }) => definitions)).toEqual([[], []]);
    const back = await resourcesOf({ base, change: bumpManifest("maximum: 5", "maximum: 3") });
    expect(changesOf(back)).toEqual([["1.0.0", "maximum-narrowed", "confirmed"]]);
  });

  test("is compared with the default CRs in service, if they were valid", async () => {
    const change = bumpManifest("minimum: 1", "minimum: 2");
    const verdicts = (resources: CustomResources): unknown =>
      resources.against.map(({ defaultCr }) => defaultCr?.verdict.kind);
    expect(verdicts(await resourcesOf({ change }))).toEqual(["refused", "refused"]);
    const base = { [FAST]: edit(templateText("fast", "1.1.0"), "replicas: 1", "replicas: 0") };
    expect(verdicts(await resourcesOf({ base, change }))).toEqual([undefined, "refused"]);
  });
});

test("the error of a validator is thrown, and a missing answer counts as not evaluated", async () => {
  const fault = new Fault("PROCESS_FAILED", "It broke.");
  const failing: Validator = { judge: () => Promise.reject(fault), close: () => Promise.resolve() };
  await expect(factsOf({ change: BUMP }, failing)).rejects.toBe(fault);
  const silent: Validator = { judge: () => Promise.resolve([]), close: () => Promise.resolve() };
  expect((await factsOf({ change: BUMP }, silent)).get("sample 1.2.0")).toMatchObject({
    value: { defaultCr: { kind: "not-evaluated" } },
  });
});

test("the validator is asked once about resources, and three times for a proof", async () => {
  let calls = 0;
  const counting: Validator = {
    judge: (requests, run) => {
      calls += 1;
      return validator.judge(requests, run);
    },
    close: () => Promise.resolve(),
  };
  await factsOf(
    { change: { ...bumpManifest("maximum: 5", "maximum: 3"), [REGULAR]: templateText("regular", "1.2.0") } },
    counting,
  );
  // Whether the version in service accepts an example, whether the new one does, and whether a stored one can change.
  expect(calls).toBe(4);
});
