import { describe, expect, it } from "vitest";
import type { BranchContent } from "../../src/ports.ts";
import { instantsIn, isOwnPromotion, isReplaceable, proposedStep } from "../../src/promote/proposed.ts";
import { specHash } from "../../src/catalogue/template.ts";
import { channelTemplate } from "../catalogue/repository.ts";
import { contentOf, holding } from "./promotions.ts";
import { siteOf } from "./verdict/interventions.ts";
import { historyOf, ISTIO as MODULE, REGULAR } from "./verdict/timeline.ts";

const BRANCH = "promote/regular/istio";
const ISTIO = "channels/regular/istio.yaml";

function stepOn(content: BranchContent, branch = BRANCH): ReturnType<typeof proposedStep> {
  return proposedStep({ branch, content });
}

describe("the step of a branch", () => {
  it("is what its files bring to the channel, whatever its texts say", () => {
    const keda = { "channels/regular/keda.yaml": channelTemplate("regular", "keda", "2.0.0") };
    const together = holding({ [ISTIO]: channelTemplate("regular", "istio", "1.2.0"), ...keda });

    expect(stepOn(contentOf("1.2.0"))).toEqual({ lane: "promotion", version: "1.2.0", others: [] });
    expect(stepOn(contentOf("1.2.0", true))).toEqual({ lane: "hotfix", version: "1.2.0", others: [] });
    expect(stepOn(together)).toEqual({ lane: "promotion", version: "1.2.0", others: ["keda@2.0.0"] });
  });

  it("is unknown without a readable template of its module in its channel", () => {
    const elsewhere = holding({ "channels/slow/istio.yaml": channelTemplate("slow", "istio", "1.2.0") });

    for (const content of [holding({}), holding({ [ISTIO]: "{" }), elsewhere]) expect(stepOn(content)).toBeUndefined();
    expect(stepOn(contentOf("1.2.0"), "hold/regular/istio-1.2.0")).toBeUndefined();
  });
});

describe("the promotion on a branch", () => {
  // fast and regular serve 1.2.0, and regular served 1.1.0 once.
  const former = siteOf({ [ISTIO]: channelTemplate("regular", "istio", "1.1.0") }).channels.get(REGULAR);
  const old = former?.templates.get(MODULE);
  const hash = old === undefined ? "" : specHash(old.object);
  const [state] = historyOf({ at: 0, regular: "1.1.0" }).served.get(REGULAR) ?? [];
  const served = new Map([[REGULAR, state === undefined ? [] : [{ ...state, hash: () => hash }]]]);
  const gathered = { catalogue: siteOf(), histories: { modules: [], of: () => ({ ...historyOf(), served }) } };
  const isOwn = (content: BranchContent, branch = BRANCH): boolean => isOwnPromotion({ branch, content }, gathered);

  it("is of this program if the catalogue or its history knows every template", () => {
    expect([contentOf("1.2.0"), contentOf("1.1.0"), holding({})].map((one) => isOwn(one))).toEqual([true, true, true]);
    expect(isOwn({ ...contentOf("1.2.0"), isMarked: false })).toBe(true);
    expect(isOwn(contentOf("9.9.9"))).toBe(false);
  });

  it("is not of this program with another content, file or module, even if its commit claims it", () => {
    const text = channelTemplate("regular", "istio", "1.2.0");
    const foreign = [
      holding({ [ISTIO]: text.replace("kyma-project.io/module/istio", "example.com/evil") }),
      holding({ [ISTIO]: text, "channels/regular.yaml": "format: 1\n" }),
      holding({ [ISTIO]: text, "channels/fast/istio.yaml": channelTemplate("fast", "istio", "1.2.0") }),
      holding({ [ISTIO]: text, "modules/keda/hotfixes.yaml": "format: 1\nhotfixes: []\n" }),
      holding({ "channels/regular/NOT.yaml": channelTemplate("regular", "NOT", "1.2.0") }),
      { ...contentOf("1.2.0"), others: ["src/evil.ts"] },
    ];

    expect(foreign.map((one) => isOwn(one))).toEqual(foreign.map(() => false));
    expect(isOwn(contentOf("1.2.0"), "feature")).toBe(false);
  });

  it("that is a hot-fix needs a commit that claims it, since nobody else may know its template", () => {
    const hotfix = contentOf("9.9.9", true);

    expect([hotfix, { ...hotfix, isMarked: false }, { ...hotfix, others: ["x"] }].map((one) => isOwn(one))).toEqual([
      ...[true, false, false],
    ]);
  });
});

it("a request replaces only an earlier one in its own files", () => {
  const paths = new Set([ISTIO]);
  const earlier = contentOf("1.2.0");
  const contents = [earlier, holding({}), { ...holding({}), isMarked: false }];

  expect(contents.map((one) => isReplaceable(one, paths))).toEqual([true, true, true]);
  const foreign = [{ ...earlier, isMarked: false }, { ...earlier, others: ["x"] }, contentOf("1.2.0", true)];
  expect(foreign.map((one) => isReplaceable(one, paths))).toEqual([false, false, false]);
});

it("the instants of entries are found in either layout", () => {
  const text = 'since: 2026-01-01T00:00:00Z\n- { version: 1.0.0, since: "2026-01-02T00:00:00Z" }\n';

  expect(instantsIn(text, "since")).toEqual(["2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"]);
  expect(instantsIn(undefined, "at")).toEqual([]);
});
