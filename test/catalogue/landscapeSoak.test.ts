import { expect, it } from "vitest";
import { isBroken } from "../../src/document/finding.ts";
import { findingsOf, REPOSITORY } from "./repository.ts";

it("a short soak is an error for the gate, and does not make the settings unreadable", () => {
  const after = "controlPlane: { context: p }, after: { landscape: dev }";
  const text = `format: 1\nlandscapes:\n  - { name: dev, controlPlane: { context: d } }\n  - { name: prod, ${after} }\n`;
  const findings = findingsOf({ ...REPOSITORY, "kyma-modules.yaml": text });

  expect(findings).toMatchObject([{ rule: "landscape-soak", severity: "error" }]);
  expect(isBroken({ findings }, "kyma-modules.yaml")).toBe(false);
});
