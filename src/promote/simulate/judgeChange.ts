import type { ModuleVersion } from "../../catalogue/version.ts";
import { isCandidate } from "../verdict/candidates.ts";
import { assessAlone } from "../verdict/decide.ts";
import { statesOf } from "../verdict/subject.ts";
import type { Assessment } from "../verdict/verdict.ts";
import { firstServed, type Change } from "./changes.ts";
import type { Moment } from "./moments.ts";
import { factsAt, nextWake, type Scene } from "./policyRun.ts";
import { neverMet, unmet } from "./reasons.ts";
import type { JudgedChange, Judgement } from "./simulation.ts";

/** What the policy says of every change that happened while it was replayed; nothing of one that nobody can date. */
export function judgeChanges(scene: Scene): readonly JudgedChange[] {
  const begin = scene.moments[0]?.atMs ?? 0;
  const [{ changes }, first] = [scene, firstServed(statesOf(scene.history, scene.subject.followed.name))];
  return changes.flatMap((change, place): JudgedChange[] => {
    const { revision, to, how, undated } = change;
    if (revision.atMs < begin) return [];
    const since = to && first.get(to);
    if (how.kind !== "promotion" || undated !== undefined || to === undefined || since === undefined)
      return [{ ...change, judgement: undefined }];
    const promotion = { to, change, sinceIndex: since.index, overIndex: changes[place + 1]?.revision.index };
    return [{ ...change, judgement: judge(scene, promotion) }];
  });
}

interface Promoted {
  readonly to: ModuleVersion;
  readonly change: Change;
  /** The revision by which the followed channel first served it. */
  readonly sinceIndex: number;
  /** The revision by which the channel moved on; `undefined`: it did not. */
  readonly overIndex: number | undefined;
}

function judge(scene: Scene, promoted: Promoted): Judgement {
  const { index, atMs } = promoted.change.revision;
  const then = assess(scene, promoted, { index, atMs });
  const { foundMs, last } = firstAllowed(scene, promoted);
  if (then?.kind === "promote") return { kind: "allowed", allowedAtMs: Math.min(foundMs ?? atMs, atMs), reasons: [] };
  if (foundMs === undefined) return { kind: "never", allowedAtMs: undefined, reasons: whyNever(then, last) };
  return { kind: foundMs < atMs ? "closed" : "early", allowedAtMs: foundMs, reasons: whyNot(then) };
}

/** What is said of the version at a moment, had the channel not taken it yet. */
function assess(scene: Scene, { to, change }: Promoted, moment: Moment): Assessment | undefined {
  const own = statesOf(scene.history, scene.subject.channel.name).filter(
    ({ revision }) => revision.index <= moment.index && revision.index < change.revision.index,
  );
  const facts = factsAt(scene, own, moment);
  return isCandidate(scene.subject, facts.history, to) ? assessAlone(to, scene.subject, facts) : undefined;
}

/**
 * The first instant at which the version may be served. Once the channel went on to another one, it is looked for only
 * as long as nothing but clocks stands between: whether somebody would have decided then is idle.
 */
function firstAllowed(scene: Scene, promoted: Promoted): Search {
  const { moments, untilMs } = scene;
  const { sinceIndex, overIndex = Number.POSITIVE_INFINITY } = promoted;
  let last: Assessment | undefined;
  for (const [place, moment] of moments.entries()) {
    if (moment.index < sinceIndex) continue;
    const search = searchFrom(scene, promoted, moment, moments[place + 1]?.atMs ?? untilMs + 1);
    if (search.foundMs !== undefined) return search;
    last = search.last;
    if (moment.index >= overIndex && clockOf(last) === undefined) break;
  }
  return { foundMs: clockOf(last), last };
}

/** When the version may move for the first time, and what was last said of it. */
interface Search {
  readonly foundMs: number | undefined;
  readonly last: Assessment | undefined;
}

/** Looks from one moment to the next, as often as something may become ready by itself. */
function searchFrom(scene: Scene, promoted: Promoted, { index, atMs }: Moment, endMs: number): Search {
  let last: Assessment | undefined;
  for (let nowMs: number | undefined = atMs; nowMs !== undefined; nowMs = last && nextWake([last], nowMs, endMs)) {
    last = assess(scene, promoted, { index, atMs: nowMs });
    if (last?.kind === "promote") return { foundMs: nowMs, last };
  }
  return { foundMs: undefined, last };
}

/** When it is ready, if only clocks stand between. */
function clockOf(assessment: Assessment | undefined): number | undefined {
  return assessment?.earliest?.kind === "at" ? assessment.earliest.atMs : undefined;
}

const NO_CANDIDATE =
  "It was no candidate: the followed channel served less then, or the channel does not take such versions.";

function whyNot(assessment: Assessment | undefined): readonly string[] {
  return assessment === undefined ? [NO_CANDIDATE] : unmet(assessment.reasons);
}

function whyNever(then: Assessment | undefined, last: Assessment | undefined): readonly string[] {
  const reasons = neverMet(then?.reasons ?? [], last?.reasons ?? []);
  return then === undefined ? [NO_CANDIDATE, ...reasons] : reasons;
}
