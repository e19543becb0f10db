import type { Evidence } from "../catalogue/evidence/evidence.ts";
import { contentAt, isEvidencePath, readKeptFile } from "../catalogue/evidence/branch.ts";
import type { ModuleName } from "../catalogue/names.ts";
import type { ModuleVersion } from "../catalogue/version.ts";
import { hashOf } from "../document/canonical.ts";
import type { Finding } from "../document/finding.ts";
import { fileText, type SnapshotFile } from "../document/snapshot.ts";
import type { Run } from "../ports.ts";
import type { PromotionWorld } from "./gather.ts";
import type { DamagedEvidence } from "./verdict/subject.ts";

/** One file of evidence. */
export interface FileOfEvidence {
  readonly evidence: readonly Evidence[];
  /** SHA-256. */
  readonly digest: string;
}

/** All evidence that is at hand. */
export interface ReadEvidence {
  readonly evidence: readonly Evidence[];
  readonly files: readonly FileOfEvidence[];
  /** What each file says, by its SHA-256; also those that the branch had before. */
  readonly byDigest: ReadonlyMap<string, readonly Evidence[]>;
}

/** What the branch of evidence has. */
export interface KeptEvidence {
  readonly files: readonly FileOfEvidence[];
  /** As they were before, where the past is asked about. */
  readonly earlier: readonly FileOfEvidence[];
  /** What is wrong with files. Warnings, since they keep nothing but the versions that they are of. */
  readonly findings: readonly Finding[];
  /** Those versions: what is known of them, such as a failed test, is not known any more. */
  readonly damaged: readonly DamagedEvidence[];
}

/** A repository without the branch. */
export const NOTHING_KEPT: KeptEvidence = { files: [], earlier: [], findings: [], damaged: [] };

/** Reads the branch of evidence, without a checkout. Throws GIT_FAILED. */
export async function readKeptEvidence(
  isAboutPast: boolean,
  { evidenceTip, source, history }: Pick<PromotionWorld, "evidenceTip" | "source" | "history">,
  run: Run,
): Promise<KeptEvidence> {
  const tip = await evidenceTip(run);
  if (tip === undefined) return NOTHING_KEPT;
  const { files } = await source(tip).snapshot(isEvidencePath, run);
  const now = [...files].map(([path, content]) => ({ path, ...readFile(path, content) }));
  const scope = { paths: isAboutPast ? ["modules"] : [], wants: isEvidencePath, everyCommit: false };
  const { changes } = await history.read(tip, scope, run);
  return {
    files: now,
    earlier: changes.flatMap(({ path, content }) => (content === undefined ? [] : readFile(path, content))),
    findings: now.flatMap(({ findings }) => findings).map((finding) => ({ ...finding, severity: "warning" })),
    damaged: now.flatMap(({ path, findings: [first] }) => {
      const content = contentAt(path);
      return first === undefined || content === undefined ? [] : [{ ...content, source: first.file }];
    }),
  };
}

function readFile(path: string, content: SnapshotFile): FileOfEvidence & { readonly findings: readonly Finding[] } {
  return { ...readKeptFile(path, content), digest: hashOf(fileText(content) ?? "") };
}

/** All evidence of files that were named, and of the branch. */
export function readEvidenceOf(named: readonly FileOfEvidence[], { files: kept, earlier }: KeptEvidence): ReadEvidence {
  const files = [...named, ...kept];
  return {
    evidence: files.flatMap(({ evidence }) => evidence),
    files,
    byDigest: new Map([...earlier, ...files].map(({ digest, evidence }) => [digest, evidence])),
  };
}

/** The files that a verdict on a version may have been decided on. A smoke test of another version decides nothing. */
export function digestsFor(
  { files }: ReadEvidence,
  { module, version }: { readonly module: ModuleName; readonly version: ModuleVersion },
): readonly string[] {
  const matters = (one: Evidence): boolean =>
    one.module === module && (one.kind !== "smoke" || one.version === version);
  const digests = files.flatMap(({ digest, evidence }) => (evidence.some(matters) ? [digest] : []));
  return [...new Set(digests)];
}
