import { describe, expect, test } from "vitest";
import { BUMP, bumpManifest, edit, manifestPath, manifestText } from "../../../../src/check/example.ts";
import { crdCompatible } from "../../../../src/check/rules/crd/compatible.ts";
import { factRequired } from "../../../../src/check/rules/version/factRequired.ts";
import { said } from "../../contexts.ts";
import { partlyAnswered, saidOf } from "../resourceContexts.ts";
import { mentions } from "../../../support/mentions.ts";

const SIZE = "size: { type: string, enum: [small, large] }";

describe("a change of a definition", () => {
  test("is not judged where Kubernetes' validation did not answer, unless the schema decides, and fails if it is required", async () => {
    const why = "the validator found no verdict";
    const pattern = edit(manifestText("1.2.0"), SIZE, "size: { type: string, enum: [small, large], pattern: ^s }");
    const change = { ...BUMP, [manifestPath("1.2.0")]: edit(pattern, "maximum: 5", "maximum: 3") };
    const context = await partlyAnswered({ change, required: ["manifest", "validator"] }, () => false, why);

    expect(said(crdCompatible, context)).toEqual([
      mentions("error", ".spec.replicas", "1.1.0, 1.0.0 (certain)"),
      mentions("not run", "samples.operator.example.com v1", ".spec.size has to match", why),
    ]);
    expect(said(factRequired, context)).toEqual([mentions("error", "validation of sample 1.2.0", why)]);
  });

  test("is proven by an object that was judged, whatever happened to others", async () => {
    const change = bumpManifest("maximum: 5", "maximum: 3");
    const isAnswered = (_definition: string, object: string): boolean => !object.includes('"replicas":5');

    expect(said(crdCompatible, await partlyAnswered({ change }, isAnswered, "no"))).toEqual([
      mentions("error", "(proven)", "replicas: 4"),
    ]);
  });

  test("is proven where a conversion webhook is dropped, by what an object loses in the stored version", async () => {
    const v2 =
      "{ openAPIV3Schema: { type: object, properties: { spec: { type: object, properties: { size: { type: string } } } } } }";
    const storing = (version: "v1" | "v2", text: string): string =>
      edit(
        edit(text, "storage: true", `storage: ${String(version === "v1")}`),
        "---\napiVersion: v1",
        `    - { name: v2, served: true, storage: ${String(version === "v2")}, schema: ${v2} }\n---\napiVersion: v1`,
      );
    const clientConfig = "clientConfig: { service: { name: a, namespace: b } }";
    const webhook = `  conversion: { strategy: Webhook, webhook: { ${clientConfig}, conversionReviewVersions: [v1] } }\n`;
    const dropped = (version: "v1" | "v2"): Promise<readonly string[]> => {
      const base = Object.fromEntries(
        ["1.0.0", "1.1.0"].map((served) => [
          manifestPath(served),
          edit(storing(version, manifestText(served)), "  versions:\n", `${webhook}  versions:\n`),
        ]),
      );
      return saidOf(crdCompatible, {
        base,
        change: { ...BUMP, [manifestPath("1.2.0")]: storing(version, manifestText("1.2.0")) },
      });
    };

    expect(await dropped("v2")).toContainEqual(
      mentions("error", "objects of v1 lose .spec.replicas", "1.1.0, 1.0.0 (proven)", "replicas: 1"),
    );
    expect(await dropped("v1")).toContainEqual(
      mentions("error", "v2 and v1 differ in .spec.size, .spec.replicas", "1.1.0, 1.0.0 (certain)"),
    );
  });

  test("is only a warning for a field of the status, and for a version that is not served", async () => {
    const status = "subresources: { status: {} }";
    const withStatus = (text: string, properties: string): string =>
      edit(
        edit(text, "      schema:", `      ${status}\n      schema:`),
        "            spec:\n",
        `            status: { type: object, properties: { ${properties} } }\n            spec:\n`,
      );
    const old =
      "    - { name: v0, served: false, storage: false, schema: { openAPIV3Schema: { type: object } } }\n---\napiVersion: v1";
    const before = (version: string): string =>
      edit(withStatus(manifestText(version), "a: { type: string }, b: { type: string }"), "---\napiVersion: v1", old);
    const base = { [manifestPath("1.0.0")]: before("1.0.0"), [manifestPath("1.1.0")]: before("1.1.0") };
    const change = { ...BUMP, [manifestPath("1.2.0")]: withStatus(manifestText("1.2.0"), "a: { type: string }") };

    expect(await saidOf(crdCompatible, { base, change })).toEqual([
      mentions("warning", "version v0", "not served", "Risky for 1.1.0, 1.0.0"),
      mentions("warning", ".status.b", "Risky for 1.1.0, 1.0.0", "controller"),
    ]);
  });
});
