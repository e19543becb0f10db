import fc from "fast-check";
import { expect, it } from "vitest";
import type { Evidence } from "../../../../src/catalogue/evidence/evidence.ts";
import type { ModuleName } from "../../../../src/catalogue/names.ts";
import { servedSince, type EvidenceDemand } from "../../../../src/promote/verdict/evidence/evidence.ts";
import type { Reason } from "../../../../src/promote/verdict/verdict.ts";
import {
  ago,
  approval,
  CANDIDATE,
  CANDIDATE_HASH,
  DEV,
  exposure,
  FIRST,
  health,
  judge,
  OF_REPLACED,
  OTHER_HASH,
  outcomes,
  PROD,
  served,
  smoke,
  SUBJECT,
} from "../evidenceSamples.ts";

const NOW = ago(0);

const demands: fc.Arbitrary<EvidenceDemand> = fc.record({
  needs: fc.subarray(["approval", "smoke"] as const),
  exposure: fc.option(fc.record({ clusters: fc.constantFrom(0, 3), healthyHours: fc.constantFrom(0, 1.1) }), {
    nil: undefined,
  }),
  health: fc.option(fc.record({ notWorseBy: fc.constantFrom(0, 0.01, 0.3, 1) }), { nil: undefined }),
});
const subjects = fc.constantFrom(SUBJECT, SUBJECT, FIRST);

const contents = fc.constantFrom({}, {}, {}, OF_REPLACED, { specHash: OTHER_HASH }, { module: "istio" as ModuleName });
const places = fc.constantFrom(
  {},
  { landscape: DEV },
  { landscape: PROD, uid: "a" },
  { landscape: PROD, uid: "a", generation: 1 },
  { landscape: PROD, uid: "a", generation: 2 },
  { uid: "b", generation: 1 },
);
const rest = fc
  .tuple(contents, places, fc.integer({ min: -1, max: 4 }), fc.constantFrom("run 1", "run 2"))
  .map(([content, place, hours, source]) => ({ ...content, ...place, observedAt: ago(hours), source }));
const figures = fc.tuple(fc.nat(4), fc.nat(4)).map(([healthy, ill]) => [healthy, healthy + ill] as const);
const healths = fc.tuple(figures, rest).map(([[healthy, clusters], some]) => health(healthy, clusters, some));
const observations: fc.Arbitrary<Evidence> = fc.oneof(
  fc.tuple(fc.boolean(), rest).map(([passed, some]) => smoke(passed, some)),
  fc.tuple(fc.boolean(), rest).map(([approved, some]) => approval(approved, some)),
  fc
    .tuple(fc.nat(3), fc.constantFrom(0, 0.1, 0.7, 1.1), rest)
    .map(([clusters, hours, some]) => exposure(clusters, hours, some)),
  healths,
  fc.tuple(fc.constantFrom(DEV, PROD), rest).map(([landscape, some]) => served(landscape, { ...some, landscape })),
);
const evidences = fc.array(observations, { maxLength: 14 });

const sinceOf = (evidence: readonly Evidence[]): number => servedSince(evidence, SUBJECT, [DEV, PROD]);

/** 2: it may move. 1: it waits. 0: it is blocked. */
function chance(reasons: readonly Reason[]): number {
  if (reasons.some(({ outcome }) => outcome === "blocking")) return 0;
  return reasons.some(({ outcome }) => outcome === "waiting") ? 1 : 2;
}

it("does not depend on the order of the evidence", () => {
  const shuffled = evidences.chain((all) =>
    fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
  );
  fc.assert(
    fc.property(demands, subjects, shuffled, (asked, subject, [one, other]) => {
      expect(judge(asked, other, subject)).toEqual(judge(asked, one, subject));
      expect(sinceOf(other)).toBe(sinceOf(one));
    }),
  );
});

it("does not change with duplicate evidence", () => {
  const repeated = evidences.chain((all) => fc.tuple(fc.constant(all), fc.subarray(all)));
  fc.assert(
    fc.property(demands, subjects, repeated, (asked, subject, [all, again]) => {
      expect(judge(asked, [...all, ...again], subject)).toEqual(judge(asked, all, subject));
      expect(sinceOf([...all, ...again])).toBe(sinceOf(all));
    }),
  );
});

it("ignores evidence of other content, and from the future", () => {
  const foreign = evidences.map((all) =>
    all.flatMap((one): Evidence[] => [
      { ...one, specHash: OTHER_HASH },
      { ...one, module: "istio" as ModuleName },
      { ...one, version: CANDIDATE, specHash: OF_REPLACED.specHash },
    ]),
  );
  const future = evidences.map((all) => all.map((one) => ({ ...one, observedAt: ago(-1) })));
  fc.assert(
    fc.property(demands, subjects, evidences, foreign, future, (asked, subject, all, others, later) => {
      expect(outcomes(judge(asked, [...all, ...others, ...later], subject))).toEqual(
        outcomes(judge(asked, all, subject)),
      );
      expect(sinceOf([...all, ...others])).toBe(sinceOf(all));
    }),
  );
});

it("is never better with a newer failed smoke test or refusal", () => {
  const bad = fc
    .tuple(fc.boolean(), rest)
    .map(([isSmoke, some]) => ({ some: { ...some, observedAt: NOW }, isSmoke }))
    .map(({ some, isSmoke }) => (isSmoke ? smoke(false, some) : approval(false, some)));
  fc.assert(
    fc.property(demands, subjects, evidences, bad, (asked, subject, all, one) => {
      expect(chance(judge(asked, [...all, one], subject))).toBeLessThanOrEqual(chance(judge(asked, all, subject)));
    }),
  );
});

it("blocks on the newest failed smoke test of this content, regardless of other evidence", () => {
  fc.assert(
    fc.property(demands, evidences, (asked, all) => {
      const newest = smoke(false, { specHash: CANDIDATE_HASH, observedAt: NOW });

      expect(chance(judge(asked, [...all, newest]))).toBe(0);
    }),
  );
});

it("is never better with worse health", () => {
  const object = { landscape: PROD, uid: "a", generation: 9 };
  fc.assert(
    fc.property(demands, subjects, evidences, figures, fc.nat(4), (asked, subject, all, [healthy, clusters], loss) => {
      const good = health(healthy, clusters, { ...object, observedAt: ago(0.5) });
      const before = [...all.filter(({ observedAt }) => observedAt !== NOW), good];
      for (const later of [ago(0.5), NOW]) {
        const worse = health(Math.max(0, healthy - loss), clusters, { ...object, observedAt: later });

        expect(chance(judge(asked, [...before, worse], subject))).toBeLessThanOrEqual(
          chance(judge(asked, before, subject)),
        );
      }
    }),
  );
});

it("ignores an older generation of an object, however good and late", () => {
  const object = { landscape: PROD, uid: "a" };
  fc.assert(
    fc.property(demands, subjects, evidences, rest, (asked, subject, all, some) => {
      const now = { ...some, ...object, observedAt: ago(5), generation: 4 };
      const before = [...all, approval(false, now), exposure(0, 0, now), health(0, 9, now)];
      const late = { ...now, generation: 3, observedAt: NOW };
      const good = [approval(true, late), exposure(99, 99, late), health(9, 9, late)];

      expect(outcomes(judge(asked, [...before, ...good], subject))).toEqual(outcomes(judge(asked, before, subject)));
    }),
  );
});
