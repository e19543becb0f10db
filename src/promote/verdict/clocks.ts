import type { Channel } from "../../catalogue/catalogue.ts";
import type { Evidence } from "../../catalogue/evidence.ts";
import type { Level } from "../../catalogue/policy.ts";
import { lineOf } from "../../catalogue/steps.ts";
import { compareVersions, type ModuleVersion } from "../../catalogue/version.ts";
import { servedSince } from "./evidence.ts";
import type { ModuleHistory, ServedState } from "./history.ts";
import type { HeldPeriod } from "./holding.ts";
import { without, type Interval } from "./interval.ts";
import { statesOf, type Subject } from "./subject.ts";
import { shiftOf, type Shift } from "./waves.ts";

/** A time in which the followed channel served one version on all of its landscapes; the last one has no end. */
export interface Service extends Interval {
  readonly version: ModuleVersion;
}

/**
 * What the followed channel served when, oldest first, as seen from its last landscape. Times do not overlap, and what
 * was replaced before it reached the last landscape has no length.
 */
export function servicesOf(
  subject: Subject,
  history: ModuleHistory,
  evidence: readonly Evidence[],
  nowMs: number,
): readonly Service[] {
  const states = statesOf(history, subject.followed.name);
  const shift = shiftOf(subject.followed, subject.landscapes);
  const seen = Map.groupBy(evidence.filter(isServed(subject)), ({ version }) => version);
  const hotfixes = hotfixesOf(subject.followed, history);
  let before: ModuleVersion | undefined;
  const arrivals = states.map((state): number => {
    const shiftMs = shiftFor(state, before, { shift, hotfixes });
    before = state.version ?? before;
    return seenOn(subject, state, seen, nowMs) ?? state.revision.atMs + shiftMs;
  });
  // Whatever comes after it ends it, however late it was to come itself.
  let endMs = Number.POSITIVE_INFINITY;
  const ends = arrivals.toReversed().map((arrival) => {
    const end = Math.max(arrival, endMs);
    endMs = Math.min(endMs, arrival);
    return end;
  });
  return states.flatMap(({ version }, index): Service[] =>
    version === undefined
      ? []
      : [{ version, startMs: Number(arrivals[index]), endMs: Number(ends[states.length - 1 - index]) }],
  );
}

function isServed({ module }: Subject): (one: Evidence) => boolean {
  return (one) => one.kind === "served" && one.module === module;
}

function hotfixesOf({ name }: Channel, { hotfixes }: ModuleHistory): ReadonlySet<ModuleVersion> {
  return new Set(hotfixes.filter(({ entry }) => entry.channel === name).map(({ entry }) => entry.version));
}

/** When every landscape of the channel was seen to serve the content; never before its merge. */
function seenOn(
  { module, followed }: Subject,
  { version, revision, hash }: ServedState,
  seen: ReadonlyMap<string, readonly Evidence[]>,
  nowMs: number,
): number | undefined {
  if (version === undefined) return undefined;
  // What was seen of an earlier time in the channel says nothing of this one.
  const own = (seen.get(version) ?? []).filter(({ observedAt }) => Date.parse(observedAt) >= revision.atMs);
  if (own.length === 0) return undefined;
  return servedSince(own, { module, version, specHash: hash() }, followed.landscapes, nowMs);
}

/** A withdrawal goes everywhere at once, and a declared hot-fix sooner than the rest. */
function shiftFor(
  { version }: ServedState,
  before: ModuleVersion | undefined,
  { shift, hotfixes }: { readonly shift: Shift; readonly hotfixes: ReadonlySet<ModuleVersion> },
): number {
  if (version === undefined || (before !== undefined && compareVersions(before, version) > 0)) return 0;
  return hotfixes.has(version) ? shift.hotfixMs : shift.ms;
}

/** When the clock of the versions that `counts` accepts runs: it stands while a version is held. */
export function running(
  services: readonly Service[],
  held: readonly HeldPeriod[],
  counts: (version: ModuleVersion) => boolean,
): readonly Interval[] {
  const holes = Map.groupBy(held, ({ version }) => version);
  return services
    .filter(({ version }) => counts(version))
    .flatMap((service) => without(service, meeting(holes.get(service.version) ?? [], service)));
}

/** Those that cut something off: of a version that came and went a thousand times each hole meets one service. */
function meeting(holes: readonly HeldPeriod[], { startMs, endMs }: Service): readonly HeldPeriod[] {
  return holes.filter((hole) => hole.startMs < endMs && hole.endMs > startMs);
}

/**
 * Finds those of `values` that the clocks of a step are about: of its version, or of the line that its level names.
 * Asked once a candidate; to look at all of them each time would take as long as the number of candidates is, squared.
 */
export function byLine<Value extends { readonly version: ModuleVersion }>(
  values: readonly Value[],
): (version: ModuleVersion, level: Level) => readonly Value[] {
  const known = new Map<Level, ReadonlyMap<string, readonly Value[]>>();
  return (version, level) => {
    const lines = known.get(level) ?? Map.groupBy(values, (value) => lineAt(value.version, level));
    known.set(level, lines);
    return lines.get(lineAt(version, level)) ?? [];
  };
}

function lineAt(version: ModuleVersion, level: Level): string {
  return level === "minor" || level === "major" ? lineOf(version, level) : version;
}
