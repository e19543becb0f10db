import type { Json, JsonObject } from "../../src/kubernetes/object.ts";
import { seeded } from "../support/random.ts";

/** A document and what was done to it, for messages. */
export interface Mutation {
  readonly name: string;
  readonly document: JsonObject;
}

type Path = readonly (string | number)[];

/** Values of every type, and the edges of each. */
const ODD: readonly Json[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e30,
  "",
  " ",
  "x",
  "é",
  [],
  [null],
  ["x"],
  [{}],
  {},
  { a: 1 },
  { a: null },
];

const TEXTS: readonly string[] = [
  ...[
    "none",
    "ab",
    "abc",
    "a".repeat(32),
    "a".repeat(33),
    "a".repeat(64),
    "a".repeat(65),
    "a".repeat(300),
    "Fast",
    "fast1",
  ],
  ...["istio-a", "abc-def", "-abc", "abc-", "abc--def", "1.2.3", "v1.2.3", "1.2", "01.2.3", "1.0.0-rc1", "1.0.0-rc.1"],
  ...["1.0.0-RC1", "1.0.0-rc-", "1.0.0-1", "1.0.0--", "1.0.0+x", "1.0.0-a+b.c", "1.2.3\n", `1.0.0-${"a".repeat(26)}`],
  ...[
    `1.0.0-${"a".repeat(27)}`,
    "v1",
    "a/v1",
    "a/b/v1",
    "/v1",
    "a/",
    "/",
    "Kind",
    "kind",
    "Ki nd",
    "Ki_nd",
    "1Kind",
    "K-",
  ],
  ...["Ready", "ready", "Warning", "default", "Default", "a.b", "..", ".", "a/b", "a%b", "a b", "x y/z"],
  ...["https://example.org", "https://example.org/a b", "http://", "/path", "path", "mailto:a", "https://a b/", "*"],
  ...["https://example.org/%zz", "https://exa%mple.org/", "1a://x", ":x", "https://user:pw@host:80/", "https://u@h@x/"],
  ...[
    "https://host:port/",
    "https://[::1]/",
    "https://[::1/",
    "https://ex^ample.org/",
    "https://é.org/?%zz#%",
    "a:b",
    "//a/b",
  ],
  ...[
    "kyma-project.io/module/x",
    "kyma-project.io",
    "Kyma.io/x",
    "a.io//x",
    `a.io/${"x".repeat(250)}`,
    `a.io/${"x".repeat(251)}`,
  ],
  ...["2026-05-04T09:30:00Z", "2026-02-30T00:00:00Z", "operator.kyma-project.io/module-name", "\u007f", "\u0000"],
];

/** Every path of a document, parents first. */
function pathsOf(value: Json | undefined, at: Path = []): Path[] {
  const entries: [string | number, Json | undefined][] = isList(value)
    ? [...value.entries()]
    : isMap(value)
      ? Object.entries(value)
      : [];
  return [at, ...entries.flatMap(([key, child]) => pathsOf(child, [...at, key]))];
}

function edit(
  value: Json | undefined,
  path: Path,
  change: (old: Json | undefined) => Json | undefined,
): Json | undefined {
  const [key, ...rest] = path;
  if (key === undefined) return change(value);
  if (isList(value)) {
    return value.flatMap((item, index) => {
      const edited = index === key ? edit(item, rest, change) : item;
      return edited === undefined ? [] : [edited];
    });
  }
  const object = isMap(value) ? value : {};
  const edited = edit(object[key], rest, change);
  const others = Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));
  return edited === undefined ? others : { ...others, [key]: edited };
}

/** The document with `value` at `path`; without anything there when `value` is undefined. */
export function withValue(document: JsonObject, path: Path, value: Json | undefined): JsonObject {
  return edit(document, path, () => value) as JsonObject;
}

/**
 * Documents that differ from one of `originals` in one place below `spec`: another type, an edge of a value, something
 * missing, unknown, empty or twice.
 *
 * Takes:  `count`, how many; the same ones for the same `seed`.
 */
export function mutate(originals: readonly JsonObject[], count: number, seed: number): readonly Mutation[] {
  const { next } = seeded(seed);
  const pick = <T>(list: readonly T[]): T => {
    const item = list[Math.floor(next() * list.length)];
    if (item === undefined) throw new Error("nothing to pick from");
    return item;
  };
  const operations: readonly ((path: Path) => [string, (old: Json | undefined) => Json | undefined])[] = [
    () => ["remove", () => undefined],
    () => {
      const odd = pick(ODD);
      return [`set ${JSON.stringify(odd)}`, () => odd];
    },
    () => {
      const text = pick(TEXTS);
      return [`set ${JSON.stringify(text).slice(0, 50)}`, () => text];
    },
    () => ["double or append", twice],
    () => {
      const [key, value] = [pick(["extra", "", "name", "kind", "channel"]), pick([...ODD, ...TEXTS])];
      return [`add ${key}: ${JSON.stringify(value)}`, (old) => (isMap(old) ? { ...old, [key]: value } : [value])];
    },
  ];
  return Array.from({ length: count }, () => {
    const document = pick(originals);
    const path = pick(pathsOf(document["spec"], ["spec"]).filter((at) => at[1] !== "descriptor" || at.length < 4));
    const [name, change] = pick(operations)(path);
    return {
      name: `${JSON.stringify(document["kind"])} ${path.join(".")}: ${name}`,
      document: edit(document, path, change) as JsonObject,
    };
  });
}

function twice(old: Json | undefined): Json | undefined {
  if (typeof old === "string") return old + old;
  if (isList(old)) return [...old, ...old];
  return [old ?? null, old ?? null];
}

const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);

const isMap = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !isList(value);
