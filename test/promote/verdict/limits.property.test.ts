import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Evidence } from "../../../src/catalogue/evidence/evidence.ts";
import type { PromotionFile } from "../../../src/catalogue/policy.ts";
import type { Contender } from "../../../src/promote/verdict/contender.ts";
import { decide } from "../../../src/promote/verdict/decide.ts";
import { limit } from "../../../src/promote/verdict/limits.ts";
import { promotionPolicy } from "../../../src/promote/verdict/policy.ts";
import type { Subject } from "../../../src/promote/verdict/subject.ts";
import { soonestMs } from "../../../src/promote/verdict/verdict.ts";
import { tries } from "../../support/tries.ts";
import { defined, evidence, maybe, merges, promotion } from "./histories.ts";
import {
  REGULAR,
  day,
  hashOfVersion,
  historyOf,
  instant,
  plainFacts,
  subjectsIn,
  version,
  type Merge,
} from "./timeline.ts";
import { channelTemplate } from "../../catalogue/repository.ts";

const MODULES = ["api-gateway", "istio", "keda", "telemetry"] as const;
type Module = (typeof MODULES)[number];

/** The modules of a channel with limits, and all that is known about them. */
interface Channel {
  readonly subjects: readonly Subject[];
  readonly evidence: readonly Evidence[];
  readonly nowMs: number;
  readonly merges: Readonly<Record<Module, readonly Merge[]>>;
}

const windows = fc.constantFrom(
  [{ opens: "0 8 * * 1-4", for: "8h", timeZone: "Europe/Berlin" }],
  [{ opens: "0 8 * * *", for: "8h", timeZone: "UTC" }],
  [{ opens: "30 12 * * *", for: "30m", timeZone: "UTC" }],
);
/** Fast climbs, and regular is behind. */
const climbs: fc.Arbitrary<readonly Merge[]> = fc
  .record({
    hours: fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 4 }),
    hold: maybe(fc.integer({ min: 1, max: 30 }), 5),
  })
  .map(({ hours, hold }) => {
    const at = hours.map((_, index) => hours.slice(0, index + 1).reduce((sum, one) => sum + one, 0) / 24);
    const steps = at.map((one, index) => ({ at: one, fast: ["1.0.1", "1.1.0", "1.1.1", "1.2.0"][index] ?? "" }));
    const held = hold === undefined ? [] : [{ at: at[0] ?? 0, hold: { version: "1.0.1", until: instant(hold) } }];
    return [{ at: 0, fast: "1.0.0", regular: "1.0.0" }, ...steps.slice(0, 1), ...held, ...steps.slice(1)];
  });
const lives = fc.oneof({ weight: 1, arbitrary: merges }, { weight: 3, arbitrary: climbs });

/** Figures of both versions of an upgrade, that get old at some time. */
const figures: fc.Arbitrary<readonly Evidence[]> = fc
  .record({ days: fc.integer({ min: 0, max: 12 }), healthy: fc.constantFrom(9, 10, 10) })
  .map(({ days, healthy }) =>
    ["1.0.0", "1.0.1", "1.1.0", "1.2.0"].map((text) => ({
      kind: "health" as const,
      module: "istio" as never,
      version: version(text),
      specHash: hashOfVersion(text),
      observedAt: instant(days),
      source: "observer",
      clusters: 10,
      healthy,
    })),
  );
const together = fc.constantFrom([["istio", "keda"]], [["istio", "keda", "telemetry"]], undefined);
const soaks = fc
  .record({ patch: fc.integer({ min: 0, max: 60 }), minor: fc.integer({ min: 0, max: 150 }) })
  .map(({ patch, minor }) => ({ patch: `${String(patch)}h`, minor: `${String(minor)}h` }));
/** Where more than time is missing, no instant is promised. */
const seldom = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: 9, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value });
const policy = fc
  .record({
    promotion,
    soak: soaks,
    windows: maybe(windows),
    health: seldom(fc.constant({ notWorseBy: "1%" })),
    needs: seldom(fc.constant(["smoke"] as const)),
  })
  .map(({ promotion: { freezes }, soak, ...more }): PromotionFile => ({ soak, ...defined({ freezes, ...more }) }));

const SUBJECTS = subjectsIn({
  files: Object.fromEntries(MODULES.map((one) => [`channels/fast/${one}.yaml`, channelTemplate("fast", one)])),
});

const channels: fc.Arbitrary<Channel> = fc
  .record({
    policy,
    limits: fc.record({ perWindow: maybe(fc.integer({ min: 1, max: 3 }), 4), together }).map(defined),
    own: fc.tuple(...MODULES.map(() => maybe(policy, 2))),
    histories: fc.tuple(lives, lives, lives, lives),
    evidence: fc.tuple(evidence, maybe(figures, 2)),
    later: fc.integer({ min: 0, max: 24 * 3 }),
  })
  .map(({ policy, limits, own, histories, evidence: [tests, observed = []], later }) => {
    const subjects = SUBJECTS.map((subject): Subject => {
      const override = own[MODULES.indexOf(subject.module as never)];
      const channel = { ...subject.channel, promotion: { ...policy, limits } };
      return { ...subject, channel, said: override && saidWith(subject.module, override) };
    });
    const last = Math.max(...histories.flat().map(({ at }) => at));
    const nowMs = day(last + later / 24);
    // Later observations would change the picture.
    const known = [...tests, ...observed].filter(({ observedAt }) => Date.parse(observedAt) <= nowMs);
    return {
      subjects,
      evidence: known.flatMap((one) => MODULES.map((module) => ({ ...one, module: module as never }))),
      nowMs,
      merges: Object.fromEntries(MODULES.map((one, index) => [one, histories[index] ?? []])) as never,
    };
  });

function saidWith(name: Subject["module"], override: PromotionFile): NonNullable<Subject["said"]> {
  return {
    name,
    ocmComponentName: undefined,
    owners: [],
    says: { policy: { [REGULAR]: override } },
    holds: [],
    hotfixes: [],
    files: { module: undefined, holds: undefined, hotfixes: undefined },
    templates: new Map(),
  };
}

/** The contenders at an instant, if these are the merges until then. */
function contendersAt({ subjects, evidence }: Channel, merges: Channel["merges"], nowMs: number): readonly Contender[] {
  const histories = new Map(MODULES.map((one) => [one as string, historyOf(...merges[one])]));
  const contenders = subjects.map((subject) => {
    const history = histories.get(subject.module) ?? historyOf();
    return { subject, verdict: decide(subject, plainFacts(history, nowMs, { evidence })) };
  });
  return limit(contenders, { histories: () => [...histories.values()], isModule: () => true, nowMs });
}

const kindOf = (contenders: readonly Contender[], { verdict }: Contender, text: string): string | undefined =>
  contenders
    .find((one) => one.verdict.module === verdict.module)
    ?.verdict.candidates.find(({ version }) => version === text)?.kind;

const RUNS = tries(30);

describe("the earliest instant of a candidate, with limits, groups, freezes and policies of modules", () => {
  it("is the first second at which it is promoted, if nothing else happens", () => {
    fc.assert(
      fc.property(channels, (channel) => {
        for (const contender of contendersAt(channel, channel.merges, channel.nowMs))
          for (const { version, earliest } of contender.verdict.candidates) {
            if (earliest?.kind !== "at") continue;
            const kindAt = (atMs: number): string | undefined =>
              kindOf(contendersAt(channel, channel.merges, atMs), contender, version);
            expect([earliest.atMs % 1000, earliest.atMs > channel.nowMs]).toEqual([0, true]);
            expect(kindAt(earliest.atMs)).toBe("promote");
            if (earliest.atMs - 1000 >= channel.nowMs) expect(kindAt(earliest.atMs - 1000)).not.toBe("promote");
          }
      }),
      RUNS,
    );
  });

  it("is never too late, where more than time is missing", () => {
    fc.assert(
      fc.property(channels, fc.integer({ min: 0, max: 400 }), (channel, hours) => {
        const thenMs = channel.nowMs + hours * 3_600_000;
        const then = contendersAt(channel, channel.merges, thenMs);
        for (const contender of contendersAt(channel, channel.merges, channel.nowMs))
          for (const { version, earliest } of contender.verdict.candidates)
            if (earliest?.kind === "not-before" && thenMs < earliest.notBeforeMs)
              expect(kindOf(then, contender, version)).not.toBe("promote");
      }),
      RUNS,
    );
  });

  it("comes true while everything else is promoted as soon as it may be", () => {
    fc.assert(
      fc.property(channels, (channel) => {
        const promised = contendersAt(channel, channel.merges, channel.nowMs).flatMap((contender) => {
          const earliest = contender.verdict.chosen?.earliest;
          return earliest?.kind === "at" ? [{ contender, atMs: earliest.atMs }] : [];
        });
        const merges = { ...channel.merges };
        let nowMs = channel.nowMs;
        for (let wakes = 0; wakes < 12; wakes++) {
          const contenders = contendersAt(channel, merges, nowMs);
          for (const { contender, atMs } of promised)
            if (atMs === nowMs) {
              const now = contenders.find((one) => one.verdict.module === contender.verdict.module);
              expect(now?.verdict.kind).toBe("promote");
            }
          for (const { verdict } of contenders) {
            if (verdict.kind !== "promote" || verdict.chosen === undefined) continue;
            const merge = { at: (nowMs - day(0)) / 86_400_000, regular: verdict.chosen.version };
            merges[verdict.module as Module] = [...merges[verdict.module as Module], merge];
          }
          const next = [
            ...promised.map(({ atMs }) => atMs),
            ...contenders.flatMap(({ verdict }) => verdict.candidates.map(({ earliest }) => soonestMs(earliest))),
          ].filter((ms) => ms > nowMs);
          if (next.length === 0 || !Number.isFinite(Math.min(...next))) return;
          nowMs = Math.min(...next);
        }
      }),
      RUNS,
    );
  });

  it("is often known in these channels, with a limit, a group and a calendar, so that the tests are meaningful", () => {
    const known = fc.sample(channels, { numRuns: 150, seed: 7 }).flatMap((channel) => {
      const { limits } = channel.subjects[0]?.channel.promotion ?? {};
      const exact = contendersAt(channel, channel.merges, channel.nowMs).filter(
        ({ verdict }) => verdict.chosen?.earliest?.kind === "at",
      );
      return exact.map(({ subject }) => {
        const { windowSets } = promotionPolicy(
          subject.channel.promotion,
          subject.said?.says.policy?.[REGULAR],
        ).calendar;
        return [limits?.perWindow !== undefined, limits?.together !== undefined, windowSets.length > 1];
      });
    });
    for (const kind of [0, 1, 2]) expect(known.filter((one) => one[kind]).length).toBeGreaterThan(3);
  });
});
