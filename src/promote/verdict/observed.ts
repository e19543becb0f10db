import type { ModuleVersion } from "../../catalogue/version.ts";
import { type EvidenceDemand, type EvidenceSubject, judgeEvidence } from "./evidence/evidence.ts";
import { healthUntilMs } from "./evidence/health.ts";
import type { ReplacedContent } from "./evidence/smoke.ts";
import { servingLandscapes, subjectStates, type Subject, type VerdictFacts } from "./subject.ts";
import type { Reason } from "./verdict.ts";

/** A content that may come into a channel. */
interface ObservedContent {
  readonly version: ModuleVersion;
  /** Its `specHash`. */
  readonly hash: () => string;
}

/** Judges what was observed about a content, compared with the content that the channel serves now. */
export function judgeObserved(
  subject: Subject,
  content: ObservedContent,
  demand: EvidenceDemand,
  facts: VerdictFacts,
): readonly Reason[] {
  const about = evidenceSubject(subject, content, facts);
  return [
    ...judgeDamaged(subject, content.version, facts),
    ...judgeEvidence(demand, about, facts.evidence, facts.nowMs),
  ];
}

/** The last instant at which evidence counts that meets a demand now; Unix milliseconds, `Infinity` if it never ages. */
export function observedUntilMs(
  subject: Subject,
  content: ObservedContent,
  { health }: EvidenceDemand,
  facts: VerdictFacts,
): number {
  if (health === undefined) return Number.POSITIVE_INFINITY;
  const about = evidenceSubject(subject, content, facts);
  return healthUntilMs(about, { content: about, evidence: facts.evidence, nowMs: facts.nowMs });
}

function evidenceSubject(subject: Subject, content: ObservedContent, { history }: VerdictFacts): EvidenceSubject {
  const { module, channel } = subject;
  const served = subjectStates(history, channel.name).at(-1);
  return {
    module,
    version: content.version,
    landscapes: servingLandscapes(subject),
    get specHash() {
      return content.hash();
    },
    ...(served?.version !== undefined && {
      replaced: observedContentKey({ version: served.version, hash: served.hash }),
    }),
  };
}

/** Blocks a version whose evidence cannot be read: it may be a failed test. */
function judgeDamaged({ module }: Subject, version: ModuleVersion, { damaged = [] }: VerdictFacts): readonly Reason[] {
  return damaged
    .filter((one) => one.module === module && one.version === version)
    .map(({ source }) => ({
      topic: "files",
      outcome: "blocking",
      message: `${source} cannot be read, so the evidence on ${version} is unknown.`,
      remedy: "Correct that file on its branch: an earlier commit has its content.",
      source: { kind: "evidence", source },
    }));
}

/** Computes the hash only if evidence needs it: that takes longer than everything else. */
function observedContentKey({ version, hash }: ObservedContent): ReplacedContent {
  return {
    version,
    get specHash() {
      return hash();
    },
  };
}
