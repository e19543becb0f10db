import { conform, type Conforming } from "../../catalogue/conform.ts";
import type { ChannelName, ModuleName } from "../../catalogue/names.ts";
import type { Hold, Hotfix } from "../../catalogue/policy.ts";
import type { SnapshotFile } from "../../document/snapshot.ts";
import { specHash, type Template } from "../../catalogue/template.ts";
import { readChannelTemplate } from "../../catalogue/templateFile.ts";
import { type ModuleVersion, parseVersion } from "../../catalogue/version.ts";
import { readYaml } from "../../document/yaml/read.ts";
import type { RecordedChange } from "../../ports.ts";
import type { DeclaredEntry, ModuleHistory, Revision, ServedState } from "./history.ts";

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

interface HashedContent extends Omit<ServedContent, "version"> {
  readonly version: ServedState["version"];
}

const NOTHING: HashedContent = { version: undefined, hash: () => "" };

function contentOf(change: RecordedChange, reader: ServedContentReader): HashedContent | undefined {
  if (change.content === undefined) return NOTHING;
  const known = CONTENTS.get(change) ?? { content: reader.read(change.path, change.content) };
  CONTENTS.set(change, known);
  return known.content;
}

/** Of changes, which never change: a chronicle may be cut off again and again, as a replay does. */
const CONTENTS = new WeakMap<RecordedChange, { readonly content: ServedContent | undefined }>();

/** Hashes are worked out only where the version does not tell. */
function isSame(a: HashedContent, b: HashedContent): boolean {
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

/** A content that a channel could serve. */
interface ServedContent {
  readonly version: ModuleVersion;
  /** `specHash` of it. Worked out when it is asked for. */
  readonly hash: () => string;
}

/**
 * Reads the contents that one channel file had, one after the other, as `readYaml` and `readChannelTemplate` would.
 *
 * Nearly all of them differ in numbers of versions and in digests only, so it is enough to read one of each shape: that
 * takes a tenth of the time. Two contents of one shape (see `shapeOf`) are both templates or both none, and the one's
 * version is where the other's is.
 */
export class ServedContentReader {
  readonly #channel: string;
  readonly #module: string;
  readonly #known = new Map<string, ReadTexts>();

  constructor(channel: string, module: string) {
    this.#channel = channel;
    this.#module = module;
  }

  /** What `content` would serve; `undefined` when it is broken: then nothing takes notice of it. */
  read(path: string, content: SnapshotFile): ServedContent | undefined {
    const shape = content.kind === "bytes" ? shapeOf(content.bytes) : undefined;
    const version =
      shape === undefined ? this.#template(path, content)?.version : this.#versionIn(shape, path, content);
    let hash: string | undefined;
    return version && { version, hash: () => (hash ??= this.#hash(path, content)) };
  }

  #versionIn(shape: TextShape, path: string, content: SnapshotFile): ModuleVersion | undefined {
    const known = this.#known.get(shape.pattern) ?? { version: this.#template(path, content)?.version, shape };
    this.#known.set(shape.pattern, known);
    return known.version && renamed(known.version, known.shape, shape);
  }

  #template(path: string, content: SnapshotFile): Template | undefined {
    const reading = readYaml(path, content);
    if (reading.kind === "refused") return undefined;
    return readChannelTemplate(reading.file, this.#channel, this.#module).template;
  }

  #hash(path: string, content: SnapshotFile): string {
    return [this.#template(path, content)]
      .filter((template) => template !== undefined)
      .map(({ object }) => specHash(object))
      .join("");
  }
}

interface ReadTexts {
  /** `undefined` when contents of this shape are broken. */
  readonly version: ModuleVersion | undefined;
  readonly shape: TextShape;
}

/** What stands in a content of shape `to` where one of shape `from` has `version`. */
function renamed(version: ModuleVersion, from: TextShape, to: TextShape): ModuleVersion | undefined {
  return parseVersion(version.replace(/^[0-9.]+/, (number) => String(to.words[from.words.indexOf(number)])));
}

/** A text without the numbers of versions and the digests that stand in it. */
interface TextShape {
  /** The text, with place in `words`, kind and length of each such word in its stead. */
  readonly pattern: string;
  /** The words, each once, in the order in which they appear. */
  readonly words: readonly string[];
}

/**
 * A number `1.2.3` that is no part of a longer word or number, but for a `v` in front; and 40 to 64 hexadecimal digits,
 * as commits and SHA-256 have them. One letter of a, c, d, f must be among these: `1e5` and `0b1` are numbers to YAML,
 * however long they are.
 */
const WORD =
  /(?:\b|(?<=\bv))(?<!\.)(?:(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)|(?=[0-9be]*[acdf])[0-9a-f]{40,64})(?![\w.])/g;

/**
 * The shape of a text; `undefined` when it holds a backslash, with which a word can be written in two ways, or a NUL.
 *
 * Two texts of one shape differ only by words of the same kind and length, and where one repeats a word the other does,
 * too. So what is asked of both alike has one answer: whether they are YAML, which of their values are text, which keys
 * are equal, whether a schema of lengths, patterns and fixed names accepts them.
 */
export function shapeOf(bytes: Uint8Array): TextShape | undefined {
  // One character a byte: this reads every content of a history, and needs no more than to tell them apart.
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  if (text.includes("\\") || text.includes("\0")) return undefined;
  const words = new Map<string, number>();
  const pattern = text.replace(WORD, (word) => {
    const place = words.get(word) ?? words.size;
    words.set(word, place);
    return `\0${place} ${word.includes(".") ? "number" : "digest"} ${word.length}\0`;
  });
  return { pattern, words: [...words.keys()] };
}
