import { describe, expect, it } from "vitest";
import { compile, type CompileTarget } from "../../../src/catalogue/compile.ts";
import { dateHistory } from "../../../src/catalogue/history/dates.ts";
import { moduleHistories } from "../../../src/catalogue/history/moduleHistory.ts";
import {
  completeBase,
  historicEntries,
  lackingEntries,
  NOTHING_RENDERED,
  renderedBase,
  type Base,
  type BaseEntry,
} from "../../../src/sync/render/base.ts";
import { targetFor } from "./rendering.ts";
import type { Generation } from "../../../src/catalogue/settings.ts";
import { channelTemplate } from "../../catalogue/repository.ts";
import { recordedOf, type Step } from "../../catalogue/history/recorded.ts";
import { catalogueOf } from "../catalogueFiles.ts";

const FILE = "channels/fast/istio.yaml";
const template = (version: string): string => channelTemplate("fast", "istio", version);

describe("the base from the history", () => {
  const { channels } = catalogueOf({
    channels: { fast: { istio: "1.0.0" }, regular: { istio: "1.0.0" }, must: {} },
    mandatory: ["must"],
    elsewhere: ["regular"],
  });
  const entries = (isRendered: boolean, ...steps: readonly Step[]): readonly unknown[] => [
    ...historicEntries(moduleHistories(dateHistory(recordedOf(...steps))), [{ channels }], {
      target: targetFor(),
      isRendered: () => isRendered,
    }),
  ];
  const named = (version: string): object => ({ metadata: { name: `istio-${version}` }, spec: { version } });
  const found = (version: string, isKnown: boolean, ...possible: readonly (string | undefined)[]): unknown => [
    [
      "fast/istio",
      expect.objectContaining({
        ...{ module: "istio", channel: "fast", mandatory: false, version, isKnown },
        template: expect.objectContaining({ kind: "ModuleTemplate" }) as unknown,
        possible: possible.map((one) => expect.objectContaining({ version: one }) as unknown),
      }),
    ],
  ];

  it("has the highest version of each channel of the landscape", () => {
    const steps = [{ [FILE]: template("1.0.0") }, { [FILE]: template("1.2.0") }];

    expect(entries(true, ...steps)).toEqual(found("1.2.0", true));
    expect(entries(true, ...steps)).toMatchObject([["fast/istio", { template: named("1.2.0") }]]);
    expect(entries(false, ...steps)).toEqual(found("1.2.0", false, "1.0.0", "1.2.0"));
  });

  it("does not know whether a version was rendered that came and went", () => {
    const steps = [{ [FILE]: template("1.0.0") }, { [FILE]: template("1.2.0") }, { [FILE]: template("1.1.0") }];

    expect(entries(true, ...steps)).toEqual(found("1.2.0", false, "1.0.0", "1.2.0", "1.1.0"));
    expect(entries(true, ...steps)).toMatchObject([["fast/istio", { template: named("1.2.0") }]]);
  });

  it("may have been omitted if the channel served nothing any more", () => {
    const steps = [{ [FILE]: template("1.0.0") }, { [FILE]: undefined }];

    expect(entries(true, ...steps)).toEqual(found("1.0.0", false, "1.0.0", undefined));
  });

  it("has no entry for a channel of another landscape, nor for one that never had the module", () => {
    const step = { "channels/regular/istio.yaml": channelTemplate("regular", "istio", "1.0.0") };

    expect(entries(true, step)).toEqual([]);
  });
});

const CURRENT: CompileTarget = { landscape: "dev", namespace: "kcp-system", generation: "version-templates" };
const OLDER: CompileTarget = { ...CURRENT, generation: "channel-templates" };
const META = "objects/release-metas/istio.yaml";
const TEMPLATE = "objects/templates/istio-fast.yaml";

function read(
  files: Readonly<Record<string, object | string | undefined>>,
  target: CompileTarget = CURRENT,
  mandatoryChannel?: string,
): Base | string {
  const bytes = Object.entries(files).map(
    ([path, value]) => [path, value && Buffer.from(typeof value === "string" ? value : JSON.stringify(value))] as const,
  );
  return renderedBase(new Map(bytes as [string, Uint8Array | undefined][]), { target, mandatoryChannel });
}

const meta = (spec: object): object => ({
  apiVersion: "operator.kyma-project.io/v1beta2",
  kind: "ModuleReleaseMeta",
  metadata: { name: "istio", namespace: "kcp-system" },
  spec: { moduleName: "istio", ...spec },
});
const CHANNELS = { channels: [{ channel: "fast", version: "1.1.0" }] };

const KNOWN = {
  ...{ module: "istio", channel: "fast", version: "1.1.0", mandatory: false },
  ...{ isKnown: true, template: undefined, possible: [] },
};

describe("the base from rendered files", () => {
  it("has the entries of release metas", () => {
    const base = read({ [META]: meta({ ocmComponentName: "example.com/istio", beta: true, ...CHANNELS }) });

    expect(base).toEqual({
      entries: new Map([["fast/istio", KNOWN]]),
      terms: new Map([["istio", { ocmComponentName: "example.com/istio", beta: true }]]),
      doubts: new Map(),
    });
  });

  it("has the templates of the versions that release metas name", () => {
    const file = template("1.1.0").replace("istio-fast", "istio-1.1.0");
    const base = read({ [META]: meta(CHANNELS), "objects/templates/istio-1.1.0.yaml": file });

    expect(base).toMatchObject({
      entries: new Map([["fast/istio", { ...KNOWN, template: { metadata: { name: "istio-1.1.0" } } }]]),
    });
  });

  it.each([
    ["must", "must"],
    [undefined, "mandatory"],
  ])("has the mandatory channel %s if they name none", (channel, expected) => {
    const base = read({ [META]: meta({ mandatory: { version: "2.0.0" } }) }, CURRENT, channel);

    expect(base).toMatchObject({
      entries: new Map([["mandatory/istio", { ...KNOWN, channel: expected, version: "2.0.0", mandatory: true }]]),
    });
  });

  it("has the entries of templates if lifecycle-manager reads templates by channel", () => {
    const mandatory = channelTemplate("must", "keda", "2.0.0").replace("spec:", "spec:\n  mandatory: true");
    const base = read({ [TEMPLATE]: template("1.1.0"), "objects/templates/keda-must.yaml": mandatory }, OLDER, "must");

    expect(typeof base === "string" ? base : [...base.entries.keys()]).toEqual(["fast/istio", "mandatory/keda"]);
  });

  it.each([
    ["objects/release-metas/.istio.yaml.12.tmp"],
    ["objects/release-metas/README.md"],
    ["objects/release-metas/more/istio.yaml"],
    ["objects/templates/istio-1.0.0.yaml"],
    ["argo-cd.yaml"],
  ])("ignores %s", (path) => {
    expect(read({ [path]: "[" })).toEqual(NOTHING_RENDERED);
  });

  it.each<readonly [name: string, value: object | string | undefined]>([
    ["no file", undefined],
    ["no YAML", "["],
    ["another kind", { apiVersion: "v1", kind: "ConfigMap" }],
    ["an invalid version", meta({ channels: [{ channel: "fast", version: "1.1.0-RC" }] })],
    ["an invalid channel", meta({ channels: [{ channel: "none", version: "1.1.0" }] })],
    ["an invalid module", meta({ moduleName: "is-to", ...CHANNELS })],
  ])("is refused if a file is not as it was rendered: %s", (_name, value) => {
    expect(read({ [META]: value })).toBe(META);
  });

  it("is refused if a file of a named template is not as it was rendered", () => {
    const path = "objects/templates/istio-1.1.0.yaml";

    expect(read({ [META]: meta(CHANNELS), [path]: "[" })).toBe(path);
    expect(read({ [META]: meta(CHANNELS), [path]: undefined })).toBe(path);
  });

  it("is refused for a template without a version", () => {
    expect(read({ [TEMPLATE]: template("1.1.0").replace("  version: 1.1.0\n", "") }, OLDER)).toBe(TEMPLATE);
  });
});

describe("an entry whose file is missing", () => {
  const catalogue = catalogueOf({ channels: { fast: { istio: "1.1.0" }, regular: { istio: "1.0.0" } } });
  const entry = (channel: string, module: string, version: string): [string, BaseEntry] => [
    `${channel}/${module}`,
    { channel, module, mandatory: false, version, isKnown: false } as BaseEntry,
  ];
  const terms = new Map([
    ["istio", { beta: true }],
    ["keda", { beta: true }],
  ]);
  const history: Base = {
    entries: new Map([
      entry("fast", "istio", "1.2.0"),
      entry("regular", "istio", "1.0.0"),
      entry("slow", "istio", "0.9.0"),
      entry("fast", "keda", "2.0.0"),
    ]),
    terms,
    doubts: new Map([
      ["istio", "its beta was different once"],
      ["keda", "its beta was different once"],
    ]),
  };
  const completed = (
    files: Readonly<Record<string, object | string>>,
    waiting: readonly string[] = [],
    generation?: Generation,
  ): Base | undefined => {
    const target = targetFor(generation);
    const base = read(files, target);
    if (typeof base === "string") throw new Error(base);
    const lacking = lackingEntries(base, waiting, compile(catalogue, target));
    return lacking.entries.length === 0 ? undefined : completeBase(base, history, lacking);
  };
  const versions = (base: Base | undefined): readonly string[] | undefined =>
    base && [...base.entries].map(([key, { version }]) => `${key} ${version}`);

  it("comes from the other source, with all entries of its release meta", () => {
    const base = completed({});

    expect(versions(base)).toEqual(["fast/istio 1.2.0", "regular/istio 1.0.0", "slow/istio 0.9.0"]);
    expect([...(base?.terms.keys() ?? []), ...(base?.doubts.keys() ?? [])]).toEqual(["istio", "istio"]);
  });

  it("was never rendered if it waited", () => {
    expect(versions(completed({}, ["fast/istio"]))).toEqual(["regular/istio 1.0.0", "slow/istio 0.9.0"]);
    expect(completed({}, ["fast/istio", "regular/istio"])).toBeUndefined();
  });

  it("was never rendered if the release meta of its module exists", () => {
    expect(completed({ [META]: meta(CHANNELS) })).toBeUndefined();
  });

  it("comes from the other source by itself if lifecycle-manager reads templates by channel", () => {
    const base = completed({ [TEMPLATE]: template("1.1.0") }, [], "channel-templates");

    expect(versions(base)).toEqual(["fast/istio 1.1.0", "regular/istio 1.0.0"]);
  });
});
