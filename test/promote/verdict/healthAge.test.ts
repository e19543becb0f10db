import { expect, it } from "vitest";
import type { LandscapeName } from "../../../src/catalogue/names.ts";
import { mentions } from "../../support/mentions.ts";
import { ago, DEV, health, judge, OF_REPLACED, outcomes, PROD, told } from "./evidenceSamples.ts";

const WEEK = 7 * 24;
const ASKED = { health: { notWorseBy: 0.01 } };

it("health waits for newer figures if those of either version are older than a week", () => {
  const judged = (hours: number, hoursBefore: number): Parameters<typeof outcomes>[0] =>
    judge({ health: { notWorseBy: 0.01 } }, [
      health(98, 100, { observedAt: ago(hours) }),
      health(198, 200, { ...OF_REPLACED, observedAt: ago(hoursBefore) }),
    ]);

  expect(outcomes(judged(WEEK, WEEK))).toEqual(["health met"]);
  expect(outcomes(judged(1, WEEK + 1))).toEqual(["health waiting"]);
  expect(told(judged(WEEK + 1, 1))).toEqual([
    mentions("health waiting", "object-store 1.2.0", "2026-11-14T11:00:00Z", "7 days"),
  ]);
});

it("health waits for newer figures of each landscape, and names it", () => {
  const judged = judge({ health: { notWorseBy: 0.01 } }, [
    health(1, 1, { landscape: DEV }),
    health(1, 1, { landscape: DEV, ...OF_REPLACED }),
    health(500, 500, { landscape: PROD, observedAt: ago(WEEK + 2) }),
    health(500, 500, { landscape: PROD, ...OF_REPLACED, observedAt: ago(WEEK + 1) }),
  ]);

  expect(told(judged)[0]).toEqual(mentions("health waiting", "object-store 1.1.0", "prod", "2026-11-14T11:00:00Z"));
  expect(judged[0]?.remedy).toContain("kyma-modules observe prod --publish");
});

it("health leaves out old figures of former objects and landscapes", () => {
  const old = { observedAt: ago(WEEK + 1) };
  const judged = judge({ health: { notWorseBy: 0.01 } }, [
    health(9, 10, { landscape: DEV, uid: "new", generation: 1 }),
    health(0, 50, { landscape: DEV, uid: "old", generation: 1, ...old }),
    health(9, 10, { landscape: PROD, ...OF_REPLACED }),
    health(50, 50, { landscape: PROD, ...old }),
    health(0, 50, { landscape: "former" as LandscapeName, ...old }),
  ]);

  expect(told(judged)).toEqual([
    mentions("health met", ...["1.2.0", "9 of 10", "90%"], ...["1.1.0", "9 of 10", "90%"], "1 percentage point"),
  ]);
});

it.each([
  ["dev", "prod"],
  ["prod", "dev"],
] as const)("health is judged in each landscape: healthy clusters in %s do not hide sick ones in %s", (many, few) => {
  const [MANY, FEW] = [many as LandscapeName, few as LandscapeName];
  const evidence = [
    health(1000, 1000, { landscape: MANY }),
    health(5, 10, { landscape: FEW, uid: "a", generation: 1 }),
    health(1, 1, { landscape: FEW, uid: "b", generation: 1 }),
    health(1000, 1000, { landscape: MANY, ...OF_REPLACED }),
  ];
  const judgedWith = (healthy: number): Parameters<typeof outcomes>[0] =>
    judge(ASKED, [...evidence, health(healthy, 10, { landscape: FEW, ...OF_REPLACED })]);

  expect(told(judgedWith(10))).toEqual([
    mentions("health blocking", few, "6 of 11", "1.1.0", "10 of 10", "45.4546 percentage points"),
  ]);
  expect(outcomes(judgedWith(5))).toEqual(["health met"]);
  // Where the replaced version does not run, its health elsewhere is the measure.
  expect(outcomes(judge(ASKED, evidence))).toEqual(["health blocking"]);
});

it("health is judged by the worst landscape", () => {
  const evidence = [DEV, PROD].flatMap((landscape, index) => [
    health(9 - index, 10, { landscape }),
    health(10, 10, { landscape, ...OF_REPLACED }),
  ]);

  expect(told(judge(ASKED, evidence))).toEqual([
    mentions("health blocking", "prod", "8 of 10", "20 percentage points"),
  ]);
});
