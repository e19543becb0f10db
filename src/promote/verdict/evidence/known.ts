import { canonicalJson } from "../../../document/canonical.ts";
import type { Evidence, EvidenceOf, ObservedPath } from "../../../catalogue/evidence/evidence.ts";
import type { ModuleName } from "../../../catalogue/names.ts";
import { compareText } from "../../../document/order.ts";
import type { ModuleVersion } from "../../../catalogue/version.ts";
import { instantText } from "../../../document/times.ts";

/** The exact content to judge: evidence of any other content is foreign. */
export interface ContentIdentity {
  readonly module: ModuleName;
  readonly version: ModuleVersion;
  /** May be computed on access. It is read only if evidence must be compared with it. */
  readonly specHash: string;
}

/** A question about evidence: on which content, from which evidence, at which moment. */
export interface EvidenceQuestion {
  readonly content: ContentIdentity;
  /** Of any module and version, in any order. */
  readonly evidence: readonly Evidence[];
  /** Unix milliseconds. What was observed later does not count. */
  readonly nowMs: number;
}

/** One observation, and when it was made. Unix milliseconds. */
interface Observation<K extends Evidence["kind"]> {
  readonly one: EvidenceOf<K>;
  readonly atMs: number;
}

/** The evidence of one kind about one content. */
export interface KnownEvidence<K extends Evidence["kind"]> {
  /**
   * The observations that count, for each observed object or place: more than one if they were made at the same moment,
   * and then the worst of them is to be believed. No inner list is empty.
   */
  readonly counted: readonly (readonly EvidenceOf<K>[])[];
  /** The newest of all that count, made at one moment; empty if there are none. */
  readonly newest: readonly EvidenceOf<K>[];
  /** Sentences about evidence that seems to count but does not; begins with a blank unless it is empty. */
  readonly passedOver: string;
}

/**
 * Selects the evidence of `kind` about a content that counts.
 *
 * Landscape and uid identify an object. Only the newest generation of each object counts, however late an older one was
 * observed, and of that the newest observation. An observation without a generation counts as the oldest one: it must
 * not outweigh an object's own generations. Without a uid, each landscape (or none) is taken for one object, whatever
 * the source: two runs that observed the same are not two places, and the later one replaces the earlier.
 */
export function knownEvidence<K extends Evidence["kind"]>(kind: K, question: EvidenceQuestion): KnownEvidence<K> {
  const { past, passedOver } = pastEvidence(kind, question);
  const objects = Map.groupBy(past, ({ one: { landscape, uid } }) => JSON.stringify([landscape, uid]));
  const counted = [...objects.values()].map((own) => {
    const newest = Math.max(...own.map(({ one }) => generationOf(one)));
    return newestObservations(own.filter(({ one }) => generationOf(one) === newest));
  });
  return {
    counted: counted.map(observationValues),
    newest: observationValues(newestObservations(counted.flat().toSorted(byTime))),
    passedOver,
  };
}

/** The observations of `kind` about a content until now, newest first; and `passedOver` as in `KnownEvidence`. */
export function pastEvidence<K extends Evidence["kind"]>(
  kind: K,
  question: EvidenceQuestion,
): { readonly past: readonly Observation<K>[]; readonly passedOver: string } {
  const { content, nowMs } = question;
  const about = observationGroups(kind, question);
  const own = about.filter(({ one }) => one.specHash === content.specHash);
  return {
    past: own.filter(({ atMs }) => atMs <= nowMs),
    passedOver: [futureText(own, nowMs), foreignText(about, content)].join(""),
  };
}

/**
 * The evidence as of `clockMs`, the clock of this machine in Unix milliseconds. A failure or a refusal from a clock that
 * is ahead counts as of now: to wait until its time comes would ignore a known problem. The paths beside a failed one
 * wait until then.
 */
export function withoutFutureFailures(evidence: readonly Evidence[], clockMs: number): readonly Evidence[] {
  return evidence.flatMap((one) => {
    if (Date.parse(one.observedAt) <= clockMs) return [one];
    const [against, rest] = evidenceParts(one);
    const source = `${one.source}, from a clock that is ahead`;
    return [...rest, ...against.map((part) => ({ ...part, observedAt: instantText(clockMs), source }))];
  });
}

/** The part of evidence that speaks against a version, and the rest. */
function evidenceParts(one: Evidence): readonly [against: readonly Evidence[], rest: readonly Evidence[]] {
  if (one.kind === "approval" && !one.approved) return [[one], []];
  if (one.kind !== "smoke") return [[], [one]];
  const withPaths = (paths: readonly ObservedPath[]): readonly Evidence[] =>
    paths.length === 0 ? [] : [{ ...one, paths }];
  const failed = one.paths.filter((path) => path.failed.length > 0);
  return [withPaths(failed), withPaths(one.paths.filter((path) => path.failed.length === 0))];
}

/** Newest first. Observations of one moment are in an order that does not depend on the order of the input. */
function observationGroups<K extends Evidence["kind"]>(
  kind: K,
  { content: { module, version }, evidence }: EvidenceQuestion,
): readonly Observation<K>[] {
  return evidence
    .filter((one): one is EvidenceOf<K> => one.kind === kind && one.module === module && one.version === version)
    .map((one) => ({ one, atMs: Date.parse(one.observedAt) }))
    .sort(byTime);
}

function byTime<K extends Evidence["kind"]>(a: Observation<K>, b: Observation<K>): number {
  return b.atMs - a.atMs || compareText(canonicalJson(a.one), canonicalJson(b.one));
}

const generationOf = ({ generation = -1 }: Evidence): number => generation;

/** The first observation, and all others of its moment. */
function newestObservations<K extends Evidence["kind"]>(
  observations: readonly Observation<K>[],
): readonly Observation<K>[] {
  return observations.filter(({ atMs }) => atMs === observations[0]?.atMs);
}

function observationValues<K extends Evidence["kind"]>(
  observations: readonly Observation<K>[],
): readonly EvidenceOf<K>[] {
  return observations.map(({ one }) => one);
}

function futureText<K extends Evidence["kind"]>(own: readonly Observation<K>[], nowMs: number): string {
  const next = own.findLast(({ atMs }) => atMs > nowMs);
  if (next === undefined) return "";
  return ` The observation of ${next.one.source} at ${instantText(next.atMs)} is later than now, and does not count.`;
}

function foreignText<K extends Evidence["kind"]>(about: readonly Observation<K>[], content: ContentIdentity): string {
  const foreign = about.find(({ one }) => one.specHash !== content.specHash);
  if (foreign === undefined) return "";
  const [theirs, ours] = shortHashes(foreign.one.specHash, content.specHash);
  return ` There is one for another content of ${content.version} (${theirs}, from ${foreign.one.source}), but only one for ${ours} counts.`;
}

/** Two different hashes, each cut to the shortest prefix that distinguishes them, but to eight digits at least. */
export function shortHashes(a: string, b: string): readonly [string, string] {
  let length = "sha256:".length + 8;
  while (a.slice(0, length) === b.slice(0, length)) length++;
  return [a.slice(0, length), b.slice(0, length)];
}
