import { compareText } from "../../document/order.ts";
import type { SnapshotFile } from "../../document/snapshot.ts";
import { readYaml } from "../../document/yaml/read.ts";
import { conform, type Conforming } from "../conform.ts";
import { type ChannelName, type ModuleName, parseChannelName, parseModuleName } from "../names.ts";
import { placeOf } from "../paths.ts";
import type { Hold, Hotfix } from "../policy.ts";
import type { DatedHistory } from "./dates.ts";
import type { DeclaredEntry, HistoryScope, ModuleHistory, RecordedChange, Revision, ServedState } from "./history.ts";
import { type ServedContent, ServedContentReader } from "./servedContent.ts";

const KINDS: ReadonlySet<string | undefined> = new Set(["channel-template", "holds", "hotfixes"]);

/** What is read of a history in order to know everything about every module: `channels/<channel>/<module>.yaml`, holds and hot-fixes. */
export const MODULE_FILES: HistoryScope = {
  paths: ["channels", "modules"],
  wants: (path) => KINDS.has(placeOf(path)?.kind),
  everyCommit: true,
};

/** The same, of some modules only. */
export function filesOfModules(names: readonly string[]): HistoryScope {
  const [modules, known] = [names.toSorted(), new Set(names)];
  const wants = (path: string): boolean => {
    const place = placeOf(path);
    return place !== undefined && "module" in place && KINDS.has(place.kind) && known.has(place.module);
  };
  return { ...MODULE_FILES, wants, modules };
}

/** What a history says of each module. */
export interface Histories {
  /** The modules that any file was ever about, in order. */
  readonly modules: readonly ModuleName[];
  /** Worked out when it is asked for first. A module of which nothing is known has a history in which nothing happens. */
  readonly of: (module: ModuleName) => ModuleHistory;
}

/** Sorts a history by modules. Files of modules and channels whose names are none are passed over. */
export function historiesOf({ revisions, changes }: DatedHistory): Histories {
  const byModule = Map.groupBy(
    changes.flatMap((change) => placed(change, revisions)),
    ({ module }) => module,
  );
  const known = new Map<ModuleName, ModuleHistory>();
  return {
    modules: [...byModule.keys()].sort(compareText),
    of: (module) => {
      const history = known.get(module) ?? historyOf(module, byModule.get(module) ?? []);
      known.set(module, history);
      return history;
    },
  };
}

function placed(change: RecordedChange, revisions: readonly Revision[]): readonly PlacedChange[] {
  const place = placeOf(change.path);
  const revision = revisions[change.index];
  if (place === undefined || revision === undefined || !("module" in place)) return [];
  const module = parseModuleName(place.module);
  if (module === undefined) return [];
  if (place.kind === "holds" || place.kind === "hotfixes") return [{ module, kind: place.kind, revision, change }];
  const channel = place.kind === "channel-template" ? parseChannelName(place.channel) : undefined;
  return channel === undefined ? [] : [{ module, kind: "served", channel, revision, change }];
}

/** A change of a file of a module, and what the file is. */
type PlacedChange = {
  readonly module: ModuleName;
  readonly revision: Revision;
  readonly change: RecordedChange;
} & ({ readonly kind: "served"; readonly channel: ChannelName } | { readonly kind: "holds" | "hotfixes" });

type ServedChange = Extract<PlacedChange, { kind: "served" }>;

/** The history of `module`, by the changes of its files, oldest first. */
function historyOf(module: ModuleName, changes: readonly PlacedChange[]): ModuleHistory {
  const served = Map.groupBy(
    changes.filter((change) => change.kind === "served"),
    ({ channel }) => channel,
  );
  const of = (kind: PlacedChange["kind"]): readonly PlacedChange[] => changes.filter((change) => change.kind === kind);
  return {
    served: new Map([...served].map(([channel, changes]) => [channel, statesOf(module, channel, changes)])),
    holds: declarations(of("holds"), (path, content) => conforming("holds", path, content)?.holds, holdKey),
    hotfixes: declarations(
      of("hotfixes"),
      (path, content) => conforming("hotfixes", path, content)?.hotfixes,
      hotfixKey,
    ),
  };
}

/** What makes a hold the one that it is: what it does, and not what it says about that. */
export function holdKey({ version, channel, until }: Hold): string {
  return JSON.stringify([version, channel, until]);
}

/** What makes a hot-fix the one that it is. */
export function hotfixKey({ version, channel }: Hotfix): string {
  return JSON.stringify([version, channel]);
}

/** A content that was broken at the time was never served: what was served before goes on. */
function statesOf(module: ModuleName, channel: ChannelName, changes: readonly ServedChange[]): readonly ServedState[] {
  const states: ServedState[] = [];
  const reader = new ServedContentReader(channel, module);
  for (const { change, revision } of changes) {
    const content = contentOf(change, reader);
    const last = states.at(-1);
    if (content === undefined) continue;
    if (!isSame(last ?? NOTHING, content)) states.push({ revision, ...content });
    else if (last !== undefined) states[states.length - 1] = { ...last, template: content.template };
  }
  return states;
}

type StateContent = Omit<ServedState, "revision">;

const NOTHING: StateContent = { version: undefined, hash: () => "", template: () => undefined };

function contentOf(change: RecordedChange, reader: ServedContentReader): StateContent | undefined {
  if (change.content === undefined) return NOTHING;
  const known = CONTENTS.get(change) ?? { content: reader.read(change.path, change.content) };
  CONTENTS.set(change, known);
  return known.content;
}

/** Of changes, which never change: a history may be cut off again and again, as a replay does. */
const CONTENTS = new WeakMap<RecordedChange, { readonly content: ServedContent | undefined }>();

/** Hashes are worked out only where the version does not tell. */
function isSame(a: StateContent, b: StateContent): boolean {
  return a.version === b.version && a.hash() === b.hash();
}

/** A content that is broken declares nothing new, and takes nothing back. */
function declarations<Entry>(
  changes: readonly PlacedChange[],
  entriesIn: (path: string, content: SnapshotFile) => readonly Entry[] | undefined,
  keyOf: (entry: Entry) => string,
): readonly DeclaredEntry<Entry>[] {
  const all: OpenEntry<Entry>[] = [];
  const standing = new Map<string, OpenEntry<Entry>>();
  for (const { change, revision } of changes) {
    const entries = change.content === undefined ? [] : entriesIn(change.path, change.content);
    if (entries === undefined) continue;
    const wanted = new Map(entries.map((entry) => [keyOf(entry), entry]));
    takeAway(standing, wanted, revision);
    all.push(...bring(standing, wanted, revision));
  }
  return all;
}

/** An entry on its way to a `DeclaredEntry`. */
interface OpenEntry<Entry> {
  entry: Entry;
  readonly from: Revision;
  to: Revision | undefined;
}

function takeAway<Entry>(
  standing: Map<string, OpenEntry<Entry>>,
  wanted: ReadonlyMap<string, Entry>,
  to: Revision,
): void {
  for (const [key, opened] of standing) {
    if (wanted.has(key)) continue;
    opened.to = to;
    standing.delete(key);
  }
}

/** What stands already keeps its beginning, and says from now on what it says now. Gives what is new. */
function bring<Entry>(
  standing: Map<string, OpenEntry<Entry>>,
  wanted: ReadonlyMap<string, Entry>,
  from: Revision,
): readonly OpenEntry<Entry>[] {
  return [...wanted].flatMap(([key, entry]) => {
    const known = standing.get(key);
    if (known !== undefined) {
      known.entry = entry;
      return [];
    }
    const opened: OpenEntry<Entry> = { entry, from, to: undefined };
    standing.set(key, opened);
    return [opened];
  });
}

function conforming<K extends keyof Conforming>(
  kind: K,
  path: string,
  content: SnapshotFile,
): Conforming[K] | undefined {
  const reading = readYaml(path, content);
  return reading.kind === "read" ? conform(kind, reading.file).value : undefined;
}

/** What a history was right after the commit at `index` of the first-parent history. */
export function historyAt({ served, holds, hotfixes }: ModuleHistory, index: number): ModuleHistory {
  return {
    served: new Map([...served].map(([channel, states]) => [channel, states.slice(0, countUpTo(states, index))])),
    holds: standingAt(holds, index),
    hotfixes: standingAt(hotfixes, index),
  };
}

/** How many states had come by then; halved again and again, since a life asks at every step. */
function countUpTo(states: readonly ServedState[], index: number): number {
  let [low, high] = [0, states.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (Number(states[middle]?.revision.index) <= index) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** What was declared by then; what was taken back later still stood. */
function standingAt<Entry>(all: readonly DeclaredEntry<Entry>[], index: number): readonly DeclaredEntry<Entry>[] {
  return all
    .filter(({ from }) => from.index <= index)
    .map((one) => (one.to !== undefined && one.to.index > index ? { ...one, to: undefined } : one));
}
