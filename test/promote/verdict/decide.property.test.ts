import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Evidence } from "../../../src/catalogue/evidence/evidence.ts";
import type { PromotionFile } from "../../../src/catalogue/policy.ts";
import { compareVersions } from "../../../src/catalogue/version.ts";
import { decide } from "../../../src/promote/verdict/decide.ts";
import type { ModuleHistory } from "../../../src/catalogue/history/history.ts";
import type { VerdictFacts, Subject } from "../../../src/promote/verdict/subject.ts";
import type { Verdict } from "../../../src/promote/verdict/verdict.ts";
import { channelTemplate } from "../../catalogue/repository.ts";
import { anyCase, anyVersion, evidence, merges, promotion } from "./histories.ts";
import {
  day,
  FAST,
  hashOfVersion,
  historyOf,
  instant,
  ISTIO,
  plainFacts,
  REGULAR,
  subjectsIn,
  version,
} from "./timeline.ts";
import { ranOn } from "../smokePaths.ts";
import { tries } from "../../support/tries.ts";

const RUNS = tries(80);

function currentOf(history: ModuleHistory, channel: typeof FAST): string | undefined {
  return history.served.get(channel)?.at(-1)?.version;
}

describe("a verdict, of any history and policy", () => {
  it("is never a downgrade, and never ahead of the followed channel", () => {
    fc.assert(
      fc.property(anyCase, ({ subject, facts }) => {
        const { kind, chosen } = decide(subject, facts);
        if (kind !== "promote" || chosen === undefined) return;
        const ever = (facts.history.served.get(REGULAR) ?? []).flatMap((state) => state.version ?? []);
        for (const other of ever) expect(compareVersions(chosen.version, other)).toBeGreaterThanOrEqual(0);
        const current = currentOf(facts.history, REGULAR);
        if (current !== undefined) expect(compareVersions(chosen.version, version(current))).toBeGreaterThan(0);
        expect(compareVersions(chosen.version, version(String(currentOf(facts.history, FAST))))).toBeLessThanOrEqual(0);
      }),
      RUNS,
    );
  });

  it("promotes a candidate at its earliest instant, not a second before", () => {
    fc.assert(
      fc.property(anyCase, ({ subject, facts }) => {
        for (const { version, earliest } of decide(subject, facts).candidates) {
          if (earliest?.kind !== "at") continue;
          const kindAt = (nowMs: number): string | undefined =>
            decide(subject, { ...facts, nowMs }).candidates.find((one) => one.version === version)?.kind;
          expect(earliest.atMs).toBeGreaterThan(facts.nowMs);
          expect(kindAt(earliest.atMs)).toBe("promote");
          if (earliest.atMs - 1000 >= facts.nowMs) expect(kindAt(earliest.atMs - 1000)).not.toBe("promote");
        }
      }),
      RUNS,
    );
  });

  it("does not let a candidate that awaits more move by time alone", () => {
    fc.assert(
      fc.property(anyCase, fc.integer({ min: 0, max: 400 }), ({ subject, facts }, later) => {
        const nowMs = facts.nowMs + later * 3_600_000;
        for (const { version, earliest } of decide(subject, facts).candidates) {
          if (earliest?.kind !== "not-before") continue;
          const then = decide(subject, { ...facts, nowMs }).candidates.find((one) => one.version === version);
          expect(then?.kind).not.toBe("promote");
        }
      }),
      RUNS,
    );
  });

  it("is the same if it is repeated", () => {
    fc.assert(
      fc.property(anyCase, ({ subject, facts }) => {
        expect(decide(subject, facts)).toEqual(decide(subject, facts));
      }),
      tries(20),
    );
  });
});

describe("a reason against a version", () => {
  const expectNoNewPromotion = (before: Verdict, after: Verdict): void => {
    for (const { version, kind } of after.candidates) {
      if (kind !== "promote") continue;
      expect(before.candidates.find((one) => one.version === version)?.kind).toBe("promote");
    }
  };
  const withPolicy = (subject: Subject, policy: PromotionFile): Subject => ({
    ...subject,
    channel: { ...subject.channel, promotion: policy },
  });

  it("never makes it move: a hold, merged or proposed", () => {
    fc.assert(
      fc.property(anyCase, anyVersion, ({ subject, facts, merges }, text) => {
        const before = decide(subject, facts);
        const at = Math.max(...merges.map((merge) => merge.at));
        const proposed = { module: ISTIO, version: version(text), channel: undefined, source: "pull 3" };
        const held = decide(subject, { ...facts, history: historyOf(...merges, { at, hold: { version: text } }) });
        const suspended = decide(subject, { ...facts, proposedHolds: [proposed] });

        for (const after of [held, suspended]) {
          expectNoNewPromotion(before, after);
          expect(after.candidates.find((one) => one.version === text)?.kind ?? "blocked").toBe("blocked");
        }
      }),
      RUNS,
    );
  });

  it("never makes it move: a failed smoke test, a refused approval, a freeze", () => {
    fc.assert(
      fc.property(anyCase, anyVersion, ({ subject, facts }, text) => {
        const before = decide(subject, facts);
        const about = {
          module: ISTIO,
          version: version(text),
          specHash: hashOfVersion(text),
          observedAt: new Date(facts.nowMs).toISOString(),
          source: "run",
        };
        const failed: Evidence = { ...about, kind: "smoke", ...ranOn(false) };
        const refused: Evidence = { ...about, kind: "approval", approved: false, by: "octocat" };
        const freezes = [{ from: instant(0), until: instant(1000), reason: "audit" }];

        expectNoNewPromotion(before, decide(subject, { ...facts, evidence: [...facts.evidence, failed] }));
        expectNoNewPromotion(before, decide(subject, { ...facts, evidence: [refused, ...facts.evidence] }));
        const frozen = decide(withPolicy(subject, { ...subject.channel.promotion, freezes }), facts);
        expect(frozen.candidates.filter(({ kind }) => kind === "promote")).toEqual([]);
      }),
      RUNS,
    );
  });

  it("never makes it move, nor earlier: additional demands of a module", () => {
    fc.assert(
      fc.property(anyCase, promotion, ({ subject, facts }, override) => {
        const said: NonNullable<Subject["said"]> = {
          name: ISTIO,
          ocmComponentName: undefined,
          owners: [],
          says: { policy: { [REGULAR]: override } },
          holds: [],
          hotfixes: [],
          files: { module: undefined, holds: undefined, hotfixes: undefined },
          templates: new Map(),
        };
        const before = decide(subject, facts);
        const after = decide({ ...subject, said }, facts);

        expectNoNewPromotion(before, after);
        for (const { version, earliest } of after.candidates) {
          const was = before.candidates.find((one) => one.version === version);
          if (earliest?.kind !== "at" || was?.earliest?.kind !== "at") continue;
          expect(earliest.atMs).toBeGreaterThanOrEqual(was.earliest.atMs);
        }
      }),
      RUNS,
    );
  });
});

describe("the verdicts of several modules", () => {
  const MODULES = ["api-gateway", "istio", "keda", "telemetry"] as const;
  const several = fc.record({
    promotion,
    evidence,
    histories: fc.tuple(merges, merges, merges, merges),
    order: fc.shuffledSubarray([...MODULES], { minLength: MODULES.length }),
  });

  it("do not depend on the order in which they are decided, nor on that of the evidence", () => {
    fc.assert(
      fc.property(several, ({ promotion, evidence, histories, order }) => {
        const files = Object.fromEntries(
          MODULES.map((module) => [`channels/fast/${module}.yaml`, channelTemplate("fast", module)]),
        );
        const all = MODULES.flatMap((module) => evidence.map((one) => ({ ...one, module: module as typeof ISTIO })));
        const factsOf = (module: string, evidence: readonly Evidence[]): VerdictFacts => {
          const merges = histories[MODULES.findIndex((one) => one === module)] ?? [];
          return plainFacts(historyOf(...merges), day(30), { evidence });
        };
        const verdictsIn = (order: readonly string[], evidence: readonly Evidence[]): readonly Verdict[] =>
          subjectsIn({ promotion, files })
            .toSorted((a, b) => order.indexOf(a.module) - order.indexOf(b.module))
            .map((subject) => decide(subject, factsOf(subject.module, evidence)))
            .toSorted(
              (a, b) => MODULES.findIndex((one) => one === a.module) - MODULES.findIndex((one) => one === b.module),
            );

        expect(verdictsIn(order, all.toReversed())).toEqual(verdictsIn(MODULES, all));
      }),
      tries(20),
    );
  });
});
