import { describe, expect, it } from "vitest";
import { filesOfModules } from "../../../src/catalogue/history/moduleHistory.ts";

describe("the scope of some modules", () => {
  const { modules, wants } = filesOfModules(["keda", "istio"]);

  it("is in order, for one key of what was read", () => {
    expect(modules).toEqual(["istio", "keda"]);
  });

  it.each([
    ["channels/fast/istio.yaml", true],
    ["channels/fast/keda.yaml", true],
    ["modules/istio/holds.yaml", true],
    ["modules/istio/hotfixes.yaml", true],
    ["modules/istio/module.yaml", false],
    ["channels/fast/nats.yaml", false],
    ["channels/fast/policy.yaml", false],
    ["README.md", false],
  ])("%s: %s", (path, isWanted) => {
    expect(wants(path)).toBe(isWanted);
  });
});
