import { describe, expect, it } from "vitest";
import type { Catalogue } from "../../src/catalogue/catalogue.ts";
import type { ChannelEntry } from "../../src/catalogue/compile.ts";
import { earlierFor, entryGate, type GateInput } from "../../src/sync/plan/gate.ts";
import type { EntryRecord, Records } from "../../src/sync/plan/records.ts";
import { mentions } from "../support/mentions.ts";
import { catalogueOf, type Sample } from "./catalogueFiles.ts";
import { entriesOf, FAST, gate, HASH, HOUR, landscapeOf, serving, settings } from "./gating.ts";
import { NOW, recorded } from "./planning.ts";

/** The block on the entry, given the records of each earlier landscape. */
function waveOn(
  earlier: Readonly<Record<string, unknown>>,
  given: { at?: string; nowMs?: number; moves?: GateInput["moves"] } = {},
): unknown {
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

  it("keeps only its version out of every channel", () => {
    expect(held({})).toEqual(
      new Map(["fast", "regular"].map((name) => [`${name}/istio`, { reason: "alice holds 1.3.0: it leaks" }])),
    );
  });

  it("keeps it out of one channel if it names one", () => {
    expect([...(held({ channel: "regular" }) as Map<string, unknown>).keys()]).toEqual(["regular/istio"]);
  });

  it("keeps it out of every channel if the one that it names does not exist, and says so", () => {
    const reason = mentions("alice holds 1.3.0", "it leaks", "channel slowly", "modules/istio/holds.yaml");

    expect(held({ channel: "slowly" })).toEqual(
      new Map(["fast", "regular"].map((name) => [`${name}/istio`, { reason }])),
    );
  });

  it("names its end, and is then over", () => {
    const untilMs = NOW + HOUR;

    expect(held({ channel: "fast", until: new Date(untilMs).toISOString() })).toMatchObject(
      new Map([["fast/istio", { untilMs }]]),
    );
    expect(held({ until: new Date(NOW).toISOString() })).toEqual(new Map());
  });

  it("follows from a decrease by hand, in every channel", () => {
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

  it("does not exist for the first one, nor if no earlier one serves the channel", () => {
    expect(earlier(FAST, "dev")).toBeUndefined();
    expect(earlier({ ...FAST, elsewhere: ["fast"] }, "elsewhere")).toBeUndefined();
    expect(earlier({ settings, channels: { slow: { istio: "1.3.0" } } }, "prod")).toBeUndefined();
  });

  it("is needed, and nothing is held, for a module without a file", () => {
    const catalogue = { ...catalogueOf(FAST), modules: new Map() };
    const landscape = landscapeOf(catalogue, "prod");
    const entries = entriesOf(catalogue);
    const input = { catalogue, landscape, moves: [], earlier: new Map(), decreases: [], nowMs: NOW };
    const { holds, waves } = entryGate(entries, input);

    expect([[...holds.keys()], [...waves.keys()]]).toEqual([[], ["fast/istio"]]);
  });

  it("is the nearest one that serves the channel; the soaks of skipped landscapes add up", () => {
    expect(earlier({ ...FAST, elsewhere: ["fast"] }, "prod")).toEqual({ name: "elsewhere", soakMs: HOUR });
    expect(earlier(FAST, "prod")).toEqual({ name: "dev", soakMs: 3 * HOUR });
  });

  it("has the soak of hot-fixes if the version is one in that channel", () => {
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

  it("blocks nothing in the first landscape", () => {
    expect(waveOn({}, { at: "dev" })).toBeUndefined();
  });

  it("lets an entry through once the earlier landscape served it for long enough", () => {
    expect(waveOn({ dev: since(NOW - 3 * HOUR) })).toBeUndefined();
    expect(waveOn({ dev: since(NOW - 3 * HOUR + 1) })).toMatchObject({ untilMs: NOW + 1 });
  });

  it("blocks an entry that the earlier landscape does not serve: another version, different content, or none", () => {
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

  it("lets a version return at once that this landscape or the earlier one served; other lower versions wait", () => {
    const back = (version: string, hadBefore = false, other?: Records): unknown => {
      const past = { version, specHash: HASH, fromMs: 0, untilMs: 1, soakedMs: 0 };
      const dev = other ?? serving({ ...recorded("1.4.0", "sha256:other", NOW), previous: [past] });
      const move = { module: "istio", channel: "fast", mandatory: false, isLower: true, hadBefore };
      return waveOn({ dev }, { moves: [move] });
    };

    expect(back("1.3.0")).toBeUndefined();
    expect(back("1.2.0", true)).toBeUndefined();
    const waiting = { reason: expect.stringContaining("dev") as string };
    expect(back("1.2.0")).toMatchObject(waiting);
    expect(back("1.2.0", false, serving({ ...recorded("1.4.0"), current: undefined }))).toMatchObject(waiting);
    expect(back("1.3.0", false, { kind: "known", entries: new Map() })).toMatchObject(waiting);
    expect(back("1.3.0", false, { kind: "none" })).toMatchObject(waiting);
  });

  it("blocks an entry while the earlier landscape has no record", () => {
    expect(waveOn({})).toMatchObject({ reason: expect.stringContaining("dev") as string });
    expect(waveOn({ dev: { kind: "none" } })).toEqual(waveOn({}));
    expect(waveOn({})).not.toHaveProperty("isUnknown");
  });

  it("blocks an entry, and is unknown, while the records of the earlier landscape cannot be read", () => {
    expect(waveOn({ dev: { kind: "unknown", because: "forbidden" } })).toMatchObject({ isUnknown: true });
  });
});

describe("an entry whose version was served for the soak in the earlier landscape", () => {
  const since = NOW - 4 * HOUR;
  const watched = (wave: object, sinceMs = since): unknown => {
    const numbers = {
      failing: 0,
      inOrder: 3,
      pending: 0,
      countedMs: NOW,
      baseline: 0,
      isInOrder: true,
      isResumed: false,
      halt: undefined,
    };
    const { current, ...rest } = recorded("1.3.0", HASH);
    const record = {
      ...rest,
      current: { ...current, sinceMs, wave: { ...numbers, soakedMs: NOW - sinceMs, ...wave } },
    } as EntryRecord;
    return waveOn({ dev: serving(record) });
  };

  it.each<[string, object, object | undefined]>([
    ["moves on with its clusters in order", {}, undefined],
    ["waits until it was in order for the soak", { soakedMs: 2 * HOUR }, { untilMs: NOW + HOUR }],
    [
      "waits if it was halted, and says how to continue",
      { halt: { sinceMs: NOW, reason: "3 of 5 fail" } },
      { reason: expect.stringMatching(/3 of 5 fail.*sync resume dev istio --reason/) as unknown },
    ],
    [
      "waits if a look found it failing, which cannot be resumed",
      { halt: { sinceMs: NOW, reason: "3 of 5 fail", isRecorded: false } },
      { reason: expect.stringMatching(/3 of 5 fail.*--now --reason/) as unknown },
    ],
    [
      "waits while the soak stands",
      { pending: 3, isInOrder: false },
      { reason: expect.stringContaining("3 of 6 clusters") as unknown },
    ],
    ["waits while the state of its clusters is unknown", { countedMs: since, soakedMs: HOUR }, { isUnknown: true }],
    [
      "waits if its clusters were counted by a clock that is ahead",
      { countedMs: NOW + HOUR },
      { reason: mentions("future"), isUnknown: true },
    ],
    [
      "waits if some fail, and it is unknown how many failed before",
      { failing: 1, isInOrder: false },
      { isUnknown: true },
    ],
    ["moves on if a person accepted what fails", { failing: 1, isResumed: true }, undefined],
  ])("%s", (_, wave, expected) => {
    if (expected === undefined) expect(watched(wave)).toBeUndefined();
    else expect(watched(wave)).toMatchObject(expected);
  });

  it("waits if its clusters were counted too long ago", () => {
    const reason = expect.stringContaining("too long ago") as string;

    expect(watched({ countedMs: NOW - 3 * HOUR }, NOW - 9 * HOUR)).toMatchObject({ reason, isUnknown: true });
  });
});
