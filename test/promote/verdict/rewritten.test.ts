import { describe, expect, it } from "vitest";
import type { ModuleHistory } from "../../../src/catalogue/history/history.ts";
import { decideOn, FAST, gist, historyOf, REGULAR, type Merge } from "./timeline.ts";

/** The history of these merges, where the state of a channel at `index` has another content. */
function rewritten(channel: typeof FAST, index: number, ...merges: readonly Merge[]): ModuleHistory {
  const history = historyOf(...merges);
  const states = (history.served.get(channel) ?? []).map((state) =>
    state.revision.index === index ? { ...state, hash: () => "another" } : state,
  );
  return { ...history, served: new Map([...history.served, [channel, states]]) };
}

const RISEN: readonly Merge[] = [
  { at: 0, fast: "1.0.0", regular: "1.0.0" },
  { at: 1, fast: "1.1.0" },
];

describe("a version that was served with two contents", () => {
  it("never moves, and names the commits of both", () => {
    const history = rewritten(FAST, 2, ...RISEN, { at: 2, fast: "1.1.0" });
    const verdict = decideOn(40, [], {}, { history });

    expect(gist(verdict)).toBe("blocked 1.1.0 >40 (1 more)");
    expect(verdict.chosen?.reasons[0]).toEqual({
      topic: "files",
      outcome: "blocking",
      message:
        "1.1.0 was served with two contents, by fast (commit c1) and by fast (commit c2): a version never changes.",
      remedy: "Release a version above 1.1.0.",
      source: { kind: "commit", commit: "c2" },
    });
  });

  it("never comes back to a channel that had another content", () => {
    const merges = [...RISEN, { at: 9, regular: "1.1.0" }, { at: 10, regular: null }, { at: 11, regular: "1.0.0" }];
    const reasons = decideOn(40, [], {}, { history: rewritten(REGULAR, 2, ...merges) }).chosen?.reasons;

    expect(reasons?.map(({ message }) => message)).toContainEqual(
      "1.1.0 was served with two contents, by fast (commit c1) and by regular (commit c2): a version never changes.",
    );
  });

  it("is not one that was served twice with the same content", () => {
    const merges = [...RISEN, { at: 2, fast: null }, { at: 3, fast: "1.1.0" }];

    expect(gist(decideOn(40, merges))).toBe("promote 1.1.0");
  });
});
