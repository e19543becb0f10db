import type { Evidence } from "../catalogue/evidence/evidence.ts";
import { contentAt, EVIDENCE_BRANCH, isEvidencePath, readKeptFile } from "../catalogue/evidence/branch.ts";
import type { ModuleName } from "../catalogue/names.ts";
import type { ModuleVersion } from "../catalogue/version.ts";
import { canonicalHash } from "../document/canonical.ts";
import type { Finding } from "../document/finding.ts";
import { fileText, type SnapshotFile } from "../document/snapshot.ts";
import { Fault, type Run } from "../ports.ts";
import type { PromotionWorld } from "./gather.ts";
import type { DamagedEvidence } from "./verdict/subject.ts";

/** One evidence file. */
export interface FileOfEvidence {
  readonly evidence: readonly Evidence[];
  /** SHA-256. */
  readonly digest: string;
}

/** One version of an evidence file, and when it came to the branch. Unix milliseconds, from the committer's clock. */
export interface PublishedFile extends FileOfEvidence {
  readonly publishedMs: number;
}

/** All available evidence. */
export interface ReadEvidence {
  readonly evidence: readonly Evidence[];
  readonly files: readonly FileOfEvidence[];
  /** The evidence of each file by its SHA-256, including earlier versions of files on the branch. */
  readonly byDigest: ReadonlyMap<string, readonly Evidence[]>;
  /** Every version of the files on the branch, if the past is asked about. */
  readonly published: readonly PublishedFile[];
}

/** The content of the evidence branch. */
interface KeptEvidence {
  readonly files: readonly FileOfEvidence[];
  /** Every version of these files, if the past is asked about. */
  readonly published: readonly PublishedFile[];
  /** Problems in files. They are warnings, since they block only the versions of those files. */
  readonly findings: readonly Finding[];
  /** Those versions. Known facts about them, such as a failed test, may be lost. */
  readonly damaged: readonly DamagedEvidence[];
}

/** The value for a repository without the branch. */
export const NOTHING_KEPT: KeptEvidence = { files: [], published: [], findings: [], damaged: [] };

/**
 * Reads the evidence branch, without a checkout. Throws GIT_FAILED, and HISTORY_TOO_SHALLOW if the past is asked about
 * and the clone does not have all of the branch.
 */
export async function readKeptEvidence(
  isAboutPast: boolean,
  { evidenceTips, source, history }: Pick<PromotionWorld, "evidenceTips" | "source" | "history">,
  run: Run,
): Promise<KeptEvidence> {
  const tips = await evidenceTips(run);
  const branches = await Promise.all(tips.map((tip) => readBranch(tip, isAboutPast, { source, history }, run)));
  // Two tips have most files in common.
  return {
    files: unique(branches.flatMap(({ files }) => files)),
    published: branches.flatMap(({ published }) => published),
    findings: unique(branches.flatMap(({ findings }) => findings)),
    damaged: unique(branches.flatMap(({ damaged }) => damaged)),
  };
}

function unique<Value>(values: readonly Value[]): readonly Value[] {
  return [...new Map(values.map((one) => [JSON.stringify(one), one])).values()];
}

async function readBranch(
  tip: string,
  isAboutPast: boolean,
  { source, history }: Pick<PromotionWorld, "source" | "history">,
  run: Run,
): Promise<KeptEvidence> {
  const { files } = await source(tip).snapshot(isEvidencePath, run);
  const now = [...files].map(([path, content]) => ({ path, ...readFile(path, content) }));
  const scope = { paths: isAboutPast ? ["modules"] : [], wants: isEvidencePath, everyCommit: false };
  const { changes, commits, cut } = await history.read(tip, scope, run);
  // Without older commits, old evidence seems to be published with the oldest of the others.
  if (cut !== undefined) {
    const message = `This clone lacks older commits of the branch ${EVIDENCE_BRANCH}. Fetch them: git fetch --unshallow`;
    throw new Fault("HISTORY_TOO_SHALLOW", message, { cause: cut });
  }
  return {
    files: now,
    published: changes.flatMap(({ path, content, index }) => {
      const publishedMs = Number(commits[index]?.committerMs);
      return content === undefined ? [] : { ...readFile(path, content), publishedMs };
    }),
    findings: now.flatMap(({ findings }) => findings).map((finding) => ({ ...finding, severity: "warning" })),
    damaged: now.flatMap(({ path, findings: [first] }) => {
      const content = contentAt(path);
      return first === undefined || content === undefined ? [] : [{ ...content, source: first.file }];
    }),
  };
}

function readFile(path: string, content: SnapshotFile): FileOfEvidence & { readonly findings: readonly Finding[] } {
  return { ...readKeptFile(path, content), digest: canonicalHash(fileText(content) ?? "") };
}

/** Combines the evidence of named files and of the branch. */
export function mergeReadEvidence(
  named: readonly FileOfEvidence[],
  { files: kept, published }: KeptEvidence,
): ReadEvidence {
  const files = [...named, ...kept];
  return {
    evidence: files.flatMap(({ evidence }) => evidence),
    files,
    byDigest: new Map([...published, ...files].map(({ digest, evidence }) => [digest, evidence])),
    published,
  };
}

/**
 * Digests of the files that may have influenced the verdict on a version. A smoke test of another version has no
 * influence.
 */
export function digestsFor(
  { files }: ReadEvidence,
  { module, version }: { readonly module: ModuleName; readonly version: ModuleVersion },
): readonly string[] {
  const influential = files.filter(({ evidence }) =>
    evidence.some((one) => one.module === module && (one.kind !== "smoke" || one.version === version)),
  );
  return [...new Set(influential.map(({ digest }) => digest))];
}
