import type { ChannelName, ModuleName } from "../../../src/catalogue/names.ts";
import type { Hold, Hotfix, PromotionFile } from "../../../src/catalogue/policy.ts";
import { parseVersion, type ModuleVersion } from "../../../src/catalogue/version.ts";
import type { DeclaredEntry, ModuleHistory, Revision, ServedState } from "../../../src/catalogue/history/history.ts";
import { decide } from "../../../src/promote/verdict/decide.ts";
import { NO_STRAYS, allSubjects, type VerdictFacts, type Subject } from "../../../src/promote/verdict/subject.ts";
import type { Verdict } from "../../../src/promote/verdict/verdict.ts";
import { catalogueOf, channelTemplate } from "../../catalogue/repository.ts";

export const ISTIO = "istio" as ModuleName;
export const FAST = "fast" as ChannelName;
export const REGULAR = "regular" as ChannelName;
export const DAY_MS = 86_400_000;
/** The day on which all timelines begin. */
export const START_MS: number = Date.parse("2026-01-01T00:00:00Z");
/** Midnight of day `day`, counted from `START_MS`; of a fraction, its hour. */
export const day = (day: number): number => Math.round(START_MS + day * DAY_MS);
/** Midnight of day `day`, in the format of files. */
export const instant = (at: number): string => new Date(day(at)).toISOString();

/** The changes of one merge. */
export interface Merge {
  /** Days from `START_MS`, which may be a fraction. */
  readonly at: number;
  /** `null`: the channel's file is removed. */
  readonly fast?: string | null;
  readonly regular?: string | null;
  readonly hold?: { readonly version: string; readonly channel?: string; readonly until?: string };
  /** The version of the holds to remove; one that the same merge brings replaces them. */
  readonly unhold?: string;
  /** The version of the hot-fixes whose entries are removed. */
  readonly unhotfix?: string;
  readonly hotfix?: { readonly version: string; readonly channel?: string; readonly alsoFixedIn?: readonly string[] };
}

export function version(text: string): ModuleVersion {
  const parsed = parseVersion(text);
  if (parsed === undefined) throw new Error(`${text} is not a version`);
  return parsed;
}

/** The content of a version in all timelines. */
export const hashOfVersion = (text: string): string => `sha256:${text}`;

/** The history of istio after these merges, in order. */
export function historyOf(...merges: readonly Merge[]): ModuleHistory {
  const served = new Map<ChannelName, ServedState[]>([
    [FAST, []],
    [REGULAR, []],
  ]);
  const holds: DeclaredEntry<Hold>[] = [];
  const hotfixes: DeclaredEntry<Hotfix>[] = [];
  for (const [index, merge] of merges.entries()) {
    const revision: Revision = { index, commit: `c${String(index)}`, atMs: day(merge.at) };
    for (const [channel, text] of [
      [FAST, merge.fast],
      [REGULAR, merge.regular],
    ] as const)
      if (text !== undefined) served.get(channel)?.push(stateOf(revision, text));
    if (merge.unhold !== undefined) lift(holds, merge.unhold, revision);
    if (merge.hold !== undefined) holds.push({ entry: holdOf(merge.hold), from: revision, to: undefined });
    if (merge.unhotfix !== undefined) lift(hotfixes, merge.unhotfix, revision);
    if (merge.hotfix !== undefined) hotfixes.push({ entry: hotfixOf(merge.hotfix), from: revision, to: undefined });
  }
  return { served, holds, hotfixes };
}

function stateOf(revision: Revision, text: string | null): ServedState {
  const template = (): undefined => undefined;
  return text === null
    ? { revision, version: undefined, hash: () => "", template }
    : { revision, version: version(text), hash: () => hashOfVersion(text), template };
}

function holdOf({ version: text, channel, until }: NonNullable<Merge["hold"]>): Hold {
  const about = { reason: "it leaks", by: "octocat", since: "2026-01-01T00:00:00Z" };
  return {
    version: version(text),
    ...(channel && { channel: channel as ChannelName }),
    ...about,
    ...(until && { until }),
  };
}

function lift<Entry extends Hold | Hotfix>(all: DeclaredEntry<Entry>[], text: string, to: Revision): void {
  for (const [index, one] of all.entries())
    if (one.entry.version === text && one.to === undefined) all[index] = { ...one, to };
}

function hotfixOf({ version: text, channel = "regular", alsoFixedIn }: NonNullable<Merge["hotfix"]>): Hotfix {
  return {
    version: version(text),
    channel: channel as ChannelName,
    incident: "https://example.com/incident/7",
    by: "octocat",
    at: "2026-01-01T00:00:00Z",
    ...(alsoFixedIn && { alsoFixedIn: alsoFixedIn.map(version) }),
  };
}

/** Settings and policies of a timeline, beyond the defaults. */
export interface World {
  readonly promotion?: PromotionFile;
  /** The policy for regular in module.yaml. */
  readonly override?: PromotionFile;
  /** Path to text, to replace the default files or to add to them. */
  readonly files?: Readonly<Record<string, string>>;
  readonly versions?: string;
  /** The soak of the landscape prod. */
  readonly wave?: { readonly soak?: string; readonly hotfixSoak?: string };
}

/** The soak of all timelines. */
export const SOAK = { first: "0d", major: "30d", minor: "7d", patch: "1d" } as const;

/** Istio in regular, which follows fast. */
export function subjectOf(world: World = {}): Subject {
  const [subject] = subjectsIn(world);
  if (subject === undefined) throw new Error("no channel follows another");
  return subject;
}

/** All subjects in regular, which follows fast: istio, and those that `files` bring. */
export function subjectsIn({
  promotion = { soak: SOAK },
  override,
  versions = "release",
  wave = {},
  files = {},
}: World): readonly Subject[] {
  const catalogue = catalogueOf({
    "kyma-modules.yaml": JSON.stringify({
      format: 1,
      landscapes: [
        { name: "dev", controlPlane: { context: "kcp-dev" } },
        { name: "prod", controlPlane: { context: "kcp-prod" }, after: { landscape: "dev", ...wave } },
      ],
    }),
    "channels/fast.yaml": JSON.stringify({ format: 1, versions: "any", landscapes: ["dev", "prod"] }),
    "channels/regular.yaml": JSON.stringify({ format: 1, follows: "fast", versions, landscapes: ["dev"], promotion }),
    "channels/fast/istio.yaml": channelTemplate("fast"),
    ...(override && { "modules/istio/module.yaml": JSON.stringify({ format: 1, policy: { regular: override } }) }),
    ...files,
  });
  return allSubjects(catalogue);
}

/** The verdict on day `at`. */
export function decideOn(
  at: number,
  merges: readonly Merge[],
  world: World = {},
  facts: Partial<VerdictFacts> = {},
): Verdict {
  return decide(subjectOf(world), plainFacts(historyOf(...merges), day(at), facts));
}

/** The facts of a history at an instant, without evidence and holds beside it. */
export function plainFacts(history: ModuleHistory, nowMs: number, more: Partial<VerdictFacts> = {}): VerdictFacts {
  return { history, evidence: [], proposedHolds: [], strays: NO_STRAYS, nowMs, ...more };
}

/** A verdict in a few words: `promote 1.2.0`, `wait 1.2.0 @8`, `wait 1.2.0 >8 (1 more)`, `blocked 1.2.0`, `nothing`. */
export function gist({ kind, chosen }: Verdict): string {
  const earliest = chosen?.earliest;
  const when =
    earliest === undefined || kind === "promote"
      ? ""
      : earliest.kind === "at"
        ? ` @${String((earliest.atMs - START_MS) / DAY_MS)}`
        : ` >${String((earliest.notBeforeMs - START_MS) / DAY_MS)} (${String(earliest.awaiting.length)} more)`;
  return `${kind}${chosen === undefined ? "" : ` ${chosen.version}`}${when}`;
}
