import { describe, expect, it } from "vitest";
import type { ChannelName } from "../../../src/catalogue/names.ts";
import { decide } from "../../../src/promote/verdict/decide.ts";
import type { ModuleHistory } from "../../../src/catalogue/history/history.ts";
import { decideHotfix } from "../../../src/promote/intervention/hotfix.ts";
import { holdApplies } from "../../../src/promote/intervention/upstream.ts";
import {
  NO_STRAYS,
  placeIn,
  subjectIn,
  type ProposedHold,
  type Subject,
} from "../../../src/promote/verdict/subject.ts";
import type { Verdict } from "../../../src/promote/verdict/verdict.ts";
import { catalogueOf, channelTemplate, SETTINGS } from "../../catalogue/repository.ts";
import { day, FAST, gist, historyOf, ISTIO, type Merge, plainFacts, REGULAR, version } from "./timeline.ts";

const STABLE = "stable" as ChannelName;
const policy = (follows?: string): string =>
  JSON.stringify({ format: 1, versions: "release", landscapes: ["dev"], ...(follows && { follows }) });

/** stable follows regular, which follows fast. */
const CATALOGUE = catalogueOf({
  "kyma-modules.yaml": SETTINGS,
  "channels/fast.yaml": policy(),
  "channels/regular.yaml": policy("fast"),
  "channels/stable.yaml": policy("regular"),
  "channels/fast/istio.yaml": channelTemplate("fast", "istio", "1.1.0"),
});

/** The history of istio after these merges, where stable served `stable`, each from the merge at `index` on. */
function threeOf(merges: readonly Merge[], stable: readonly [index: number, text: string][]): ModuleHistory {
  const history = historyOf(...merges);
  const states = stable.map(([index, text]) => {
    const at = merges[index]?.at ?? 0;
    return {
      revision: { index, commit: `c${String(index)}`, atMs: day(at) },
      version: version(text),
      hash: () => text,
      template: () => undefined,
    };
  });
  return { ...history, served: new Map([...history.served, [STABLE, states]]) };
}

function stable(): Subject {
  const subject = subjectIn(CATALOGUE, ISTIO, STABLE);
  if (subject === undefined) throw new Error("stable follows regular");
  return subject;
}

function decideStable(history: ModuleHistory, proposedHolds: readonly ProposedHold[] = []): Verdict {
  return decide(stable(), plainFacts(history, day(40), { proposedHolds }));
}

const BEGIN: Merge = { at: 0, fast: "1.0.0", regular: "1.0.0" };
const RISEN: readonly Merge[] = [BEGIN, { at: 1, fast: "1.1.0" }, { at: 12, regular: "1.1.0" }];

describe("a hot-fix of a channel at the end of three", () => {
  const fixed = (merges: readonly Merge[]): Verdict =>
    decideStable(
      threeOf(merges, [
        [0, "1.0.0"],
        [2, "1.0.1"],
      ]),
    );
  const HOTFIX: Merge = { at: 5, hotfix: { version: "1.0.1", channel: "stable" } };

  it("is not undone by an older version of the first channel, however late that comes to the second", () => {
    const verdict = fixed([BEGIN, { at: 2, fast: "1.1.0" }, HOTFIX, { at: 12, regular: "1.1.0" }]);

    expect([gist(verdict), verdict.chosen?.reasons[0]?.message]).toEqual([
      "blocked 1.1.0 >40 (1 more)",
      expect.stringMatching(/^fast got 1\.1\.0 before the hot-fix 1\.0\.1 of stable/),
    ]);
  });

  it("allows a version that the first channel got after it", () => {
    const merges = [BEGIN, { at: 2, fast: "1.0.5" }, HOTFIX, { at: 6, fast: "1.1.0" }, { at: 12, regular: "1.1.0" }];

    expect(gist(fixed(merges))).toBe("promote 1.1.0");
  });

  it("blocks an older version that only the first channel has", () => {
    const facts = {
      history: threeOf([BEGIN, { at: 2, fast: "1.1.0" }], [[0, "1.0.0"]]),
      evidence: [],
      proposedHolds: [],
      strays: NO_STRAYS,
    };
    const request = {
      version: version("1.0.1"),
      specHash: undefined,
      incident: "https://example.com/7",
      alsoFixedIn: [],
      by: "octocat",
    };

    expect(decideHotfix(stable(), request, { ...facts, nowMs: day(40) }).passedOver).toEqual(["1.1.0"]);
  });
});

describe("a version that is held out of the first of three channels", () => {
  const judge = (...more: readonly Merge[]): string => gist(decideStable(threeOf([...RISEN, ...more], [[0, "1.0.0"]])));

  it("stays out of the last: by a hold, by a proposed hold, and by a decrease", () => {
    expect(judge()).toBe("promote 1.1.0");
    expect(judge({ at: 13, hold: { version: "1.1.0", channel: "fast" } })).toBe("blocked 1.1.0 >40 (1 more)");
    expect(judge({ at: 13, fast: "1.0.0" })).toBe("blocked 1.1.0 >40 (1 more)");
    const proposed = { module: ISTIO, version: version("1.1.0"), channel: FAST, source: "hold/fast/istio-1.1.0" };
    expect(gist(decideStable(threeOf(RISEN, [[0, "1.0.0"]]), [proposed]))).toBe("blocked 1.1.0 >40 (1 more)");
  });
});

describe("a hold", () => {
  it("reaches its own channel and all that follow, directly or indirectly, but none upstream", () => {
    expect([FAST, REGULAR, STABLE].map((into) => holdApplies(FAST, into, CATALOGUE))).toEqual([true, true, true]);
    expect([FAST, REGULAR, STABLE].map((into) => holdApplies(STABLE, into, CATALOGUE))).toEqual([false, false, true]);
    expect(holdApplies(undefined, REGULAR, CATALOGUE)).toBe(true);
    expect(holdApplies(FAST, "nowhere" as ChannelName, CATALOGUE)).toBe(false);
    const fast = CATALOGUE.channels.get(FAST);
    expect(fast && placeIn(CATALOGUE, fast)).toEqual({ channel: fast, followed: fast, upstream: [] });
  });

  it("does not loop if channels form a circle", () => {
    const channels = new Map(CATALOGUE.channels);
    const fast = channels.get(FAST);
    if (fast === undefined) throw new Error("there is fast");
    const round = { ...fast, follows: STABLE };
    channels.set(FAST, round);

    expect(holdApplies(STABLE, REGULAR, { channels })).toBe(true);
    expect(placeIn({ channels }, round).upstream.map(({ name }) => name)).toEqual([STABLE, REGULAR]);
  });
});
