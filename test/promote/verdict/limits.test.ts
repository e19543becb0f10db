import { describe, expect, it } from "vitest";
import { limit } from "../../../src/promote/verdict/limits.ts";
import { soonestMs, waitsForPlace } from "../../../src/promote/verdict/verdict.ts";
import { mentions } from "../../support/mentions.ts";
import { gists, lastReason, limitable, limited } from "./limiting.ts";
import { instant, SOAK } from "./timeline.ts";

describe("without limits", () => {
  it("every earned version moves", () => {
    const modules = { istio: [{ at: 1, fast: "1.0.1" }], keda: [{ at: 2, fast: "1.0.1" }] };

    expect(gists(limited(9, modules, undefined))).toEqual(["istio promote", "keda promote"]);
    expect(limit([], { histories: () => [], isModule: () => false, nowMs: 0 })).toEqual([]);
  });
});

it("an instant that nothing promises comes last", () => {
  expect([undefined, { kind: "at", atMs: 1 } as const].map(soonestMs)).toEqual([Infinity, 1]);
});

describe("a limit of promotions per window", () => {
  const three = {
    istio: [{ at: 3, fast: "1.0.1" }],
    keda: [{ at: 1, fast: "1.0.1" }],
    nats: [{ at: 2, fast: "1.0.1" }],
  };

  it("lets the version that was earned first move, and tells when the others may follow", () => {
    const contenders = limited(9.5, three, { perWindow: 2 });

    expect(gists(contenders)).toEqual(["istio wait >2026-01-11T00:00:00.000Z", "keda promote", "nats promote"]);
    expect(contenders.map(({ verdict }) => waitsForPlace(verdict))).toEqual([true, false, false]);
    expect(lastReason(contenders[0])).toEqual({
      topic: "limit",
      outcome: "waiting",
      message: mentions("regular", "2 promotions", "day", "0", "2026-01-10T00:00:00Z", "2026-01-11T00:00:00Z"),
      source: { kind: "file", file: "channels/regular.yaml", line: expect.any(Number) as number },
    });
  });

  it("sorts by name if two were earned at the same time, and keeps the given order", () => {
    const same = { nats: [{ at: 1, fast: "1.0.1" }], keda: [{ at: 1, fast: "1.0.1" }] };

    expect(gists(limited(9.5, same, { perWindow: 1 }))).toEqual([
      "keda promote",
      "nats wait >2026-01-11T00:00:00.000Z",
    ]);
  });

  it("counts promotions since midnight, but no earlier ones, steps down, removals or hot-fixes", () => {
    const moved = {
      ...three,
      early: [
        { at: 1, fast: "1.0.1" },
        { at: 8.9, regular: "1.0.1" },
        { at: 9.1, regular: "1.0.0" },
        { at: 9.2, regular: null },
      ],
      fixed: [{ at: 9.1, regular: "1.0.1", hotfix: { version: "1.0.1" } }],
    };

    expect(gists(limited(9.5, moved, { perWindow: 3 })).filter((gist) => gist.includes("promote"))).toHaveLength(3);
    const today = {
      ...three,
      late: [
        { at: 1, fast: "1.0.1" },
        { at: 9.1, regular: "1.0.1" },
      ],
    };
    expect(gists(limited(9.5, today, { perWindow: 3 }))).toContain("istio wait >2026-01-11T00:00:00.000Z");
    expect(gists(limited(10.5, today, { perWindow: 3 }))).toContain("istio promote");
  });

  it("begins anew with the next window, if the channel has windows", () => {
    const windows = [{ opens: "0 8 * * *", for: "8h", timeZone: "UTC" }];
    const at9 = 9 + 9 / 24;
    const moved = {
      ...three,
      late: [
        { at: 1, fast: "1.0.1" },
        { at: 9 + 2 / 24, regular: "1.0.1" },
      ],
    };
    const inWindow = {
      ...three,
      late: [
        { at: 1, fast: "1.0.1" },
        { at: 9 + 8.5 / 24, regular: "1.0.1" },
      ],
    };

    expect(gists(limited(at9, moved, { perWindow: 3 }, { windows }))).toContain("istio promote");
    expect(gists(limited(at9, inWindow, { perWindow: 3 }, { windows }))).toContain(
      "istio wait >2026-01-11T08:00:00.000Z",
    );
  });

  it("tells the earliest time by the module's own windows", () => {
    const windows = [{ opens: "0 0 * * *", for: "23h", timeZone: "UTC" }];
    const fridays = { windows: [{ opens: "0 8 * * 5", for: "8h", timeZone: "UTC" }] };
    const at = 8 + 9 / 24;
    const moved = { ...three, keda: [...three.keda, { at: 8 + 8 / 24, regular: "1.0.1" }] };

    expect(gists(limited(at, moved, { perWindow: 1 }, { windows }, fridays))).toEqual([
      "istio wait >2026-01-16T08:00:00.000Z",
      "keda nothing",
      "nats wait >2026-01-10T00:00:00.000Z",
    ]);
  });

  it("counts since the opening of the first window that is open, and tells when that changes", () => {
    const windows = [
      { opens: "0 8 * * *", for: "8h", timeZone: "UTC" },
      { opens: "0 12 * * *", for: "8h", timeZone: "UTC" },
    ];
    const moved = { ...three, keda: [...three.keda, { at: 9 + 9 / 24, regular: "1.0.1" }] };
    const at = (hour: number): readonly string[] =>
      gists(limited(9 + hour / 24, moved, { perWindow: 1 }, { windows })).filter((gist) => gist.startsWith("nats"));

    expect(at(11)).toEqual(["nats wait >2026-01-10T16:00:00.000Z"]);
    expect(at(13)).toEqual(["nats wait >2026-01-10T16:00:00.000Z"]);
    expect(at(16)).toEqual(["nats promote"]);
  });

  it("does not name the next window if there is none", () => {
    const windows = [{ opens: "0 0 10 1 *", for: "24h", timeZone: "UTC" }];
    const freezes = [{ from: instant(10), until: "2099-01-01T00:00:00Z", reason: "closed" }];

    expect(gists(limited(9.5, three, { perWindow: 2 }, { windows, freezes }))).toContain("istio wait");
    const never = [{ opens: "0 0 31 2 *", for: "24h", timeZone: "UTC" }];
    expect(gists(limited(9.5, three, { perWindow: 2 }, { windows: [...windows, ...never] }))[0]).toBe(
      "istio wait >2027-01-10T00:00:00.000Z",
    );
  });

  it("does not let a version of which no soak is asked overtake those that earned it before", () => {
    const soak = { soak: { minor: "1d" } };
    const modules = { istio: [{ at: 7, fast: "1.0.1" }], keda: [{ at: 4, fast: "1.1.0" }] };

    expect(gists(limited(9.5, modules, { perWindow: 1 }, soak))).toEqual([
      "istio wait >2026-01-11T00:00:00.000Z",
      "keda promote",
    ]);
    // Of a module that has several, the first counts.
    const patched = {
      istio: [
        { at: 4, fast: "1.0.1" },
        { at: 9, fast: "1.0.2" },
      ],
      keda: modules.keda,
    };
    expect(gists(limited(9.5, patched, { perWindow: 1 }, soak))).toContain("istio promote");
  });

  it("promises an instant only to as many as it has places, the longest earned first", () => {
    const names = ["alpha", "bravo", "charlie", "delta", "foxtrot", "golf", "hotel", "india", "kilo"];
    const modules = Object.fromEntries(["istio", ...names].map((name) => [name, [{ at: 3, fast: "1.0.1" }]]));
    const windows = [{ opens: "0 8 * * 1", for: "8h", timeZone: "UTC" }];
    const promised = gists(limited(9.5, modules, { perWindow: 3 }, { windows }));

    expect(promised.filter((gist) => gist.includes(" wait @2026-01-12T08:00:00.000Z"))).toEqual(
      ["alpha", "bravo", "charlie"].map((name) => `${name} wait @2026-01-12T08:00:00.000Z`),
    );
    expect(promised.filter((gist) => gist.includes(" wait >2026-01-12T08:00:00.000Z"))).toHaveLength(7);
  });

  it("promises no instant that one which earned it later may use up before", () => {
    const windows = [{ opens: "0 0 * * *", for: "24h", timeZone: "UTC" }];
    const afternoons = { windows: [{ opens: "0 15 * * *", for: "8h", timeZone: "UTC" }] };
    const modules = { istio: [{ at: 3, fast: "1.0.1" }], keda: [{ at: 5, fast: "1.0.1" }] };

    expect(gists(limited(9, modules, { perWindow: 1 }, { windows }, afternoons))).toEqual([
      "istio wait >2026-01-10T15:00:00.000Z",
      "keda promote",
    ]);
    expect(gists(limited(9, modules, { perWindow: 2 }, { windows }, afternoons))[0]).toBe(
      "istio wait @2026-01-10T15:00:00.000Z",
    );
  });

  it("gives the place of one that cannot move to the next one, and names who has the others", () => {
    const [all, movement] = limitable(9.5, three, { soak: SOAK, limits: { perWindow: 1 } });
    const contenders = limit(all, { ...movement, isStuck: ({ module }) => module === "keda" });

    expect(gists(contenders)).toEqual(["istio wait >2026-01-11T00:00:00.000Z", "keda promote", "nats promote"]);
    expect(lastReason(contenders[0])).toMatchObject({ message: mentions("1 promotion", "0 moved", "nats") });
  });

  it("blocks the chosen candidate, and does not change the others", () => {
    const two = {
      istio: [
        { at: 3, fast: "1.0.1" },
        { at: 9, fast: "1.1.0" },
      ],
      keda: [{ at: 1, fast: "1.0.1" }],
    };
    const [istio] = limited(9.5, two, { perWindow: 1 });

    expect(istio?.verdict.candidates.map(({ version, reasons }) => [version, reasons.at(-1)?.topic])).toEqual([
      ["1.1.0", "soak"],
      ["1.0.1", "limit"],
    ]);
  });

  it("has no effect if nothing is ready", () => {
    expect(gists(limited(0, { istio: [], keda: [] }, { perWindow: 1 }))).toEqual(["istio nothing", "keda nothing"]);
  });
});
