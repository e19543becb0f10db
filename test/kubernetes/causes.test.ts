import { expect, it } from "vitest";
import { causesOf } from "../../src/kubernetes/validation.ts";

it("reads the causes of a status, or else its message", () => {
  const cause = { field: "spec.a", reason: "FieldValueInvalid", message: "too long" };
  expect(causesOf({ details: { causes: [cause, {}] } })).toEqual([cause, { field: "", reason: "", message: "" }]);
  expect(causesOf({ message: "no", reason: "Forbidden", details: {} })).toEqual([
    { field: "", reason: "Forbidden", message: "no" },
  ]);
  expect(causesOf(undefined)).toEqual([{ field: "", reason: "", message: "" }]);
});
