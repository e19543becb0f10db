import { canonicalJson } from "../document/canonical.ts";
import { conform } from "./conform.ts";
import type { Evidence } from "./evidence.ts";
import { FILE_START, sortFindings, type Finding } from "../document/finding.ts";
import { MAX_FILE_BYTES } from "../document/snapshot.ts";
import { locate, readYaml, type YamlFile } from "../document/yaml/read.ts";
import type { YamlPath } from "../document/yaml/tree.ts";

/** What a file of evidence says, and what is wrong with it. */
export interface EvidenceReading {
  /** In the order of the file; none of a file that is refused, since what could not be read may speak against a version. */
  readonly evidence: readonly Evidence[];
  /** Sorted. Each is an error: a file with any is refused. */
  readonly findings: readonly Finding[];
}

/**
 * Reads a file of evidence (schemas/evidence.schema.json), YAML or JSON. Reports every problem, not the first.
 *
 * Takes:  the name of the file, for findings. Never throws.
 */
export function readEvidence(name: string, bytes: Uint8Array): EvidenceReading {
  if (bytes.length > MAX_FILE_BYTES) return refused([tooLarge(name, bytes.length)]);
  const reading = readYaml(name, { kind: "bytes", bytes });
  if (reading.kind === "refused") return refused(reading.findings);
  const { value, findings } = conform("evidence", reading.file);
  if (value === undefined) return refused(findings);
  const contradictions = value.evidence.flatMap((one, index) => judge(one, index, reading.file));
  const all = [...contradictions, ...repetitions(value.evidence, reading.file)];
  return all.length === 0 ? { evidence: value.evidence, findings: [] } : refused(all);
}

function refused(findings: readonly Finding[]): EvidenceReading {
  return { evidence: [], findings: sortFindings(findings) };
}

function tooLarge(file: string, size: number): Finding {
  const message = `The file has ${String(size)} bytes, more than ${String(MAX_FILE_BYTES)}.`;
  const remedy = "Split it, and name each part with --evidence; leave out what newer observations replace.";
  return { rule: "file-size", severity: "error", file, ...FILE_START, message, remedy };
}

function judge(one: Evidence, index: number, file: YamlFile): readonly Finding[] {
  const findings: Finding[] = [];
  const at = `evidence.${String(index)}`;
  if (one.generation !== undefined && one.uid === undefined) {
    const message = `${at} names a generation, but not the object that has it.`;
    findings.push(finding(file, ["evidence", index, "generation"], "evidence-object", message, ADD_UID));
  }
  if (one.kind === "health" && one.healthy > one.clusters) {
    const message = `${at} says that ${String(one.healthy)} of ${String(one.clusters)} clusters are healthy.`;
    findings.push(finding(file, ["evidence", index, "healthy"], "evidence-health", message, COUNT_AGAIN));
  }
  return findings;
}

const ADD_UID = "Add its uid, or remove generation.";
const COUNT_AGAIN = "Count again: healthy is at most clusters.";

/** What was observed at one moment by one source is said once: of two that differ one is wrong. */
function repetitions(evidence: readonly Evidence[], file: YamlFile): readonly Finding[] {
  const seen = new Map<string, { readonly index: number; readonly said: string }>();
  return evidence.flatMap((one, index) => {
    const at = { ...one, observedAt: Date.parse(one.observedAt) };
    const [occasion, said] = [canonicalJson({ ...at, ...NO_RESULT }), canonicalJson(at)];
    const first = seen.get(occasion);
    if (first === undefined) {
      seen.set(occasion, { index, said });
      return [];
    }
    const isSame = first.said === said;
    const message = `evidence.${String(index)} is the same observation as evidence.${String(first.index)}${isSame ? "" : ", but says otherwise"}.`;
    const remedy = isSame ? "Remove one of the two." : "Remove the one that is wrong.";
    return [finding(file, ["evidence", index], "evidence-duplicate", message, remedy)];
  });
}

/** Canonical JSON leaves out what is null: the rest says what was observed when, and not what was found. */
const NO_RESULT = { passed: null, approved: null, clusters: null, healthy: null, healthyHours: null };

function finding(file: YamlFile, path: YamlPath, rule: string, message: string, remedy: string): Finding {
  return { rule, severity: "error", file: file.path, ...locate(file, path), message, remedy };
}
