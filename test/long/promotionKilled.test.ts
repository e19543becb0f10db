import { expect, it } from "vitest";
import { allOf, endAlike, race, undisturbed } from "../cli/killScenario.ts";
import { startDirect, startInClone, startOnGitHub } from "../cli/promotionStart.ts";

/** Git commands that write. Between two of them, a kill leaves the same state at any time. */
const WRITES = /(hash-object -w|mktree|commit-tree|update-ref|push) /;
const LONG_MS = 3_600_000;

it.each([
  ["request to GitHub", "request", 60],
  ["call of its ports", "call", 40],
] as const)(
  "`promote --apply` has the same result after kill -9 before or after any %s",
  async (_, kind, least) => {
    const start = await startOnGitHub();
    const wanted = await undisturbed(start);
    const deaths = allOf(kind, wanted);

    expect(deaths.length).toBeGreaterThan(least);
    await endAlike(start, wanted, deaths);
  },
  LONG_MS,
);

it.each([
  ["proposes branches of a clone", startInClone],
  ["commits to the base of a remote", startDirect],
])(
  "`promote --apply` that %s has the same result after kill -9 at any call or write",
  async (_, open) => {
    const start = open(await startOnGitHub());
    const wanted = await undisturbed(start);
    const deaths = [...allOf("call", wanted), ...allOf("git", wanted, WRITES)];

    expect(deaths.length).toBeGreaterThan(70);
    await endAlike(start, wanted, deaths);
  },
  LONG_MS,
);

it.each([
  ["on GitHub", (start: Awaited<ReturnType<typeof startOnGitHub>>) => start],
  ["in a clone", startInClone],
  ["at a remote", startDirect],
])(
  "two concurrent runs of `promote --apply` %s have the result of one, and report what happened",
  async (_, open) => {
    const start = open(await startOnGitHub());
    const wanted = await undisturbed(start);
    for (let time = 0; time < 5; time++) {
      for (const { code, stdout, stderr } of await race(start, wanted)) {
        expect([0, 1, 3], stderr).toContain(code);
        if (code === 1) expect(stdout).toMatch(/^failed .*\b[Rr]un (it|the command) again\.$/m);
        if (code === 3) expect(stderr).toMatch(/^error: .*\.$/m);
      }
    }
  },
  LONG_MS,
);
