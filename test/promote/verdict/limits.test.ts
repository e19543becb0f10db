import { describe, expect, it } from "vitest";
import type { PromotionFile } from "../../../src/catalogue/policy.ts";
import { decide } from "../../../src/promote/verdict/decide.ts";
import { limit, type Contender } from "../../../src/promote/verdict/limits.ts";
import { channelTemplate } from "../../catalogue/repository.ts";
import { day, historyOf, instant, SOAK, subjectsIn, type Merge } from "./timeline.ts";

const BEGIN: Merge = { at: 0, fast: "1.0.0", regular: "1.0.0" };

/** What regular, which follows fast, takes of these modules on day `at`, within its limits. */
function limited(
  at: number,
  modules: Readonly<Record<string, readonly Merge[]>>,
  limits: PromotionFile["limits"],
  more: Partial<PromotionFile> = {},
  ofIstio?: PromotionFile,
): readonly Contender[] {
  const names = Object.keys(modules).filter((name) => name !== "istio");
  const files = Object.fromEntries(names.map((name) => [`channels/fast/${name}.yaml`, channelTemplate("fast", name)]));
  const subjects = subjectsIn({
    promotion: { soak: SOAK, ...more, ...(limits && { limits }) },
    files,
    ...(ofIstio && { override: ofIstio }),
  });
  const histories = new Map(Object.entries(modules).map(([name, merges]) => [name, historyOf(BEGIN, ...merges)]));
  const contenders = subjects.flatMap((subject) => {
    const history = histories.get(subject.module);
    const facts = history && { history, evidence: [], proposedHolds: [], nowMs: day(at) };
    return facts === undefined ? [] : [{ subject, verdict: decide(subject, facts) }];
  });
  return limit(contenders, {
    histories: () => [...histories.values()],
    isModule: (name) => name !== "nosuch",
    nowMs: day(at),
  });
}

/** Each module in a few words. */
function gists(contenders: readonly Contender[]): readonly string[] {
  return contenders.map(({ verdict: { module, kind, chosen }, group }) => {
    const earliest = chosen?.earliest;
    const when =
      earliest === undefined
        ? ""
        : earliest.kind === "at"
          ? ` @${new Date(earliest.atMs).toISOString()}`
          : ` >${new Date(earliest.notBeforeMs).toISOString()}`;
    return `${module} ${kind}${when}${group === undefined ? "" : ` with ${group.join()}`}`;
  });
}

const lastReason = (contender: Contender | undefined): unknown => contender?.verdict.chosen?.reasons.at(-1);

describe("without limits", () => {
  it("everything moves that earned it", () => {
    const modules = { istio: [{ at: 1, fast: "1.0.1" }], keda: [{ at: 2, fast: "1.0.1" }] };

    expect(gists(limited(9, modules, undefined))).toEqual(["istio promote", "keda promote"]);
    expect(limit([], { histories: () => [], isModule: () => false, nowMs: 0 })).toEqual([]);
  });
});

describe("a limit of promotions per window", () => {
  const three = {
    istio: [{ at: 3, fast: "1.0.1" }],
    keda: [{ at: 1, fast: "1.0.1" }],
    nats: [{ at: 2, fast: "1.0.1" }],
  };

  it("lets the longest earned through, and says when the others may follow", () => {
    const contenders = limited(9.5, three, { perWindow: 2 });

    expect(gists(contenders)).toEqual(["istio wait >2026-01-11T00:00:00.000Z", "keda promote", "nats promote"]);
    expect(lastReason(contenders[0])).toEqual({
      topic: "limit",
      outcome: "waiting",
      message:
        "regular takes 2 promotions a day: 0 moved since 2026-01-10T00:00:00Z, and what earned it earlier goes first. The next day begins at 2026-01-11T00:00:00Z.",
      source: { kind: "file", file: "channels/regular.yaml", line: expect.any(Number) as number },
    });
  });

  it("goes by names where two earned it at the same time, and keeps the order of what it is given", () => {
    const same = { nats: [{ at: 1, fast: "1.0.1" }], keda: [{ at: 1, fast: "1.0.1" }] };

    expect(gists(limited(9.5, same, { perWindow: 1 }))).toEqual([
      "keda promote",
      "nats wait >2026-01-11T00:00:00.000Z",
    ]);
  });

  it("counts what moved since midnight, and neither earlier promotions, steps down, removals nor hot-fixes", () => {
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

  it("begins anew with the next window, where the channel has some", () => {
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

  it("does not say when the next window is where none comes", () => {
    const windows = [{ opens: "0 0 10 1 *", for: "24h", timeZone: "UTC" }];
    const freezes = [{ from: instant(10), until: "2099-01-01T00:00:00Z", reason: "for good" }];

    expect(gists(limited(9.5, three, { perWindow: 2 }, { windows, freezes }))).toContain("istio wait");
    const never = [{ opens: "0 0 31 2 *", for: "24h", timeZone: "UTC" }];
    expect(gists(limited(9.5, three, { perWindow: 2 }, { windows: [...windows, ...never] }))[0]).toBe(
      "istio wait >2027-01-10T00:00:00.000Z",
    );
  });

  it("keeps the candidate that would move, and leaves what is said of the others", () => {
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

  it("is not needed where nothing is ready", () => {
    expect(gists(limited(0, { istio: [], keda: [] }, { perWindow: 1 }))).toEqual(["istio nothing", "keda nothing"]);
  });
});

describe("modules that move together", () => {
  const limits = { together: [["keda", "istio"]] };

  it("are one group once all of them may move", () => {
    const both = {
      istio: [{ at: 1, fast: "1.0.1" }],
      keda: [{ at: 2, fast: "1.0.1" }],
      nats: [{ at: 2, fast: "1.0.1" }],
    };

    expect(gists(limited(9, both, limits))).toEqual([
      "istio promote with keda,istio",
      "keda promote with keda,istio",
      "nats promote",
    ]);
  });

  it("wait for the last of those that have a candidate", () => {
    const both = { istio: [{ at: 1, fast: "1.0.1" }], keda: [{ at: 2, fast: "1.1.0" }] };
    const contenders = limited(5, both, limits);

    expect(gists(contenders)).toEqual(["istio wait @2026-01-10T00:00:00.000Z", "keda wait @2026-01-10T00:00:00.000Z"]);
    expect(lastReason(contenders[0])).toMatchObject({
      topic: "together",
      outcome: "waiting",
      message: expect.stringMatching(
        /^regular takes istio only together with keda, whose 1\.1\.0 waits: fast served the line 1\.1 for 3d of 7d/,
      ) as string,
    });
  });

  it("are blocked without an end where one of them never comes to it", () => {
    const both = { istio: [{ at: 1, fast: "1.0.1" }], keda: [{ at: 1, fast: "1.0.1" }] };
    const never = { windows: [{ opens: "0 0 31 2 *", for: "1h", timeZone: "UTC" }] };

    expect(gists(limited(9, both, limits, {}, never))).toEqual(["istio blocked", "keda blocked"]);
  });

  it("are blocked with the one that somebody holds", () => {
    const both = { istio: [{ at: 1, fast: "1.0.1" }], keda: [{ at: 2, fast: "1.0.1", hold: { version: "1.0.1" } }] };
    const contenders = limited(9, both, limits);

    expect(contenders.map(({ verdict }) => verdict.kind)).toEqual(["blocked", "blocked"]);
    expect(lastReason(contenders[0])).toMatchObject({
      topic: "together",
      outcome: "blocking",
      remedy: expect.stringMatching(/^keda: /) as string,
    });
  });

  it("move not at all where one of them does not exist", () => {
    const contenders = limited(9, { istio: [{ at: 1, fast: "1.0.1" }] }, { together: [["istio", "nosuch"]] });

    expect(gists(contenders)).toEqual(["istio blocked"]);
    expect(lastReason(contenders[0])).toMatchObject({
      topic: "together",
      outcome: "blocking",
      remedy: "Correct limits.together in channels/regular.yaml.",
    });
  });

  it("move alone where the others have no candidate, or are in no channel", () => {
    expect(gists(limited(9, { istio: [{ at: 1, fast: "1.0.1" }], keda: [] }, limits))).toEqual([
      "istio promote",
      "keda nothing",
    ]);
    expect(gists(limited(9, { istio: [{ at: 1, fast: "1.0.1" }] }, limits))).toEqual(["istio promote"]);
  });

  it("count as many as they are, and have a window for themselves where they are more than it takes", () => {
    const all = {
      istio: [{ at: 2, fast: "1.0.1" }],
      keda: [{ at: 2, fast: "1.0.1" }],
      nats: [{ at: 1, fast: "1.0.1" }],
    };
    const next = ">2026-01-11T00:00:00.000Z";

    expect(gists(limited(9.5, all, { ...limits, perWindow: 2 }))).toEqual([
      `istio wait ${next}`,
      `keda wait ${next}`,
      "nats promote",
    ]);
    const two = { istio: all.istio, keda: all.keda, nats: [{ at: 3, fast: "1.0.1" }] };
    expect(gists(limited(9.5, two, { ...limits, perWindow: 1 }))).toEqual([
      "istio promote with keda,istio",
      "keda promote with keda,istio",
      `nats wait ${next}`,
    ]);
  });

  it("wait for evidence with those that need it", () => {
    const overrides = { istio: [{ at: 1, fast: "1.0.1" }], keda: [{ at: 2, fast: "1.0.1" }] };
    const both = limited(9, overrides, limits, { needs: ["smoke"] });

    expect(gists(both).every((gist) => gist.includes("wait >"))).toBe(true);
  });
});
