import fc from "fast-check";
import type { Evidence } from "../../../src/catalogue/evidence/evidence.ts";
import type { PromotionFile } from "../../../src/catalogue/policy.ts";
import type { VerdictFacts, Subject } from "../../../src/promote/verdict/subject.ts";
import {
  day,
  hashOfVersion,
  historyOf,
  instant,
  ISTIO,
  type Merge,
  plainFacts,
  subjectOf,
  version,
} from "./timeline.ts";
import { ranOn } from "../smokePaths.ts";

/** The versions of all histories. */
export const VERSIONS = ["1.0.0", "1.0.1", "1.1.0", "1.1.1", "1.2.0", "1.2.0-rc9", "2.0.0", "2.0.1"] as const;
/** One of them. */
export const anyVersion: fc.Arbitrary<(typeof VERSIONS)[number]> = fc.constantFrom(...VERSIONS);
/** Nothing, once in so many times. */
export const maybe = <T>(value: fc.Arbitrary<T>, freq = 2): fc.Arbitrary<T | undefined> =>
  fc.option(value, { nil: undefined, freq });

/** Merges with so many hours between them. */
const mergesWith = (pause: fc.Arbitrary<number>): fc.Arbitrary<readonly Merge[]> =>
  fc
    .array(
      fc.record({
        pause,
        fast: maybe(fc.oneof({ weight: 20, arbitrary: anyVersion }, { weight: 1, arbitrary: fc.constant(null) }), 6),
        regular: maybe(fc.constantFrom("1.0.0", "1.0.1", "1.1.0", "1.1.0", null), 6),
        hold: maybe(
          fc.record({
            version: anyVersion,
            channel: maybe(fc.constantFrom("fast", "regular")),
            // 0 is a lift: all holds begin on day 0
            until: maybe(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 60 }))),
          }),
          4,
        ),
        unhold: maybe(anyVersion, 2),
        hotfix: maybe(
          fc.record({ version: anyVersion, alsoFixedIn: maybe(fc.array(anyVersion, { maxLength: 2 })) }),
          6,
        ),
      }),
      { minLength: 1, maxLength: 12 },
    )
    .map((steps) => {
      let hours = 0;
      return steps.map(({ pause, hold, ...step }): Merge => {
        hours = Math.max(0, hours + pause);
        const until = hold?.until;
        return defined({
          ...step,
          at: hours / 24,
          hold:
            hold &&
            defined({
              version: hold.version,
              channel: hold.channel,
              until: until === undefined ? undefined : instant(until),
            }),
          hotfix: step.hotfix && defined(step.hotfix),
        });
      });
    });

/** Half of them a day or less apart; some go backwards, as clocks do. */
export const merges: fc.Arbitrary<readonly Merge[]> = mergesWith(
  fc.oneof(fc.integer({ min: 0, max: 24 }), fc.integer({ min: -12, max: 240 })),
);

/** None goes backwards, and all happen at a full hour. */
export const orderedMerges: fc.Arbitrary<readonly Merge[]> = mergesWith(
  fc.oneof(fc.integer({ min: 0, max: 24 }), fc.integer({ min: 0, max: 120 })),
);

/** The value without undefined members. */
export function defined<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as never;
}

const days = fc.integer({ min: 0, max: 9 }).map((count) => `${String(count)}d`);
/** The policy of a channel, or of a module. */
export const promotion: fc.Arbitrary<PromotionFile> = fc
  .record({
    soak: maybe(fc.record({ first: days, major: days, minor: days, patch: days })),
    needs: maybe(fc.constant(["smoke"] as const), 4),
    windows: maybe(fc.constant([{ opens: "0 8 * * 1-4", for: "8h", timeZone: "Europe/Berlin" }]), 2),
    freezes: maybe(
      fc.integer({ min: 0, max: 30 }).map((at) => [{ from: instant(at), until: instant(at + 5), reason: "audit" }]),
    ),
  })
  .map(defined);

/** Smoke tests of some of the versions, of which some failed. */
export const evidence: fc.Arbitrary<readonly Evidence[]> = fc.array(
  fc
    .record({
      kind: fc.constant("smoke" as const),
      module: fc.constant(ISTIO),
      text: anyVersion,
      passed: fc.boolean(),
      from: anyVersion,
      hours: fc.integer({ min: 0, max: 24 * 20 }),
    })
    .map(({ text, hours, passed, from, ...rest }) => ({
      ...rest,
      ...ranOn(passed, { version: from, specHash: hashOfVersion(from) }),
      version: version(text),
      specHash: hashOfVersion(text),
      observedAt: instant(hours / 24),
      source: "run",
    })),
  { maxLength: 4 },
);

/** One thing to decide. */
export interface Case {
  readonly subject: Subject;
  readonly facts: VerdictFacts;
  readonly merges: readonly Merge[];
}

/** Decided after all events: later observations would change the picture. */
export const anyCase: fc.Arbitrary<Case> = fc
  .record({
    merges,
    promotion,
    evidence,
    wave: fc.constantFrom("0s", "12h", "3d"),
    later: fc.integer({ min: 0, max: 24 * 12 }),
  })
  .map(({ merges, promotion, evidence, wave, later }) => {
    const last = Math.max(20, ...merges.map(({ at }) => at));
    const facts = plainFacts(historyOf(...merges), day(last + later / 24), { evidence });
    return { subject: subjectOf({ promotion, wave: { soak: wave } }), facts, merges };
  });
