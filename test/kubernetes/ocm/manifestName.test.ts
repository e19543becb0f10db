import { expect, it } from "vitest";
import { manifestName } from "../../../src/kubernetes/ocm/manifestName.ts";

const UUID = "9b9437b0-e148-430b-9ad6-4537adc41557";
const LONG = "example.org/this-is-a-very-long-component-name-that-exceeds-the-maximum-length";

// The first four are lifecycle-manager's own tests.
it.each<[kyma: string, component: string, name: string, isHashed: boolean]>([
  ["default-id", "kyma-project.io/module/some-module", "default-id-some-module-1831772875", true],
  ["default-id", "example.org/some-module", "default-id-some-module-1457091198", true],
  ["default-id", LONG, "default-id-this-is-a-very-long-component-name-that-exceeds-the", false],
  ["default-id", "simple-component", "default-id-simple-component-3590401810", true],
  [UUID, `a.b/${"a".repeat(25)}`, `${UUID}-${"a".repeat(25)}`, false],
  [UUID, `a.b/${"a".repeat(24)}`, `${UUID}-${"a".repeat(24)}`, false],
  [UUID, `a.b/${"a".repeat(20)}`, expect.stringMatching(new RegExp(`^${UUID}-a{20}-[0-9]{4}$`)) as string, true],
])("the Manifest of %s for %s is %s", (kyma, component, name, isHashed) => {
  expect(manifestName(kyma, component, "module1")).toEqual({ name, isHashed });
});
