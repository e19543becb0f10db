import { expect, it } from "vitest";
import { statusCauses } from "../../src/kubernetes/validation.ts";

it("reads the causes of a status, or else its message", () => {
  const cause = { field: "spec.a", reason: "FieldValueInvalid", message: "too long" };
  expect(statusCauses({ details: { causes: [cause, {}] } })).toEqual([cause, { field: "", reason: "", message: "" }]);
  expect(statusCauses({ message: "no", reason: "Forbidden", details: {} })).toEqual([
    { field: "", reason: "Forbidden", message: "no" },
  ]);
  expect(statusCauses(undefined)).toEqual([{ field: "", reason: "", message: "" }]);
});
