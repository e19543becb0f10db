import { describe, expect, it } from "vitest";
import { compare, fieldText, type Difference, type FieldPath } from "../../src/kubernetes/compare.ts";
import type { KubernetesObject } from "../../src/kubernetes/object.ts";

type Metadata = Omit<KubernetesObject["metadata"], "name">;

function object(kind: string, spec: unknown, metadata: Metadata = {}): KubernetesObject {
  const apiVersion = "operator.kyma-project.io/v1beta2";
  return { apiVersion, kind, metadata: { name: "sample", ...metadata }, ...(spec !== undefined && { spec }) };
}

const template = (spec: unknown, metadata?: Metadata): KubernetesObject => object("ModuleTemplate", spec, metadata);
const meta = (spec: unknown, metadata?: Metadata): KubernetesObject => object("ModuleReleaseMeta", spec, metadata);

const textOf = ({ kind, path }: Difference): string => `${kind} ${fieldText(path)}`;
const differences = (...args: Parameters<typeof compare>): readonly string[] => compare(...args).map(textOf);

interface Row {
  readonly fact: string;
  readonly desired: KubernetesObject;
  readonly live: KubernetesObject;
  readonly expected: readonly string[];
}

const channels = [
  { channel: "fast", version: "1.3.0" },
  { channel: "regular", version: "1.2.0" },
];

const rows: readonly Row[] = [
  {
    fact: "finds nothing where nothing is",
    desired: template(undefined),
    live: template(undefined),
    expected: [],
  },
  {
    fact: "names a field that is not live",
    desired: template({ version: "1.0.0", info: { repository: "r" } }),
    live: template({ version: "1.0.0" }),
    expected: ["missing spec.info"],
  },
  {
    fact: "names the innermost field that differs",
    desired: template({ info: { repository: "r", documentation: "d" } }),
    live: template({ info: { repository: "other", documentation: "d" } }),
    expected: ["changed spec.info.repository"],
  },
  {
    fact: "names what lives in spec and was not wanted",
    desired: template({ version: "1.0.0" }),
    live: template({ version: "1.0.0", mandatory: true, info: { repository: "r", icons: [] } }),
    expected: ["extra spec.mandatory", "extra spec.info.repository", "extra spec.info.icons"],
  },
  {
    fact: "names an empty object that was not wanted",
    desired: template({ version: "1.0.0" }),
    live: template({ version: "1.0.0", manager: {} }),
    expected: ["extra spec.manager"],
  },
  {
    fact: "treats null as absent, wanted or live",
    desired: template({ version: "1.0.0", data: null, info: { icons: null } }),
    live: template({ version: "1.0.0", manager: null, info: {} }),
    expected: [],
  },
  {
    fact: "treats a field that is wanted as null as unwanted",
    desired: template({ data: null }),
    live: template({ data: { kind: "Sample" } }),
    expected: ["extra spec.data.kind"],
  },
  {
    fact: "reports an object in place of a value once",
    desired: template({ data: { kind: "Sample" }, version: "1" }),
    live: template({ data: "text", version: { major: 1 } }),
    expected: ["changed spec.data", "changed spec.version"],
  },
  {
    fact: "ignores the order of a list-map",
    desired: meta({ channels }),
    live: meta({ channels: channels.toReversed() }),
    expected: [],
  },
  {
    fact: "names the item of a list-map by its key",
    desired: meta({ channels }),
    live: meta({ channels: [channels[0], { channel: "regular", version: "9.9.9" }] }),
    expected: ["changed spec.channels[channel=regular].version"],
  },
  {
    fact: "names a missing item of a list-map",
    desired: meta({ channels }),
    live: meta({ channels: [channels[1]] }),
    expected: ["missing spec.channels[channel=fast]"],
  },
  {
    fact: "names additional fields of an item",
    desired: meta({ channels: [channels[0]] }),
    live: meta({ channels }),
    expected: ["extra spec.channels[channel=regular].channel", "extra spec.channels[channel=regular].version"],
  },
  {
    fact: "names every item of an unwanted list-map",
    desired: meta({ mandatory: { version: "1.0.0" } }),
    live: meta({ mandatory: { version: "1.0.0" }, channels: [channels[0]] }),
    expected: ["extra spec.channels[channel=fast].channel", "extra spec.channels[channel=fast].version"],
  },
  {
    fact: "names an empty unwanted list-map",
    desired: meta({}),
    live: meta({ channels: [] }),
    expected: ["extra spec.channels"],
  },
  {
    fact: "compares every other list as a whole",
    desired: template({ associatedResources: [{ kind: "A" }, { kind: "B" }], data: { list: [1, { a: null }] } }),
    live: template({ associatedResources: [{ kind: "B" }, { kind: "A" }], data: { list: [1, {}] } }),
    expected: ["changed spec.associatedResources"],
  },
  {
    fact: "reports a longer list",
    desired: template({ associatedResources: [{ kind: "A" }] }),
    live: template({ associatedResources: [{ kind: "A" }, { kind: "B" }] }),
    expected: ["changed spec.associatedResources"],
  },
  {
    fact: "accepts schema defaults, and no other values in their place",
    desired: meta({ channels }),
    live: meta({ channels, beta: false, internal: true }),
    expected: ["extra spec.internal"],
  },
  {
    fact: "expects dropped empty fields in the metadata of the default CR, and only there",
    desired: template({
      data: { metadata: { name: "n", labels: {}, finalizers: [], namespace: "" }, spec: { empty: {} } },
    }),
    live: template({ data: { metadata: { name: "n" }, spec: {} } }),
    expected: ["missing spec.data.spec.empty"],
  },
  {
    fact: "accepts empty metadata of the default CR",
    desired: template({ data: { kind: "Sample" } }),
    live: template({ data: { kind: "Sample", metadata: {} } }),
    expected: [],
  },
  {
    fact: "treats two notations of one time in the metadata of the default CR as equal, and only there",
    desired: template({
      data: { metadata: { creationTimestamp: "2026-01-01T01:00:00.5+02:00" }, at: "2026-01-01T01:00:00+02:00" },
    }),
    live: template({ data: { metadata: { creationTimestamp: "2025-12-31T23:00:00Z" }, at: "2025-12-31T23:00:00Z" } }),
    expected: ["changed spec.data.at"],
  },
  {
    fact: "names missing fields in the metadata of the default CR",
    desired: template({ data: { metadata: { name: "n", labels: { a: "" } } } }),
    live: template({ data: { metadata: { labels: {} } } }),
    expected: ["missing spec.data.metadata.name", "missing spec.data.metadata.labels.a"],
  },
  {
    fact: "names a label that controls lifecycle-manager",
    desired: meta({}, { labels: { team: "a" } }),
    live: meta({}, { labels: { team: "a", "operator.kyma-project.io/beta": "true" } }),
    expected: ['extra metadata.labels["operator.kyma-project.io/beta"]'],
  },
  {
    fact: "names a changed or removed label and annotation of ours",
    desired: template({}, { labels: { team: "a" }, annotations: { note: "n" } }),
    live: template({}, { labels: { team: "b" }, annotations: {} }),
    expected: ["changed metadata.labels.team", "missing metadata.annotations.note"],
  },
  {
    fact: "ignores foreign annotations, labels, finalizers and status",
    desired: template({}),
    live: {
      ...template({}, { labels: { team: "a" }, annotations: { note: "n" }, generation: 7 }),
      status: { state: "Ready" },
    },
    expected: [],
  },
];

describe("compare", () => {
  it.each(rows)("$fact", ({ desired, live, expected }) => {
    expect(differences(desired, live)).toEqual(expected);
  });

  it("compares all labels and annotations for the extent everything", () => {
    const live = template({}, { labels: { team: "a", ours: "x" }, annotations: { note: "n" } });

    expect(differences(template({}, { labels: { ours: "x" } }), live, "everything")).toEqual([
      "extra metadata.labels.team",
      "extra metadata.annotations.note",
    ]);
  });

  it("finds no difference in missing labels and annotations", () => {
    expect(differences(template({}), template({}), "everything")).toEqual([]);
  });

  it("gives both values of a field", () => {
    expect(compare(template({ version: "1.0.0" }), template({ version: "2.0.0", mandatory: true }))).toEqual([
      { kind: "changed", path: ["spec", "version"], wanted: "1.0.0", found: "2.0.0" },
      { kind: "extra", path: ["spec", "mandatory"], found: true },
    ]);
  });

  it("compares other fields than spec, such as the data of a ConfigMap", () => {
    const map = (data: object): KubernetesObject => ({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "n" },
      data,
    });

    expect(differences(map({ key: "a" }), map({ key: "b" }))).toEqual(["changed data.key"]);
  });
});

describe("a path as text", () => {
  const paths: readonly [string, FieldPath][] = [
    ["", []],
    ["spec.channels[channel=fast].version", ["spec", "channels", { key: "channel", value: "fast" }, "version"]],
    ['metadata.annotations["a/b.c"]', ["metadata", "annotations", "a/b.c"]],
  ];

  it.each(paths)("reads %j", (text, path) => {
    expect(fieldText(path)).toBe(text);
  });
});
