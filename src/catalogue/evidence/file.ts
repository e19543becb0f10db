import { canonicalJson } from "../../document/canonical.ts";
import { conform } from "../conform.ts";
import type { Evidence, ObservedPath } from "./evidence.ts";
import { fieldAt, isRecord } from "../../document/fields.ts";
import { FILE_START, sortFindings, type Finding } from "../../document/finding.ts";
import { MAX_FILE_BYTES, type SnapshotFile } from "../../document/snapshot.ts";
import { errorAt, readYaml, type YamlFile } from "../../document/yaml/read.ts";

/** The evidence of a file, and its findings. */
export interface EvidenceReading {
  /** In the order of the file. Empty for a refused file, since its unreadable part may count against a version. */
  readonly evidence: readonly Evidence[];
  /** Sorted. All are errors: a file with findings is refused. */
  readonly findings: readonly Finding[];
}

/**
 * Reads a file of evidence (schemas/evidence.schema.json), YAML or JSON. Reports all problems, not only the first.
 *
 * Takes:  the name of the file, for findings. Never throws.
 */
export function readEvidence(name: string, content: SnapshotFile): EvidenceReading {
  if (content.kind === "bytes" && content.bytes.length > MAX_FILE_BYTES) {
    const message = `The file has ${String(content.bytes.length)} bytes, more than ${String(MAX_FILE_BYTES)}.`;
    const remedy = "Split it, and name each part with --evidence; leave out what newer observations replace.";
    return refused([{ rule: "file-size", severity: "error", file: name, ...FILE_START, message, remedy }]);
  }
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

/** Findings for smoke tests in the old form, which has one result instead of one for each path. */
function withoutPaths(file: YamlFile): readonly Finding[] {
  const list = fieldAt(file.value, ["evidence"]);
  const all: readonly unknown[] = Array.isArray(list) ? list : [];
  return all.flatMap((one, index) => {
    if (!isRecord(one) || one["kind"] !== "smoke" || !("passed" in one)) return [];
    const message = `evidence.${String(index)} says whether a smoke test passed, but not on which paths, so it does not count anymore.`;
    return [errorAt(file, ["evidence", index, "passed"], "evidence-paths", message, TEST_AGAIN)];
  });
}

const TEST_AGAIN = "Test the version again, and use the new evidence.json: kyma-modules smoke MODULE --report DIR.";

function judge(one: Evidence, index: number, file: YamlFile): readonly Finding[] {
  if (one.kind === "smoke") return judgePaths(one.paths, index, file);
  const findings: Finding[] = [];
  const at = `evidence.${String(index)}`;
  if (one.generation !== undefined && one.uid === undefined) {
    const message = `${at} has a generation, but no uid of an object.`;
    findings.push(errorAt(file, ["evidence", index, "generation"], "evidence-object", message, ADD_UID));
  }
  if (one.kind === "health" && one.healthy > one.clusters) {
    const message = `${at} says that ${String(one.healthy)} of ${String(one.clusters)} clusters are healthy.`;
    findings.push(errorAt(file, ["evidence", index, "healthy"], "evidence-health", message, COUNT_AGAIN));
  }
  return findings;
}

function judgePaths(paths: readonly ObservedPath[], index: number, file: YamlFile): readonly Finding[] {
  return paths.flatMap((path, place) => {
    const at = ["evidence", index, "paths", place];
    const report = (message: string, remedy: string): Finding =>
      errorAt(file, at, "evidence-paths", `${at.join(".")} ${message}.`, remedy);
    const steps = [...path.passed, ...path.failed, ...path.notChecked];
    const twice = steps.find((step, first) => steps.indexOf(step) !== first);
    const first = paths.findIndex(
      ({ from, fromSpecHash, pods }) => from === path.from && fromSpecHash === path.fromSpecHash && pods === path.pods,
    );
    const hasHalf = (path.from === undefined) !== (path.fromSpecHash === undefined);
    return [
      ...(hasHalf ? [report("has only one of from and fromSpecHash", NAME_BOTH)] : []),
      ...(twice === undefined ? [] : [report(`has two results of the step ${twice}`, ONE_LIST)]),
      ...(first === place ? [] : [report(`is the same path as ${[...at.slice(0, 3), first].join(".")}`, ONE_PATH)]),
    ];
  });
}

const NAME_BOTH = "Write both, or neither for a new installation.";
const ONE_LIST = "Leave it in one of passed, failed and notChecked.";
const ONE_PATH = "Remove the one that is wrong.";
const ADD_UID = "Add its uid, or remove generation.";
const COUNT_AGAIN = "Count again: healthy is at most clusters.";

/** Findings for repeated observations: one source has one result at one time. When two differ, one is wrong. */
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
    const message = `evidence.${String(index)} is the same observation as evidence.${String(first.index)}${isSame ? "" : ", with another result"}.`;
    const remedy = isSame ? "Remove one of the two." : "Remove the one that is wrong.";
    return [errorAt(file, ["evidence", index], "evidence-duplicate", message, remedy)];
  });
}

/** The fields that remove the result: canonical JSON leaves out null, so that only subject, time and source remain. */
function withoutResult(one: Evidence): object {
  if (one.kind !== "smoke") return NO_RESULT;
  return { paths: one.paths.map(({ from, fromSpecHash, pods }) => ({ from, fromSpecHash, pods })) };
}

const NO_RESULT = { approved: null, commit: null, clusters: null, healthy: null, healthyHours: null };
