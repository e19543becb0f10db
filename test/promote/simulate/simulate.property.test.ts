import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareVersions } from "../../../src/catalogue/version.ts";
import { simulate } from "../../../src/promote/simulate/simulate.ts";
import type { ModuleHistory } from "../../../src/catalogue/history/history.ts";
import { quietRun } from "../../support/quietRun.ts";
import { day, DAY_MS, historyOf, instant, ISTIO, START_MS, subjectOf, type Merge } from "../verdict/timeline.ts";
import { module } from "./tables.ts";
import { only, replayUntil, timelineWith, tirelessClock } from "./replays.ts";

const UNTIL = 90;
const VERSIONS = ["1.0.0", "1.0.1", "1.1.0", "1.1.1", "1.2.0", "2.0.0", "2.0.1"] as const;

/** The followed channel goes up and down, and versions are held and let go. */
const merges: fc.Arbitrary<readonly Merge[]> = fc
  .array(
    fc.record({
      pause: fc.integer({ min: 1, max: 24 * 12 }),
      fast: fc.constantFrom(...VERSIONS, null),
      held: fc.option(fc.record({ version: fc.constantFrom(...VERSIONS), until: fc.integer({ min: 1, max: UNTIL }) }), {
        freq: 4,
      }),
    }),
    { minLength: 1, maxLength: 8 },
  )
  .map((steps) => {
    let hours = 0;
    return steps.map(({ pause, fast, held }): Merge => {
      hours += pause;
      const hold = held && { version: held.version, until: instant(held.until) };
      return { at: hours / 24, fast, ...(hold && { hold }) };
    });
  });

describe("over any history", () => {
  it("the policy accepts its own promotions", async () => {
    await fc.assert(
      fc.asyncProperty(merges, async (steps) => {
        const { promotions } = only(await replayUntil(UNTIL, [{ at: 0, fast: "1.0.0", regular: "1.0.0" }, ...steps]));
        const own = promotions.map(({ atMs, to }): Merge => ({ at: (atMs - START_MS) / DAY_MS, regular: to }));
        const obeyed = [{ at: 0, fast: "1.0.0", regular: "1.0.0" }, ...steps, ...own].toSorted((a, b) => a.at - b.at);
        const again = only(await replayUntil(UNTIL, obeyed));

        expect(again.promotions.map(({ to, atMs }) => [to, atMs])).toEqual(
          promotions.map(({ to, atMs }) => [to, atMs]),
        );
        const judged = again.changes.filter(({ how }) => how.kind === "promotion");
        expect(judged.map(({ judgement }) => judgement?.kind)).toEqual(promotions.map(() => "allowed"));
      }),
    );
  });

  it("the policy only ever goes up", async () => {
    await fc.assert(
      fc.asyncProperty(merges, async (steps) => {
        const { promotions } = only(await replayUntil(UNTIL, [{ at: 0, fast: "1.0.0", regular: "1.0.0" }, ...steps]));

        for (const { from, to } of promotions)
          expect(from === undefined ? 1 : compareVersions(to, from)).toBeGreaterThan(0);
      }),
    );
  });

  it("neither repetition nor other modules change the result", async () => {
    await fc.assert(
      fc.asyncProperty(merges, merges, async (mine, other) => {
        const question = (names: readonly string[]): Parameters<typeof simulate>[0] => {
          const histories = new Map<string, ModuleHistory>([
            [ISTIO, historyOf(...mine)],
            ["keda", historyOf(...other)],
          ]);
          const modules = new Map(names.map((name) => [module(name), histories.get(name) ?? historyOf()]));
          const { channel, followed, upstream } = subjectOf();
          return {
            input: { ...timelineWith(historyOf()), modules },
            channels: [{ channel, followed, upstream }],
            modules: new Map(),
            landscapes: [],
            evidence: undefined,
            assumptions: [],
            sinceMs: day(0),
            untilMs: day(UNTIL),
          };
        };
        const found = async (names: readonly string[]): Promise<string> => {
          const { replays } = await simulate(question(names), tirelessClock, quietRun());
          return JSON.stringify(replays.find((replay) => replay.module === ISTIO));
        };

        expect(await found([ISTIO, "keda"])).toBe(await found([ISTIO]));
        expect(await found(["keda", ISTIO])).toBe(await found([ISTIO]));
      }),
    );
  });
});
