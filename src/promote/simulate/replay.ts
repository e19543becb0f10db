import type { Evidence } from "../../catalogue/evidence/evidence.ts";
import type { Hotfix } from "../../catalogue/policy.ts";
import { fitsVersions, stepLevel } from "../../catalogue/steps.ts";
import { compareVersions, type ModuleVersion } from "../../catalogue/version.ts";
import { isCandidate } from "../verdict/candidates.ts";
import { Services } from "../verdict/clocks.ts";
import { assessAlone } from "../verdict/decide.ts";
import type { DeclaredEntry, ModuleHistory, ServedState } from "../../catalogue/history/history.ts";
import { subjectStates, type Subject } from "../verdict/subject.ts";
import { instantText } from "../../document/times.ts";
import { type Assessment, isUnmet, type Reason, sentence } from "../verdict/verdict.ts";
import { type PromotionChange, promotionChanges, firstServed } from "./changes.ts";
import { type Moment, replayMoments } from "./moments.ts";
import { factsAt, nextWake, type PolicyRun, runPolicy, type Scene } from "./policyRun.ts";
import type { JudgedChange, PolicyJudgement, ModuleReplay, PassedOver, PolicyPromotion, Span } from "./simulation.ts";
import type { ReplayInput } from "./replayInput.ts";

/** Unix milliseconds. */
export interface Period {
  readonly fromMs: number;
  readonly untilMs: number;
}

/** Replays one module in one following channel. `evidence` is that of the module. */
export function replay(
  subject: Subject,
  { modules, gaps }: ReplayInput,
  evidence: readonly Evidence[],
  period: Period,
): ModuleReplay {
  const { module, channel, followed } = subject;
  const real = modules.get(module) ?? { served: new Map(), holds: [], hotfixes: [] };
  const changes = promotionChanges(real, { channel: channel.name, followed: followed.name }, gaps);
  const history = { ...real, hotfixes: [...real.hotfixes, ...undeclared(subject, changes)] };
  const moments = replayMoments(subject, history, evidence, period);
  const services = new Services(subject, history, evidence);
  const scene: Scene = { subject, history, evidence, services, changes, moments, untilMs: period.untilMs };
  const run = runPolicy(scene);
  const [own, ahead] = [subjectStates(history, channel.name), subjectStates(history, followed.name)];
  return {
    module,
    channel: channel.name,
    follows: followed.name,
    changes: judgeChanges(scene),
    promotions: policyPromotions(run, ahead, own),
    passedOver: passedOverVersions(run, ahead),
    reallyPassedOver: reallyPassedOver(subject, history, period),
    spans: {
      followed: servedSpans(ahead, period),
      real: servedSpans(own, period),
      policy: servedSpans(run.states, period),
    },
  };
}

/** A hot-fix counts even if no one declared it: the next promotion would undo it. */
function undeclared({ channel }: Subject, changes: readonly PromotionChange[]): readonly DeclaredEntry<Hotfix>[] {
  return changes.flatMap(({ to: version, revision, how }) => {
    if (how.kind !== "hot-fix" || how.declared !== undefined || version === undefined) return [];
    const at = instantText(revision.atMs);
    const entry = { version, channel: channel.name, incident: "not declared", by: "unknown", at };
    return [{ entry, from: revision, to: undefined }];
  });
}

function policyPromotions(
  { promotions }: PolicyRun,
  ahead: readonly ServedState[],
  own: readonly ServedState[],
): readonly PolicyPromotion[] {
  const [first, real] = [firstServed(ahead), firstServed(own)];
  return promotions.map(({ assessment: { version, level }, from, atMs }) => ({
    from,
    to: version,
    level,
    atMs,
    leadMs: Math.max(0, atMs - (first.get(version)?.atMs ?? atMs)),
    reallyAtMs: real.get(version)?.atMs,
  }));
}

function passedOverVersions({ states, last }: PolicyRun, ahead: readonly ServedState[]): readonly PassedOver[] {
  const first = firstServed(ahead);
  const served = new Set(states.map(({ version }) => version));
  const current = states.at(-1)?.version;
  return [...last.values()]
    .filter(({ assessment: { version } }) => !served.has(version))
    .map(({ assessment: { version, level, reasons }, block }) => {
      const isBehind = current !== undefined && compareVersions(version, current) < 0;
      const isStuck = reasons.some(({ outcome }) => outcome === "blocking");
      const kind = block !== undefined ? "blocked" : isBehind || isStuck ? "overtaken" : "waiting";
      const sinceMs = Number(first.get(version)?.atMs);
      return { version, level, sinceMs, blockedSinceMs: block?.startMs, kind, reasons: unmet(reasons) };
    });
}

/** Versions that came into the followed channel above the following channel's version, and never into the latter. */
function reallyPassedOver(
  { channel, followed }: Subject,
  history: ModuleHistory,
  { fromMs, untilMs }: Period,
): ModuleReplay["reallyPassedOver"] {
  const own = subjectStates(history, channel.name);
  const served = new Set(own.map(({ version }) => version));
  const arrivals = [...firstServed(subjectStates(history, followed.name))];
  return arrivals.flatMap(([version, { index, atMs }]) => {
    if (served.has(version) || atMs < fromMs || atMs > untilMs || !fitsVersions(channel.versions, version)) return [];
    const current = own.findLast(({ revision }) => revision.index <= index)?.version;
    if (current !== undefined && compareVersions(version, current) < 0) return [];
    return [{ version, level: stepLevel(current, version) }];
  });
}

/** The served versions with their periods, cut to `period`. */
function servedSpans(states: readonly ServedState[], { fromMs, untilMs }: Period): readonly Span[] {
  return states.flatMap(({ version, revision }, place) => {
    const startMs = Math.max(revision.atMs, fromMs);
    const endMs = Math.min(states[place + 1]?.revision.atMs ?? untilMs, untilMs);
    return version === undefined || endMs < startMs ? [] : [{ version, startMs, endMs }];
  });
}

/** The policy's judgement of every change in the replayed period; none for a change that cannot be dated. */
function judgeChanges(scene: Scene): readonly JudgedChange[] {
  const begin = scene.moments[0]?.atMs ?? 0;
  const [{ changes }, first] = [scene, firstServed(subjectStates(scene.history, scene.subject.followed.name))];
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

interface ReplayedPromotion {
  readonly to: ModuleVersion;
  readonly change: PromotionChange;
  /** The revision by which the followed channel first served it. */
  readonly sinceIndex: number;
  /** The revision by which the channel moved on; `undefined`: it did not. */
  readonly overIndex: number | undefined;
}

function judge(scene: Scene, promoted: ReplayedPromotion): PolicyJudgement {
  const { index, atMs } = promoted.change.revision;
  const then = assess(scene, promoted, { index, atMs });
  const { foundMs, last } = firstAllowed(scene, promoted);
  if (then?.kind === "promote") return { kind: "allowed", allowedAtMs: Math.min(foundMs ?? atMs, atMs), reasons: [] };
  if (foundMs === undefined) return { kind: "never", allowedAtMs: undefined, reasons: whyNever(then, last) };
  const reasons = then === undefined ? [NO_CANDIDATE] : unmet(then.reasons);
  return { kind: foundMs < atMs ? "closed" : "early", allowedAtMs: foundMs, reasons };
}

/** The assessment of the version at a moment, if the channel had not taken it yet. */
function assess(scene: Scene, { to, change }: ReplayedPromotion, moment: Moment): Assessment | undefined {
  const own = subjectStates(scene.history, scene.subject.channel.name).filter(
    ({ revision }) => revision.index <= moment.index && revision.index < change.revision.index,
  );
  const facts = factsAt(scene, own, moment);
  return isCandidate(scene.subject, facts.history, to) ? assessAlone(to, scene.subject, facts) : undefined;
}

/**
 * The first instant at which the version may be served. After the channel went on to another version, the search
 * continues only while nothing but time is missing: what a person would have decided then is unknown.
 */
function firstAllowed(scene: Scene, promoted: ReplayedPromotion): Search {
  const { moments, untilMs } = scene;
  const { sinceIndex, overIndex = Number.POSITIVE_INFINITY } = promoted;
  let last: Assessment | undefined;
  for (const [place, moment] of moments.entries()) {
    if (moment.index < sinceIndex) continue;
    const search = searchFrom(scene, promoted, moment, moments[place + 1]?.atMs ?? untilMs + 1);
    if (search.foundMs !== undefined) return search;
    last = search.last;
    if (moment.index >= overIndex && assessmentClock(last) === undefined) break;
  }
  return { foundMs: assessmentClock(last), last };
}

/** The first time at which the version may move, and its last assessment. */
interface Search {
  readonly foundMs: number | undefined;
  readonly last: Assessment | undefined;
}

/** Assesses the version from one moment to the next, at each time at which it may become ready by itself. */
function searchFrom(scene: Scene, promoted: ReplayedPromotion, { index, atMs }: Moment, endMs: number): Search {
  let last: Assessment | undefined;
  for (let nowMs: number | undefined = atMs; nowMs !== undefined; nowMs = last && nextWake([last], nowMs, endMs)) {
    last = assess(scene, promoted, { index, atMs: nowMs });
    if (last?.kind === "promote") return { foundMs: nowMs, last };
  }
  return { foundMs: undefined, last };
}

/** When it is ready, if only time is missing. */
function assessmentClock(assessment: Assessment | undefined): number | undefined {
  return assessment?.earliest?.kind === "at" ? assessment.earliest.atMs : undefined;
}

const NO_CANDIDATE =
  "It was not a candidate: the followed channel served a lower version then, or the channel does not take such versions.";

function whyNever(then: Assessment | undefined, last: Assessment | undefined): readonly string[] {
  const reasons = neverMet(then?.reasons ?? [], last?.reasons ?? []);
  return then === undefined ? [NO_CANDIDATE, ...reasons] : reasons;
}

/** The sentences of the unmet `reasons`, without duplicates. Of several clocks, only the slowest is included. */
function unmet(reasons: readonly Reason[]): readonly string[] {
  const keeping = keepingReasons(reasons);
  const metAt = ({ metAtMs = Number.POSITIVE_INFINITY }: Reason): number => metAtMs;
  // If several are equally slow, it is the line of the highest level, which demands most.
  const clock = keeping
    .filter(({ topic }) => topic === "soak")
    .reduce<Reason | undefined>((slowest, one) => (slowest && metAt(slowest) > metAt(one) ? slowest : one), undefined);
  const kept = keeping.filter((reason) => reason.topic !== "soak" || reason === clock);
  return [...new Set(kept.map(({ message }) => sentence(message)))];
}

/**
 * The reasons that blocked a version in the end, and other reasons that kept it back at `then`. For a topic in both,
 * such as clocks, only the end counts: it is why the version never moved.
 */
function neverMet(then: readonly Reason[], end: readonly Reason[]): readonly string[] {
  const last = keepingReasons(end).filter(({ outcome }) => outcome === "blocking");
  const before = keepingReasons(then).filter(({ topic }) => last.every((reason) => reason.topic !== topic));
  return unmet([...before, ...last]);
}

function keepingReasons(reasons: readonly Reason[]): readonly Reason[] {
  return reasons.filter(isUnmet);
}
