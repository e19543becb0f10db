import { describe, expect, it } from "vitest";
import type { ModuleHistory } from "../../../src/catalogue/history/history.ts";
import { versionTemplate } from "../../catalogue/repository.ts";
import { mentions } from "../../support/mentions.ts";
import { decideOn, FAST, gist, historyOf, ISTIO, REGULAR, subjectOf, type Merge, version } from "./timeline.ts";

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
      message: mentions("1.1.0", ...["fast", "c1"], ...["fast", "c2"]),
      remedy: mentions("above 1.1.0"),
      source: { kind: "commit", commit: "c2" },
    });
  });

  it("never comes back to a channel that had another content", () => {
    const merges = [...RISEN, { at: 9, regular: "1.1.0" }, { at: 10, regular: null }, { at: 11, regular: "1.0.0" }];
    const reasons = decideOn(40, [], {}, { history: rewritten(REGULAR, 2, ...merges) }).chosen?.reasons;

    expect(reasons?.map(({ message }) => message)).toContainEqual(
      mentions("1.1.0", ...["fast", "c1"], ...["regular", "c2"]),
    );
  });

  it("never moves if the file of the version has another content", () => {
    const file = "modules/istio/1.1.0/template.yaml";
    const world = { files: { [file]: versionTemplate("istio", "1.1.0") } };
    const template = subjectOf(world).said?.templates.get(version("1.1.0"));
    const known = historyOf(...RISEN);
    const states = (known.served.get(FAST) ?? []).map((state) => ({ ...state, template: () => template }));
    const history = { ...known, served: new Map([...known.served, [FAST, states]]) };

    expect(decideOn(40, [], world, { history }).chosen?.reasons[0]).toMatchObject({
      outcome: "blocking",
      message: mentions(file, "fast", "1.1.0"),
      source: { kind: "file", file },
    });
  });

  it("is not one that was served twice with the same content", () => {
    const merges = [...RISEN, { at: 2, fast: null }, { at: 3, fast: "1.1.0" }];

    expect(gist(decideOn(40, merges))).toBe("promote 1.1.0");
  });
});

describe("a version with evidence that cannot be read", () => {
  const damaged = (text: string) => [{ module: ISTIO, version: version(text), source: "evidence:runs/7.json" }];

  it("never moves, and names the file", () => {
    expect(decideOn(40, RISEN, {}, { damaged: damaged("1.1.0") }).chosen?.reasons).toContainEqual(
      expect.objectContaining({
        outcome: "blocking",
        message: mentions("evidence:runs/7.json", "1.1.0"),
      }),
    );
  });

  it("holds no other version back", () => {
    expect(gist(decideOn(40, RISEN, {}, { damaged: damaged("1.2.0") }))).toBe("promote 1.1.0");
  });
});
