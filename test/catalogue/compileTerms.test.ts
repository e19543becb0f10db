import { describe, expect, it } from "vitest";
import { compile, type Compilation, type CompileTarget } from "../../src/catalogue/compile.ts";
import type { KubernetesObject } from "../../src/kubernetes/object.ts";
import { catalogueOf, channelTemplate, MANDATORY_POLICY, REPOSITORY } from "./repository.ts";

const CURRENT: CompileTarget = { landscape: "prod", namespace: "kcp-system", generation: "version-templates" };
const OLDER: CompileTarget = { ...CURRENT, generation: "channel-templates" };

const FILES: Readonly<Record<string, string>> = {
  ...REPOSITORY,
  "channels/fast/keda.yaml": channelTemplate("fast", "keda"),
  "channels/must.yaml": MANDATORY_POLICY,
  "channels/must/warden.yaml": channelTemplate("must", "warden", "2.0.0"),
};

const compiled = (target: CompileTarget, more: Readonly<Record<string, string>> = {}): Compilation =>
  compile(catalogueOf({ ...FILES, ...more }), target);

const named = (objects: readonly KubernetesObject[], name: string): KubernetesObject | undefined =>
  objects.find(({ metadata }) => metadata.name === name);

describe("a control plane", () => {
  it("says who is offered a module, as module.yaml does, and names the mandatory channel", () => {
    const text = "format: 1\nkymaSelector: { matchLabels: { tier: gold } }\nbeta: true\ninternal: true\n";
    const desired = compiled(CURRENT, { "modules/istio/module.yaml": text });

    expect(named(desired.releaseMetas, "istio")?.["spec"]).toMatchObject({
      kymaSelector: { matchLabels: { tier: "gold" } },
      beta: true,
      internal: true,
    });
    expect(named(desired.releaseMetas, "keda")?.["spec"]).not.toHaveProperty("beta");
    expect(desired.mandatoryChannel).toBe("must");
    expect(compiled({ ...CURRENT, landscape: "nowhere" }).mandatoryChannel).toBeUndefined();
  });

  it("drops spec.mandatory of a file: in a release channel it makes lifecycle-manager forget versions", () => {
    const text = channelTemplate("fast").replace("  moduleName:", "  mandatory: true\n  moduleName:");

    for (const target of [CURRENT, OLDER]) {
      const { templates: both } = compiled(target, { "channels/fast/istio.yaml": text });
      expect(both.filter(({ spec }) => (spec as { mandatory?: boolean }).mandatory === true).length).toBe(
        target === OLDER ? 1 : 0,
      );
    }
  });
});
