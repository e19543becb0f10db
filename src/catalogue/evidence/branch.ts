import { canonicalJson } from "../../document/canonical.ts";
import { FILE_START, type Finding, sortFindings } from "../../document/finding.ts";
import { compareText } from "../../document/order.ts";
import type { SnapshotFile } from "../../document/snapshot.ts";
import type { Evidence } from "./evidence.ts";
import { type EvidenceReading, readEvidence } from "./file.ts";
import { parseModuleName, type ModuleName } from "../names.ts";
import { parseVersion, type ModuleVersion } from "../version.ts";

/** The branch that keeps evidence. It has no commit in common with that of the catalogue. */
export const EVIDENCE_BRANCH = "evidence";

/** Where the branch keeps what is known of a content. Relative to the catalogue's place in its repository. */
export function evidencePath({ module, version, specHash }: Pick<Evidence, "module" | "version" | "specHash">): string {
  return `modules/${module}/${version}/${specHash}.json`;
}

/** The content that a path of the branch is about, as far as it says one. */
export function contentAt(path: string): { readonly module: ModuleName; readonly version: ModuleVersion } | undefined {
  const [, name = "", number = ""] = path.split("/");
  const [module, version] = [parseModuleName(name), parseVersion(number)];
  return module && version && { module, version };
}

/** Whether the branch has evidence there. What else stands in it, such as a README, is nothing to promotion. */
export function isEvidencePath(path: string): boolean {
  return path.startsWith("modules/");
}

/** Reads a file of the branch. It may speak of exactly the content that its path names. Never throws. */
export function readKeptFile(path: string, content: SnapshotFile): EvidenceReading {
  // As Git calls it.
  const file = `${EVIDENCE_BRANCH}:${path}`;
  const reading = readEvidence(file, content);
  const strange = reading.evidence.find((one) => evidencePath(one) !== path);
  if (strange === undefined) return reading;
  const message = `The file speaks of ${strange.module} ${strange.version} (${strange.specHash}), and stands in the place of another content.`;
  const remedy = `Remove it from the branch: evidence of that content belongs into ${evidencePath(strange)}.`;
  const about: Finding = { rule: "evidence-place", severity: "error", file, ...FILE_START, message, remedy };
  return { evidence: [], findings: [about] };
}

/** What a file of the branch is to say. */
export type KeptFile =
  | { readonly kind: "text"; readonly text: string }
  /** What is there, or what would be there, cannot be read. */
  | { readonly kind: "refused"; readonly findings: readonly Finding[] };

/**
 * The file at `path` with what is `added`. What was observed once is there once: in the order of time, so that the same
 * observations give the same text. Nothing that is there is lost, but that of what a landscape says of an object again and
 * again only the last observation of a day (UTC) stays, and one within an hour of the last is not added. Refused where two
 * contradict each other.
 */
export function keptFile(path: string, before: SnapshotFile | undefined, added: readonly Evidence[]): KeptFile {
  const known = before === undefined ? NOTHING : readKeptFile(path, before);
  if (known.findings.length > 0) return { kind: "refused", findings: known.findings };
  const due = added.filter((one) => !known.evidence.some((other) => isWithinHour(one, other)));
  const all = new Map([...due, ...known.evidence].map((one) => [keyOf(one), one]));
  const evidence = lastOfDays([...all].sort(([a], [b]) => compareText(a, b)).map(([, one]) => one));
  const text = `${JSON.stringify({ format: 1, evidence }, null, 2)}\n`;
  const { findings } = readKeptFile(path, { kind: "bytes", bytes: new TextEncoder().encode(text) });
  return findings.length === 0 ? { kind: "text", text } : { kind: "refused", findings: sortFindings(findings) };
}

const HOUR_MS = 3_600_000;

/** Whether a landscape said the same of the same object less than an hour before. */
function isWithinHour(one: Evidence, before: Evidence): boolean {
  const series = seriesOf(one);
  const passedMs = Date.parse(one.observedAt) - Date.parse(before.observedAt);
  const isSame = series !== undefined && series === seriesOf(before) && one.generation === before.generation;
  return isSame && passedMs > 0 && passedMs < HOUR_MS;
}

/** Of what landscapes say again and again, the last of each day; all else as it is. In the order of time. */
function lastOfDays(evidence: readonly Evidence[]): readonly Evidence[] {
  const dayOf = (one: Evidence): string =>
    `${new Date(one.observedAt).toISOString().slice(0, 10)} ${seriesOf(one) ?? ""}`;
  const lastMs = new Map(evidence.map((one) => [dayOf(one), Date.parse(one.observedAt)]));
  return evidence.filter((one) => seriesOf(one) === undefined || Date.parse(one.observedAt) === lastMs.get(dayOf(one)));
}

/** What a landscape says again and again of an object; `undefined` for what is said once. */
function seriesOf({ kind, landscape, uid }: Evidence): string | undefined {
  const isRepeated = landscape !== undefined && (kind === "exposure" || kind === "health");
  return isRepeated ? JSON.stringify([kind, landscape, uid]) : undefined;
}

const NOTHING: EvidenceReading = { evidence: [], findings: [] };

/** Begins with the instant, however it was written. */
function keyOf(one: Evidence): string {
  const observedAt = new Date(one.observedAt).toISOString();
  return `${observedAt} ${canonicalJson({ ...one, observedAt })}`;
}
