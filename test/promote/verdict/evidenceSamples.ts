import type { Evidence, EvidenceOf } from "../../../src/catalogue/evidence/evidence.ts";
import type { LandscapeName, ModuleName } from "../../../src/catalogue/names.ts";
import type { ModuleVersion } from "../../../src/catalogue/version.ts";
import {
  judgeEvidence,
  type EvidenceDemand,
  type EvidenceSubject,
} from "../../../src/promote/verdict/evidence/evidence.ts";
import type { Reason } from "../../../src/promote/verdict/verdict.ts";
import { ranOn } from "../smokePaths.ts";

export const MODULE = "object-store" as ModuleName;
export const CANDIDATE = "1.2.0" as ModuleVersion;
export const REPLACED = "1.1.0" as ModuleVersion;
const hash = (byte: string): string => `sha256:${byte.repeat(32)}`;

export const CANDIDATE_HASH: string = hash("a1");
export const REPLACED_HASH: string = hash("b2");
export const OTHER_HASH: string = hash("c3");
export const DEV = "dev" as LandscapeName;
export const PROD = "prod" as LandscapeName;

/** The time of every judgement. */
export const NOW_MS: number = Date.parse("2026-11-21T12:00:00Z");
/** The instant so many hours before now. */
export const ago = (hours: number): string => new Date(NOW_MS - hours * 3_600_000).toISOString();

const REPLACED_CONTENT = { version: REPLACED, specHash: REPLACED_HASH };

export const SUBJECT: EvidenceSubject = {
  module: MODULE,
  version: CANDIDATE,
  specHash: CANDIDATE_HASH,
  replaced: REPLACED_CONTENT,
  landscapes: [DEV, PROD],
};
export const FIRST: EvidenceSubject = {
  module: MODULE,
  version: CANDIDATE,
  specHash: CANDIDATE_HASH,
  landscapes: [DEV, PROD],
};

export const NO_DEMAND: EvidenceDemand = { needs: [], exposure: undefined, health: undefined };
export const demand = (asked: Partial<EvidenceDemand>): EvidenceDemand => ({ ...NO_DEMAND, ...asked });

const COMMON = { module: MODULE, version: CANDIDATE, specHash: CANDIDATE_HASH, observedAt: ago(1), source: "run 7" };
/** Those of the version that would be replaced. */
export const OF_REPLACED: Readonly<Pick<Evidence, "version" | "specHash">> = {
  version: REPLACED,
  specHash: REPLACED_HASH,
};

type Some<K extends Evidence["kind"]> = Partial<EvidenceOf<K>>;

export const smoke = (passed: boolean, some: Some<"smoke"> = {}): Evidence => ({
  ...COMMON,
  kind: "smoke",
  ...ranOn(passed, REPLACED_CONTENT),
  ...some,
});
export const approval = (approved: boolean, some: Some<"approval"> = {}): Evidence => ({
  ...COMMON,
  kind: "approval",
  approved,
  by: "octocat",
  ...some,
});
export const exposure = (clusters: number, healthyHours: number, some: Some<"exposure"> = {}): Evidence => ({
  ...COMMON,
  kind: "exposure",
  clusters,
  healthyHours,
  ...some,
});
export const health = (healthy: number, clusters: number, some: Some<"health"> = {}): Evidence => ({
  ...COMMON,
  kind: "health",
  clusters,
  healthy,
  ...some,
});
export const served = (landscape: LandscapeName, some: Some<"served"> = {}): Evidence => ({
  ...COMMON,
  kind: "served",
  landscape,
  ...some,
});

/** The reasons at `NOW_MS`. */
export function judge(
  asked: Partial<EvidenceDemand>,
  evidence: readonly Evidence[],
  subject: EvidenceSubject = SUBJECT,
): readonly Reason[] {
  return judgeEvidence(demand(asked), subject, evidence, NOW_MS);
}

/** The reasons as a person reads them. */
export const told = (reasons: readonly Reason[]): readonly string[] =>
  reasons.map(({ topic, outcome, message }) => `${topic} ${outcome}: ${message}`);

/** The decisive part of the reasons: everything but their texts. */
export const outcomes = (reasons: readonly Reason[]): readonly string[] =>
  reasons.map(({ topic, outcome }) => `${topic} ${outcome}`);
