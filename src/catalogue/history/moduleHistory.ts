import { compareText } from "../../document/order.ts";
import type { SnapshotFile } from "../../document/snapshot.ts";
import { readYaml } from "../../document/yaml/read.ts";
import { conform, type Conforming } from "../conform.ts";
import { type ChannelName, type ModuleName, parseChannelName, parseModuleName } from "../names.ts";
import { cataloguePlace } from "../paths.ts";
import type { Hold, Hotfix } from "../policy.ts";
import type { Template } from "../template.ts";
import type { DatedHistory } from "./dates.ts";
import type { DeclaredEntry, HistoryScope, ModuleHistory, RecordedChange, Revision, ServedState } from "./history.ts";
import { type ServedContent, ServedContentReader } from "./servedContent.ts";

const KINDS: ReadonlySet<string | undefined> = new Set(["channel-template", "holds", "hotfixes"]);

/** The scope of the histories of all modules: `channels/<channel>/<module>.yaml`, holds and hot-fixes. */
export const MODULE_FILES: HistoryScope = {
  paths: ["channels", "modules"],
  wants: (path) => KINDS.has(cataloguePlace(path)?.kind),
  everyCommit: true,
};

/** The scope of the histories of the modules `names`. */
export function filesOfModules(names: readonly string[]): HistoryScope {
  const [modules, known] = [names.toSorted(), new Set(names)];
  const wants = (path: string): boolean => {
    const place = cataloguePlace(path);
    return place !== undefined && "module" in place && KINDS.has(place.kind) && known.has(place.module);
  };
  return { ...MODULE_FILES, wants, modules };
}

/** The histories of all modules. */
export interface Histories {
  /** All modules that ever had a file, in order. */
  readonly modules: readonly ModuleName[];
  /** The history of a module, computed on first use. An unknown module has an empty history. */
  readonly of: (module: ModuleName) => ModuleHistory;
}

/**
 * Splits a history by modules. Skips files of modules and channels with invalid names. Contents with the text of a
 * `known` template are not read again.
 */
export function moduleHistories({ revisions, changes }: DatedHistory, known: Iterable<Template> = []): Histories {
  const templates = new Map([...known].map((template) => [template.file.path, template]));
  const byModule = Map.groupBy(
    changes.flatMap((change) => placed(change, revisions)),
    ({ module }) => module,
  );
  const histories = new Map<ModuleName, ModuleHistory>();
  return {
    modules: [...byModule.keys()].sort(compareText),
    of: (module) => {
      const history = histories.get(module) ?? buildModuleHistory(module, byModule.get(module) ?? [], templates);
      histories.set(module, history);
      return history;
    },
  };
}

function placed(change: RecordedChange, revisions: readonly Revision[]): readonly PlacedChange[] {
  const place = cataloguePlace(change.path);
  const revision = revisions[change.index];
  if (place === undefined || revision === undefined || !("module" in place)) return [];
  const module = parseModuleName(place.module);
  if (module === undefined) return [];
  if (place.kind === "holds" || place.kind === "hotfixes") return [{ module, kind: place.kind, revision, change }];
  const channel = place.kind === "channel-template" ? parseChannelName(place.channel) : undefined;
  return channel === undefined ? [] : [{ module, kind: "served", channel, revision, change }];
}

/** A change to a file of a module, with the kind of the file. */
type PlacedChange = {
  readonly module: ModuleName;
  readonly revision: Revision;
  readonly change: RecordedChange;
} & ({ readonly kind: "served"; readonly channel: ChannelName } | { readonly kind: "holds" | "hotfixes" });

type ServedChange = Extract<PlacedChange, { kind: "served" }>;

/** The history of `module` from the changes to its files, oldest first. */
function buildModuleHistory(
  module: ModuleName,
  changes: readonly PlacedChange[],
  known: ReadonlyMap<string, Template>,
): ModuleHistory {
  const served = Map.groupBy(
    changes.filter((change) => change.kind === "served"),
    ({ channel }) => channel,
  );
  const of = (kind: PlacedChange["kind"]): readonly PlacedChange[] => changes.filter((change) => change.kind === kind);
  return {
    served: new Map(
      [...served].map(([channel, changes]) => [
        channel,
        servedStates(new ServedContentReader(channel, module), changes, known),
      ]),
    ),
    holds: declarations(of("holds"), (path, content) => conforming("holds", path, content)?.holds, holdKey),
    hotfixes: declarations(
      of("hotfixes"),
      (path, content) => conforming("hotfixes", path, content)?.hotfixes,
      hotfixKey,
    ),
  };
}

/** The identity of a hold: its effect, without the fields that only explain it. */
export function holdKey({ version, channel, until }: Hold): string {
  return JSON.stringify([version, channel, until]);
}

/** The identity of a hot-fix. */
export function hotfixKey({ version, channel }: Hotfix): string {
  return JSON.stringify([version, channel]);
}

/** Broken content was never served, so the state before it continues. */
function servedStates(
  reader: ServedContentReader,
  changes: readonly ServedChange[],
  templates: ReadonlyMap<string, Template>,
): readonly ServedState[] {
  const states: ServedState[] = [];
  for (const { change, revision } of changes) {
    const content = stateContent(change, reader, templates.get(change.path));
    const last = states.at(-1);
    if (content === undefined) continue;
    const before = last ?? NOTHING;
    // Hashes are computed only when the versions are equal.
    const isSame = before.version === content.version && before.hash() === content.hash();
    if (!isSame) states.push({ revision, ...content });
    else if (last !== undefined) states[states.length - 1] = { ...last, template: content.template };
  }
  return states;
}

type StateContent = Omit<ServedState, "revision">;

const NOTHING: StateContent = { version: undefined, hash: () => "", template: () => undefined };

function stateContent(
  change: RecordedChange,
  reader: ServedContentReader,
  template: Template | undefined,
): StateContent | undefined {
  if (change.content === undefined) return NOTHING;
  const known = CONTENTS.get(change) ?? { content: reader.read(change.path, change.content, template) };
  CONTENTS.set(change, known);
  return known.content;
}

/** A cache for changes, which are immutable: a replay truncates the same history again and again. */
const CONTENTS = new WeakMap<RecordedChange, { readonly content: ServedContent | undefined }>();

/** Broken content adds and removes no entries. */
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

/** A `DeclaredEntry` under construction. */
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

/** Updates known entries, which keep their start, and gives the new ones. */
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

/** The history as of the commit at `index` of the first-parent history. */
export function historyAt({ served, holds, hotfixes }: ModuleHistory, index: number): ModuleHistory {
  return {
    served: new Map([...served].map(([channel, states]) => [channel, states.slice(0, countUpTo(states, index))])),
    holds: standingAt(holds, index),
    hotfixes: standingAt(hotfixes, index),
  };
}

/** The number of states up to `index`. A binary search, since a timeline calls it at every step. */
function countUpTo(states: readonly ServedState[], index: number): number {
  let [low, high] = [0, states.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (Number(states[middle]?.revision.index) <= index) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The entries declared up to `index`. An entry that was removed later still existed then. */
function standingAt<Entry>(all: readonly DeclaredEntry<Entry>[], index: number): readonly DeclaredEntry<Entry>[] {
  return all
    .filter(({ from }) => from.index <= index)
    .map((one) => (one.to !== undefined && one.to.index > index ? { ...one, to: undefined } : one));
}
