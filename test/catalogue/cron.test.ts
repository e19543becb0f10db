import { expect, it } from "vitest";
import { cronFields, everComes } from "../../src/catalogue/cron.ts";

it.each([
  ["0 8 * * 1-4", "0 | 8 | * | * | 1,2,3,4"],
  ["5/20 */1 */40 jan-MAR/2 SUN,7", "5,25,45 | * | */31 | 1,3 | 0,7"],
  ["1,* 0 1-3 DEC *", "* | 0 | 1,2,3 | 12 | *"],
])("expands %s", (cron, expected) => {
  expect(cronFields(cron).join(" | ")).toBe(expected);
});

it.each([
  ["0 0 30 2 *", false],
  ["0 0 31 2,4,6,9,11 *", false],
  ["0 0 29 2 *", true],
  ["0 0 30 2 1", true],
  ["0 0 31 */5 *", true],
  ["0 0 31,1 4 *", true],
])("knows whether %s ever matches", (cron, expected) => {
  expect(everComes(cron)).toBe(expected);
});
