import { canonicalJson } from "../../document/canonical.ts";
import { conform } from "../conform.ts";
import type { Evidence, ObservedPath } from "./evidence.ts";
import { fieldAt, isRecord } from "../../document/fields.ts";
import { FILE_START, sortFindings, type Finding } from "../../document/finding.ts";
import { MAX_FILE_BYTES, type SnapshotFile } from "../../document/snapshot.ts";
import { locate, readYaml, type YamlFile } from "../../document/yaml/read.ts";
import type { YamlPath } from "../../document/yaml/tree.ts";

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
export function readEvidence(name: string, content: SnapshotFile): EvidenceReading {
  if (content.kind === "bytes" && content.bytes.length > MAX_FILE_BYTES)
    return refused([tooLarge(name, content.bytes.length)]);
  const reading = readYaml(name, content);
  if (reading.kind === "refused") return refused(reading.findings);
  const outdated = withoutPaths(reading.file);
  if (outdated.length > 0) return refused(outdated);
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

/** Smoke tests that only say whether they passed, as they did before they said what became of each path. */
function withoutPaths(file: YamlFile): readonly Finding[] {
  const list = fieldAt(file.value, ["evidence"]);
  const all: readonly unknown[] = Array.isArray(list) ? list : [];
  return all.flatMap((one, index) => {
    if (!isRecord(one) || one["kind"] !== "smoke" || !("passed" in one)) return [];
    const message = `evidence.${String(index)} says whether a smoke test passed, and not on which paths: it opens nothing any more.`;
    return [finding(file, ["evidence", index, "passed"], "evidence-paths", message, TEST_AGAIN)];
  });
}

const TEST_AGAIN = "Test it again, and take the new evidence.json: kyma-modules smoke MODULE --report DIR.";

function judge(one: Evidence, index: number, file: YamlFile): readonly Finding[] {
  if (one.kind === "smoke") return judgePaths(one.paths, index, file);
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

function judgePaths(paths: readonly ObservedPath[], index: number, file: YamlFile): readonly Finding[] {
  return paths.flatMap((path, place) => {
    const at = ["evidence", index, "paths", place];
    const report = (message: string, remedy: string): Finding =>
      finding(file, at, "evidence-paths", `${at.join(".")} ${message}.`, remedy);
    const steps = [...path.passed, ...path.failed, ...path.notChecked];
    const twice = steps.find((step, first) => steps.indexOf(step) !== first);
    const first = paths.findIndex((other) => isSamePath(other, path));
    const hasHalf = (path.from === undefined) !== (path.fromSpecHash === undefined);
    return [
      ...(hasHalf ? [report("names only half of what was upgraded from", NAME_BOTH)] : []),
      ...(twice === undefined ? [] : [report(`says twice what became of the step ${twice}`, ONE_LIST)]),
      ...(first === place ? [] : [report(`is the same path as ${[...at.slice(0, 3), first].join(".")}`, ONE_PATH)]),
    ];
  });
}

function isSamePath(a: ObservedPath, b: ObservedPath): boolean {
  return a.from === b.from && a.fromSpecHash === b.fromSpecHash && a.pods === b.pods;
}

const NAME_BOTH = "Write from and fromSpecHash, or for an install none of them.";
const ONE_LIST = "Leave it in one of passed, failed and notChecked.";
const ONE_PATH = "Remove the one that is wrong.";
const ADD_UID = "Add its uid, or remove generation.";
const COUNT_AGAIN = "Count again: healthy is at most clusters.";

/** What was observed at one moment by one source is said once: of two that differ one is wrong. */
function repetitions(evidence: readonly Evidence[], file: YamlFile): readonly Finding[] {
  const seen = new Map<string, { readonly index: number; readonly said: string }>();
  return evidence.flatMap((one, index) => {
    const at = { ...one, observedAt: Date.parse(one.observedAt) };
    const [occasion, said] = [canonicalJson({ ...at, ...withoutResult(one) }), canonicalJson(at)];
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
function withoutResult(one: Evidence): object {
  if (one.kind !== "smoke") return NO_RESULT;
  return { paths: one.paths.map(({ from, fromSpecHash, pods }) => ({ from, fromSpecHash, pods })) };
}

const NO_RESULT = { approved: null, clusters: null, healthy: null, healthyHours: null };

function finding(file: YamlFile, path: YamlPath, rule: string, message: string, remedy: string): Finding {
  return { rule, severity: "error", file: file.path, ...locate(file, path), message, remedy };
}
