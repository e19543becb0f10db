import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PromotionFile } from "../../../src/catalogue/policy.ts";
import { compareVersions } from "../../../src/catalogue/version.ts";
import { decide } from "../../../src/promote/verdict/decide.ts";
import { decideHotfix } from "../../../src/promote/intervention/hotfix.ts";
import type { VerdictFacts, Subject } from "../../../src/promote/verdict/subject.ts";
import { defined, maybe } from "./histories.ts";
import { day, historyOf, type Merge, plainFacts, subjectOf, version } from "./timeline.ts";
import { tries } from "../../support/tries.ts";

/** In order; fast climbs them, and falls now and then. */
const LADDER = [
  "1.0.0",
  "1.0.1",
  "1.0.2",
  "1.1.0",
  "1.1.1",
  "1.2.0",
  "1.3.0",
  "1.3.1",
  "2.0.0",
  "2.0.1",
  "2.1.0",
] as const;
const anyRung = fc.constantFrom(...LADDER);

/** An event beside the promotions, that many hours after the one before. */
interface Event {
  readonly hours: number;
  readonly merge: Pick<Merge, "hold" | "unhold">;
  /** How many rungs fast climbs. */
  readonly climb: number | undefined;
  /** How many patches above regular's version a hot-fix is requested. */
  readonly hotfix: number | undefined;
}

const events: fc.Arbitrary<readonly Event[]> = fc.array(
  fc.record({
    hours: fc.oneof(fc.integer({ min: 0, max: 24 }), fc.integer({ min: 12, max: 240 })),
    merge: fc
      .record({
        hold: maybe(fc.record({ version: anyRung }), 1),
        unhold: maybe(anyRung, 3),
      })
      .map(defined),
    climb: maybe(fc.constantFrom(1, 1, 1, 2, 2, 3, -1, -3), 5),
    hotfix: fc.oneof(
      { weight: 4, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: fc.integer({ min: 1, max: 2 }) },
    ),
  }),
  { minLength: 1, maxLength: 12 },
);

/** How regular came to serve a version. */
interface Step {
  readonly to: string;
  readonly how: "promotion" | "hot-fix";
  /** The history before it. */
  readonly before: readonly Merge[];
}

interface Life {
  readonly merges: readonly Merge[];
  readonly steps: readonly Step[];
}

const START: Merge = { at: 0, fast: "1.0.0", regular: "1.0.0" };

function factsAt(at: number, merges: readonly Merge[]): VerdictFacts {
  return plainFacts(historyOf(...merges), day(at));
}

/** Everything that follows from the verdicts, decided again after each event, and once more a while later. */
function live(subject: Subject, events: readonly Event[]): Life {
  const merges: Merge[] = [START];
  const steps: Step[] = [];
  let hour = 0;
  const step = (to: string, how: Step["how"], merge: Partial<Merge>): void => {
    steps.push({ to, how, before: [...merges] });
    merges.push({ at: hour / 24, regular: to, ...merge });
  };
  const promote = (): void => {
    const { kind, chosen } = decide(subject, factsAt(hour / 24, merges));
    if (kind === "promote" && chosen !== undefined) step(chosen.version, "promotion", {});
  };
  for (const event of events) {
    hour += event.hours;
    merges.push({ at: hour / 24, ...event.merge, ...climb(lastIn("fast", merges), event.climb) });
    if (event.hotfix !== undefined) {
      const wanted = patchAbove(lastIn("regular", merges), event.hotfix);
      const about = { specHash: undefined, incident: "https://example.com", alsoFixedIn: [], by: "octocat" };
      const request = { version: version(wanted), ...about };
      const { kind } = decideHotfix(subject, request, factsAt(hour / 24, merges));
      if (kind === "promote") step(wanted, "hot-fix", { hotfix: { version: wanted } });
    }
    promote();
    hour += 30;
    promote();
  }
  return { merges, steps };
}

function climb(from: string, rungs: number | undefined): Pick<Merge, "fast"> {
  if (rungs === undefined) return {};
  const to = LADDER.findIndex((rung) => rung === from) + rungs;
  return { fast: LADDER[Math.min(Math.max(0, to), LADDER.length - 1)] ?? "1.0.0" };
}

function lastIn(channel: "fast" | "regular", merges: readonly Merge[]): string {
  return String(merges.findLast((merge) => merge[channel] !== undefined)?.[channel]);
}

function patchAbove(text: string, count: number): string {
  return text.replace(/(\d+)(-.*)?$/, (_, patch: string) => String(Number(patch) + count));
}

const compare = (a: string, b: string): number => compareVersions(version(a), version(b));

const hours = fc.integer({ min: 0, max: 72 }).map((count) => `${String(count)}h`);
/** Short soaks, so that something moves. */
const policies: fc.Arbitrary<PromotionFile> = fc.record({
  soak: fc.record({ patch: hours, minor: hours, major: hours }),
});
const lives: fc.Arbitrary<Life> = fc
  .record({ events, promotion: policies })
  .map(({ events, promotion }) => live(subjectOf({ promotion }), events));

const RUNS = tries(50);

describe("a channel that follows its verdicts", () => {
  it("never goes down", () => {
    fc.assert(
      fc.property(lives, ({ steps }) => {
        const served = ["1.0.0", ...steps.map(({ to }) => to)];
        for (const [index, to] of served.slice(1).entries())
          expect(compare(to, String(served[index]))).toBeGreaterThan(0);
      }),
      RUNS,
    );
  });

  it("gets ahead of the followed channel only by hot-fixes", () => {
    fc.assert(
      fc.property(lives, ({ steps }) => {
        for (const { to, how, before } of steps) {
          if (how === "hot-fix") continue;
          expect(compare(to, lastIn("fast", before))).toBeLessThanOrEqual(0);
          expect(before.map(({ fast }) => fast)).toContain(to);
        }
      }),
      RUNS,
    );
  });

  it("never undoes a hot-fix with an older version of the followed channel", () => {
    fc.assert(
      fc.property(lives, ({ steps }) => {
        for (const { to, how, before } of steps) {
          if (how === "hot-fix") continue;
          const fixedAt = before.findLastIndex(({ hotfix }) => hotfix !== undefined);
          expect(before.findIndex(({ fast }) => fast === to)).toBeGreaterThan(fixedAt);
        }
      }),
      RUNS,
    );
  });

  it("has nothing to promote twice at the same instant", () => {
    fc.assert(
      fc.property(lives, policies, ({ merges, steps }, promotion) => {
        const { to } = steps.at(-1) ?? {};
        const at = Math.max(...merges.map((merge) => merge.at));
        const subject = subjectOf({ promotion });
        const { kind, chosen } = decide(subject, factsAt(at, merges));
        if (kind !== "promote" || chosen === undefined) return;
        if (to !== undefined) expect(compare(chosen.version, to)).toBeGreaterThan(0);
        const after = decide(subject, factsAt(at, [...merges, { at, regular: chosen.version }]));
        expect(after.kind).not.toBe("promote");
      }),
      RUNS,
    );
  });

  it("has promotions and hot-fixes in these timelines, so that the tests are meaningful", () => {
    const hows = fc.sample(lives, { numRuns: 200, seed: 7 }).flatMap(({ steps }) => steps.map(({ how }) => how));

    expect(hows.filter((how) => how === "promotion").length).toBeGreaterThan(100);
    expect(hows.filter((how) => how === "hot-fix").length).toBeGreaterThan(100);
  });
});
