import { describe, expect, it } from "vitest";
import { filesOfProposal, foreignText, isAmongFiles, proposalBranch } from "../../src/catalogue/proposalBranch.ts";

/** The files that the proposal on a branch may change; none for a branch of another name. */
function filesOn(branch: string, ...together: readonly (readonly string[])[]): readonly string[] {
  const place = proposalBranch(branch);
  return place === undefined ? [] : [...filesOfProposal(place, together)];
}

describe("the branch of a proposal", () => {
  it.each([
    ["promote/regular/api-gateway", ["channels/regular/api-gateway.yaml", "modules/api-gateway/hotfixes.yaml"]],
    ["bump/fast/istio-1.2.0-rc1", ["channels/fast/istio.yaml", "modules/istio/", ".github/CODEOWNERS"]],
    ["hold/every-channel/api-gateway-1.2.0", ["modules/api-gateway/holds.yaml"]],
    ["unhold/fast/istio-1.2.0", ["modules/istio/holds.yaml"]],
    ["withdraw/fast/istio-1.2.0", ["channels/fast/istio.yaml", "modules/istio/holds.yaml"]],
  ])("%s says which files it may change", (branch, files) => {
    expect(filesOn(branch)).toEqual(files);
  });

  it("of a promotion may also change the modules that move together with its own", () => {
    const files = filesOn("promote/regular/istio", ["istio", "keda"], ["other", "another"]);

    expect(files).toContain("channels/regular/keda.yaml");
    expect(files).not.toContain("channels/regular/other.yaml");
  });

  it.each(["feature", "promote/regular", "promote/regular/istio/more", "hold/fast/istio", "bump/istio-1.0.0"])(
    "has another name than %s",
    (branch) => {
      expect(proposalBranch(branch)).toBeUndefined();
    },
  );
});

it("a file is among others by its path or its folder", () => {
  const files = new Set(["channels/fast/istio.yaml", "modules/istio/"]);
  const paths = ["channels/fast/istio.yaml", "modules/istio/1.0.0/template.yaml", "modules/istio", "channels/fast/"];

  expect(paths.map((path) => isAmongFiles(path, files))).toEqual([true, true, false, false]);
});

it("names the changes of a foreign branch, and the author of its newest commit", () => {
  const files = new Map(["a", "b", "c", "d", "e"].map((path) => [path, ""]));
  const text = foreignText("0123456789abcdef", { files, others: ["src/evil.ts"], author: "Eve <eve@example.com>" });

  expect(text).toBe(
    "it changes src/evil.ts, a, b, c, d, 1 more; its newest commit 0123456789 is by Eve <eve@example.com>",
  );
  expect(foreignText("0123456789abcdef", { files: new Map(), others: [], author: "Eve" })).toContain("nothing");
});
