import { hashOf } from "../../document/canonical.ts";
import { counted } from "../../document/counted.ts";
import type { Evidence } from "../../catalogue/evidence.ts";
import { readEvidence } from "../../catalogue/evidenceFile.ts";
import { gatherPromotion, type Gathered, type PromotionQuestion } from "../../promote/gather.ts";
import type { Run } from "../../ports.ts";
import type { PromotionPorts } from "../compose/promotion.ts";
import { brokenPolicy, isOfCatalogue, refuseNoCatalogue } from "../loadCatalogue.ts";
import { brokenFile } from "../namedFile.ts";
import type { Output } from "../terminal/output.ts";
import { sayFindings } from "../terminal/findings.ts";

/** What files of evidence say. */
export interface ReadEvidence {
  readonly evidence: readonly Evidence[];
  /** SHA-256 of each file. */
  readonly digests: readonly string[];
  /** What each file says, by its SHA-256. */
  readonly byDigest: ReadonlyMap<string, readonly Evidence[]>;
}

/** Reads files of evidence. Throws CONFIGURATION, also for one that is broken, and FILE_UNREADABLE. */
export async function readEvidenceFiles(
  paths: readonly string[],
  { check: { readNamedFiles } }: Pick<PromotionPorts, "check">,
  run: Run,
): Promise<ReadEvidence> {
  const files = paths.length === 0 ? [] : await readNamedFiles(paths, run);
  const readings = files.map(({ name, content }) => {
    return { ...readEvidence(name, content), digest: hashOf(Buffer.from(content).toString()) };
  });
  const findings = readings.flatMap((reading) => reading.findings);
  if (findings.length > 0) throw brokenFile(findings);
  return {
    evidence: readings.flatMap(({ evidence }) => evidence),
    digests: readings.map(({ digest }) => digest),
    byDigest: new Map(readings.map(({ digest, evidence }) => [digest, evidence])),
  };
}

/** What a command decides on, and what its files of evidence say. */
export interface DecisionContext {
  readonly gathered: Gathered;
  readonly observed: ReadEvidence;
}

/**
 * Gathers what was merged and observed, or says what is wrong with it: `undefined` then. Throws what `gatherPromotion`
 * and `readEvidenceFiles` do.
 */
export async function gatherGround(
  question: Pick<PromotionQuestion, "revision" | "isUrgent" | "isAboutPast"> & {
    /** Paths of files. */
    readonly evidence?: readonly string[];
    readonly atMs?: number | undefined;
    /** The channel that it is about. */
    readonly channel?: string | undefined;
  },
  ports: Pick<PromotionPorts, "check" | "world">,
  output: Output,
  run: Run,
): Promise<DecisionContext | undefined> {
  const { evidence: paths = [], atMs, channel, ...rest } = question;
  const observed = await readEvidenceFiles(paths, ports, run);
  const gathered = await gatherPromotion({ ...rest, atMs, evidence: observed.evidence }, ports.world, run);
  await warnUncommitted(rest.revision, ports, run);
  if (gathered.kind === "gathered") {
    // What cannot wait is decided beside files that are broken: whoever misses a channel or a module shall see why.
    const errors = gathered.catalogue.findings.filter(({ severity }) => severity === "error");
    if (rest.isUrgent === true) sayFindings(errors, output);
    return brokenPolicy(gathered.catalogue, channel).length > 0 ? undefined : { gathered, observed };
  }
  refuseNoCatalogue(gathered.findings);
  sayFindings(gathered.findings, output);
  const commit = gathered.revision?.slice(0, 10) ?? "";
  output.say(`nothing is decided on the commit ${commit}; what is not committed does not count`);
  return undefined;
}

const MOST_NAMED = 3;

/**
 * Names the files of the catalogue that a decision on `revision` leaves out, where it is on HEAD: whoever has just edited
 * a policy believes to see what it does.
 */
export async function warnUncommitted(
  revision: string,
  { check }: Pick<PromotionPorts, "check">,
  run: Run,
): Promise<void> {
  const paths = revision === "HEAD" ? await check.uncommitted(run) : [];
  const edited = paths.filter(isOfCatalogue);
  if (edited.length === 0) return;
  const named = [...edited.slice(0, MOST_NAMED), ...(edited.length > MOST_NAMED ? ["…"] : [])].join(", ");
  const are = edited.length === 1 ? "is" : "are";
  run.log.warn(
    `${counted(edited.length, "file")} of the catalogue ${are} not committed; what is not committed does not count: ${named}`,
  );
}
