import { expect, it } from "vitest";
import { followBranch, reopening } from "../../../src/sync/controller/supervisor.ts";
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

it.each([new TypeError("undefined is not a function"), new Fault("CONFIGURATION", "no kubeconfig")])(
  "a landscape that ends with %s is opened again",
  async (error) => {
    const stop = new AbortController();
    const told: Fault[] = [];
    const work = (): Promise<never> => {
      if (told.length === 2) stop.abort(new Error("enough"));
      return Promise.reject(error);
    };
    const clock = { pause: () => Promise.resolve() };
    const kept = reopening(work, (fault) => void told.push(fault), clock, quietRun(stop.signal));

    await expect(kept).rejects.toThrow("enough");
    expect(told.map(({ message }) => message)).toEqual(Array(2).fill(expect.stringContaining(error.message)));
  },
);

it("a branch is fetched again after an error of this program", async () => {
  const stop = new AbortController();
  const wake = new Wake(systemClock);
  const results: unknown[] = [];
  const following = followBranch(
    {
      ...{ clock: systemClock, random: () => 0, intervalMs: 60_000, wake, onTip: () => Promise.resolve() },
      upstream: { fetch: () => (results.length === 0 ? Promise.reject(new RangeError("bug")) : Promise.resolve("a")) },
      onFetched: (result) => {
        results.push(result instanceof Fault ? result.code : result);
        if (result === "moved") stop.abort(new Error("enough"));
        wake.raise();
      },
    },
    quietRun(stop.signal),
  );

  await expect(following).rejects.toThrow("enough");
  expect(results).toEqual(["INTERNAL", "moved"]);
});
