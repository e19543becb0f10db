import type { Evidence } from "../../catalogue/evidence.ts";
import type { Hotfix } from "../../catalogue/policy.ts";
import { fitsVersions, levelOf } from "../../catalogue/steps.ts";
import { compareVersions } from "../../catalogue/version.ts";
import { Services } from "../verdict/clocks.ts";
import type { Declared, ModuleHistory, ServedState } from "../verdict/history.ts";
import { statesOf, type Subject } from "../verdict/subject.ts";
import { instantText } from "../verdict/text.ts";
import { changesOf, firstServed, type Change } from "./changes.ts";
import { judgeChanges } from "./judgeChange.ts";
import { momentsOf } from "./moments.ts";
import { runPolicy, type PolicyRun, type Scene } from "./policyRun.ts";
import { unmet } from "./reasons.ts";
import type { ModuleReplay, PassedOver, PolicyPromotion, Span } from "./simulation.ts";
import type { Timeline } from "./timeline.ts";

/** Unix milliseconds. */
export interface Period {
  readonly fromMs: number;
  readonly untilMs: number;
}

/** Replays one module in one following channel. `evidence`: that of the module. */
export function replay(
  subject: Subject,
  { modules, gaps }: Timeline,
  evidence: readonly Evidence[],
  period: Period,
): ModuleReplay {
  const { module, channel, followed } = subject;
  const real = modules.get(module) ?? { served: new Map(), holds: [], hotfixes: [] };
  const changes = changesOf(real, { channel: channel.name, followed: followed.name }, gaps);
  const history = { ...real, hotfixes: [...real.hotfixes, ...undeclared(subject, changes)] };
  const moments = momentsOf(subject, history, evidence, period);
  const services = new Services(subject, history, evidence);
  const scene: Scene = { subject, history, evidence, services, changes, moments, untilMs: period.untilMs };
  const run = runPolicy(scene);
  const [own, ahead] = [statesOf(history, channel.name), statesOf(history, followed.name)];
  return {
    module,
    channel: channel.name,
    follows: followed.name,
    changes: judgeChanges(scene),
    promotions: promotionsOf(run, ahead, own),
    passedOver: passedOverOf(run, ahead),
    reallyPassedOver: reallyPassedOver(subject, history, period),
    spans: { followed: spansOf(ahead, period), real: spansOf(own, period), policy: spansOf(run.states, period) },
  };
}

/** A hot-fix is remembered, whether somebody wrote it down or not: the next promotion would undo it. */
function undeclared({ channel }: Subject, changes: readonly Change[]): readonly Declared<Hotfix>[] {
  return changes.flatMap(({ to: version, revision, how }) => {
    if (how.kind !== "hot-fix" || how.declared !== undefined || version === undefined) return [];
    const at = instantText(revision.atMs);
    const entry = { version, channel: channel.name, incident: "nobody declared it", by: "nobody known", at };
    return [{ entry, from: revision, to: undefined }];
  });
}

function promotionsOf(
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

function passedOverOf({ states, last }: PolicyRun, ahead: readonly ServedState[]): readonly PassedOver[] {
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

/** What the followed channel brought that was above what the following one served, and that never came into it. */
function reallyPassedOver(
  { channel, followed }: Subject,
  history: ModuleHistory,
  { fromMs, untilMs }: Period,
): ModuleReplay["reallyPassedOver"] {
  const own = statesOf(history, channel.name);
  const served = new Set(own.map(({ version }) => version));
  const arrivals = [...firstServed(statesOf(history, followed.name))];
  return arrivals.flatMap(([version, { index, atMs }]) => {
    if (served.has(version) || atMs < fromMs || atMs > untilMs || !fitsVersions(channel.versions, version)) return [];
    const current = own.findLast(({ revision }) => revision.index <= index)?.version;
    if (current !== undefined && compareVersions(version, current) < 0) return [];
    return [{ version, level: levelOf(current, version) }];
  });
}

/** What was served from when to when, cut to the period. */
function spansOf(states: readonly ServedState[], { fromMs, untilMs }: Period): readonly Span[] {
  return states.flatMap(({ version, revision }, place) => {
    const startMs = Math.max(revision.atMs, fromMs);
    const endMs = Math.min(states[place + 1]?.revision.atMs ?? untilMs, untilMs);
    return version === undefined || endMs < startMs ? [] : [{ version, startMs, endMs }];
  });
}
