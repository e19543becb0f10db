import type { Catalogue } from "../catalogue/catalogue.ts";
import { readEvidence } from "../catalogue/evidence/file.ts";
import { isOfCatalogue, policyPath, SETTINGS_PATH } from "../catalogue/paths.ts";
import { hashOf } from "../document/canonical.ts";
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
  readEvidenceOf,
  readKeptEvidence,
} from "./keptEvidence.ts";

/** Reads files of evidence. Throws CONFIGURATION, also for one that is broken, and FILE_UNREADABLE. */
export async function readEvidenceFiles(
  paths: readonly string[],
  { namedFiles }: Pick<PromotionWorld, "namedFiles">,
  run: Run,
): Promise<readonly FileOfEvidence[]> {
  const found = paths.length === 0 ? [] : await namedFiles.read(paths, run);
  const names = new Set(found.map(({ name }) => name));
  const files = found.filter(({ name }) => paths.includes(name) || !isReport(name, names));
  const readings = files.map(({ name, content: bytes }) => {
    return { ...readEvidence(name, { kind: "bytes", bytes }), digest: hashOf(Buffer.from(bytes).toString()) };
  });
  const findings = readings.flatMap((reading) => reading.findings);
  if (findings.length > 0) throw brokenFiles(findings);
  return readings;
}

/** Whether a file of a folder is the report of a smoke test, which tells people what the evidence beside it tells us. */
function isReport(name: string, names: ReadonlySet<string>): boolean {
  return /(^|[/\\])report\.json$/.test(name) && names.has(name.replace(/report\.json$/, "evidence.json"));
}

/** What is thrown for named files in which something is wrong: half of one decides nothing. It tells all `findings`. */
export function brokenFiles(findings: readonly Finding[]): Fault {
  const files = [...new Set(findings.map(({ file }) => file))].join(", ");
  const lines = findings.map((finding) => findingText(finding));
  return new Fault(
    "CONFIGURATION",
    [`${files} cannot be used: ${counted(findings.length, "problem")}.`, ...lines].join("\n"),
  );
}

/** What a command decides on. */
export interface DecisionContext {
  readonly kind: "context";
  readonly gathered: Gathered;
  readonly observed: ReadEvidence;
  /**
   * What is broken in files that the decision does without: those of the branch of evidence, and of the catalogue where
   * it is urgent. Whoever misses a channel, a module or an observation shall see why.
   */
  readonly errors: readonly Finding[];
}

/** What a command wants to decide. */
export interface DecisionQuestion extends Pick<PromotionQuestion, "revision" | "isUrgent" | "isAboutPast"> {
  /** Paths of files, beside what the branch of evidence has; `undefined`: evidence decides nothing here. */
  readonly evidence?: readonly string[];
  /** Unix milliseconds; now when undefined. */
  readonly atMs?: number | undefined;
  /** The channel that it is about: one with a broken policy is not missing. */
  readonly channel?: string | undefined;
}

/** Gathers what was merged and observed. Throws what `gatherPromotion` and `readEvidenceFiles` throw. */
export async function gatherContext(
  { evidence: paths, atMs, channel, ...rest }: DecisionQuestion,
  world: PromotionWorld,
  run: Run,
): Promise<DecisionContext | Unreadable> {
  const named = await readEvidenceFiles(paths ?? [], world, run);
  const kept = paths === undefined ? NOTHING_KEPT : await readKeptEvidence(rest.isAboutPast ?? false, world, run);
  const observed = readEvidenceOf(named, kept);
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
  return { kind: "context", gathered, observed, errors: [...kept.findings, ...(rest.isUrgent === true ? errors : [])] };
}

/** Whether the settings, or the policy of a channel, cannot be read. */
export function isPolicyBroken(catalogue: Catalogue, channel: string | undefined): boolean {
  return isBroken(catalogue, SETTINGS_PATH) || isBroken(catalogue, policyPath(channel ?? ""));
}

const MOST_NAMED = 3;

/**
 * Names the files of the catalogue that a decision on `revision` leaves out, where it is on HEAD: whoever has just edited
 * a policy believes to see what it does.
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
  run.log.warn(
    `${counted(edited.length, "file")} of the catalogue ${are} not committed; what is not committed does not count: ${named}`,
  );
}
