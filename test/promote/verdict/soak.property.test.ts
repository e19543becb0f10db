import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Level } from "../../../src/catalogue/policy.ts";
import { compareVersions } from "../../../src/catalogue/version.ts";
import { decide } from "../../../src/promote/verdict/decide.ts";
import type { Verdict } from "../../../src/promote/verdict/verdict.ts";
import { anyVersion, orderedMerges, VERSIONS } from "./histories.ts";
import { hourOf, hoursOf, type Hours } from "./hours.ts";
import { day, historyOf, type Merge, plainFacts, subjectOf, version } from "./timeline.ts";
import { tries } from "../../support/tries.ts";

/** Hours of each level. */
type Needed = Readonly<Record<Level, number>>;

const needed: fc.Arbitrary<Needed> = fc.record({
  first: fc.integer({ min: 0, max: 48 }),
  patch: fc.integer({ min: 0, max: 48 }),
  minor: fc.integer({ min: 0, max: 120 }),
  major: fc.integer({ min: 0, max: 240 }),
});

function decideAt(hour: number, merges: readonly Merge[], { first, patch, minor, major }: Needed): Verdict {
  const soak = { first: `${first}h`, patch: `${patch}h`, minor: `${minor}h`, major: `${major}h` };
  const facts = plainFacts(historyOf(...merges), day(hour / 24));
  return decide(subjectOf({ promotion: { soak }, versions: "any" }), facts);
}

const lastHour = (merges: readonly Merge[]): number => Math.max(...merges.map(hourOf));
const above = (a: string, b: string): boolean => compareVersions(version(a), version(b)) > 0;
const line = (text: string, parts: number): string => text.split(".").slice(0, parts).join(".");

/** The states of a channel, in order. */
function servedIn(channel: "fast" | "regular", merges: readonly Merge[]): readonly (string | null)[] {
  return merges.flatMap((merge) => (merge[channel] === undefined ? [] : [merge[channel]]));
}

/** The level of a step, from the definition. */
function levelOf(text: string, merges: readonly Merge[]): Level {
  const ever = servedIn("regular", merges);
  const highest = ever.filter((one) => one !== null).sort((a, b) => (above(a, b) ? -1 : 1))[0];
  const from = ever.at(-1) ?? highest;
  if (from === undefined) return "first";
  if (line(from, 1) !== line(text, 1)) return "major";
  return line(from, 2) === line(text, 2) ? "patch" : "minor";
}

function hasSoaked(text: string, hour: number, { served }: Hours, merges: readonly Merge[], needed: Needed): boolean {
  const own = served((other) => other === text, hour);
  const level = levelOf(text, merges);
  if (level === "first") return own >= needed.first;
  const minor = served((other) => line(other, 2) === line(text, 2), hour) >= needed.minor;
  const major = served((other) => line(other, 1) === line(text, 1), hour) >= needed.major;
  return own >= needed.patch && (level === "patch" || minor) && (level !== "major" || major);
}

function isCandidate(text: string, merges: readonly Merge[]): boolean {
  const [fast, regular] = [servedIn("fast", merges), servedIn("regular", merges)];
  const [top, current] = [fast.at(-1), regular.at(-1)];
  if (typeof top !== "string" || !fast.includes(text) || above(text, top)) return false;
  return (
    text !== current &&
    !regular.some((one) => one !== null && above(one, text)) &&
    (typeof current !== "string" || above(text, current))
  );
}

/** Whether a hot-fix of regular blocks it: merged before it, and not listed. */
function isUnfixed(text: string, merges: readonly Merge[]): boolean {
  const first = merges.findIndex(({ fast }) => fast === text);
  return merges.some(({ hotfix }, index) => {
    if (hotfix === undefined || hotfix.version === text || index <= first) return false;
    return !hotfix.alsoFixedIn?.some((one) => line(one, 2) === line(text, 2) && !above(one, text));
  });
}

describe("soak, of any history", () => {
  it("equals a count hour by hour, as do all other conditions", () => {
    fc.assert(
      fc.property(orderedMerges, needed, fc.integer({ min: 0, max: 200 }), (merges, needed, later) => {
        const hour = lastHour(merges) + later;
        const hours = hoursOf(merges);
        const mayMove = VERSIONS.filter(
          (text) =>
            isCandidate(text, merges) &&
            !hours.isHeld(text, hour) &&
            !isUnfixed(text, merges) &&
            hasSoaked(text, hour, hours, merges, needed),
        );
        const { candidates } = decideAt(hour, merges, needed);

        expect(candidates.map((one) => one.version).toSorted()).toEqual(
          VERSIONS.filter((text) => isCandidate(text, merges)).toSorted(),
        );
        expect(candidates.flatMap(({ kind, version }) => (kind === "promote" ? [version] : [])).toSorted()).toEqual(
          mayMove.toSorted(),
        );
      }),
      tries(100),
    );
  });

  it("does not change once the followed channel serves another version", () => {
    fc.assert(
      fc.property(
        orderedMerges,
        anyVersion,
        needed,
        fc.integer({ min: 0, max: 5000 }),
        (before, other, needed, later) => {
          const merges = [...before, { at: lastHour(before) / 24, fast: other }];
          const hours = hoursOf(merges);
          const { candidates } = decideAt(lastHour(merges) + later, merges, needed);
          for (const { version, kind, level } of candidates) {
            if (version === other || level === "first") continue;
            const own = hours.served((text) => text === version, lastHour(merges));
            if (own < needed.patch) expect(kind).toBe("blocked");
          }
        },
      ),
      tries(50),
    );
  });
});
