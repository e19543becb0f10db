import { expect, it } from "vitest";
import type { Clock } from "../../src/ports.ts";
import { withLease } from "../../src/sync/lease.ts";
import { requestSync } from "../../src/sync/request.ts";
import { systemClock } from "../../src/systems/clock.ts";
import { quietRun } from "../support/quietRun.ts";
import { sharedWorld } from "./world.ts";

const NOTHING = {
  adopt: false,
  prune: false,
  maxPrune: undefined,
  now: undefined,
  takeOverSet: false,
  switchGeneration: false,
  rewind: false,
};

it.for([
  ["ahead of", 12.5],
  ["behind", -12.5],
] as const)("a request is not made by a clock that is %s that of the controller", async ([where, minutes], context) => {
  const { controlPlane, namespace, list } = await sharedWorld(context);
  const clock: Clock = { ...systemClock, nowMs: () => systemClock.nowMs() + minutes * 60_000 };
  const request = { id: "1", by: "octocat", atMs: clock.nowMs(), commit: "a".repeat(40), allowed: NOTHING };
  const asked = withLease(
    { namespace, holder: "the-controller", waitMs: 0 },
    { controlPlane, clock: systemClock },
    (run) => requestSync(request, { controlPlane, namespace, clock }, 0, run),
    quietRun(),
  );

  await expect(asked).rejects.toMatchObject({
    code: "CONFIGURATION",
    message: expect.stringMatching(new RegExp(`12m \\d+s ${where} .*\\bthe-controller\\b`)) as unknown,
  });
  expect(await list("configmaps")).toEqual([]);
});
