import type { Catalogue } from "../../../catalogue/catalogue.ts";
import type { Evidence } from "../../../catalogue/evidence/evidence.ts";
import { lookUpAtHead } from "../../../catalogue/lookup.ts";
import { specHash, type Template } from "../../../catalogue/template.ts";
import { canonicalJson } from "../../../document/canonical.ts";
import { policyFor } from "../policy.ts";
import { servingLandscapes, allSubjects, type Subject } from "../subject.ts";
import { judgeEvidence } from "./evidence.ts";
import type { ReplacedContent } from "./smoke.ts";

/** The evidence that is kept already, and the input for judging it. */
interface KnownSoFar {
  /** Of any module, in any order. */
  readonly kept: readonly Evidence[];
  readonly catalogue: Catalogue;
  /** Unix milliseconds. */
  readonly nowMs: number;
}

/**
 * Selects the observations that are worth a commit: all of a module once they change what a policy finds met; figures
 * of an object that got none for a day; and new facts. Sums grow with each look, and a commit for each of them would
 * decide nothing.
 */
export function worthKeeping(observed: readonly Evidence[], known: KnownSoFar): readonly Evidence[] {
  const subjects = Map.groupBy(allSubjects(known.catalogue), ({ module }) => module);
  // Observations from a clock that ran ahead would silence a landscape until their time has come.
  const past = known.kept.filter(({ observedAt }) => Date.parse(observedAt) <= known.nowMs);
  return [...Map.groupBy(observed, ({ module }) => module)].flatMap(([module, own]) => {
    const kept = past.filter((one) => one.module === module);
    const isDecisive = (subjects.get(module) ?? []).some(
      (subject) => verdictOutcomes(subject, kept, known) !== verdictOutcomes(subject, [...kept, ...own], known),
    );
    return isDecisive ? own : own.filter((one) => !kept.some((before) => saysEnough(before, one)));
  });
}

/** The outcome of the policy for each version in `evidence`, as one text. */
function verdictOutcomes(subject: Subject, evidence: readonly Evidence[], { catalogue, nowMs }: KnownSoFar): string {
  const { module, channel } = subject;
  const served = channel.templates.get(module);
  const replaced = served && { replaced: templateContent(served) };
  const versions = [...new Set(evidence.map(({ version }) => version))].toSorted();
  const outcomes = versions.flatMap((version) => {
    const template = lookUpAtHead(catalogue, module, version);
    if (template === undefined) return [];
    const about = { module, ...templateContent(template), ...replaced, landscapes: servingLandscapes(subject) };
    const reasons = judgeEvidence(policyFor(subject), about, evidence, nowMs);
    return reasons.map(({ topic, outcome }) => `${version} ${topic} ${outcome}`);
  });
  return outcomes.join("\n");
}

function templateContent({ version, object }: Template): ReplacedContent {
  return { version, specHash: specHash(object) };
}

const DAY_MS = 86_400_000;

/** Whether `before` makes `one` redundant: the same fact, or figures of the same object from less than a day ago. */
function saysEnough(before: Evidence, one: Evidence): boolean {
  if (evidenceIdentity(before) !== evidenceIdentity(one)) return false;
  const passedMs = Date.parse(one.observedAt) - Date.parse(before.observedAt);
  if (one.kind !== "served") return passedMs < DAY_MS;
  return passedMs === 0 && ("commit" in before || !("commit" in one));
}

/** The kind and the object of an observation, without its figures. */
function evidenceIdentity({ kind, version, specHash: hash, landscape, uid, generation }: Evidence): string {
  return canonicalJson({ kind, version, hash, landscape, uid, generation });
}
