import type { Catalogue } from "../catalogue/catalogue.ts";
import { readEvidence } from "../catalogue/evidence/file.ts";
import { isOfCatalogue, policyPath, SETTINGS_PATH } from "../catalogue/paths.ts";
import { canonicalHash } from "../document/canonical.ts";
import { counted } from "../document/counted.ts";
import { findingText, isBroken, type Finding } from "../document/finding.ts";
import { Fault, type Run } from "../ports.ts";
import {
  gatherPromotion,
  type Gathered,
  type PromotionQuestion,
  type PromotionWorld,
  type Unreadable,
} from "./gather.ts";
import {
  type FileOfEvidence,
  NOTHING_KEPT,
  type ReadEvidence,
  mergeReadEvidence,
  readKeptEvidence,
} from "./keptEvidence.ts";

/** Reads evidence files. Throws CONFIGURATION, also for a broken file, and FILE_UNREADABLE. */
export async function readEvidenceFiles(
  paths: readonly string[],
  { namedFiles }: Pick<PromotionWorld, "namedFiles">,
  run: Run,
): Promise<readonly FileOfEvidence[]> {
  const found = paths.length === 0 ? [] : await namedFiles.read(paths, run);
  const names = new Set(found.map(({ name }) => name));
  // The report of a smoke test repeats for people what the evidence beside it says.
  const files = found.filter(
    ({ name }) =>
      paths.includes(name) ||
      !(/(^|[/\\])report\.json$/.test(name) && names.has(name.replace(/report\.json$/, "evidence.json"))),
  );
  const readings = files.map(({ name, content: bytes }) => {
    return { ...readEvidence(name, { kind: "bytes", bytes }), digest: canonicalHash(Buffer.from(bytes).toString()) };
  });
  const findings = readings.flatMap((reading) => reading.findings);
  if (findings.length > 0) throw brokenFiles(findings);
  return readings;
}

/**
 * The fault for named files with problems, with all `findings`, and what was done all the same. A file that is only partly
 * readable decides nothing.
 */
export function brokenFiles(findings: readonly Finding[], ...done: readonly string[]): Fault {
  const files = [...new Set(findings.map(({ file }) => file))].join(", ");
  const head = `${files} cannot be used: ${counted(findings.length, "problem")}.`;
  return new Fault("CONFIGURATION", [head, ...findings.map((finding) => findingText(finding)), ...done].join("\n"));
}

/** The input of a command's decision. */
export interface DecisionContext {
  readonly kind: "context";
  readonly gathered: Gathered;
  readonly observed: ReadEvidence;
  /**
   * Errors in files that the decision ignores: on the evidence branch, and, for an urgent decision, in the catalogue.
   * They explain why a channel, a module or an observation is missing.
   */
  readonly errors: readonly Finding[];
}

/** A command's request for a decision. */
export interface DecisionQuestion extends Pick<PromotionQuestion, "revision" | "isUrgent" | "isAboutPast"> {
  /** Paths of evidence files, in addition to the evidence branch; `undefined`: the decision needs no evidence. */
  readonly evidence?: readonly string[];
  /** Unix milliseconds; now when undefined. */
  readonly atMs?: number | undefined;
  /** The requested channel. If its policy is broken, that is reported, and not a missing channel. */
  readonly channel?: string | undefined;
}

/** Gathers the merged files and the evidence. Throws what `gatherPromotion` and `readEvidenceFiles` throw. */
export async function gatherContext(
  { evidence: paths, atMs, channel, ...rest }: DecisionQuestion,
  world: PromotionWorld,
  run: Run,
): Promise<DecisionContext | Unreadable> {
  const named = await readEvidenceFiles(paths ?? [], world, run);
  const kept = paths === undefined ? NOTHING_KEPT : await readKeptEvidence(rest.isAboutPast ?? false, world, run);
  const observed = mergeReadEvidence(named, kept);
  const gathered = await gatherPromotion(
    { ...rest, atMs, evidence: observed.evidence, damaged: kept.damaged },
    world,
    run,
  );
  await warnUncommitted(rest.revision, world, run);
  if (gathered.kind === "unreadable") return gathered;
  const { catalogue, revision } = gathered;
  const errors = catalogue.findings.filter(({ severity }) => severity === "error");
  if (isPolicyBroken(catalogue, channel)) return { kind: "unreadable", revision, findings: errors };
  return { kind: "context", gathered, observed, errors: [...kept.findings, ...errors] };
}

/** Whether the settings, or the policy of a channel, cannot be read. */
export function isPolicyBroken(catalogue: Catalogue, channel: string | undefined): boolean {
  return isBroken(catalogue, SETTINGS_PATH) || isBroken(catalogue, policyPath(channel ?? ""));
}

const MOST_NAMED = 3;

/**
 * Warns about uncommitted files of the catalogue if `revision` is HEAD. The decision ignores them, which surprises a
 * person who has just edited a policy.
 */
export async function warnUncommitted(
  revision: string,
  { uncommitted }: Pick<PromotionWorld, "uncommitted">,
  run: Run,
): Promise<void> {
  const paths = revision === "HEAD" ? await uncommitted(run) : [];
  const edited = paths.filter(isOfCatalogue);
  if (edited.length === 0) return;
  const named = [...edited.slice(0, MOST_NAMED), ...(edited.length > MOST_NAMED ? ["…"] : [])].join(", ");
  const are = edited.length === 1 ? "is" : "are";
  run.log.warn(`${counted(edited.length, "file")} of the catalogue ${are} not committed, and ignored: ${named}`);
}
