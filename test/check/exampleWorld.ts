import { versionKey } from "../../src/catalogue/lookup.ts";
import { unearnedSteps } from "../../src/promote/unearned.ts";
import { check, type Checked } from "../../src/check/check.ts";
import {
  BUMP,
  edit,
  manifestPath,
  manifestText,
  SAMPLE,
  type Example,
  type ExampleFiles,
} from "../../src/check/example.ts";
import type { Outside } from "../../src/check/gather/outside.ts";
import type { Rule } from "../../src/check/rule.ts";
import type { RecordedChange } from "../../src/catalogue/history/history.ts";
import type { SnapshotFile } from "../../src/document/snapshot.ts";
import { Fault, type FaultCode, type History, type Registry, type Source, type Validator } from "../../src/ports.ts";
import { contentOf } from "../catalogue/history/recorded.ts";
import { NO_HISTORY } from "../support/noHistory.ts";
import { quietRun } from "../support/quietRun.ts";

/** The instant of every example. */
export const NOW_MS: number = Date.parse("2026-11-21T12:00:00Z");

const BASE_REVISION = "b".repeat(40);

/** The files of `SAMPLE` with `changes` on top of one another. */
export function filesWith(...changes: readonly ExampleFiles[]): ReadonlyMap<string, SnapshotFile> {
  const merged: ExampleFiles = Object.assign({}, SAMPLE, ...changes) as ExampleFiles;
  return new Map(
    Object.entries(merged).flatMap(([path, content]): [string, SnapshotFile][] => {
      const file = contentOf(content);
      return file === undefined ? [] : [[path, file]];
    }),
  );
}

/** The files of the head of an example. */
export function filesOf({ loose, base = {}, change }: Example): ReadonlyMap<string, SnapshotFile> {
  const files = filesWith(loose ? {} : base, change);
  return loose ? new Map([...files].filter(([path]) => path in change)) : files;
}

/** Files that are there already, as a source. */
export function sourceOf(files: ReadonlyMap<string, SnapshotFile>, revision?: string): Source {
  return {
    snapshot: (wants) => Promise.resolve({ revision, files: new Map([...files].filter(([path]) => wants(path))) }),
  };
}

/** Judges the change of an example on top of the sample catalogue, by all of `rules`. */
export async function judgeExample(example: Example, rules: readonly Rule[], validator: Validator): Promise<Checked> {
  const base = filesWith(example.base ?? {});
  const head = filesOf(example);
  const paths = [...new Set([...base.keys(), ...head.keys()])].filter((path) => base.get(path) !== head.get(path));
  const history = historyOf(example, base);
  const changed = paths.filter((path) => textOf(base.get(path)) !== textOf(head.get(path)));
  return check(
    {
      head: sourceOf(head),
      base: example.loose ? undefined : sourceOf(base, BASE_REVISION),
      paths: example.loose ? undefined : changed,
      loose: example.loose ?? false,
      required: example.required ?? [],
      people: { author: undefined, approvedBy: [], teams: new Map(), ...example.people },
      rules,
      converted: { head: example.converted ?? [], base: [] },
      aside: example.aside,
    },
    {
      clock: { nowMs: () => NOW_MS, pause: () => Promise.resolve() },
      validator,
      history,
      unearned: (revision, steps, run) => unearnedSteps(revision, steps, promotionWorldOf(history, base), run),
      outside: outsideOf(example.outside),
    },
    quietRun(),
  );
}

function promotionWorldOf(
  history: History,
  base: ReadonlyMap<string, SnapshotFile>,
): Parameters<typeof unearnedSteps>[2] {
  return {
    clock: { nowMs: () => NOW_MS, pause: () => Promise.resolve() },
    history,
    source: () => sourceOf(base, BASE_REVISION),
    resolve: () => Promise.resolve(BASE_REVISION),
  };
}

/** What an example says of the outside, as ports that answer so; what it does not say cannot be reached. */
function outsideOf(answers: Example["outside"]): Outside {
  if (answers === undefined) return { kind: "not-asked", why: "examples ask no server" };
  const { components, images, links, releases, server } = answers;
  const [version, opinions] = [(text: string) => `sample ${text}`, server];
  const registry: Registry = {
    digestOf: (reference) => answerTo(images, reference, "REGISTRY_UNREACHABLE"),
    component: (_baseUrl, _name, text) => answerTo(components, version(text), "REGISTRY_UNREACHABLE"),
    // No rule looks for layers: only a sync does.
    hasLayer: () => Promise.reject(new Fault("REGISTRY_UNREACHABLE", "Examples do not say which layers there are.")),
  };
  return {
    kind: "asked",
    registry: () => Promise.resolve(registry),
    links: () =>
      Promise.resolve({ download: async (url) => Buffer.from(await answerTo(links, url, "LINK_UNREACHABLE")) }),
    releases: () =>
      Promise.resolve({ tagExists: (_repository, text) => answerTo(releases, version(text), "GIT_FAILED") }),
    ...(opinions && { server: (template) => answerTo(opinions, versionKey(template), "CLUSTER_UNREACHABLE") }),
  };
}

async function answerTo<T>(answers: Readonly<Record<string, T>> = {}, key: string, code: FaultCode): Promise<T> {
  const [answer] = Object.entries(answers).filter(([known]) => known === key);
  if (answer === undefined) throw new Fault(code, `The example does not say what ${key} is.`);
  return Promise.resolve(answer[1]);
}

function textOf(file: SnapshotFile | undefined): string {
  if (file?.kind === "bytes") return Buffer.from(file.bytes).toString("latin1");
  return JSON.stringify(file ?? "absent");
}

const LONG_MS = 100 * 86_400_000;

/** The history and the base as commits, each long after the one before. */
function historyOf({ history = [], baseMergedAt }: Example, base: ReadonlyMap<string, SnapshotFile>): History {
  const lastMs = baseMergedAt === undefined ? NOW_MS - LONG_MS : Date.parse(baseMergedAt);
  const before = history.map((files) => new Map(Object.entries(files).map(([path, text]) => [path, contentOf(text)])));
  const changes = [...before, base].flatMap((files, index) =>
    [...files].map(([path, content]): RecordedChange => ({ index, path, content })),
  );
  const gone = [...new Set(changes.map(({ path }) => path))].filter((path) => !base.has(path));
  const removals = gone.map((path): RecordedChange => ({ index: before.length, path, content: undefined }));
  const commits = [...before, base].map((_, index) => ({
    commit: index === before.length ? BASE_REVISION : String(index).padStart(40, "0"),
    parents: [],
    committerMs: lastMs - (before.length - index) * LONG_MS,
    author: "Test",
    subject: "change",
    body: "",
  }));
  return {
    ...NO_HISTORY,
    read: (_revision, { wants }) =>
      Promise.resolve({
        commits,
        changes: [...changes, ...removals].filter(({ path }) => wants(path)),
        cut: undefined,
      }),
  };
}

/** The bump of the sample in which v1 stays as it is and objects are stored as v2, with a schema as YAML. */
export function storedAsV2(schema: string): ExampleFiles {
  const v2 = `    - { name: v2, served: true, storage: true, schema: ${schema} }\n---\napiVersion: v1`;
  const unstored = edit(manifestText("1.2.0"), "storage: true", "storage: false");
  return { ...BUMP, [manifestPath("1.2.0")]: edit(unstored, "---\napiVersion: v1", v2) };
}
