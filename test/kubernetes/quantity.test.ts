import { expect, it } from "vitest";
import { parseQuantity } from "../../src/kubernetes/quantity.ts";

it.each([
  ["100m", 0.1],
  [2, 2],
  ["64Mi", 64 * 2 ** 20],
  ["1e3", 1000],
  ["1.5Gi", 1.5 * 2 ** 30],
  ["5X", undefined],
  ["1.2.3", undefined],
  [undefined, undefined],
])("reads the quantity %j", (text, number) => {
  expect(parseQuantity(text)).toBe(number);
});
