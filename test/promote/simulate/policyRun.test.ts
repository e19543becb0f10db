import { describe, expect, it } from "vitest";
import { day, DAY_MS, historyOf, instant, REGULAR, SOAK, subjectsIn, type Merge } from "../verdict/timeline.ts";
import { channelTemplate } from "../../catalogue/repository.ts";
import { happened, moved, only, policySpans, replayUntil, timelineWith } from "./replays.ts";

const BEGIN: Merge = { at: 0, fast: "1.0.0", regular: "1.0.0" };

describe("the policy's own channel", () => {
  it("promotes a version that people did not promote", async () => {
    const simulation = await replayUntil(20, [BEGIN, { at: 1, fast: "1.1.0" }]);

    expect(moved(simulation)).toEqual(["8: 1.0.0 → 1.1.0 minor, really –"]);
    expect(only(simulation).promotions[0]?.leadMs).toBe(7 * DAY_MS);
    expect(policySpans(simulation)).toEqual(["0 1.0.0", "8 1.1.0"]);
  });

  it("continues from its own promotions", async () => {
    const merges = [BEGIN, { at: 1, fast: "1.1.0" }, { at: 10, fast: "1.1.1" }];

    expect(moved(await replayUntil(20, merges))).toEqual([
      "8: 1.0.0 → 1.1.0 minor, really –",
      "11: 1.1.0 → 1.1.1 patch, really –",
    ]);
  });

  it("begins with the real one, and promotes a first version itself", async () => {
    expect(
      moved(
        await replayUntil(20, [
          { at: 0, fast: "1.0.0" },
          { at: 5, regular: "1.0.0" },
        ]),
      ),
    ).toEqual(["0: none → 1.0.0 first, really 5"]);
    expect(policySpans(await replayUntil(20, [BEGIN]))).toEqual(["0 1.0.0"]);
  });

  it("takes a hot-fix when people did, and remembers it, even if not declared", async () => {
    const merges: readonly Merge[] = [
      BEGIN,
      { at: 1, fast: "1.1.0" },
      { at: 2, regular: "1.0.1" },
      { at: 20, fast: "1.1.1" },
    ];
    const simulation = await replayUntil(40, merges);

    expect(policySpans(simulation)).toEqual(["0 1.0.0", "2 1.0.1", "21 1.1.1"]);
    expect(only(simulation).passedOver).toMatchObject([{ version: "1.1.0", kind: "blocked", blockedSinceMs: day(2) }]);
  });

  it("dates a block to its last start", async () => {
    const merges: readonly Merge[] = [
      BEGIN,
      { at: 1, fast: "2.0.0", hold: { version: "2.0.0", until: instant(3) } },
      { at: 5, hold: { version: "2.0.0" } },
      { at: 9, fast: "2.0.1" },
    ];

    expect(only(await replayUntil(12, merges)).passedOver).toMatchObject([
      { version: "2.0.0", kind: "blocked", sinceMs: day(1), blockedSinceMs: day(5) },
      { version: "2.0.1", kind: "waiting", blockedSinceMs: undefined },
    ]);
  });

  it("takes no hot-fix below its version", async () => {
    const merges = [BEGIN, { at: 1, fast: "1.1.0" }, { at: 12, regular: "1.0.1" }];

    expect(policySpans(await replayUntil(40, merges))).toEqual(["0 1.0.0", "8 1.1.0"]);
  });

  it("does not repeat a declared hot-fix", async () => {
    const hotfix = { version: "1.0.1", alsoFixedIn: ["1.1.0"] };
    const merges = [BEGIN, { at: 1, fast: "1.1.0" }, { at: 2, regular: "1.0.1", hotfix }];

    expect(policySpans(await replayUntil(40, merges))).toEqual(["0 1.0.0", "2 1.0.1", "8 1.1.0"]);
  });

  it("takes a version back when people did, and brings it back with them", async () => {
    const merges: readonly Merge[] = [
      BEGIN,
      { at: 1, fast: "1.1.0" },
      { at: 10, regular: "1.1.0" },
      { at: 11, regular: "1.0.0" },
      { at: 15, regular: "1.1.0" },
    ];

    expect(policySpans(await replayUntil(40, merges))).toEqual(["0 1.0.0", "8 1.1.0", "11 1.0.0", "15 1.1.0"]);
    expect(happened(await replayUntil(40, merges))[2]).toBe("11: 1.1.0 → 1.0.0 downgrade");
  });

  it("does not go down with people from a version that it never served", async () => {
    const merges = [BEGIN, { at: 1, fast: "1.1.0" }, { at: 2, regular: "1.1.0" }, { at: 3, regular: "1.0.0" }];

    expect(policySpans(await replayUntil(40, merges))).toEqual(["0 1.0.0", "8 1.1.0"]);
  });

  it("loses a module with the real one", async () => {
    const simulation = await replayUntil(40, [BEGIN, { at: 1, fast: null, regular: null }]);

    expect(policySpans(simulation)).toEqual(["0 1.0.0"]);
    expect(happened(simulation)[1]).toBe("1: 1.0.0 → none removal");
  });

  it("waits while a version is held, and moves when that ends", async () => {
    const merges: readonly Merge[] = [BEGIN, { at: 1, fast: "1.0.1", hold: { version: "1.0.1", until: instant(12) } }];

    expect(moved(await replayUntil(40, merges))).toEqual(["13: 1.0.0 → 1.0.1 patch, really –"]);
  });

  it("does not follow a version that was not seen before", async () => {
    const simulation = await replayUntil(6, [BEGIN, { at: 1, regular: "1.1.0" }, { at: 2, fast: "1.1.0" }]);

    expect(policySpans(simulation)).toEqual(["0 1.0.0"]);
    expect(only(simulation).passedOver.map(({ kind }) => kind)).toEqual(["waiting"]);
  });

  it("does not promote a version that the followed channel took back", async () => {
    const policy = { format: 1, follows: "regular", landscapes: ["dev"], promotion: { soak: SOAK } };
    const files = {
      "channels/stable.yaml": JSON.stringify(policy),
      "channels/regular/istio.yaml": channelTemplate("regular"),
    };
    const place = subjectsIn({ files }).find(({ channel }) => channel.follows === REGULAR);
    const history = historyOf(BEGIN, { at: 1, fast: "1.1.0" }, { at: 2, regular: "1.1.0" }, { at: 3, fast: "1.0.0" });
    const stable = (history.served.get(REGULAR) ?? []).slice(0, 1);
    if (place === undefined) throw new Error("stable follows regular");
    const input = timelineWith({ ...history, served: new Map([...history.served, [place.channel.name, stable]]) });

    expect(moved(await replayUntil(40, [], {}, { input, channels: [place] }))).toEqual([]);
  });
});
