import { conform, type Conforming } from "../../catalogue/conform.ts";
import type { ChannelName, ModuleName } from "../../catalogue/names.ts";
import type { Hold, Hotfix } from "../../catalogue/policy.ts";
import type { SnapshotFile } from "../../catalogue/snapshot.ts";
import { readYaml } from "../../catalogue/yaml.ts";
import type { RecordedChange } from "../../ports.ts";
import type { Declared, ModuleHistory, Revision, ServedState } from "./history.ts";
import { ServedContentReader, type ServedContent } from "./servedContent.ts";

/** A change of a file of a module, and what the file is. */
export type PlacedChange = {
  readonly module: ModuleName;
  readonly revision: Revision;
  readonly change: RecordedChange;
} & ({ readonly kind: "served"; readonly channel: ChannelName } | { readonly kind: "holds" | "hotfixes" });

type ServedChange = Extract<PlacedChange, { kind: "served" }>;

/** The history of `module`, by the changes of its files, oldest first. */
export function historyOf(module: ModuleName, changes: readonly PlacedChange[]): ModuleHistory {
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
    if (content !== undefined && !isSame(states.at(-1) ?? NOTHING, content)) states.push({ revision, ...content });
  }
  return states;
}

interface Content extends Omit<ServedContent, "version"> {
  readonly version: ServedState["version"];
}

const NOTHING: Content = { version: undefined, hash: () => "" };

function contentOf(change: RecordedChange, reader: ServedContentReader): Content | undefined {
  if (change.content === undefined) return NOTHING;
  const known = CONTENTS.get(change) ?? { content: reader.read(change.path, change.content) };
  CONTENTS.set(change, known);
  return known.content;
}

/** Of changes, which never change: a chronicle may be cut off again and again, as a replay does. */
const CONTENTS = new WeakMap<RecordedChange, { readonly content: ServedContent | undefined }>();

/** Hashes are worked out only where the version does not tell. */
function isSame(a: Content, b: Content): boolean {
  return a.version === b.version && a.hash() === b.hash();
}

/** A content that is broken declares nothing new, and takes nothing back. */
function declarations<Entry>(
  changes: readonly PlacedChange[],
  entriesIn: (path: string, content: SnapshotFile) => readonly Entry[] | undefined,
  keyOf: (entry: Entry) => string,
): readonly Declared<Entry>[] {
  const all: Opened<Entry>[] = [];
  const standing = new Map<string, Opened<Entry>>();
  for (const { change, revision } of changes) {
    const entries = change.content === undefined ? [] : entriesIn(change.path, change.content);
    if (entries === undefined) continue;
    const wanted = new Map(entries.map((entry) => [keyOf(entry), entry]));
    takeAway(standing, wanted, revision);
    all.push(...bring(standing, wanted, revision));
  }
  return all;
}

/** An entry on its way to a `Declared`. */
interface Opened<Entry> {
  entry: Entry;
  readonly from: Revision;
  to: Revision | undefined;
}

function takeAway<Entry>(standing: Map<string, Opened<Entry>>, wanted: ReadonlyMap<string, Entry>, to: Revision): void {
  for (const [key, opened] of standing) {
    if (wanted.has(key)) continue;
    opened.to = to;
    standing.delete(key);
  }
}

/** What stands already keeps its beginning, and says from now on what it says now. Gives what is new. */
function bring<Entry>(
  standing: Map<string, Opened<Entry>>,
  wanted: ReadonlyMap<string, Entry>,
  from: Revision,
): readonly Opened<Entry>[] {
  return [...wanted].flatMap(([key, entry]) => {
    const known = standing.get(key);
    if (known !== undefined) {
      known.entry = entry;
      return [];
    }
    const opened: Opened<Entry> = { entry, from, to: undefined };
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
