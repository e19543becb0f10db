import { canonicalJson } from "../../document/canonical.ts";
import { FILE_START, type Finding, sortFindings } from "../../document/finding.ts";
import { compareText } from "../../document/order.ts";
import { MAX_FILE_BYTES, type SnapshotFile } from "../../document/snapshot.ts";
import type { Evidence } from "./evidence.ts";
import { type EvidenceReading, readEvidence } from "./file.ts";
import { parseModuleName, type ModuleName } from "../names.ts";
import { parseVersion, type ModuleVersion } from "../version.ts";

/** The branch that keeps evidence. It shares no commit with the branch of the catalogue. */
export const EVIDENCE_BRANCH = "evidence";

/** The path of the evidence of a content, relative to the catalogue's folder in its repository. */
export function evidencePath({ module, version, specHash }: Pick<Evidence, "module" | "version" | "specHash">): string {
  return `modules/${module}/${version}/${specHash}.json`;
}

/** The module and version in a path of the branch; `undefined` when it has none. */
export function contentAt(path: string): { readonly module: ModuleName; readonly version: ModuleVersion } | undefined {
  const [, name = "", number = ""] = path.split("/");
  const [module, version] = [parseModuleName(name), parseVersion(number)];
  return module && version && { module, version };
}

/** Whether `path` is a file of evidence. Promotion ignores all other files of the branch, such as a README. */
export function isEvidencePath(path: string): boolean {
  return path.startsWith("modules/");
}

/** Reads a file of the branch. It may only be about the content that its path names. Never throws. */
export function readKeptFile(path: string, content: SnapshotFile): EvidenceReading {
  // The notation of Git.
  const file = `${EVIDENCE_BRANCH}:${path}`;
  const reading = readEvidence(file, content);
  const strange = reading.evidence.find((one) => evidencePath(one) !== path);
  if (strange === undefined) return reading;
  const message = `The file is about ${strange.module} ${strange.version} (${strange.specHash}), but its path is that of another content.`;
  const remedy = `Remove it from the branch: evidence of that content belongs in ${evidencePath(strange)}.`;
  const about: Finding = { rule: "evidence-place", severity: "error", file, ...FILE_START, message, remedy };
  return { evidence: [], findings: [about] };
}

/** The new text of a file of the branch. */
type KeptFile =
  | { readonly kind: "text"; readonly text: string }
  /** The current file, or the new one, cannot be read. */
  | { readonly kind: "refused"; readonly findings: readonly Finding[] };

/**
 * The file at `path` with the evidence `added`, without duplicates and in the order of time, so that the same observations
 * give the same text. Existing evidence stays, with one exception: of the repeated observations of an object by a
 * landscape, only the last of each day (UTC) stays, the oldest go when the file gets too large, and one within an hour of
 * the previous one is not added, unless it shows a worse health. Refused when two observations contradict each other.
 */
export function keptFile(path: string, before: SnapshotFile | undefined, added: readonly Evidence[]): KeptFile {
  const known = before === undefined ? NOTHING : readKeptFile(path, before);
  if (known.findings.length > 0) return { kind: "refused", findings: known.findings };
  const due = added.filter((one) => !known.evidence.some((other) => isWithinHour(one, other) && !isWorse(one, other)));
  // What is known stays, but for a commit that it does not name yet.
  const said = [...due, ...known.evidence].toSorted((a, b) => Number("commit" in a) - Number("commit" in b));
  const all = new Map(said.map((one) => [evidenceKey(one), one]));
  const inOrder = [...all].sort(([a], [b]) => compareText(a, b)).map(([, one]) => one);
  const text = evidenceFileText(fitting(lastOfDays(inOrder, added)));
  const { findings } = readKeptFile(path, { kind: "bytes", bytes: new TextEncoder().encode(text) });
  return findings.length === 0 ? { kind: "text", text } : { kind: "refused", findings: sortFindings(findings) };
}

const HOUR_MS = 3_600_000;

/** Whether `one` repeats the observation `before` of the same object less than an hour later. */
function isWithinHour(one: Evidence, before: Evidence): boolean {
  const series = evidenceSeries(one);
  const passedMs = Date.parse(one.observedAt) - Date.parse(before.observedAt);
  const isSame = series !== undefined && series === evidenceSeries(before) && one.generation === before.generation;
  return isSame && passedMs > 0 && passedMs < HOUR_MS;
}

/** Whether fewer clusters are healthy, or more are not. */
function isWorse(one: Evidence, before: Evidence): boolean {
  if (one.kind !== "health" || before.kind !== "health") return false;
  return one.healthy < before.healthy || one.clusters - one.healthy > before.clusters - before.healthy;
}

/**
 * Drops repeated observations except for the last of each day. One that is later than all of its object in `added` comes
 * from a clock that is ahead: it must not take the place of what is seen now. Takes and gives evidence in the order of
 * time.
 */
function lastOfDays(evidence: readonly Evidence[], added: readonly Evidence[]): readonly Evidence[] {
  const newestMs = new Map<string | undefined, number>();
  for (const one of added)
    newestMs.set(evidenceSeries(one), Math.max(newestMs.get(evidenceSeries(one)) ?? 0, Date.parse(one.observedAt)));
  const isAhead = (one: Evidence): boolean => Date.parse(one.observedAt) > (newestMs.get(evidenceSeries(one)) ?? 0);
  const dayOf = (one: Evidence): string =>
    `${new Date(one.observedAt).toISOString().slice(0, 10)} ${evidenceSeries(one) ?? ""}`;
  const past = evidence.filter((one) => !isAhead(one));
  const lastMs = new Map(past.map((one) => [dayOf(one), Date.parse(one.observedAt)]));
  return evidence.filter(
    (one) => evidenceSeries(one) === undefined || isAhead(one) || Date.parse(one.observedAt) === lastMs.get(dayOf(one)),
  );
}

/** From this size on, old observations go; the other half is for evidence that is not repeated. Characters. */
const LARGE = MAX_FILE_BYTES / 2;

/**
 * Drops the oldest repeated observations of a file that is too large, but never the newest of an object, which says all.
 * The branch's own history has the others. Takes and gives evidence in the order of time.
 */
function fitting(evidence: readonly Evidence[]): readonly Evidence[] {
  const newest = new Map(evidence.map((one) => [evidenceSeries(one), one]));
  let size = evidenceFileText(evidence).length;
  return evidence.filter((one) => {
    const series = evidenceSeries(one);
    if (size <= LARGE || series === undefined || newest.get(series) === one) return true;
    size -= evidenceFileText([one, one]).length - evidenceFileText([one]).length;
    return false;
  });
}

function evidenceFileText(evidence: readonly Evidence[]): string {
  return `${JSON.stringify({ format: 1, evidence }, null, 2)}\n`;
}

/** The key of repeated observations of an object by a landscape; `undefined` for evidence that is not repeated. */
function evidenceSeries({ kind, landscape, uid }: Evidence): string | undefined {
  const isRepeated = landscape !== undefined && (kind === "exposure" || kind === "health");
  return isRepeated ? JSON.stringify([kind, landscape, uid]) : undefined;
}

const NOTHING: EvidenceReading = { evidence: [], findings: [] };

/** A key that begins with the instant in UTC, so that keys sort by time. The commit is no part of it. */
function evidenceKey(one: Evidence): string {
  const observedAt = new Date(one.observedAt).toISOString();
  return `${observedAt} ${canonicalJson({ ...one, observedAt, commit: null })}`;
}
