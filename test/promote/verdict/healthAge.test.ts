import { expect, it } from "vitest";
import { ago, health, judge, OF_REPLACED, outcomes, told } from "./evidenceSamples.ts";

const WEEK = 7 * 24;

it("health waits for newer figures if those of either version are older than a week", () => {
  const judged = (hours: number, hoursBefore: number): Parameters<typeof outcomes>[0] =>
    judge({ health: { notWorseBy: 0.01 } }, [
      health(98, 100, { observedAt: ago(hours) }),
      health(198, 200, { ...OF_REPLACED, observedAt: ago(hoursBefore) }),
    ]);

  expect(outcomes(judged(WEEK, WEEK))).toEqual(["health met"]);
  expect(outcomes(judged(1, WEEK + 1))).toEqual(["health waiting"]);
  expect(told(judged(WEEK + 1, 1))[0]).toMatch(
    /^health waiting: The health of object-store 1\.2\.0 was last observed at .*, more than 7 days ago\.$/,
  );
});
