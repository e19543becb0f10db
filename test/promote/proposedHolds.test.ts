import { describe, expect, it } from "vitest";
import type { Proposal } from "../../src/ports.ts";
import { holdBranch, proposedHolds } from "../../src/promote/proposedHolds.ts";
import { holding, proposal, viewOf } from "./promotions.ts";
import { version } from "./verdict/timeline.ts";

function on(branch: string, isOpen = true): Proposal {
  return { ...proposal(holding({}), isOpen), branch };
}

/** `module@version channel` of each hold that these branches propose. */
function holdsOn(...branches: readonly string[]): readonly string[] {
  return proposedHolds(viewOf(...branches.map((branch) => on(branch)))).map(
    ({ module, version, channel }) => `${module}@${version} ${channel ?? "everywhere"}`,
  );
}

describe("the proposed holds", () => {
  it("are read from the branches of hold and withdraw", () => {
    const rc = holdBranch("api-gateway", version("1.2.0-rc1"), undefined);

    expect(holdsOn(holdBranch("istio", version("1.2.0"), "regular"), rc, "withdraw/fast/istio-1.2.0")).toEqual([
      "istio@1.2.0 regular",
      "api-gateway@1.2.0-rc1 everywhere",
      "istio@1.2.0 fast",
    ]);
  });

  it("name the pull request, or else the branch", () => {
    const branch = "hold/every-channel/istio-1.2.0";
    const bare = { ...viewOf({ ...on(branch), pull: undefined }), hasPulls: false };

    expect(proposedHolds(viewOf(on(branch))).map(({ source }) => source)).toEqual([
      "https://github.com/org/name/pull/7",
    ]);
    expect(proposedHolds(bare).map(({ source }) => source)).toEqual([branch]);
  });

  it("are those that are open", () => {
    const branch = "hold/every-channel/istio-1.2.0";

    expect(proposedHolds(viewOf(on(branch, false)))).toEqual([]);
    expect(proposedHolds(viewOf({ ...on(branch), pull: undefined }))).toEqual([]);
    expect(proposedHolds(undefined)).toEqual([]);
  });

  it("are not on branches of other names", () => {
    const others = [
      "promote/regular/istio",
      "unhold/regular/istio-1.2.0",
      "hold/istio-1.2.0",
      "hold/regular/istio",
      "hold/regular/istio-v1.2.0",
      "hold/regular/istio-1.2.0/more",
      "hold/Regular!/istio-1.2.0",
      "hold/regular/-istio-1.2.0",
    ];

    expect(holdsOn(...others)).toEqual([]);
  });
});
