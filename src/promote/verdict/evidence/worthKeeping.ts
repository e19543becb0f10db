import type { Catalogue } from "../../../catalogue/catalogue.ts";
import type { Evidence } from "../../../catalogue/evidence/evidence.ts";
import { lookUpAtHead } from "../../../catalogue/lookup.ts";
import { specHash, type Template } from "../../../catalogue/template.ts";
import { canonicalJson } from "../../../document/canonical.ts";
import { policyFor } from "../policy.ts";
import { subjectsOf, type Subject } from "../subject.ts";
import { judgeEvidence } from "./evidence.ts";
import type { ReplacedContent } from "./smoke.ts";

/** What is known already, and what it is judged by. */
export interface KnownSoFar {
  /** Of any module, in any order. */
  readonly kept: readonly Evidence[];
  readonly catalogue: Catalogue;
  /** Unix milliseconds. */
  readonly nowMs: number;
}

/**
 * Of what landscapes observed, what is worth a commit: all of a module once it changes what a policy finds met; what
 * nobody said of an object for a day; what was never said. Sums grow with each look, and a branch that followed each of
 * them would get commits that decide nothing.
 */
export function worthKeeping(observed: readonly Evidence[], known: KnownSoFar): readonly Evidence[] {
  const subjects = Map.groupBy(subjectsOf(known.catalogue), ({ module }) => module);
  // What a clock that ran ahead left would silence a landscape for as long.
  const past = known.kept.filter(({ observedAt }) => Date.parse(observedAt) <= known.nowMs);
  return [...Map.groupBy(observed, ({ module }) => module)].flatMap(([module, own]) => {
    const kept = past.filter((one) => one.module === module);
    const isDecisive = (subjects.get(module) ?? []).some(
      (subject) => outcomesOf(subject, kept, known) !== outcomesOf(subject, [...kept, ...own], known),
    );
    return isDecisive ? own : own.filter((one) => !kept.some((before) => saysEnough(before, one)));
  });
}

/** What the policy finds of each version that `evidence` is of, as one text. */
function outcomesOf(subject: Subject, evidence: readonly Evidence[], { catalogue, nowMs }: KnownSoFar): string {
  const { module, channel } = subject;
  const served = channel.templates.get(module);
  const replaced = served && { replaced: contentOf(served) };
  const versions = [...new Set(evidence.map(({ version }) => version))].toSorted();
  const outcomes = versions.flatMap((version) => {
    const template = lookUpAtHead(catalogue, module, version);
    if (template === undefined) return [];
    const reasons = judgeEvidence(policyFor(subject), { module, ...contentOf(template), ...replaced }, evidence, nowMs);
    return reasons.map(({ topic, outcome }) => `${version} ${topic} ${outcome}`);
  });
  return outcomes.join("\n");
}

function contentOf({ version, object }: Template): ReplacedContent {
  return { version, specHash: specHash(object) };
}

const DAY_MS = 86_400_000;

/** Whether `before` leaves nothing to say: the same fact, or what was counted of the same object less than a day ago. */
function saysEnough(before: Evidence, one: Evidence): boolean {
  if (identityOf(before) !== identityOf(one)) return false;
  const passedMs = Date.parse(one.observedAt) - Date.parse(before.observedAt);
  return one.kind === "served" ? passedMs === 0 : passedMs < DAY_MS;
}

/** What is observed of which object; without its figures. */
function identityOf({ kind, version, specHash: hash, landscape, uid, generation }: Evidence): string {
  return canonicalJson({ kind, version, hash, landscape, uid, generation });
}
