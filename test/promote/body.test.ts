import { describe, expect, it } from "vitest";
import { plain, promotionBody } from "../../src/promote/body.ts";
import type { Promotion } from "../../src/promote/promotion.ts";
import type { Reason } from "../../src/promote/verdict/verdict.ts";
import { promotionOf } from "./promotions.ts";
import type { Subject } from "../../src/promote/verdict/subject.ts";
import { mentions } from "../support/mentions.ts";
import { subjectOf, version, type World } from "./verdict/timeline.ts";

const LINKED: World = {
  files: {
    "modules/istio/module.yaml": JSON.stringify({ format: 1, links: { repository: "https://github.com/org/istio/" } }),
  },
};

/** The lines below the heading `title`; empty without such a heading. */
function sectionOf(body: string, title: string): readonly string[] {
  const [, rest = ""] = body.split(`### ${title}\n`);
  return rest.split("\n\n", 1).join("").split("\n").filter(Boolean);
}

function bodyWith(reasons: readonly Reason[]): string {
  const { chosen } = promotionOf();
  return promotionBody(promotionOf({ chosen: { ...chosen, reasons } }));
}

describe("the text of a promotion's pull request", () => {
  it("names the module, the versions, the channels and the level", () => {
    expect(promotionBody(promotionOf()).split("\n")[0]).toBe(
      "**istio**: 1.1.0 → **1.2.0** in `regular` (minor), from `fast`.",
    );
  });

  it("mentions a first version, and a hot-fix", () => {
    const { verdict, chosen } = promotionOf();
    const more = { verdict: { ...verdict, current: undefined }, chosen: { ...chosen, isHotfix: true } };

    expect(promotionBody(promotionOf(more)).split("\n")[0]).toBe(
      "**istio**: nothing → **1.2.0** in `regular` (hot-fix).",
    );
  });

  it("tells who must approve a hot-fix, and why", () => {
    const { chosen } = promotionOf();
    const asked = (subject: Partial<Subject>, isHotfix = true): readonly string[] => {
      const promotion = { chosen: { ...chosen, isHotfix }, subject: { ...subjectOf(), ...subject } };
      const lines = promotionBody(promotionOf(promotion)).split("\n");
      return lines.filter((line) => line.includes("release manager"));
    };

    expect(asked({ releaseManagers: ["@org/managers", "boss"] })).toEqual([
      mentions("release manager", "@\u200borg/managers", "boss", "hot-fix", "soak", "gate"),
    ]);
    expect(asked({})).toEqual([mentions("release manager", "kyma-modules.yaml", "none", "hot-fix", "soak", "gate")]);
    expect(asked({ releaseManagers: ["boss"] }, false)).toEqual([]);
  });

  it("gives every reason with its source", () => {
    const about = { topic: "soak", outcome: "met", message: "It soaked." } as const;
    const body = bodyWith([
      { ...about, source: { kind: "file", file: "channels/regular.yaml", line: 5 } },
      { ...about, source: { kind: "commit", commit: "0123456789abcdef" } },
      { ...about, source: { kind: "evidence", source: "run 7" } },
      { ...about, source: undefined },
    ]);

    expect(sectionOf(body, "Reasons")).toEqual([
      "- It soaked. (channels/regular.yaml:5)",
      "- It soaked. (commit 0123456789)",
      "- It soaked. (run 7)",
      "- It soaked.",
    ]);
  });

  it("escapes what people wrote: no markup, no HTML, no mentions, no closed issues, no line breaks", () => {
    const message = "**x** `y` [z](u) ![i](u) <img src=x> &#64;all\n\n# heading @org/team fixes #12, GH-13";
    const body = bodyWith([{ topic: "hold", outcome: "note", message, source: { kind: "evidence", source: "@all" } }]);

    expect(sectionOf(body, "Reasons")).toEqual([
      "- \\*\\*x\\*\\* \\`y\\` \\[z\\](u) !\\[i\\](u) \\<img src=x\\> \\&#\u200b64;all # heading @\u200borg/team fixes #\u200b12, GH-\u200b13 (@\u200ball)",
    ]);
  });

  it("leaves commands ready to copy", () => {
    expect(plain("kyma-modules unhold istio@1.2.0 --channel regular")).toBe(
      "kyma-modules unhold istio@1.2.0 --channel regular",
    );
  });

  it("lists the landscapes of the channel in order, with their waves", () => {
    const files = {
      "channels/regular.yaml": JSON.stringify({ format: 1, follows: "fast", landscapes: ["dev", "prod"] }),
    };
    const wave = { soak: "24h", hotfixSoak: "1h" };
    const promotion = promotionOf({ subject: subjectOf({ files, wave }) });
    const hotfix: Partial<Promotion> = { ...promotion, chosen: { ...promotion.chosen, isHotfix: true } };

    expect(sectionOf(promotionBody(promotion), "Landscapes")).toEqual([
      mentions("dev", "next sync"),
      mentions("prod", "dev", "1d"),
    ]);
    expect(sectionOf(promotionBody(promotionOf(hotfix)), "Landscapes")[1]).toEqual(mentions("prod", "dev", "1h"));
    expect(sectionOf(promotionBody(promotionOf()), "Landscapes")).toEqual([mentions("dev", "next sync")]);
  });

  it("links the changelog: the release, and the comparison", () => {
    const { verdict } = promotionOf({}, LINKED);
    const release = "- https://github.com/org/istio/releases/tag/1.2.0";
    const first = promotionOf({ verdict: { ...verdict, current: undefined } }, LINKED);

    expect(sectionOf(promotionBody(promotionOf({}, LINKED)), "Changelog")).toEqual([
      release,
      "- https://github.com/org/istio/compare/1.1.0...1.2.0",
    ]);
    expect(sectionOf(promotionBody(first), "Changelog")).toEqual([release]);
    expect(promotionBody(promotionOf())).not.toContain("Changelog");
  });

  it("lists the debt of a hot-fix, if there is any", () => {
    const declaration = {
      version: version("1.2.0"),
      channel: subjectOf().channel.name,
      incident: "https://example.com/7",
      by: "octocat",
      at: "2026-01-20T00:00:00Z",
      debt: [{ kind: "backfill" }, { kind: "smoke" }, { kind: "review" }],
    } as const;

    expect(sectionOf(promotionBody(promotionOf({ declaration })), "Debt")).toEqual([
      mentions("followed channel"),
      mentions("smoke test"),
      mentions("review"),
    ]);
    expect(promotionBody(promotionOf())).not.toContain("Debt");
  });

  it("ends with the commit of the decision, and with the handling of the branch", () => {
    expect(promotionBody(promotionOf()).trimEnd().split("\n").at(-1)).toEqual(
      mentions("4f0c2f9d5b0e4f6c8f5d1d2c3b4a59687f6e5d4c", "commit", "branch"),
    );
  });
});
