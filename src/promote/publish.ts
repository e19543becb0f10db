import type { Catalogue } from "../catalogue/catalogue.ts";
import type { Evidence, EvidenceOf } from "../catalogue/evidence/evidence.ts";
import { contentAt, evidencePath, keptFile, readKeptFile } from "../catalogue/evidence/branch.ts";
import { lookUpAtHead, versionKey } from "../catalogue/lookup.ts";
import { specHash } from "../catalogue/template.ts";
import { counted } from "../document/counted.ts";
import { FILE_START, type Finding } from "../document/finding.ts";
import { fileText, type SnapshotFile } from "../document/snapshot.ts";
import { type Clock, Fault, type History, type KeptBranch, type NamedFiles, type Run, type Source } from "../ports.ts";
import { brokenFiles, readEvidenceFiles } from "./context.ts";
import { CLOCKS_APART_MS, instantText } from "../document/times.ts";
import { lookUpTemplate } from "../reading/template.ts";
import { worthKeeping } from "./verdict/evidence/worthKeeping.ts";
import { catalogueAt } from "../reading/catalogue.ts";

/** A request to publish evidence files. */
export interface PublishRequest {
  /** Paths of evidence files. */
  readonly files: readonly string[];
  /** The commit whose catalogue they describe. */
  readonly revision: string;
  /** The module that they may describe; any if undefined. */
  readonly module?: string | undefined;
}

/** Ports for publishing to the evidence branch. */
export interface EvidenceKeeping {
  readonly clock: Clock;
  readonly branch: KeptBranch;
  /** A commit's files. */
  source(revision: string): Source;
  /** A random number from 0 to 1, so that concurrent writers wait for different times. */
  chance(): number;
}

/** Ports for publishing files. */
export interface PublishWorld extends EvidenceKeeping {
  readonly history: History;
  readonly namedFiles: NamedFiles;
}

/** The outcome of publishing. */
export interface Published {
  /** The number of observations. */
  readonly count: number;
  /** The paths that changed; none if there was nothing to add. */
  readonly paths: readonly string[];
  /** The commit of the branch. */
  readonly commit: string | undefined;
}

/**
 * Adds evidence files to the evidence branch, in one commit, on top of what others add meanwhile. Publishing the same
 * again changes nothing. It runs no code of a module.
 *
 * Throws CONFIGURATION for files that are broken, that describe content which is neither in the catalogue at that commit
 * nor in its history, or another module than the named one, that come from the future, or that hold anything but smoke tests; also if a file on the branch is
 * unreadable, once everything for other files is added; HISTORY_TOO_SHALLOW; FORGE_CONFLICT if other writers were faster
 * each time.
 */
export async function publishEvidence(
  { files, revision, module }: PublishRequest,
  world: PublishWorld,
  run: Run,
): Promise<Published> {
  const evidence = (await readEvidenceFiles(files, world, run)).flatMap((file) => file.evidence);
  const { readable: catalogue } = await catalogueAt(world.source(revision), run);
  const contents = await observedContents(evidence, { catalogue, revision, history: world.history }, run);
  const foreign = module === undefined ? [] : ofOthers(evidence, module);
  const findings = [...foreign, ...judgeEvidence(evidence, contents, world.clock.nowMs())];
  if (findings.length > 0) throw brokenFiles(findings.map((finding) => ({ ...finding, file: files.join(", ") })));
  return publishAll({ evidence, chosen: () => evidence }, world, run);
}

/** Ports for publishing observations. */
export interface ObservedKeeping extends EvidenceKeeping {
  /** The line of first parents of a commit. */
  firstParents(commit: string, run: Run): Promise<readonly string[]>;
}

/** A request to publish observations of control planes. */
export interface ObservedRequest {
  readonly evidence: readonly Evidence[];
  /** The catalogue that it describes. */
  readonly catalogue: Catalogue;
}

/** The outcome of publishing observations. */
export interface PublishedObservations extends Published {
  /** Observations of contents that are not in the catalogue, one for each content. */
  readonly leftOut: readonly Evidence[];
}

/**
 * Adds observations of control planes to the evidence branch, as `publishEvidence` does: as soon as they change what a
 * policy finds, and otherwise once a day; for each object at most once an hour. Leaves out contents that are not in the
 * catalogue, such as a version that was removed, and names no commit that is not on the line of the catalogue's own one:
 * a landscape may have been synced from a branch that was merged since.
 */
export async function publishObserved(
  { evidence, catalogue }: ObservedRequest,
  world: ObservedKeeping,
  run: Run,
): Promise<PublishedObservations> {
  const inCatalogue = evidence.filter((one) => isInCatalogue(one, catalogue));
  const leftOut = evidence.filter((one) => !inCatalogue.includes(one) && one.kind === "served");
  const line = new Set(catalogue.revision === undefined ? [] : await world.firstParents(catalogue.revision, run));
  const known = inCatalogue.map((one) => (one.kind === "served" ? evidenceOfWithCommit(line, one) : one));
  const chosen: Publication["chosen"] = (kept) => worthKeeping(known, { kept, catalogue, nowMs: world.clock.nowMs() });
  return { ...(await publishAll({ evidence: known, chosen }, world, run)), leftOut };
}

function evidenceOfWithCommit(line: ReadonlySet<string>, { commit, ...one }: EvidenceOf<"served">): Evidence {
  return commit !== undefined && line.has(commit) ? { ...one, commit } : one;
}

/** Evidence that may be published. */
interface Publication {
  readonly evidence: readonly Evidence[];
  /** The part to publish, given all that is kept about its modules. */
  readonly chosen: (kept: readonly Evidence[]) => readonly Evidence[];
}

async function publishAll(publication: Publication, world: EvidenceKeeping, run: Run): Promise<Published> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const published = await publishOnce(publication, world, run);
    if (published !== undefined) return published;
    await world.clock.pause(FIRST_PAUSE_MS * 2 ** (attempt - 1) * (0.5 + world.chance() / 2), run);
  }
  const message = `${world.branch.name} moved during each of ${ATTEMPTS} attempts to add to it. Run the command again.`;
  throw new Fault("FORGE_CONFLICT", message, { retry: true });
}

const ATTEMPTS = 8;
/** Doubles each time: half a minute in all. */
const FIRST_PAUSE_MS = 250;

async function publishOnce(
  { evidence, chosen }: Publication,
  { branch, source }: Pick<EvidenceKeeping, "branch" | "source">,
  run: Run,
): Promise<Published | undefined> {
  const tip = await branch.fetch(run);
  const modules = new Set<string | undefined>(evidence.map(({ module }) => module));
  const { files } =
    tip === undefined ? NO_FILES : await source(tip).snapshot((path) => modules.has(contentAt(path)?.module), run);
  const kept = [...files].flatMap(([path, file]) => readKeptFile(path, file).evidence);
  const changed = new Map<string, string>();
  const unreadable: Finding[] = [];
  for (const [path, added] of Map.groupBy(chosen(kept), evidencePath)) {
    const file = keptFile(path, files.get(path), added);
    if (file.kind === "refused") unreadable.push(...file.findings);
    else if (file.text !== fileText(files.get(path))) changed.set(path, file.text);
  }
  const [count, paths] = [evidence.length, [...changed.keys()]];
  const message = publishMessage(evidence, paths);
  const commit = paths.length === 0 ? tip : await branch.append(tip, { files: changed, message }, run);
  if (paths.length > 0 && commit === undefined) return undefined;
  if (unreadable.length > 0) throw brokenFiles(unreadable, ...paths.map((path) => `published: ${path}`));
  return { count, paths, commit };
}

const NO_FILES = { files: new Map<string, SnapshotFile>() };

function publishMessage(evidence: readonly Evidence[], paths: readonly string[]): string {
  const sources = new Set(evidence.map(({ source }) => source));
  const lines = evidence
    .filter((one) => paths.includes(evidencePath(one)))
    .map(({ module, version }) => `${module} ${version}`);
  const what = [...new Set(lines)];
  const kind = evidence.every((one) => one.kind === "smoke") ? "Smoke tests" : "Observations";
  const subject = what.length === 1 ? `${kind} of ${what[0] ?? ""}` : `${kind} of ${counted(what.length, "version")}`;
  return `${subject}\n\n${[...what, ...sources].map((line) => line.replaceAll(/\s+/g, " ")).join("\n")}\n`;
}

/**
 * The findings that prevent publishing. The author of observations ran module code, and is trusted as little as
 * possible.
 */
function judgeEvidence(
  evidence: readonly Evidence[],
  contents: ReadonlyMap<string, string>,
  nowMs: number,
): readonly Finding[] {
  return evidence.flatMap((one, index) => {
    const { module, version, specHash: hash, observedAt } = one;
    const at = `evidence.${index}`;
    const isKnown = contents.get(versionKey(one)) === hash;
    return [
      ...(one.kind === "smoke" ? [] : [finding("evidence-kind", `${at} is of kind ${one.kind}.`, ONLY_SMOKE)]),
      ...(isKnown
        ? []
        : [
            finding(
              "evidence-unknown",
              `${at} is of ${module} ${version} with the content ${hash}, which neither the catalogue nor its history has.`,
              AT_COMMIT,
            ),
          ]),
      ...(Date.parse(observedAt) <= nowMs + CLOCKS_APART_MS
        ? []
        : [
            finding(
              "evidence-future",
              `${at} was observed at ${observedAt}, and it is ${instantText(nowMs)} now.`,
              CLOCK,
            ),
          ]),
    ];
  });
}

/** The findings about evidence of other modules: whoever tests one module may not speak for another one. */
function ofOthers(evidence: readonly Evidence[], named: string): readonly Finding[] {
  return evidence.flatMap(({ module }, index) => {
    const message = `evidence.${index} is of ${module}, and only evidence of ${named} is expected.`;
    return module === named ? [] : [finding("evidence-module", message, ONLY_MODULE)];
  });
}

/** The hash of each version that a piece of evidence is about, by `versionKey`; without those that never were in the catalogue. */
async function observedContents(
  evidence: readonly Evidence[],
  where: Parameters<typeof lookUpTemplate>[1],
  run: Run,
): Promise<ReadonlyMap<string, string>> {
  const contents = new Map<string, string>();
  for (const [key, one] of new Map(evidence.map((one) => [versionKey(one), one]))) {
    const found = await lookUpTemplate(one, where, run);
    if (found !== undefined) contents.set(key, specHash(found.template.object));
  }
  return contents;
}

function isInCatalogue({ module, version, specHash: hash }: Evidence, catalogue: Catalogue): boolean {
  const template = lookUpAtHead(catalogue, module, version);
  return template !== undefined && specHash(template.object) === hash;
}

const ONLY_SMOKE = "Only smoke tests are published: name other evidence with --evidence where it is needed.";
const ONLY_MODULE = "Find out who wrote it: the test of one module says nothing about another one.";
const AT_COMMIT = "Name the commit of the report: --revision REV.";
const CLOCK = "Correct the clock of the machine that made the report, and make it again.";

function finding(rule: string, message: string, remedy: string): Finding {
  return { rule, severity: "error", file: "", ...FILE_START, message, remedy };
}
