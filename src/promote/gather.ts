import type { Catalogue } from "../catalogue/catalogue.ts";
import type { Evidence } from "../catalogue/evidence/evidence.ts";
import { withoutFutureFailures } from "./verdict/evidence/known.ts";
import { isBroken, type Finding } from "../document/finding.ts";
import { allTemplates } from "../catalogue/lookup.ts";
import { sideBranchText } from "../catalogue/history/sideBranch.ts";
import { shortCommit } from "../document/printable.ts";
import { SETTINGS_PATH } from "../catalogue/paths.ts";
import type { ForgeSettings } from "../catalogue/settings.ts";
import {
  Fault,
  type Clock,
  type Forge,
  type ForgeView,
  type History,
  type MergedPull,
  type NamedFiles,
  type ReadHistory,
  type Run,
  type Source,
} from "../ports.ts";
import { countedProposals } from "./proposedHolds.ts";
import { dateHistory, truncateAt, type DatedHistory } from "../catalogue/history/dates.ts";
import type { RecordedHistory } from "../catalogue/history/history.ts";
import { moduleHistories, type Histories, MODULE_FILES } from "../catalogue/history/moduleHistory.ts";
import { fileContradiction } from "./verdict/contradiction.ts";
import { strayEntries } from "./verdict/holding.ts";
import { allSubjects, type DamagedEvidence, type VerdictFacts, type Subject } from "./verdict/subject.ts";
import { instantText, startOfSecondMs } from "../document/times.ts";
import { catalogueAt } from "../reading/catalogue.ts";

/** Ports that a promotion decision needs. */
export interface DecisionWorld {
  readonly clock: Clock;
  readonly history: History;
  /** A commit's files. */
  source(revision: string): Source;
  /** The commit that `revision` names. Throws REVISION_UNKNOWN. */
  resolve(revision: string, run: Run): Promise<string>;
  /** The forge of the repository; `undefined` if there is none to ask. Throws FORGE_UNAUTHORIZED. */
  openForge(settings: ForgeSettings, run: Run): Promise<Forge | undefined>;
}

/** Ports that the promotion commands need. */
export interface PromotionWorld extends DecisionWorld {
  readonly namedFiles: NamedFiles;
  /** The files of the working tree that differ from HEAD; none without a working tree. */
  uncommitted(run: Run): Promise<readonly string[]>;
  /** The tips of the evidence branch of the clone and its remotes that together have all of it; empty without one. */
  evidenceTips(run: Run): Promise<readonly string[]>;
  /** The login of the current user, as the forge knows it. Throws CONFIGURATION if it is unknown. */
  login(run: Run): Promise<string>;
}

/** The parameters of a promotion decision. */
export interface PromotionQuestion {
  readonly revision: string;
  /** Unix milliseconds; now when undefined. */
  readonly atMs: number | undefined;
  readonly evidence: readonly Evidence[];
  /** Evidence whose file cannot be read; none by default. */
  readonly damaged?: readonly DamagedEvidence[] | undefined;
  /** Whether to tolerate broken files that do not concern the decision: a hold or a hot-fix cannot wait. */
  readonly isUrgent?: boolean;
  /** Whether only the past matters, and not what is proposed now. */
  readonly isAboutPast?: boolean;
}

/** Everything that verdicts depend on. */
export interface Gathered {
  readonly kind: "gathered";
  readonly catalogue: Catalogue;
  /** The commit that is decided on. */
  readonly revision: string;
  /** As in Git, up to the requested revision. */
  readonly recorded: RecordedHistory;
  /** With times, up to `revision`. */
  readonly dated: DatedHistory;
  readonly merged: ReadonlyMap<string, MergedPull>;
  readonly histories: Histories;
  readonly subjects: readonly Subject[];
  /** The facts about a subject's module. */
  readonly factsOf: (subject: Subject) => VerdictFacts;
  readonly nowMs: number;
  readonly forge: Forge | undefined;
  /** `undefined` if no forge was asked, or only about the past. */
  readonly view: ForgeView | undefined;
  /** The branches of promotions that this run could not move. They take no place in a window. */
  readonly stuck?: ReadonlySet<string>;
}

/** A repository whose files cannot be read. */
export interface Unreadable {
  readonly kind: "unreadable";
  /** The commit of the findings. */
  readonly revision: string | undefined;
  readonly findings: readonly Finding[];
}

/**
 * Reads what was merged, when, and what is proposed. Throws CONFIGURATION if nothing was merged by that instant, and
 * HISTORY_TOO_SHALLOW for a shallow clone: levels and downgrades depend on everything that a channel ever served.
 */
export async function gatherPromotion(
  { revision, atMs, evidence, damaged, isUrgent = false, isAboutPast = false }: PromotionQuestion,
  world: DecisionWorld,
  run: Run,
): Promise<Gathered | Unreadable> {
  const head = await world.resolve(revision, run);
  const [atHead, recorded] = await Promise.all([
    readCatalogue(world.source(head), isUrgent, run),
    world.history.read(head, MODULE_FILES, run),
  ]);
  if (atHead.kind === "unreadable") return atHead;
  requireWhole(recorded);
  const forge = await world.openForge(atHead.settings.forge, run);
  const merged = await mergeTimes(forge, recorded, world.history, run);
  const clockMs = startOfSecondMs(world.clock.nowMs());
  const nowMs = atMs ?? clockMs;
  const dated = truncateAt(dateHistory(recorded, merged, clockMs), nowMs);
  const decidedOn = newestCommit(dated, nowMs);
  const catalogue = decidedOn === head ? atHead : await readCatalogue(world.source(decidedOn), isUrgent, run);
  if (catalogue.kind === "unreadable") return catalogue;
  // Current proposals did not exist in the past. A future instant assumes that nothing changes.
  const view = isAboutPast || nowMs < clockMs ? undefined : await forge?.look(PREFIXES, run);
  const histories = moduleHistories(dated, allTemplates(catalogue));
  const proposed = countedProposals(view, catalogue);
  const byModule = Map.groupBy(withoutFutureFailures(evidence, clockMs), ({ module }) => module);
  return {
    kind: "gathered",
    catalogue,
    revision: decidedOn,
    recorded,
    dated,
    merged,
    histories,
    subjects: allSubjects(catalogue),
    factsOf: ({ module }) => ({
      history: histories.of(module),
      evidence: byModule.get(module) ?? [],
      damaged,
      proposedHolds: proposed,
      strays: strayEntries(catalogue, histories.of(module)),
      contradiction: fileContradiction(catalogue, module, histories.of(module)),
      nowMs,
    }),
    nowMs,
    forge,
    view,
  };
}

/** The forge and its state. Throws CONFIGURATION if no forge was asked. */
export function forgeIn({ forge, view }: Gathered): { readonly forge: Forge; readonly view: ForgeView } {
  if (forge !== undefined && view !== undefined) return { forge, view };
  throw new Fault("CONFIGURATION", "Nothing can be proposed without a forge: remove --offline.");
}

const PREFIXES = ["promote/", "hold/", "withdraw/", "unhold/"];

async function readCatalogue(
  source: Source,
  isUrgent: boolean,
  run: Run,
): Promise<(Catalogue & { readonly kind: "read" }) | Unreadable> {
  const reading = await catalogueAt(source, run);
  const { revision, findings, whole, usable, readable } = reading;
  // The settings say where to open pull requests, so they must be readable.
  const urgent = whole ?? (isBroken(reading, SETTINGS_PATH) ? undefined : readable);
  const catalogue = isUrgent ? urgent : usable;
  return catalogue ? { kind: "read", ...catalogue } : { kind: "unreadable", revision, findings };
}

function requireWhole({ cut }: ReadHistory): void {
  if (cut !== undefined) throw cut;
}

/** The merge times of the commits that start or end something. Throws as `refuseSideBranch`. */
async function mergeTimes(
  forge: Forge | undefined,
  recorded: RecordedHistory,
  history: History,
  run: Run,
): Promise<ReadonlyMap<string, MergedPull>> {
  if (forge === undefined) return new Map();
  const indexes = [...new Set(recorded.changes.map(({ index }) => index))];
  const wanted = indexes.flatMap((index) => recorded.commits[index]?.commit ?? []);
  const merged = await forge.mergeTimes(wanted, run);
  await refuseSideBranch(forge.ownMerges, recorded, history, run);
  return merged;
}

/**
 * Throws CONFIGURATION for a merge that the forge did not make, and that brought commits which the forge merged into the
 * branch: the branch was there, and not at the first parent.
 */
async function refuseSideBranch(
  ownMerges: Forge["ownMerges"],
  { commits }: RecordedHistory,
  history: History,
  run: Run,
): Promise<void> {
  const merges = commits.filter(({ parents }) => parents.length > 1);
  const own = await ownMerges?.(merges.map(({ commit }) => commit));
  if (ownMerges === undefined || own?.size === merges.length) return;
  // Without the first commit, which brought nothing and has no parent.
  const brought = await history.brought(commits.slice(1), run);
  for (const merge of merges.toReversed().filter(({ commit }) => own?.has(commit) === false)) {
    const names = (brought.get(merge.commit) ?? []).map(({ commit }) => commit);
    const found = await ownMerges(names);
    const newest = names.findLast((name) => found.has(name));
    if (newest === undefined) continue;
    const what = `brought ${shortCommit(newest)} beside its first parent, although the branch was there after the merge of #${found.get(newest)?.number ?? ""}`;
    throw new Fault("CONFIGURATION", sideBranchText(merge, what));
  }
}

function newestCommit({ revisions }: DatedHistory, atMs: number): string {
  const newest = revisions.at(-1);
  if (newest !== undefined) return newest.commit;
  const message = `Nothing was merged yet at ${instantText(atMs)}. Name a later instant: --at INSTANT.`;
  throw new Fault("CONFIGURATION", message);
}
