import { counted } from "../../../document/counted.ts";
import type { EvidenceOf } from "../../../catalogue/evidence/evidence.ts";
import type { LandscapeName } from "../../../catalogue/names.ts";
import type { ModuleVersion } from "../../../catalogue/version.ts";
import { secondText } from "../../../document/times.ts";
import { knownEvidence, type KnownEvidence, type EvidenceQuestion } from "./known.ts";
import type { Policy } from "../policy.ts";
import type { ReplacedContent } from "./smoke.ts";
import type { Reason } from "../verdict.ts";

/** The unit of shares. A policy's ratios have four decimals of a percent, so that no fraction remains. */
const UNITS = 1_000_000;

/** How many clusters run a version, and on how many of them it is healthy. */
interface Figures {
  readonly clusters: bigint;
  readonly healthy: bigint;
}

const NO_CLUSTERS: Figures = { clusters: 0n, healthy: 0n };

/**
 * Judges whether the healthy share of the content is at most `notWorseBy` below that of the version that it replaces, in
 * each landscape where clusters run it; the worst landscape decides. If none there runs the replaced version, its figures
 * of all landscapes are the measure. Both are the newest figures, added up over all objects of a landscape; no reason
 * without a demand.
 *
 * If no cluster runs the replaced version, the new one cannot be worse, but it must run somewhere itself. Figures from
 * more than a week ago are not compared: each landscape that serves one of the two must have been observed since.
 */
export function judgeHealth(
  demand: Policy["health"],
  { replaced, landscapes }: HealthSubject,
  question: EvidenceQuestion,
): readonly Reason[] {
  if (demand === undefined) return [];
  const { module, version } = question.content;
  const own = knownEvidence("health", question);
  if (replaced === undefined) {
    const stand = own.newest.length === 0 ? "" : ` It is in order on ${figuresText(observedTotal(own.counted))}.`;
    const message = `${module} ${version} replaces nothing, so its health is not compared.${stand}`;
    return [{ topic: "health", outcome: "note", message, source: undefined }];
  }
  const before = knownEvidence("health", { ...question, content: { module, ...replaced } });
  const [newest] = own.newest;
  if (newest === undefined) return [unknown(`${module} ${version}`, own)];
  if (before.newest.length === 0)
    return [unknown(`${module} ${replaced.version}, which ${version} would replace`, before)];
  const stale = staleIn([own, before], landscapes, question);
  if (stale !== undefined) return [outdated(stale)];
  const [now, then] = [recentHealth(own, question), recentHealth(before, question)];
  if (observedTotal(now).clusters === 0n) {
    const message = `No cluster runs ${module} ${version} yet, so its health is unknown.`;
    return [{ topic: "health", outcome: "waiting", message, source: { kind: "evidence", source: newest.source } }];
  }
  const about = { topic: "health", source: { kind: "evidence", source: newest.source } } as const;
  const sides = comparedSides({ version, observed: now }, { version: replaced.version, observed: then });
  const worse = worstComparison(sides, Math.round(demand.notWorseBy * UNITS));
  if (worse !== undefined) return [{ ...about, outcome: "blocking", ...worse }];
  return [{ ...about, outcome: "met", message: metText(sides.total, demand) }];
}

/** Until when figures that meet a demand count; `Infinity` if nothing is replaced. Unix milliseconds. */
export function healthUntilMs({ replaced }: HealthSubject, question: EvidenceQuestion): number {
  if (replaced === undefined) return Number.POSITIVE_INFINITY;
  const { module } = question.content;
  const both = [question, { ...question, content: { module, ...replaced } }];
  const counted = both.flatMap((one) => recentHealth(knownEvidence("health", one), one).flat());
  return STALE_MS + Math.min(...counted.map(({ observedAt }) => Date.parse(observedAt)));
}

type Observed = KnownEvidence<"health">["counted"];

interface HealthSide {
  readonly version: ModuleVersion;
  readonly figures: Figures;
}

/** The versions that are compared, and the landscape; `undefined`: in all, or evidence that names none. */
interface Comparison {
  readonly now: HealthSide;
  readonly before: HealthSide;
  readonly landscape: LandscapeName | undefined;
}

interface Comparisons {
  readonly total: Comparison;
  readonly single: readonly Comparison[];
}

/** A comparison for each landscape where clusters run the version. */
function comparedSides(...[now, before]: readonly [ObservedSide, ObservedSide]): Comparisons {
  const comparisonIn = (
    landscape: LandscapeName | undefined,
    isHere: (one: Observed[number]) => boolean,
  ): Comparison => {
    const figures = observedTotal(before.observed.filter(isHere));
    return {
      now: { version: now.version, figures: observedTotal(now.observed.filter(isHere)) },
      before: { version: before.version, figures: figures.clusters === 0n ? observedTotal(before.observed) : figures },
      landscape,
    };
  };
  const landscapes = new Set(now.observed.map(observedLandscapeName));
  const single = [...landscapes].map((name) => comparisonIn(name, (one) => observedLandscapeName(one) === name));
  return { total: comparisonIn(undefined, () => true), single: single.filter((one) => one.now.figures.clusters > 0n) };
}

interface ObservedSide {
  readonly version: ModuleVersion;
  readonly observed: Observed;
}

function observedLandscapeName([first]: Observed[number]): LandscapeName | undefined {
  return first?.landscape;
}

/** The version that a content would replace, and the landscapes that serve one of the two. */
interface HealthSubject {
  readonly replaced?: ReplacedContent;
  readonly landscapes: readonly LandscapeName[];
}

function unknown(what: string, { passedOver }: KnownEvidence<"health">): Reason {
  const message = `Nothing is known about the health of ${what}; without it the two cannot be compared.${passedOver}`;
  const remedy = "Name an evidence file with --evidence.";
  return { topic: "health", outcome: "waiting", message, remedy, source: undefined };
}

/** An observer publishes each day. Figures that are older than this tell nothing about today. Milliseconds. */
const STALE_MS = 7 * 86_400_000;

/** The observations of each object that was observed within a week. An older object is gone, or is no longer served. */
function recentHealth({ counted: observed }: KnownEvidence<"health">, { nowMs }: EvidenceQuestion): Observed {
  return observed.filter((own) => own.some(({ observedAt }) => nowMs - Date.parse(observedAt) <= STALE_MS));
}

/**
 * The last observation of a version that has no recent one, or of a landscape that has none of either version. Former
 * landscapes do not count: they cannot be observed.
 */
function staleIn(
  versions: readonly KnownEvidence<"health">[],
  landscapes: readonly LandscapeName[],
  question: EvidenceQuestion,
): EvidenceOf<"health"> | undefined {
  const silent = versions.find((one) => recentHealth(one, question).length === 0);
  if (silent !== undefined) return silent.newest[0];
  const recent = new Set(
    versions.flatMap((one) => recentHealth(one, question).flat()).map(({ landscape }) => landscape),
  );
  return versions
    .flatMap(({ counted: observed }) => observed.flat())
    .toSorted((a, b) => Date.parse(b.observedAt) - Date.parse(a.observedAt))
    .find(({ landscape }) => landscape !== undefined && landscapes.includes(landscape) && !recent.has(landscape));
}

function outdated({ module, version, landscape, observedAt, source }: EvidenceOf<"health">): Reason {
  const place = landscape === undefined ? "" : ` in ${landscape}`;
  const message = `The health of ${module} ${version}${place} was last observed at ${secondText(Date.parse(observedAt))}, more than 7 days ago.`;
  const command = `kyma-modules observe${landscape === undefined ? "" : ` ${landscape}`} --publish`;
  const remedy = `Find out why it is not observed any more, or observe it again: ${command}.`;
  return { topic: "health", outcome: "waiting", message, remedy, source: { kind: "evidence", source } };
}

/** The greatest loss above `allowed` units, as a reason; `undefined` if there is none. */
function worstComparison({ single }: Comparisons, allowed: number): Pick<Reason, "message" | "remedy"> | undefined {
  const [worst] = single
    .map((one) => ({ one, lost: unitsLost(one) }))
    .filter(({ lost }) => lost > allowed)
    .toSorted((a, b) => b.lost - a.lost);
  if (worst === undefined) return undefined;
  const { now, before, landscape } = worst.one;
  const place = landscape === undefined ? "" : `In ${landscape}, `;
  return {
    message: `${place}${standText(now, before, allowed)}, and falls by ${pointsText(worst.lost)}.`,
    remedy: `Find out what is wrong on these clusters. If it is the version, hold it and release a repaired one; newer figures count at once.`,
  };
}

/**
 * By how many units the share falls; 0 if no cluster runs the replaced version. Rounded up, so that too great a loss is
 * never shown as acceptable.
 */
function unitsLost({ now, before }: Pick<Comparison, "now" | "before">): number {
  if (before.figures.clusters === 0n) return 0;
  // As a fraction `loss / scale`: a common denominator avoids rounding.
  const difference = before.figures.healthy * now.figures.clusters - now.figures.healthy * before.figures.clusters;
  const [loss, scale] = [difference * BigInt(UNITS), now.figures.clusters * before.figures.clusters];
  return loss <= 0n ? 0 : Number((loss + scale - 1n) / scale);
}

function metText({ now, before }: Comparison, { notWorseBy }: NonNullable<Policy["health"]>): string {
  if (before.figures.clusters === 0n)
    return `${now.version} is in order on ${figuresText(now.figures)}; no cluster runs ${before.version}, which it would replace.`;
  return `${standText(now, before, Math.round(notWorseBy * UNITS))}.`;
}

function standText(now: HealthSide, before: HealthSide, allowed: number): string {
  return `${now.version} is in order on ${figuresText(now.figures)}, ${before.version} on ${figuresText(before.figures)}; the share may fall by ${pointsText(allowed)}`;
}

function observedTotal(observed: Observed): Figures {
  return observed
    .map((observations): Figures => {
      // The fewest healthy and the most unhealthy clusters among observations of one moment.
      const healthy = observations.map((one) => one.healthy).reduce((a, b) => Math.min(a, b));
      const unhealthy = observations.map((one) => one.clusters - one.healthy).reduce((a, b) => Math.max(a, b));
      return { healthy: BigInt(healthy), clusters: BigInt(healthy) + BigInt(unhealthy) };
    })
    .reduce((a, b) => ({ clusters: a.clusters + b.clusters, healthy: a.healthy + b.healthy }), NO_CLUSTERS);
}

/** `96 of 100 clusters (96%)`; the share is rounded down, so that only all of them are 100%. */
function figuresText({ clusters, healthy }: Figures): string {
  const text = `${String(healthy)} of ${counted(Number(clusters), "cluster")}`;
  if (clusters === 0n) return text;
  return `${text} (${String(Number((healthy * BigInt(UNITS)) / clusters) / (UNITS / 100))}%)`;
}

function pointsText(units: number): string {
  return counted(units / (UNITS / 100), "percentage point");
}
