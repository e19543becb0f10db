import { expect, it } from "vitest";
import { followBranch } from "../../../src/sync/controller/supervisor.ts";
import { Wake } from "../../../src/sync/controller/wake.ts";
import { Fault } from "../../../src/ports.ts";
import { systemClock } from "../../../src/systems/clock.ts";
import { quietRun } from "../../support/quietRun.ts";

it("reports a fetched commit once it was read, and reads it again if that failed", async () => {
  const stop = new AbortController();
  const wake = new Wake(systemClock);
  const told: string[] = [];
  const following = followBranch(
    {
      ...{
        upstream: { fetch: () => Promise.resolve("a") },
        clock: systemClock,
        random: () => 0,
        intervalMs: 60_000,
        wake,
      },
      onTip: (commit) => {
        told.push(`read ${commit}`);
        const isFirst = told.length === 1;
        return isFirst ? Promise.reject(new Fault("GIT_FAILED", "unreadable", { retry: true })) : Promise.resolve();
      },
      onFetched: (result) => {
        told.push(typeof result === "string" ? result : result.message);
        if (result === "unchanged") stop.abort(new Error("enough"));
        wake.raise();
      },
    },
    quietRun(stop.signal),
  );

  await expect(following).rejects.toThrow("enough");
  expect(told).toEqual(["read a", "unreadable", "read a", "moved", "unchanged"]);
});
