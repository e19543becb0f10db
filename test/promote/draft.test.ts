import { describe, expect, it } from "vitest";
import type { Promotion } from "../../src/promote/promotion.ts";
import { promotionDraft } from "../../src/promote/draft.ts";
import { claimsIn } from "../../src/promote/timeline/trailers.ts";
import { promotionOf } from "./promotions.ts";
import { day, decideOn, REGULAR, SOAK, subjectOf, version } from "./verdict/timeline.ts";

const OWNED = { files: { "modules/istio/module.yaml": JSON.stringify({ format: 1, owners: ["@org/istio"] }) } };

function hotfix({ chosen }: Promotion = promotionOf()): Partial<Promotion> {
  return { chosen: { ...chosen, isHotfix: true } };
}

describe("the change of a promotion's pull request", () => {
  it("is the version's template with name and channel set, and nothing else", () => {
    const promotion = promotionOf();
    const { files, branch } = promotionDraft(promotion);
    const template = Buffer.from(promotion.origin.content).toString();
    const wanted = template
      .replace("name: istio-fast", "name: istio-regular")
      .replace("channel: fast", "channel: regular");

    expect(branch).toBe("promote/regular/istio");
    expect([...files]).toEqual([["channels/regular/istio.yaml", wanted]]);
  });

  it("names the input of the decision in its trailers, so that anyone can repeat it", () => {
    const { message } = promotionDraft(promotionOf({ evidenceDigests: ["sha256:1", "sha256:2"] }));

    expect(message.split("\n")[0]).toBe("Promote istio 1.2.0 to regular");
    expect(claimsIn(message)).toEqual([
      {
        module: "istio",
        version: "1.2.0",
        follows: "fast",
        channel: "regular",
        decidedOn: "4f0c2f9d5b0e4f6c8f5d1d2c3b4a59687f6e5d4c",
        decidedAtMs: day(20),
        verdict: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) as string,
        evidence: ["sha256:1", "sha256:2"],
      },
    ]);
  });

  it("names incident and person in the trailers of a hot-fix, and no followed channel", () => {
    const declaration = {
      version: version("1.1.1"),
      channel: REGULAR,
      incident: "https://example.com/7",
      by: "maria\nPromotes: istio@9.9.9\n\nPromotes: istio@9.9.9",
      at: "2026-01-20T00:00:00Z",
    };
    const { message } = promotionDraft(promotionOf({ ...hotfix(), declaration }));

    expect(message.split("\n").slice(2, 6)).toEqual([
      "Promotes: istio@1.2.0",
      "Incident: https://example.com/7",
      "By: maria Promotes: istio@9.9.9 Promotes: istio@9.9.9",
      "To-Channel: regular",
    ]);
    expect(claimsIn(message)).toMatchObject([{ version: "1.2.0", follows: undefined, channel: "regular" }]);
  });

  it("asks the owners if the policy demands a review, and the release managers for an urgent hot-fix", () => {
    const automatic = { ...OWNED, promotion: { soak: SOAK, merge: "automatic" as const } };
    const managed = { ...subjectOf(OWNED), releaseManagers: ["@org/managers"] };

    expect(promotionDraft(promotionOf({}, OWNED))).toMatchObject({ reviewers: ["@org/istio"], isUrgent: false });
    expect(promotionDraft(promotionOf({}, automatic))).toMatchObject({ reviewers: [], isUrgent: false });
    expect(promotionDraft(promotionOf({ ...hotfix(), subject: managed }, OWNED))).toMatchObject({
      reviewers: ["@org/managers"],
      isUrgent: true,
    });
    expect(promotionDraft(promotionOf(hotfix(), OWNED)).reviewers).toEqual([]);
  });

  it("refuses a template that cannot be served", () => {
    const origin = { name: "template.yaml", content: Buffer.from("a: [") };

    expect(() => promotionDraft(promotionOf({ origin }))).toThrow(/^template\.yaml cannot be served: /);
  });
});

describe("the digest of a promotion", () => {
  const digestOf = (more: Partial<Promotion> = {}): string => promotionDraft(promotionOf(more)).digest;

  it("does not depend on time, base and texts of reasons", () => {
    const later = decideOn(25, [
      { at: 0, fast: "1.1.0", regular: "1.1.0" },
      { at: 10, fast: "1.2.0" },
    ]);

    expect(digestOf({ verdict: later, base: "f".repeat(40), decidedAtMs: day(25) })).toBe(digestOf());
  });

  it("changes with the channel's version and the lane", () => {
    const { verdict } = promotionOf();
    const digests = [digestOf(), digestOf({ verdict: { ...verdict, current: undefined } }), digestOf(hotfix())];

    expect(new Set(digests).size).toBe(3);
  });

  it("stays the same for a repeated hot-fix request", () => {
    const declared = { version: version("1.2.0"), channel: REGULAR, incident: "https://example.com/1", by: "boss" };
    const [first, second] = ["2026-01-01T00:00:00Z", "2026-01-01T01:00:00Z"].map((at) =>
      digestOf({
        ...hotfix(),
        declaration: { ...declared, at },
        files: new Map([["modules/istio/hotfixes.yaml", at]]),
      }),
    );

    expect(second).toBe(first);
    expect(digestOf({ ...hotfix(), declaration: { ...declared, at: "", by: "chief" } })).not.toBe(first);
  });
});
