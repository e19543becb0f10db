import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  announced,
  appliedVersion,
  isApplied,
  settled,
  type EntryRecord,
  type PastVersion,
  type Records,
  type ServedVersion,
  type WaveRecord,
} from "../../src/sync/plan/records.ts";
import { parseRecords, printRecords } from "../../src/sync/plan/recordsJson.ts";
import { NOW } from "./planning.ts";

const served = (version: string, specHash = "h", sinceMs = NOW): ServedVersion => ({
  version,
  specHash,
  sinceMs,
  accepted: [],
  now: undefined,
});
const record = (given: Partial<EntryRecord>): EntryRecord => ({
  current: undefined,
  next: undefined,
  previous: [],
  terms: undefined,
  ...given,
});
const past = (version: string): PastVersion => {
  return { version, specHash: "h", fromMs: NOW - 2, untilMs: NOW - 1, soakedMs: 1 };
};
const known = (one: EntryRecord): Records => ({ kind: "known", entries: new Map([["fast/istio", one]]) });

describe("printed records", () => {
  const instant = fc.integer({ min: 0, max: 4_000_000_000_000 });
  const name = fc.constantFrom("1.0.0", "1.1.0", "2.0.0-rc", "");
  const own = { version: name, specHash: fc.string(), commit: fc.option(name, { nil: undefined }) };
  const arbitraryWave: fc.Arbitrary<WaveRecord> = fc.record({
    ...{ failing: fc.nat(), inOrder: fc.nat(), pending: fc.nat(), soakedMs: fc.nat(), countedMs: instant },
    ...{ isInOrder: fc.boolean(), isResumed: fc.boolean() },
    baseline: fc.double({ min: 0, max: 1, noNaN: true }).map((share) => share + 0),
    halt: fc.option(fc.record({ sinceMs: instant, reason: fc.string() }), { nil: undefined }),
  });
  const arbitraryServed: fc.Arbitrary<ServedVersion> = fc.record({
    ...{ ...own, sinceMs: instant },
    accepted: fc.array(fc.string(), { maxLength: 2 }),
    now: fc.option(fc.string(), { nil: undefined }),
    baseline: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: undefined }),
    restoredMs: fc.option(instant, { nil: undefined }),
    wave: fc.option(arbitraryWave, { nil: undefined }),
  });
  const arbitraryRecord: fc.Arbitrary<EntryRecord> = fc
    .record({
      current: fc.option(arbitraryServed, { nil: undefined }),
      next: fc.option(arbitraryServed, { nil: undefined }),
      previous: fc.array(fc.record({ ...own, fromMs: instant, untilMs: instant, soakedMs: fc.nat() })),
      terms: fc.option(fc.constantFrom({}, { beta: true }, { kymaSelector: { matchLabels: { a: "b" } } }), {
        nil: undefined,
      }),
    })
    .filter(({ current, next }) => (current ?? next) !== undefined);
  const arbitraryRecords = fc.dictionary(fc.constantFrom("fast/istio", "mandatory/audit", "a/b"), arbitraryRecord);

  it("are parsed as they were printed", () => {
    fc.assert(
      fc.property(arbitraryRecords, (records) => {
        const entries = new Map(Object.entries(records));

        expect(parseRecords(printRecords(entries))).toEqual(entries);
      }),
    );
  });

  it("have times that people can read", () => {
    expect(JSON.parse(printRecords(new Map([["fast/istio", record({ current: served("1.0.0") })]])))).toEqual({
      "fast/istio": { current: { version: "1.0.0", specHash: "h", servedSince: "2026-05-04T10:00:00.000Z" } },
    });
  });
});

describe("records that another client wrote", () => {
  const current = { version: "1.0.0", specHash: "h", servedSince: "2026-05-04T10:00:00Z" };
  const counted = { failing: 1, inOrder: 2, pending: 0, baseline: 0, counted: "2026-05-04T10:00:00Z" };
  const HALTED = { since: "2026-05-04T10:10:00Z", reason: "it fails" };
  const former = { version: "1.0.0", specHash: "h", from: "2026-05-01T00:00:00Z", until: "2026-05-02T00:00:00Z" };
  const read = (...records: readonly unknown[]): ReturnType<typeof parseRecords> =>
    parseRecords(JSON.stringify(Object.fromEntries(records.map((one, index) => [`c${index}/m`, one]))));

  it.each(["", "{", "[]", "null", "1", '"text"'])("are invalid if they are %j", (text) => {
    expect(parseRecords(text)).toBeUndefined();
  });

  it.each([
    [null],
    ["text"],
    [[]],
    [{}],
    [{ current: null }],
    [{ current: "1.0.0" }],
    [{ current: { ...current, version: 1 } }],
    [{ current: { ...current, specHash: undefined } }],
    [{ current: { ...current, servedSince: "soon" } }],
    [{ current, next: [] }],
    [{ current: { ...current, wave: 1 } }],
    [{ current: { ...current, wave: { ...counted, failing: "1" } } }],
    [{ current: { ...current, wave: { ...counted, counted: "soon" } } }],
    [{ current: { ...current, wave: { ...counted, halted: "yes" } } }],
    [{ current: { ...current, wave: { ...counted, halted: { since: "soon", reason: "it fails" } } } }],
    [{ current, previous: {} }],
    [{ current, previous: [null] }],
    [{ current, previous: [{ ...former, version: 1 }] }],
    [{ current, previous: [{ ...former, specHash: 1 }] }],
    [{ current, previous: [{ ...former, from: "soon" }] }],
    [{ current, previous: [{ ...former, until: undefined }] }],
  ])("are all invalid if one of them is %j", (broken) => {
    expect(read(broken)).toBeUndefined();
    expect(read({ current }, broken)).toBeUndefined();
  });

  it.each<[string, object, object]>([
    ["in order", { inOrder: 3 }, { soakedMs: 3_600_000, isInOrder: true, isResumed: false }],
    ["that was resumed", { inOrder: 3, stoodMs: 60_000 }, { soakedMs: 3_540_000, isInOrder: true, isResumed: true }],
    ["not in order", { inOrder: 1 }, { soakedMs: 0, isInOrder: false, isResumed: false }],
    ["that is halted", { inOrder: 3, halted: HALTED }, { soakedMs: 600_000, isInOrder: false, isResumed: false }],
  ])("may be of an earlier version of the program, which recorded no soak: a wave %s", (_, wave, expected) => {
    const before = { ...counted, counted: "2026-05-04T11:00:00Z", ...wave };

    expect(read({ current: { ...current, wave: before } })?.get("c0/m")?.current?.wave).toMatchObject(expected);
  });

  it("are parsed without invalid secondary fields", () => {
    const odd = { current: { ...current, accepted: "all", now: 1 }, terms: "none", previous: [former] };

    expect(read(odd)?.get("c0/m")).toMatchObject({
      current: { accepted: [], now: undefined },
      terms: undefined,
      previous: [{ version: "1.0.0" }],
    });
  });
});

describe("the version that was last applied", () => {
  const of = (records: Records, live: string | undefined): unknown => appliedVersion(records, "fast/istio", live);
  const both = known(record({ current: served("1.0.0"), next: served("1.1.0") }));

  it("is the live one without records", () => {
    expect([of({ kind: "none" }, "1.0.0"), of({ kind: "none" }, undefined)]).toEqual(["1.0.0", undefined]);
    expect(isApplied("9.9.9", { kind: "none" }, new Map())).toBe(true);
  });

  it("is the announced one once it is live, and otherwise the one before", () => {
    expect([of(both, "1.1.0"), of(both, "1.0.0"), of(both, "9.9.9"), of(both, undefined)]).toEqual([
      "1.1.0",
      "1.0.0",
      "1.0.0",
      "1.0.0",
    ]);
  });

  it("does not exist for an entry that was never written, or has no record", () => {
    expect(of(known(record({ next: served("1.1.0") })), "1.0.0")).toBeUndefined();
    expect(of({ kind: "known", entries: new Map() }, "1.0.0")).toBeUndefined();
  });

  it("is any current or announced version of an entry", () => {
    const own = new Map([
      ["fast/istio", record({ current: served("1.0.0") })],
      ["regular/istio", record({ next: served("1.1.0") })],
    ]);
    const applied = ["1.0.0", "1.1.0", "1.2.0"].map((version) => isApplied(version, both, own));

    expect(applied).toEqual([true, true, false]);
  });
});

describe("an entry that is announced", () => {
  it("is about to get its first version without a record", () => {
    expect(announced(undefined, undefined, served("1.0.0"))).toEqual(record({ next: served("1.0.0") }));
  });

  it("keeps its current and its past versions", () => {
    const before = record({ current: served("1.0.0"), previous: [past("0.9.0")], terms: { beta: true } });

    expect(announced(before, "1.0.0", served("1.1.0"))).toEqual({ ...before, next: served("1.1.0") });
  });

  it("settles an earlier announcement", () => {
    const killed = record({ current: served("1.0.0", "h", NOW - 9), next: served("1.1.0") });

    expect(announced(killed, "1.1.0", served("1.2.0", "h", NOW))).toMatchObject({
      current: { version: "1.1.0" },
      next: { version: "1.2.0" },
      previous: [{ version: "1.0.0", fromMs: NOW - 9, untilMs: NOW }],
    });
  });
});

describe("an entry that is settled", () => {
  it("is unchanged without an announcement", () => {
    const before = record({ current: served("1.0.0") });

    expect(settled(before, "1.0.0")).toBe(before);
    expect(settled(undefined, "1.0.0")).toBeUndefined();
  });

  it("keeps its version if the new one is not live", () => {
    const before = record({ current: served("1.0.0"), next: served("1.1.0"), terms: { beta: true } });

    expect(settled(before, "1.0.0")).toEqual({ ...before, next: undefined });
    expect(settled(record({ next: served("1.1.0") }), undefined)).toBeUndefined();
  });

  it("serves its first version without a past one", () => {
    expect(settled(record({ next: served("1.1.0") }), "1.1.0")).toEqual(record({ current: served("1.1.0") }));
  });

  it("keeps the start time for the same content, and restarts with different content", () => {
    const [first, again] = [served("1.0.0", "h", NOW - 9), served("1.0.0", "h", NOW)];

    expect(settled(record({ current: first, next: again }), "1.0.0")).toEqual(record({ current: first }));
    const other = served("1.0.0", "other", NOW);

    expect(settled(record({ current: first, next: other }), "1.0.0")).toMatchObject({
      current: other,
      previous: [{ version: "1.0.0", specHash: "h" }],
    });
  });

  it("ends the period of a version when the next one was announced, however late that is noticed", () => {
    const [first, next] = [served("1.0.0", "h", NOW - 100), served("1.1.0", "h", NOW - 40)];

    expect(settled(record({ current: first, next: { ...next, baseline: 0 } }), "1.1.0")?.previous).toMatchObject([
      { fromMs: NOW - 100, untilMs: NOW - 40, soakedMs: 60 },
    ]);
  });

  it("keeps ten earlier versions, newest first", () => {
    const previous = Array.from({ length: 10 }, (_, index) => past(`0.${10 - index}.0`));
    const now = settled(record({ current: served("1.0.0"), next: served("1.1.0"), previous }), "1.1.0");

    expect(now?.previous.map(({ version }) => version)).toEqual([
      "1.0.0",
      ...previous.slice(0, 9).map(({ version }) => version),
    ]);
  });
});
