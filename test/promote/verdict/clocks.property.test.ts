import fc from "fast-check";
import { expect, it } from "vitest";
import type { Evidence } from "../../../src/catalogue/evidence/evidence.ts";
import type { LandscapeName } from "../../../src/catalogue/names.ts";
import type { Level } from "../../../src/catalogue/policy.ts";
import { Services } from "../../../src/promote/verdict/clocks.ts";
import type { ModuleHistory, ServedState } from "../../../src/catalogue/history/history.ts";
import { historyAt } from "../../../src/catalogue/history/moduleHistory.ts";
import { anyVersion, merges } from "./histories.ts";
import { day, FAST, hashOfVersion, historyOf, instant, ISTIO, subjectOf, version } from "./timeline.ts";

const SUBJECT = subjectOf({ wave: { soak: "2d", hotfixSoak: "6h" } });

const served: fc.Arbitrary<Evidence> = fc
  .record({ text: anyVersion, landscape: fc.constantFrom("dev", "prod"), days: fc.integer({ min: 0, max: 40 }) })
  .map(({ text, landscape, days }) => ({
    kind: "served",
    module: ISTIO,
    version: version(text),
    specHash: hashOfVersion(text),
    landscape: landscape as LandscapeName,
    observedAt: instant(days),
    source: `kcp-${landscape}`,
  }));

it("gives the same for a moment as if nothing had happened since", () => {
  const levels = fc.constantFrom<Level>("first", "patch", "minor", "major");
  fc.assert(
    fc.property(merges, fc.array(served), anyVersion, levels, fc.nat(40), (all, evidence, text, level, nowDay) => {
      const whole = historyOf(...all);
      const services = new Services(SUBJECT, whole, evidence);
      for (const index of all.keys()) {
        const asOf = { history: historyAt(whole, index), nowMs: day(nowDay) };
        const alone = new Services(SUBJECT, asOf.history, evidence);
        expect(services.of(version(text), level, asOf)).toEqual(alone.of(version(text), level, asOf));
      }
    }),
  );
});

it("does not visit every state of a history for every moment", () => {
  const looksFor = (count: number): number => {
    let looks = 0;
    const counting = ({ revision, ...state }: ServedState): ServedState => ({
      ...state,
      get revision() {
        looks += 1;
        return revision;
      },
    });
    const plain = historyOf(...Array.from({ length: count }, (_, at) => ({ at, fast: `1.${String(at)}.0` })));
    const states = plain.served.get(FAST) ?? [];
    const history: ModuleHistory = { ...plain, served: new Map([[FAST, states.map(counting)]]) };
    const services = new Services(SUBJECT, history, []);
    for (const at of states.keys()) {
      const then = { ...history, served: new Map([[FAST, states.slice(0, at + 1)]]) };
      expect(services.of(version(`1.${String(at)}.0`), "minor", { history: then, nowMs: day(at) })).toHaveLength(1);
    }
    return looks;
  };

  expect(looksFor(100)).toBe(10 * looksFor(10));
});
