import type { Catalogue } from "../catalogue/catalogue.ts";
import type { Evidence } from "../catalogue/evidence/evidence.ts";
import { isBroken, type Finding } from "../document/finding.ts";
import { parse } from "../catalogue/parse.ts";
import { isOfCatalogue, SETTINGS_PATH } from "../catalogue/paths.ts";
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
import { proposedHolds } from "./proposedHolds.ts";
import { dateHistory, truncateAt, type DatedHistory } from "../catalogue/history/dates.ts";
import type { RecordedHistory } from "../catalogue/history/history.ts";
import { historiesOf, type Histories, MODULE_FILES } from "../catalogue/history/moduleHistory.ts";
import { contradictionOf } from "./verdict/contradiction.ts";
import { subjectsOf, type DamagedEvidence, type VerdictFacts, type Subject } from "./verdict/subject.ts";
import { instantText } from "../document/times.ts";

/** What promotion asks of the world in order to decide. */
export interface DecisionWorld {
  readonly clock: Clock;
  readonly history: History;
  /** A commit's files. */
  source(revision: string): Source;
  /** The commit that `revision` names. Throws REVISION_UNKNOWN. */
  resolve(revision: string, run: Run): Promise<string>;
  /** The forge of the repository; `undefined` where there is none to ask. Throws FORGE_UNAUTHORIZED. */
  openForge(settings: ForgeSettings, run: Run): Promise<Forge | undefined>;
}

/** What the commands of promotion ask of the world. */
export interface PromotionWorld extends DecisionWorld {
  readonly namedFiles: NamedFiles;
  /** The files of the working tree that are not as HEAD has them; none where there is no working tree. */
  uncommitted(run: Run): Promise<readonly string[]>;
  /** The commit of the branch of evidence: of the clone, else of its remote; `undefined` where there is no such branch. */
  evidenceTip(run: Run): Promise<string | undefined>;
  /** Who is at work, as the forge knows them. Throws CONFIGURATION when nobody says it. */
  login(run: Run): Promise<string>;
}

/** What is to be decided, and on what. */
export interface PromotionQuestion {
  readonly revision: string;
  /** Unix milliseconds; now when undefined. */
  readonly atMs: number | undefined;
  readonly evidence: readonly Evidence[];
  /** What is not known, since its file cannot be read; none by default. */
  readonly damaged?: readonly DamagedEvidence[] | undefined;
  /** Whether a file that is broken keeps nobody from what has nothing to do with it: a hold or a hot-fix cannot wait. */
  readonly isUrgent?: boolean;
  /** Whether only what happened matters, and not what is proposed now. */
  readonly isAboutPast?: boolean;
}

/** Everything that verdicts are made of. */
export interface Gathered {
  readonly kind: "gathered";
  readonly catalogue: Catalogue;
  /** The commit that is decided on. */
  readonly revision: string;
  /** As Git has it, up to the revision that was asked for. */
  readonly recorded: RecordedHistory;
  /** With times, up to `revision`. */
  readonly dated: DatedHistory;
  readonly merged: ReadonlyMap<string, MergedPull>;
  readonly histories: Histories;
  readonly subjects: readonly Subject[];
  /** What is known of a subject's module. */
  readonly factsOf: (subject: Subject) => VerdictFacts;
  readonly nowMs: number;
  readonly forge: Forge | undefined;
  /** `undefined` where no forge was asked, or only about the past. */
  readonly view: ForgeView | undefined;
}

/** A repository that says nothing clear. */
export interface Unreadable {
  readonly kind: "unreadable";
  /** The commit that the findings are of. */
  readonly revision: string | undefined;
  readonly findings: readonly Finding[];
}

/**
 * Reads what was merged, when, and what is proposed. Throws CONFIGURATION when nothing was merged at that instant,
 * HISTORY_TOO_SHALLOW for a clone that is cut off: what a channel ever served decides about levels and downgrades.
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
  const merged = await mergeTimes(forge, recorded, run);
  // Git and forges count seconds.
  const clockMs = Math.floor(world.clock.nowMs() / 1000) * 1000;
  const nowMs = atMs ?? clockMs;
  const dated = truncateAt(dateHistory(recorded, merged, clockMs), nowMs);
  const decidedOn = newestCommit(dated, nowMs);
  const catalogue = decidedOn === head ? atHead : await readCatalogue(world.source(decidedOn), isUrgent, run);
  if (catalogue.kind === "unreadable") return catalogue;
  // What is proposed now was not in the past; a future instant assumes that nothing changes.
  const view = isAboutPast || nowMs < clockMs ? undefined : await forge?.look(PREFIXES, run);
  const histories = historiesOf(dated);
  const proposed = proposedHolds(view);
  const byModule = Map.groupBy(evidence, ({ module }) => module);
  return {
    kind: "gathered",
    catalogue,
    revision: decidedOn,
    recorded,
    dated,
    merged,
    histories,
    subjects: subjectsOf(catalogue),
    factsOf: ({ module }) => ({
      history: histories.of(module),
      evidence: byModule.get(module) ?? [],
      damaged,
      proposedHolds: proposed,
      contradiction: contradictionOf(catalogue, module, histories.of(module)),
      nowMs,
    }),
    nowMs,
    forge,
    view,
  };
}

/** The forge that was asked, and what it has. Throws CONFIGURATION where none was asked. */
export function forgeIn({ forge, view }: Gathered): { readonly forge: Forge; readonly view: ForgeView } {
  if (forge !== undefined && view !== undefined) return { forge, view };
  throw new Fault("CONFIGURATION", "Nothing can be proposed where no forge is asked: leave --offline out.");
}

const PREFIXES = ["promote/", "hold/", "withdraw/", "unhold/"];

async function readCatalogue(
  source: Source,
  isUrgent: boolean,
  run: Run,
): Promise<(Catalogue & { readonly kind: "read" }) | Unreadable> {
  const { revision, files } = await source.snapshot(isOfCatalogue, run);
  const parsing = parse(revision, files);
  if (parsing.kind === "catalogue") return { kind: "read", ...parsing.catalogue };
  // Where pull requests are made stands in the settings.
  if (isUrgent && !isBroken(parsing, SETTINGS_PATH)) return { kind: "read", ...parsing.readable };
  return { kind: "unreadable", revision, findings: parsing.findings };
}

function requireWhole({ cut }: ReadHistory): void {
  if (cut !== undefined) throw cut;
}

/** Of the commits whose merge starts or ends something. */
async function mergeTimes(
  forge: Forge | undefined,
  { commits, changes }: RecordedHistory,
  run: Run,
): Promise<ReadonlyMap<string, MergedPull>> {
  const indexes = [...new Set(changes.map(({ index }) => index))];
  const wanted = indexes.flatMap((index) => commits[index]?.commit ?? []);
  return (await forge?.mergeTimes(wanted, run)) ?? new Map<string, MergedPull>();
}

function newestCommit({ revisions }: DatedHistory, atMs: number): string {
  const newest = revisions.at(-1);
  if (newest !== undefined) return newest.commit;
  const message = `Nothing was merged yet at ${instantText(atMs)}. Name a later instant: --at INSTANT.`;
  throw new Fault("CONFIGURATION", message);
}
