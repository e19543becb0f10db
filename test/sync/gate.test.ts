import { describe, expect, it } from "vitest";
import type { Catalogue } from "../../src/catalogue/catalogue.ts";
import { compile, type ChannelEntry } from "../../src/catalogue/compile.ts";
import type { Landscape } from "../../src/catalogue/settings.ts";
import { acceptedKey, earlierFor, gateOf, type EntryGate, type GateInput } from "../../src/sync/plan/gate.ts";
import type { EntryRecord, Records } from "../../src/sync/plan/records.ts";
import { catalogueOf, type Sample } from "./catalogueFiles.ts";
import { NOW, recorded } from "./planning.ts";

const HOUR = 3_600_000;
const namespace = "kcp-system";
const settings = {
  landscapes: [
    { name: "dev", controlPlane: { context: "dev" } },
    { name: "elsewhere", controlPlane: { context: "e" }, after: { landscape: "dev", soak: "2h", hotfixSoak: "30m" } },
    { name: "prod", controlPlane: { context: "p" }, after: { landscape: "elsewhere", soak: "1h", hotfixSoak: "10m" } },
  ],
};
const FAST: Sample = { settings, channels: { fast: { istio: "1.3.0" } } };

function entriesOf(catalogue: Catalogue, landscape = "dev"): readonly ChannelEntry[] {
  return compile(catalogue, { landscape, namespace, generation: "version-templates" }).entries;
}

function landscapeOf({ settings: { landscapes } }: Catalogue, name: string): Landscape {
  const landscape = landscapes.find((one) => one.name === name);
  if (landscape === undefined) throw new Error(name);
  return landscape;
}

/** The gate of a landscape that is, but for what is given, the first one. */
function gate(sample: Sample, { at = "dev", ...given }: Partial<GateInput> & { readonly at?: string } = {}): EntryGate {
  const catalogue = catalogueOf(sample);
  const input = { catalogue, landscape: landscapeOf(catalogue, at), earlier: new Map(), decreases: [], nowMs: NOW };
  return gateOf(entriesOf(catalogue, sample.elsewhere === undefined ? "dev" : "elsewhere"), { ...input, ...given });
}

const serving = (record: EntryRecord): Records => ({ kind: "known", entries: new Map([["fast/istio", record]]) });
const [ENTRY] = entriesOf(catalogueOf(FAST));
const HASH = ENTRY?.specHash ?? "";

/** What keeps the entry, given what each earlier landscape recorded. */
function waveOn(earlier: Readonly<Record<string, unknown>>, given: { at?: string; nowMs?: number } = {}): unknown {
  const records = new Map(Object.entries(earlier)) as GateInput["earlier"];
  return gate(FAST, { at: "prod", ...given, earlier: records }).waves.get("fast/istio");
}

describe("a hold", () => {
  const held = (hold: object, decreases: GateInput["decreases"] = []): unknown =>
    gate(
      {
        channels: { fast: { istio: "1.3.0" }, regular: { istio: "1.3.0" }, slow: { istio: "1.2.0" } },
        holds: {
          istio: [{ version: "1.3.0", reason: "it leaks", by: "alice", since: "2026-05-01T00:00:00Z", ...hold }],
        },
      },
      { decreases },
    ).holds;

  it("keeps a version out of every channel, and no other version", () => {
    expect(held({})).toEqual(
      new Map(["fast", "regular"].map((name) => [`${name}/istio`, { reason: "alice holds 1.3.0: it leaks" }])),
    );
  });

  it("keeps it out of one channel where it names one", () => {
    expect([...(held({ channel: "regular" }) as Map<string, unknown>).keys()]).toEqual(["regular/istio"]);
  });

  it("says until when, and ends then", () => {
    const untilMs = NOW + HOUR;

    expect(held({ channel: "fast", until: new Date(untilMs).toISOString() })).toMatchObject(
      new Map([["fast/istio", { untilMs }]]),
    );
    expect(held({ until: new Date(NOW).toISOString() })).toEqual(new Map());
  });

  it("is what a decrease by hand amounts to, in every channel", () => {
    const decrease = { module: "istio", version: "1.2.0", reason: "It was taken back." };
    const others = [
      { ...decrease, module: "keda" },
      { ...decrease, version: "1.1.0" },
    ];

    expect(gate(FAST, { decreases: [...others, { ...decrease, version: "1.3.0" }] }).holds).toEqual(
      new Map([["fast/istio", { reason: "It was taken back." }]]),
    );
    expect(gate(FAST, { decreases: others }).holds).toEqual(new Map());
  });
});

describe("a landscape that an entry waits for", () => {
  const earlier = (sample: Sample, at: string, hotfixes: readonly object[] = []): unknown => {
    const catalogue = catalogueOf({ modules: { istio: {} }, ...sample });
    const modules = new Map([...catalogue.modules].map(([name, one]) => [name, { ...one, hotfixes }]));
    const entry = { channel: "fast", module: "istio", version: "1.3.0" } as ChannelEntry;
    return earlierFor(entry, landscapeOf(catalogue, at), { ...catalogue, modules } as Catalogue);
  };

  it("is none for the first one, and none where no earlier one serves the channel", () => {
    expect(earlier(FAST, "dev")).toBeUndefined();
    expect(earlier({ ...FAST, elsewhere: ["fast"] }, "elsewhere")).toBeUndefined();
    expect(earlier({ settings, channels: { slow: { istio: "1.3.0" } } }, "prod")).toBeUndefined();
  });

  it("is waited for, and nothing is held, where nothing is said of the module", () => {
    const catalogue = { ...catalogueOf(FAST), modules: new Map() };
    const landscape = landscapeOf(catalogue, "prod");
    const entries = entriesOf(catalogue);
    const { holds, waves } = gateOf(entries, { catalogue, landscape, earlier: new Map(), decreases: [], nowMs: NOW });

    expect([[...holds.keys()], [...waves.keys()]]).toEqual([[], ["fast/istio"]]);
  });

  it("is the nearest that serves the channel; the soaks of those that are passed add up", () => {
    expect(earlier({ ...FAST, elsewhere: ["fast"] }, "prod")).toEqual({ name: "elsewhere", soakMs: HOUR });
    expect(earlier(FAST, "prod")).toEqual({ name: "dev", soakMs: 3 * HOUR });
  });

  it("is waited for as long as a hot-fix waits where the version is one in that channel", () => {
    const hotfix = { version: "1.3.0", channel: "fast" };

    expect(earlier(FAST, "prod", [hotfix])).toEqual({ name: "dev", soakMs: (40 / 60) * HOUR });
    expect(earlier(FAST, "prod", [{ ...hotfix, channel: "regular" }])).toMatchObject({ soakMs: 3 * HOUR });
    expect(earlier(FAST, "prod", [{ ...hotfix, version: "1.2.0" }])).toMatchObject({ soakMs: 3 * HOUR });
  });
});

describe("a wave", () => {
  const since = (sinceMs: number): Records => {
    const { current, ...rest } = recorded("1.3.0", HASH);
    return serving({ ...rest, current: current && { ...current, sinceMs } });
  };

  it("keeps nothing in the first landscape", () => {
    expect(waveOn({}, { at: "dev" })).toBeUndefined();
  });

  it("lets an entry through once the earlier landscape served it for long enough", () => {
    expect(waveOn({ dev: since(NOW - 3 * HOUR) })).toBeUndefined();
    expect(waveOn({ dev: since(NOW - 3 * HOUR + 1) })).toMatchObject({ untilMs: NOW + 1 });
  });

  it("keeps an entry that the earlier landscape does not serve: another version, other content, or none", () => {
    const { current: _current, ...rest } = recorded("1.3.0", HASH);
    const others: readonly Records[] = [
      serving(recorded("1.2.0", HASH)),
      serving(recorded("1.3.0", "sha256:other")),
      serving({ ...rest, current: undefined }),
      { kind: "known", entries: new Map() },
    ];

    for (const dev of others) {
      expect(waveOn({ dev })).toMatchObject({ reason: expect.stringContaining("1.3.0") as string });
      expect(waveOn({ dev })).not.toHaveProperty("untilMs");
    }
  });

  it("keeps an entry while the earlier landscape has no record", () => {
    expect(waveOn({})).toMatchObject({ reason: expect.stringContaining("dev") as string });
    expect(waveOn({ dev: { kind: "none" } })).toEqual(waveOn({}));
    expect(waveOn({})).not.toHaveProperty("isUnknown");
  });

  it("keeps an entry, and is unknown, while the earlier landscape's records cannot be read", () => {
    expect(waveOn({ dev: { kind: "unknown", because: "forbidden" } })).toMatchObject({ isUnknown: true });
  });
});

describe("an acceptance", () => {
  const [later, earlierThanNow] = [new Date(NOW + 1).toISOString(), new Date(NOW).toISOString()];
  const step = { refusal: "user-endangered", channel: "fast", from: "1.3.0", to: "1.2.0" };
  const key = acceptedKey({ ...step, refusal: "user-endangered", module: "istio" });
  const field = { refusal: "restriction-changed", field: "beta", from: null, to: true };
  const accepted = (accepts: readonly object[], earlier: GateInput["earlier"] = new Map()): readonly string[] => {
    const full = accepts.map((one) => ({ reason: "r", until: later, ...one }));
    return [...gate({ ...FAST, modules: { istio: { accepts: full } } }, { earlier }).accepted];
  };

  it("counts until it ends", () => {
    expect(accepted([step])).toEqual([key]);
    expect(accepted([{ ...step, until: earlierThanNow }])).toEqual([]);
  });

  it("counts for good in later landscapes, once an earlier one let the version in by it", () => {
    const { current, ...rest } = recorded("1.2.0");
    const entered = serving({ ...rest, current: current && { ...current, accepted: [key] } });
    const earlier = new Map([
      ["dev", entered],
      ["elsewhere", { kind: "none" } as const],
      ["prod", serving({ ...rest, current: undefined })],
    ]);

    expect(accepted([{ ...step, until: earlierThanNow }], earlier)).toEqual([key]);
    expect(accepted([{ ...step, to: "1.1.0", until: earlierThanNow }], earlier)).toEqual([]);
  });

  it("of a field is one of its values; null is unset", () => {
    const change = { refusal: "restriction-changed", module: "istio", field: "beta" } as const;

    expect(accepted([field])).toEqual([acceptedKey({ ...change, from: undefined, to: true })]);
    expect(accepted([{ ...field, from: true, to: null }])).toEqual([
      acceptedKey({ ...change, from: true, to: undefined }),
    ]);
  });

  it.each(["references-unknown", "artifact-missing", "other-set"])("of %s never counts", (refusal) => {
    expect(
      accepted([
        { ...step, refusal },
        { ...field, refusal },
      ]),
    ).toEqual([]);
  });

  it("of a step that removes or adds an entry has one version on both sides", () => {
    const one = { refusal: "channel-in-use", module: "istio", channel: "fast" } as const;
    const both = acceptedKey({ ...one, from: "1.3.0", to: "1.3.0" });

    expect(acceptedKey({ ...one, from: "1.3.0", to: undefined })).toBe(both);
    expect(acceptedKey({ ...one, from: undefined, to: "1.3.0" })).toBe(both);
  });
});

describe("an entry whose version has served its time in the landscape before", () => {
  const since = NOW - 4 * HOUR;
  const watched = (wave: object): unknown => {
    const numbers = { failing: 0, inOrder: 3, pending: 0, countedMs: NOW, baseline: 0, stoodMs: 0, halt: undefined };
    const { current, ...rest } = recorded("1.3.0", HASH);
    const record = { ...rest, current: { ...current, sinceMs: since, wave: { ...numbers, ...wave } } } as EntryRecord;
    return waveOn({ dev: serving(record) });
  };

  it.each<[string, object, object | undefined]>([
    ["moves on with its clusters in order", {}, undefined],
    ["waits longer by as much as its soak stood still", { stoodMs: 2 * HOUR }, { untilMs: NOW + HOUR }],
    [
      "waits where it was halted, and says how to go on",
      { halt: { sinceMs: NOW, reason: "3 of 5 fail" } },
      { reason: expect.stringMatching(/3 of 5 fail.*sync resume dev istio --reason/) as unknown },
    ],
    ["waits where it stalled", { pending: 3 }, { reason: expect.stringContaining("3 of 6 clusters") as unknown }],
    ["waits while it is unknown how its clusters fare", { countedMs: since }, { isUnknown: true }],
  ])("%s", (_, wave, expected) => {
    if (expected === undefined) expect(watched(wave)).toBeUndefined();
    else expect(watched(wave)).toMatchObject(expected);
  });
});
