import { describe, expect, it } from "vitest";
import { DAY_MS, FAST, REGULAR } from "../verdict/timeline.ts";
import { gistOf, timelineAfter, stepsAfter, trailers, type Said } from "../verdict/timelines.ts";

const BEGIN: Said = { at: 0, fast: "1.0.0", regular: "1.0.0" };

/** The kind of the newest step. */
function newest(...merges: readonly Said[]): string {
  return (
    timelineAfter([BEGIN, ...merges])
      .map(gistOf)
      .at(0) ?? ""
  );
}

describe("how a version came into a channel", () => {
  it("is an import if one commit brought the module into several channels", () => {
    expect(timelineAfter([BEGIN]).map(gistOf)).toEqual(["fast –→1.0.0 import", "regular –→1.0.0 import"]);
  });

  it("is an import even if the version is declared as a hot-fix", () => {
    const [, regular] = stepsAfter([{ at: 0, fast: "1.1.0", regular: "1.0.1", hotfix: { version: "1.0.1" } }]);

    expect(regular).toMatchObject({ to: "1.0.1", how: "import", hotfix: undefined, by: undefined });
  });

  it("is a submission in a channel that follows none, including the first one", () => {
    expect(timelineAfter([{ at: 0, fast: "1.0.0" }]).map(gistOf)).toEqual(["fast –→1.0.0 submission"]);
    expect(newest({ at: 1, fast: "1.1.0" })).toBe("fast 1.0.0→1.1.0 submission");
  });

  it("is a submission in a channel that no longer exists", () => {
    const catalogue = { channels: new Map(), modules: new Map(), settings: { landscapes: [] } };
    const known = { catalogue: catalogue as never };

    expect(timelineAfter([BEGIN, { at: 1, regular: "1.1.0" }], known).map(gistOf)[0]).toBe(
      "regular 1.0.0→1.1.0 submission",
    );
  });

  it("is a promotion if the commit claims this module, version and channel", () => {
    expect(newest({ at: 1, regular: "1.1.0", body: trailers("1.1.0") })).toBe("regular 1.0.0→1.1.0 promotion");
  });

  it("is manual without trailers, and with unrelated ones", () => {
    const others = [
      "",
      trailers("1.2.0"),
      trailers("1.1.0", { Promotes: "keda@1.1.0" }),
      trailers("1.1.0", { "To-Channel": "experimental" }),
    ];
    for (const body of others) expect(newest({ at: 1, regular: "1.1.0", body })).toBe("regular 1.0.0→1.1.0 manual");
  });

  it("is a hot-fix if it was declared by then for this channel", () => {
    const hotfix = { version: "1.0.1" };
    expect(newest({ at: 1, regular: "1.0.1", hotfix })).toBe("regular 1.0.0→1.0.1 hot-fix");
    expect(newest({ at: 1, hotfix }, { at: 2, regular: "1.0.1" })).toBe("regular 1.0.0→1.0.1 hot-fix");
    expect(newest({ at: 1, regular: "1.0.1", hotfix }, { at: 2, unhotfix: "1.0.1" })).toBe(
      "regular 1.0.0→1.0.1 hot-fix",
    );
  });

  it("is not a hot-fix if it was declared later, no longer, or for another channel", () => {
    const hotfix = { version: "1.0.1" };
    const manual = "regular 1.0.0→1.0.1 manual";
    expect(newest({ at: 1, regular: "1.0.1" }, { at: 2, hotfix })).toBe(manual);
    expect(newest({ at: 1, hotfix }, { at: 2, unhotfix: "1.0.1" }, { at: 3, regular: "1.0.1" })).toBe(manual);
    expect(newest({ at: 1, regular: "1.0.1", hotfix: { ...hotfix, channel: "fast" } })).toBe(manual);
  });

  it("is a withdrawal if it goes down and every higher version is held", () => {
    const up: Said = { at: 1, fast: "1.1.0" };
    const timeline = timelineAfter([BEGIN, up, { at: 2, fast: "1.0.0", hold: { version: "1.1.0" } }]);

    expect(timeline.map(gistOf)).toEqual([
      "fast 1.1.0→1.0.0 withdrawal",
      "all 1.1.0 hold",
      "fast 1.0.0→1.1.0 submission",
      "fast –→1.0.0 import",
      "regular –→1.0.0 import",
    ]);
  });

  it("is a decrease if it goes down without the holds, or with later or removed holds", () => {
    const up: Said = { at: 1, regular: "1.1.0" };
    const down: Said = { at: 3, regular: "1.0.0" };
    const hold = { version: "1.1.0" };
    const decrease = "regular 1.1.0→1.0.0 decrease";
    expect(newest(up, down)).toBe(decrease);
    expect(stepsAfter([BEGIN, up, down, { at: 4, hold }]).map(gistOf)[0]).toBe(decrease);
    expect(stepsAfter([BEGIN, up, { at: 2, hold }, { at: 2, unhold: "1.1.0" }, down]).map(gistOf)[0]).toBe(decrease);
    expect(stepsAfter([BEGIN, up, { at: 2, hold }, down, { at: 4, unhold: "1.1.0" }]).map(gistOf)[0]).toBe(
      "regular 1.1.0→1.0.0 withdrawal",
    );
  });

  it("is a removal, and then a decrease if it comes back lower", () => {
    const timeline = stepsAfter([BEGIN, { at: 1, fast: "1.1.0" }, { at: 2, fast: null }, { at: 3, fast: "1.0.0" }]);

    expect(timeline.map(gistOf).slice(0, 2)).toEqual(["fast –→1.0.0 decrease", "fast 1.1.0→– removal"]);
  });

  it("is a rewrite if the version stays and its content changes", () => {
    expect(newest({ at: 1, fast: "1.0.0" })).toBe("fast 1.0.0→1.0.0 rewrite");
  });
});

describe("the level of a step", () => {
  it.each([
    ["1.0.1", "patch"],
    ["1.1.0", "minor"],
    ["2.0.0", "major"],
  ])("to %s is %s", (regular, level) => {
    expect(stepsAfter([BEGIN, { at: 1, regular }])[0]?.level).toBe(level);
  });

  it("is first if the channel never had the module", () => {
    expect(
      stepsAfter([
        { at: 0, fast: "1.0.0" },
        { at: 1, regular: "1.0.0" },
      ])[0]?.level,
    ).toBe("first");
  });

  it("is undefined if it does not go up", () => {
    const timeline = stepsAfter([BEGIN, { at: 1, fast: "1.1.0" }, { at: 2, fast: "1.0.0" }, { at: 3, fast: null }]);

    expect(timeline.map(({ level }) => level)).toEqual([undefined, undefined, "minor", "first", "first"]);
  });
});

describe("the soak of a step", () => {
  it("is the state of the followed channel's clocks at that moment", () => {
    const merges: readonly Said[] = [
      BEGIN,
      { at: 2, fast: "1.1.0" },
      { at: 5, fast: "1.1.1" },
      { at: 9, regular: "1.1.1" },
      { at: 20, fast: "1.2.0" },
    ];

    expect(stepsAfter(merges)[1]?.soak).toEqual([
      { level: "patch", what: "1.1.1", ms: 4 * DAY_MS },
      { level: "minor", what: "the line 1.1", ms: 7 * DAY_MS },
    ]);
  });

  it("stops while the version was held, and ignores later holds", () => {
    const merges: readonly Said[] = [
      BEGIN,
      { at: 2, fast: "1.0.1" },
      { at: 3, hold: { version: "1.0.1" } },
      { at: 4, unhold: "1.0.1" },
      { at: 6, regular: "1.0.1" },
      { at: 7, hold: { version: "1.0.1" } },
    ];

    expect(stepsAfter(merges)[0]?.soak).toEqual([{ level: "patch", what: "1.0.1", ms: 3 * DAY_MS }]);
  });

  it("is empty if another channel was followed then, by the claim or because this one did not exist", () => {
    const claimed = trailers("1.1.0", { "From-Channel": "rapid" });
    const merges = [BEGIN, { at: 2, fast: "1.1.0" }, { at: 5, regular: "1.1.0", body: claimed }];

    expect(stepsAfter(merges)[0]).toMatchObject({ how: "promotion", soak: [] });
    expect(stepsAfter([{ at: 1, regular: "1.1.0" }])[0]).toMatchObject({ to: "1.1.0", soak: [] });
  });

  it("is empty in a channel that follows none, and for a step down", () => {
    const timeline = stepsAfter([BEGIN, { at: 1, fast: "1.1.0" }, { at: 2, regular: null }]);

    expect(timeline.slice(0, 2).map(({ soak }) => soak)).toEqual([[], []]);
  });
});

describe("the person behind an event", () => {
  it("is the author of the commit, and for a hot-fix the person who declared it", () => {
    const [step] = stepsAfter([BEGIN, { at: 1, regular: "1.0.1", hotfix: { version: "1.0.1" } }]);

    expect(step).toMatchObject({ author: "Octo Cat", by: "octocat", reason: "https://example.com/incident/7" });
  });

  it("comes from the trailers of a withdrawal", () => {
    const body = "Withdraws: istio@1.1.0\nChannel: fast\nBy: hubot\nReason: it crashes";
    const merges = [BEGIN, { at: 1, fast: "1.1.0" }, { at: 2, fast: "1.0.0", hold: { version: "1.1.0" }, body }];

    expect(stepsAfter(merges)[0]).toMatchObject({ by: "hubot", reason: "it crashes" });
  });

  it("comes from the entry of a hold, and from the trailers of the commit that lifts it", () => {
    const body = "Unholds: istio@1.1.0\nBy: hubot\nReason: repaired";
    const hold = { version: "1.1.0", channel: "regular", until: "2026-02-01T00:00:00Z" };
    const [lifted, held] = timelineAfter([BEGIN, { at: 1, hold }, { at: 2, unhold: "1.1.0", body }]);

    const about = { version: "1.1.0", channel: REGULAR, until: "2026-02-01T00:00:00Z" };
    expect(held).toMatchObject({ kind: "hold", ...about, by: "octocat", reason: "it leaks" });
    expect(lifted).toMatchObject({ kind: "unhold", ...about, by: "hubot", reason: "repaired" });
  });
});

describe("the claim of a step", () => {
  it("is read from the newest commit of a merged branch that has one", () => {
    const [old, own] = ["c7", "c0"].map((on) => ({ subject: "", body: trailers("1.1.0", { "Decided-On": on }) }));
    const last = { subject: "Merge branch 'main' into promote/regular/istio", body: "" };
    const branches = new Map([["c1", [old, own, last].flatMap((commit) => commit ?? [])]]);
    const [step] = stepsAfter([BEGIN, { at: 1, regular: "1.1.0" }], { branches });

    expect(step).toMatchObject({ how: "promotion", claim: { decidedOn: "c0" } });
  });

  it("is read from the merge itself first", () => {
    const branches = new Map([["c1", [{ subject: "", body: trailers("1.1.0", { "Decided-On": "c7" }) }]]]);
    const merge = { at: 1, regular: "1.1.0", body: trailers("1.1.0") };
    const [step] = stepsAfter([BEGIN, merge], { branches });

    expect(step?.claim?.decidedOn).toBe("c0");
  });

  it("is the last one for the module and channel in a squashed commit", () => {
    const body = [trailers("1.1.0"), trailers("1.2.0"), trailers("3.0.0", { Promotes: "keda@3.0.0" })].join("\n\n");
    const [step] = stepsAfter([BEGIN, { at: 1, regular: "1.2.0", body }]);

    expect(step).toMatchObject({ how: "promotion", claim: { module: "istio", version: "1.2.0" } });
  });
});

describe("the pull request", () => {
  it.each([
    ["Promote istio 1.1.0 to regular (#12)", 12],
    ["Merge pull request #13 from org/promote/regular/istio", 13],
    ["Promote istio 1.1.0 (#12) to regular", undefined],
    ["Repair #12", undefined],
  ])("of %j is %j", (subject, pull) => {
    expect(stepsAfter([BEGIN, { at: 1, fast: "1.1.0", subject }])[0]?.pull).toBe(pull);
  });

  it("comes from the forge, if it knows one", () => {
    const pulls = new Map([["c1", { number: 99 }]]);

    expect(stepsAfter([BEGIN, { at: 1, fast: "1.1.0", subject: "x (#12)" }], { pulls })[0]?.pull).toBe(99);
  });
});

it("is empty for a module that was never served", () => {
  const empty = { served: new Map([[FAST, []]]), holds: [], hotfixes: [] };

  expect(timelineAfter([], { history: empty })).toEqual([]);
});
