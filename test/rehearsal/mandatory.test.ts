import { describe, expect, it } from "vitest";
import { textAt } from "../../src/document/fields.ts";
import { metaOf, servedBy, Stage, templateOf } from "./stage.ts";

describe("a rehearsed mandatory module", () => {
  const serving = (version: string, ...templates: readonly string[]) =>
    servedBy(...templates.map((one) => templateOf("auditor", one)), metaOf("auditor", { mandatory: { version } }));

  it("is not in the status, can be downgraded, and is removed with its release meta", () => {
    const stage = new Stage({});
    const installed = (): unknown => textAt(stage.manifests.get("auditor"), ["spec", "version"]);
    stage.settle(serving("1.1.0", "1.1.0"));
    expect([installed(), textAt(stage.kyma, ["status", "state"]), stage.believed("auditor")]).toEqual([
      "1.1.0",
      "Ready",
      undefined,
    ]);
    stage.settle(serving("1.0.0", "1.0.0"));
    expect(installed()).toBe("1.0.0");
    stage.settle(serving("1.2.0", "1.0.0"));
    expect([installed(), textAt(stage.kyma, ["status", "state"])]).toEqual(["1.0.0", "Ready"]);
    stage.settle(servedBy());
    expect(stage.manifests.size).toBe(0);
  });
});
