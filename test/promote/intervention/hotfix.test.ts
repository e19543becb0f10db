import { describe, expect, it } from "vitest";
import { decideHotfix, type HotfixRequest, type HotfixVerdict } from "../../../src/promote/intervention/hotfix.ts";
import type { VerdictFacts } from "../../../src/promote/verdict/subject.ts";
import {
  day,
  hashOfVersion,
  historyOf,
  instant,
  ISTIO,
  type Merge,
  plainFacts,
  REGULAR,
  SOAK,
  subjectOf,
  version,
  type World,
} from "../verdict/timeline.ts";
import { mentions } from "../../support/mentions.ts";

const INCIDENT = "https://example.com/incident/7";
const HIGHER: readonly Merge[] = [
  { at: 0, fast: "1.15.0", regular: "1.15.0" },
  { at: 1, fast: "1.17.0" },
];

function hotfixOn(
  at: number,
  text: string,
  merges: readonly Merge[],
  { world = {}, facts = {}, request = {} }: Some = {},
): HotfixVerdict {
  const known = plainFacts(historyOf(...merges), day(at), facts);
  const about = { version: version(text), specHash: hashOfVersion(text), incident: INCIDENT };
  const asked = { ...about, alsoFixedIn: [], by: "octocat", ...request };
  return decideHotfix(subjectOf(world), asked, known);
}

interface Some {
  readonly world?: World;
  readonly facts?: Partial<VerdictFacts>;
  readonly request?: Partial<HotfixRequest>;
}

describe("a hot-fix may go", () => {
  it("as a patch of the channel's version, even if the followed channel serves a higher minor version", () => {
    const verdict = hotfixOn(2, "1.15.1", HIGHER);

    expect(verdict).toMatchObject({
      kind: "promote",
      module: "istio",
      channel: "regular",
      follows: "fast",
      current: "1.15.0",
    });
    expect(verdict.chosen).toEqual({
      kind: "promote",
      version: "1.15.1",
      level: "patch",
      isHotfix: true,
      reasons: [
        {
          topic: "hot-fix",
          outcome: "met",
          message: mentions("1.15.1", "patch", "1.15.0", "regular", ...["soak", "windows", "freezes", "needs"]),
          source: { kind: "evidence", source: INCIDENT },
        },
      ],
      earliest: undefined,
    });
    expect(verdict.candidates).toEqual([verdict.chosen]);
  });

  it("without soak and needs, outside of windows, and in a freeze", () => {
    const promotion = {
      soak: { ...SOAK, patch: "30d" },
      needs: ["smoke", "approval"] as const,
      exposure: { clusters: 20 },
      windows: [{ opens: "0 0 30 2 *", for: "1h", timeZone: "UTC" }],
      freezes: [{ from: instant(0), until: instant(1000), reason: "year-end" }],
    };

    expect(hotfixOn(2, "1.15.1", HIGHER, { world: { promotion } }).kind).toBe("promote");
  });

  it("after an earlier hot-fix, with its repair presumed", () => {
    const merges = [
      { at: 0, fast: "1.15.2", regular: "1.15.0" },
      { at: 2, regular: "1.15.1", hotfix: { version: "1.15.1" } },
    ];
    const { kind, chosen } = hotfixOn(3, "1.15.2", merges);

    expect([kind, chosen.reasons.length]).toEqual(["promote", 1]);
  });

  it("as a patch of the highest version before the channel went down, with its real level", () => {
    const merges = [...HIGHER, { at: 2, regular: "1.16.0" }, { at: 3, regular: "1.15.0" }];
    const { kind, chosen } = hotfixOn(4, "1.16.1", merges);

    expect([kind, chosen.level, chosen.reasons[0]?.message]).toEqual([
      "promote",
      "minor",
      mentions("1.16.1", "patch", "1.16.0", "regular", "went down"),
    ]);
  });

  it("as the version that the channel served before its file was removed, once the file is back", () => {
    const merges = [...HIGHER, { at: 2, regular: null }, { at: 3, regular: "1.15.0" }];

    expect(hotfixOn(4, "1.15.1", merges).kind).toBe("promote");
  });
});

describe("a hot-fix is refused", () => {
  const refusal = (text: string, merges: readonly Merge[], some?: Some): readonly (string | undefined)[] => {
    const { kind, chosen } = hotfixOn(20, text, merges, some);
    const [reason] = chosen.reasons;
    expect([kind, chosen.kind, reason?.outcome, reason?.source]).toEqual([
      "blocked",
      "blocked",
      "blocking",
      { kind: "evidence", source: INCIDENT },
    ]);
    return [reason?.message, reason?.remedy];
  };

  it.each(["1.16.0", "2.0.0"])("as %s, which is not a patch of 1.15.0", (text) => {
    expect(refusal(text, HIGHER)).toEqual([
      mentions(text, "not", "patch", "1.15.0", "regular"),
      mentions("patch", "1.15.0", text),
    ]);
  });

  it.each(["1.14.9", "1.15.0-rc1"])("as %s, which is below 1.15.0", (text) => {
    const [message, remedy] = refusal(text, HIGHER);

    expect(message).toEqual(mentions(text, "not", "patch", "1.15.0", "regular"));
    expect(remedy).toEqual(mentions("patch", "1.15.0"));
    expect(remedy).not.toContain(text);
  });

  it("as the current version", () => {
    expect(refusal("1.15.0", HIGHER)).toEqual([mentions("regular", "1.15.0", "already"), mentions("nothing left")]);
  });

  it("as the current version, whose entry may list more repaired versions", () => {
    const request = { alsoFixedIn: [version("1.17.0")] };

    expect(refusal("1.15.0", HIGHER, { request })).toEqual([
      mentions("regular", "1.15.0", "already"),
      mentions("1.17.0", "alsoFixedIn", "modules/istio/hotfixes.yaml"),
    ]);
  });

  it("below the highest that the channel ever served", () => {
    const merges = [...HIGHER, { at: 2, regular: "1.15.5" }, { at: 3, regular: "1.15.0" }];

    expect(refusal("1.15.4", merges)).toEqual([
      mentions("regular", "1.15.5", "lifecycle-manager", "1.15.4"),
      mentions("patch", "1.15.5"),
    ]);
    expect(hotfixOn(20, "1.15.6", merges).kind).toBe("promote");
  });

  it("as a patch of neither the current version nor the highest before the channel went down", () => {
    const merges = [...HIGHER, { at: 2, regular: "1.16.0" }, { at: 3, regular: "1.15.0" }];

    expect(refusal("1.17.0", merges)).toEqual([
      mentions("1.17.0", "not", "patch", "1.16.0", "went down", "1.15.0"),
      mentions("patch", "1.16.0", "1.17.0"),
    ]);
  });

  it("of a kind that the channel does not accept", () => {
    expect(refusal("1.15.1-rc1", HIGHER)).toEqual([
      mentions("regular", "kind release", "1.15.1-rc1"),
      mentions("Release", "version"),
    ]);
  });

  it("in a channel that does not serve the module, or no longer", () => {
    const said = [mentions("regular", "not serve", "istio"), mentions("Promote", "follows none")];

    expect(refusal("1.15.1", [{ at: 0, fast: "1.15.0" }])).toEqual(said);
    expect(refusal("1.15.1", [...HIGHER, { at: 2, regular: null }])).toEqual(said);
  });

  it.each<[fact: string, merge: Merge, topic: string]>([
    ["for all channels", { at: 3, hold: { version: "1.15.1" } }, "hold"],
    ["for the channel", { at: 3, hold: { version: "1.15.1", channel: "regular" } }, "hold"],
    ["for the followed channel", { at: 3, hold: { version: "1.15.1", channel: "fast" } }, "withdrawal"],
  ])("while a person holds it %s", (_, merge, topic) => {
    const { kind, chosen } = hotfixOn(4, "1.15.1", [...HIGHER, merge]);

    expect([kind, chosen.reasons.map((one) => one.topic)]).toEqual(["blocked", ["hot-fix", topic]]);
  });

  it("as a version from which the channel went down by hand", () => {
    const merges = [...HIGHER, { at: 2, regular: "1.15.1" }, { at: 3, regular: "1.15.0" }];

    expect(hotfixOn(4, "1.15.1", merges).chosen).toMatchObject({
      kind: "blocked",
      reasons: [{ outcome: "met" }, { topic: "withdrawal", source: { kind: "commit", commit: "c3" } }],
    });
  });

  it("while a hold on it is proposed", () => {
    const proposed = { module: ISTIO, version: version("1.15.1"), channel: REGULAR, source: "pull 3" };

    expect(hotfixOn(4, "1.15.1", HIGHER, { facts: { proposedHolds: [proposed] } }).kind).toBe("blocked");
  });
});

describe("the declaration of a hot-fix", () => {
  it("names person, time and incident, and owes a back-fill if the followed channel is lower", () => {
    const merges = [{ at: 0, fast: "1.15.0", regular: "1.15.0" }];

    expect(hotfixOn(2 + 1.999 / 86_400, "1.15.1", merges).declaration).toEqual({
      version: "1.15.1",
      channel: "regular",
      incident: INCIDENT,
      by: "octocat",
      at: "2026-01-03T00:00:01Z",
      debt: [{ kind: "backfill" }, { kind: "smoke" }, { kind: "review" }],
    });
  });

  it.each<[fact: string, merges: readonly Merge[], owes: boolean]>([
    ["none if the followed channel is above", HIGHER, false],
    ["none if the followed channel has it", [...HIGHER.slice(0, 1), { at: 1, fast: "1.15.1" }], false],
    ["one if the followed channel serves nothing", [...HIGHER, { at: 2, fast: null }], true],
    ["one if the followed channel never did", [{ at: 0, regular: "1.15.0" }], true],
  ])("owes a back-fill: %s", (_, merges, owes) => {
    const kinds = hotfixOn(3, "1.15.1", merges).declaration.debt?.map(({ kind }) => kind);

    expect(kinds).toEqual([...(owes ? ["backfill"] : []), "smoke", "review"]);
  });

  it("lists other versions with the repair, if any", () => {
    const alsoFixedIn = [version("1.17.1"), version("1.18.0")];

    expect(hotfixOn(2, "1.15.1", HIGHER, { request: { alsoFixedIn } }).declaration.alsoFixedIn).toEqual(alsoFixedIn);
    expect(hotfixOn(2, "1.15.1", HIGHER).declaration).not.toHaveProperty("alsoFixedIn");
  });
});
