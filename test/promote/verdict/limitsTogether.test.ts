import { describe, expect, it } from "vitest";
import type { Evidence } from "../../../src/catalogue/evidence/evidence.ts";
import { limit } from "../../../src/promote/verdict/limits.ts";
import { mentions } from "../../support/mentions.ts";
import { gists, lastReason, limitable, limited } from "./limiting.ts";
import { hashOfVersion, instant, ISTIO, SOAK, version } from "./timeline.ts";

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

  it("wait for the calendar of one of them as for their own", () => {
    const both = { istio: [{ at: 1, fast: "1.0.1" }], keda: [{ at: 1, fast: "1.0.1" }] };
    const freezes = [{ from: instant(8), until: instant(12), reason: "audit" }];
    const contenders = limited(9, both, limits, {}, { freezes });

    expect(gists(contenders)).toEqual(["istio wait @2026-01-13T00:00:00.000Z", "keda wait @2026-01-13T00:00:00.000Z"]);
    expect(lastReason(contenders[1])).toMatchObject({
      topic: "freeze",
      outcome: "waiting",
      message: mentions("istio"),
    });
  });

  it("are blocked without an end if one of them never may move", () => {
    const both = { istio: [{ at: 1, fast: "1.0.1" }], keda: [{ at: 1, fast: "1.0.1" }] };
    const never = { windows: [{ opens: "0 0 31 2 *", for: "1h", timeZone: "UTC" }] };

    expect(gists(limited(9, both, limits, {}, never))).toEqual(["istio blocked", "keda blocked"]);
  });

  it("wait until the calendars of all are open at one time", () => {
    const both = { istio: [{ at: 1, fast: "1.0.1" }], keda: [{ at: 2, fast: "1.1.0" }] };
    const fridays = { windows: [{ opens: "0 8 * * 5", for: "8h", timeZone: "UTC" }] };

    // The 9th of January is a Friday; keda may move from midnight of the 10th on.
    expect(gists(limited(8.4, both, limits, {}, fridays))).toEqual([
      "istio wait @2026-01-16T08:00:00.000Z",
      "keda wait @2026-01-16T08:00:00.000Z",
    ]);
  });

  it("are promised no instant while one of them is blocked, also before their own time", () => {
    const hold = { version: "1.0.1" };
    const both = { istio: [{ at: 1, fast: "1.1.0" }], keda: [{ at: 2, fast: "1.0.1", hold }] };

    expect(gists(limited(3, both, limits))).toEqual([
      "istio blocked >2026-01-09T00:00:00.000Z",
      "keda blocked >2026-01-09T00:00:00.000Z",
    ]);
    const until = { ...both, keda: [{ at: 2, fast: "1.0.1", hold: { ...hold, until: instant(12) } }] };
    expect(gists(limited(3, until, limits))[0]).toBe("istio blocked @2026-01-14T00:00:00.000Z");
    expect(gists(limited(3, { istio: both.istio }, { together: [["istio", "nosuch"]] }))).toEqual(["istio blocked"]);
  });

  it("have no instant if they never may move at one time", () => {
    const both = { istio: [{ at: 1, fast: "1.0.1" }], keda: [{ at: 1, fast: "1.0.1" }] };
    const [mondays, fridays] = [1, 5].map((weekday) => {
      return { windows: [{ opens: `0 8 * * ${String(weekday)}`, for: "8h", timeZone: "UTC" }] };
    });
    const [, movement] = limitable(9, both, { soak: SOAK, limits });
    const apart = [mondays, fridays].flatMap((own, index) => {
      const [istio, keda] = limitable(9, both, { soak: SOAK, limits }, own)[0];
      return (
        (index === 0 ? istio : keda && istio && { ...keda, subject: { ...keda.subject, said: istio.subject.said } }) ??
        []
      );
    });
    const waiting = apart.map(({ subject, verdict }) => {
      const candidates = verdict.candidates.map(
        (one) => ({ ...one, kind: "wait", earliest: { kind: "at", atMs: 0 } }) as const,
      );
      return { subject, verdict: { ...verdict, kind: "wait", chosen: candidates[0], candidates } } as const;
    });

    expect(gists(limit(waiting, movement))).toEqual(["istio wait", "keda wait"]);
  });

  it("wait for newer figures if those of one of them are too old when the last may move", () => {
    const both = { istio: [{ at: 1, fast: "1.0.1" }], keda: [{ at: 2.9, fast: "1.1.0" }] };
    const figures = ["1.0.0", "1.0.1"].map((text): Evidence => {
      const about = { module: ISTIO, version: version(text), specHash: hashOfVersion(text), source: "observer" };
      return { kind: "health", ...about, observedAt: instant(2.5), clusters: 10, healthy: 10 };
    });
    const health = { health: { notWorseBy: "1%" } };
    const contenders = limit(...limitable(3, both, { soak: SOAK, limits }, health, figures));

    expect(gists(contenders)).toEqual(["istio wait >2026-01-10T21:36:00.000Z", "keda wait >2026-01-10T21:36:00.000Z"]);
    const alone = limit(...limitable(3, { istio: both.istio }, { soak: SOAK, limits }, health, figures));
    expect(gists(alone)).toEqual(["istio promote"]);
  });

  it("are blocked with the one that a person holds", () => {
    const both = { istio: [{ at: 1, fast: "1.0.1" }], keda: [{ at: 2, fast: "1.0.1", hold: { version: "1.0.1" } }] };
    const contenders = limited(9, both, limits);

    expect(contenders.map(({ verdict }) => verdict.kind)).toEqual(["blocked", "blocked"]);
    expect(lastReason(contenders[0])).toMatchObject({
      topic: "together",
      outcome: "blocking",
      remedy: expect.stringMatching(/^keda: /) as string,
    });
  });

  it("are blocked by one that is held, also while another one waits", () => {
    const three = {
      istio: [{ at: 1, fast: "1.0.1" }],
      keda: [{ at: 2, fast: "1.1.0" }],
      nats: [{ at: 1, fast: "1.0.1", hold: { version: "1.0.1" } }],
    };
    const [first] = limited(5, three, { together: [["istio", "keda", "nats"]] });

    expect(first?.verdict.kind).toBe("blocked");
  });

  it("do not move if one of them does not exist", () => {
    const contenders = limited(9, { istio: [{ at: 1, fast: "1.0.1" }] }, { together: [["istio", "nosuch"]] });

    expect(gists(contenders)).toEqual(["istio blocked"]);
    expect(lastReason(contenders[0])).toMatchObject({
      topic: "together",
      outcome: "blocking",
      remedy: "Correct limits.together in channels/regular.yaml.",
    });
  });

  it("do not move if one of them is in two groups", () => {
    const one = [{ at: 1, fast: "1.0.1" }];
    const overlapping = {
      together: [
        ["istio", "keda"],
        ["keda", "nats"],
      ],
    };
    const contenders = limited(9, { istio: one, keda: one, nats: one, other: one }, overlapping);

    expect(gists(contenders)).toEqual(["istio blocked", "keda blocked", "nats blocked", "other promote"]);
    const message = mentions("regular", "nats", "keda", "two groups");
    expect(lastReason(contenders[2])).toMatchObject({ topic: "together", outcome: "blocking", message });
  });

  it("move alone if the others have no candidate, or are in no channel", () => {
    expect(gists(limited(9, { istio: [{ at: 1, fast: "1.0.1" }], keda: [] }, limits))).toEqual([
      "istio promote",
      "keda nothing",
    ]);
    expect(gists(limited(9, { istio: [{ at: 1, fast: "1.0.1" }] }, limits))).toEqual(["istio promote"]);
  });

  it("count individually, and get a window for themselves if they exceed the limit", () => {
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
