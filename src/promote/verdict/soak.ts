import type { Level } from "../../catalogue/policy.ts";
import { fitsVersions, versionLine } from "../../catalogue/steps.ts";
import type { ModuleVersion } from "../../catalogue/version.ts";
import { locate } from "../../document/yaml/read.ts";
import { running } from "./clocks.ts";

import type { HeldPeriod } from "./holding.ts";
import { lengthBefore, reachedAt, type Interval, type Service } from "./interval.ts";
import type { Policy } from "./policy.ts";
import type { Subject } from "./subject.ts";
import { demandText, durationText, instantText } from "../../document/times.ts";
import type { Reason } from "./verdict.ts";

/** A soak clock of a step: for its version, or for a line that the version belongs to. */
interface StepClock {
  readonly level: Level;
  /** The version or line that must be served, for people. */
  readonly what: string;
  /** Whether the clock runs while a version is served. */
  readonly counts: (version: ModuleVersion) => boolean;
}

/** Judges the soak clocks of a step; one reason for each clock that the policy demands. */
export function judgeSoak(
  subject: Subject,
  step: { readonly version: ModuleVersion; readonly level: Level; readonly policy: Policy },
  { services, held }: { readonly services: readonly Service[]; readonly held: readonly HeldPeriod[] },
  nowMs: number,
): readonly Reason[] {
  return soakDemands(subject, step).map((demand) => {
    const intervals = running(services, held, demand.counts);
    const ran = durationText(lengthBefore(intervals, nowMs));
    const metAtMs = reachedAt(intervals, demand.needMs);
    const { followed, channel } = subject;
    // The first line of the channel file if only the module demands it.
    const { line } = locate(channel.file, ["promotion", "soak", demand.level]);
    const source = { kind: "file", file: channel.file.path, line } as const;
    const stand = `${followed.name} served ${demand.what} for ${ran} of ${demandText(demand.needMs)} (soak of ${demand.level})`;
    const topic = "soak";
    if (metAtMs !== undefined && metAtMs <= nowMs)
      return { topic, outcome: "met", message: `${stand}.`, metAtMs, source };
    if (metAtMs !== undefined) {
      const message = `${stand}${beginText(intervals, nowMs)}, until ${instantText(metAtMs)}.`;
      return { topic, outcome: "waiting", message, metAtMs, source };
    }
    return {
      topic,
      outcome: "blocking",
      message: `${stand}, and its clock is stopped.`,
      source,
      ...soakRemedy(subject, step.version, demand, services),
    };
  });
}

/**
 * How to make a clock run again whose version or line is not served now, or is held. If the version itself is held,
 * that is a reason of its own, with its own remedy.
 */
function soakRemedy(
  { followed }: Subject,
  version: ModuleVersion,
  { what, counts }: StepClock,
  services: readonly Service[],
): Pick<Reason, "remedy"> {
  const served = services.find((one) => one.endMs === Number.POSITIVE_INFINITY && counts(one.version));
  if (served?.version === version) return {};
  const when =
    served === undefined
      ? `when ${followed.name} serves ${what} again and it is not held`
      : `once ${served.version} is no longer held`;
  return { remedy: `The clock of ${what} continues ${when}. Or release a newer version.` };
}

/** When a stopped clock starts: a hold must end, or the waves must reach the last landscape. */
function beginText(intervals: readonly Interval[], nowMs: number): string {
  if (intervals.some(({ startMs, endMs }) => startMs <= nowMs && nowMs < endMs)) return "";
  const beginMs = Math.min(...intervals.map(({ startMs }) => startMs).filter((startMs) => startMs > nowMs));
  return `; the clock runs from ${instantText(beginMs)}, when the last landscape can serve it and it is not held`;
}

const ORDER: readonly Level[] = ["patch", "minor", "major"];

function soakDemands(
  subject: Subject,
  { version, level, policy }: { readonly version: ModuleVersion; readonly level: Level; readonly policy: Policy },
): readonly (StepClock & { readonly needMs: number })[] {
  return stepClocks(subject, version, level)
    .map((clock) => ({ ...clock, needMs: policy.soakMs[clock.level] }))
    .filter(({ needMs }) => needMs > 0);
}

/** The clocks of a step of `level` to `version`, one for each level up to it. */
export function stepClocks({ channel }: Subject, version: ModuleVersion, level: Level): readonly StepClock[] {
  const isIt = (other: ModuleVersion): boolean => other === version;
  const inLine = (line: "minor" | "major"): StepClock["counts"] => {
    const own = versionLine(version, line);
    return (other) => versionLine(other, line) === own && fitsVersions(channel.versions, other);
  };
  const clocks: Readonly<Record<Level, Omit<StepClock, "level">>> = {
    first: { what: version, counts: isIt },
    patch: { what: version, counts: isIt },
    minor: { what: `the line ${versionLine(version, "minor")}`, counts: inLine("minor") },
    major: { what: `the line ${versionLine(version, "major")}`, counts: inLine("major") },
  };
  const levels = level === "first" ? [level] : ORDER.slice(0, ORDER.indexOf(level) + 1);
  return levels.map((each) => ({ level: each, ...clocks[each] }));
}
