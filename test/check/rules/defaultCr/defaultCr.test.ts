import { describe, expect, test } from "vitest";
import {
  BUMP,
  bumpManifest,
  bumpTemplate,
  edit,
  FAST,
  manifestPath,
  manifestText,
} from "../../../../src/check/example.ts";
import { defaultCrServed } from "../../../../src/check/rules/defaultCr/served.ts";
import { defaultCrValid } from "../../../../src/check/rules/defaultCr/valid.ts";
import type { StatusCause, ValidationVerdict } from "../../../../src/kubernetes/validation.ts";
import { said } from "../../contexts.ts";
import { judgedContext, saidOf, withResources } from "../resourceContexts.ts";
import { mentions } from "../../../support/mentions.ts";

const SLOW: ValidationVerdict = { kind: "not-evaluated", why: "it took too long" };

function refused(field: string): ValidationVerdict {
  return { kind: "refused", causes: [{ field, reason: "FieldValueInvalid", message: "it is wrong" }] };
}

describe("a default CR", () => {
  test("that its definition refuses is an error at the field, also by a rule", async () => {
    expect(await saidOf(defaultCrValid, { change: bumpTemplate("replicas: 1", "replicas: 9") })).toEqual([
      mentions(`${FAST}:31 error`, "default CR", "spec.replicas", "9"),
    ]);
    const rule = "type: object, x-kubernetes-validations: [{ rule: self.replicas > 1 }], ";
    const text = edit(
      manifestText("1.2.0"),
      "              type: object\n",
      `              ${rule.slice(0, 12)}\n              ${rule.slice(14, -2)}\n`,
    );
    expect(await saidOf(defaultCrValid, { change: { ...BUMP, [manifestPath("1.2.0")]: text } })).toEqual([
      mentions(`${FAST}:30 error`, "default CR", "spec:"),
    ]);
  });

  test("reports no summary causes, and is refused as a whole without a field", async () => {
    const context = await judgedContext({ change: BUMP });
    const rest = { field: "<nil>", reason: "FieldValueInvalid", message: "some validation rules were not checked" };
    const own = { field: "spec.replicas", reason: "FieldValueRequired", message: "Required value" };
    const told = (...causes: readonly StatusCause[]): readonly string[] =>
      said(defaultCrValid, withResources(context, { defaultCr: { kind: "refused", causes } }));

    expect(told(own, rest)).toEqual([mentions("refused: spec.replicas: Required value.")]);
    expect(told(rest)).toEqual([mentions(`refused: ${rest.message}`)]);
  });

  test("of a version that is not served is an error at its apiVersion", async () => {
    expect(await saidOf(defaultCrValid, { change: bumpManifest("served: true", "served: false") })).toEqual([
      mentions(`${FAST}:25 error`, "default CR", "apiVersion", "not serve operator.example.com/v1"),
    ]);
  });

  test("of an undefined kind is a warning, unless it is Kubernetes' own", async () => {
    expect(await saidOf(defaultCrValid, { change: bumpTemplate("kind: Sample", "kind: Other") })).toEqual([
      mentions(`${FAST}:26 warning`, "default CR", "Other (operator.example.com/v1)"),
    ]);
    const own = bumpTemplate(
      "apiVersion: operator.example.com/v1\n    kind: Sample",
      "apiVersion: v1\n    kind: ConfigMap",
    );
    expect(await saidOf(defaultCrValid, { change: own })).toEqual([]);
  });

  test("is optional, and may not be judged", async () => {
    const context = await judgedContext({ change: BUMP });
    expect(said(defaultCrValid, withResources(context, {}))).toEqual([]);
    expect(said(defaultCrValid, withResources(context, { defaultCr: SLOW }))).toEqual([
      mentions("not run", "default CR", "it took too long"),
    ]);
    expect(said(defaultCrValid, withResources(context, { defaultCr: refused("") }))).toEqual([
      mentions("error", "default CR", "refused: it is wrong"),
    ]);
  });
});

describe("the default CR of a version in service", () => {
  const MANIFEST = manifestPath("1.2.0");

  test("that is refused now is one error for all versions, at the schema that refuses it", async () => {
    expect(await saidOf(defaultCrServed, { change: bumpManifest("minimum: 1", "minimum: 2") })).toEqual([
      mentions(`${MANIFEST}:20 error`, "samples.operator.example.com", "default CR", "1.1.0, 1.0.0", "spec.replicas"),
    ]);
    expect(await saidOf(defaultCrServed, { change: bumpManifest("name: v1\n", "name: v2\n") })).toEqual([
      mentions(`${MANIFEST}:9 error`, "apiVersion", "not serve operator.example.com/v1"),
    ]);
  });

  test("is refused in an item where the definition speaks of items", async () => {
    const context = await judgedContext({ change: BUMP });
    const of = (index: number, verdict: ValidationVerdict): readonly string[] => {
      const served = { module: "sample", version: "1.1.0" };
      const [first] = context.templates;
      if (first === undefined) throw new Error("no template");
      const defaultCr = { index, apiVersion: "operator.example.com/v1", verdict };
      const against = [
        { served: { ...served, module: first.module, version: first.version }, definitions: [], defaultCr },
      ];
      return said(defaultCrServed, withResources(context, { against }));
    };
    expect(of(0, refused("spec.list[0]"))).toEqual([expect.stringContaining(`${MANIFEST}:19 error`)]);
    expect(of(0, refused(""))).toEqual([expect.stringContaining("1.2.0: it is wrong.")]);
    expect(of(0, SLOW)).toEqual([mentions("not run", "default CR", "1.2.0", "it took too long")]);
    expect(of(0, { kind: "accepted" })).toEqual([]);
    expect(of(1, refused("spec"))).toEqual([expect.stringContaining("sample-manager")]);
  });
});
