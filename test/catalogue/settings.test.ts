import { describe, expect, it } from "vitest";
import type { Settings } from "../../src/catalogue/settings.ts";
import { catalogueOf, REPOSITORY } from "./repository.ts";

function settingsOf(text: string): Settings {
  const policy = "format: 1\nlandscapes: [dev]\n";
  return catalogueOf({ ...REPOSITORY, "kyma-modules.yaml": text, "channels/fast.yaml": policy }).settings;
}

describe("kyma-modules.yaml", () => {
  it("may leave everything out but the control planes", () => {
    expect(settingsOf("format: 1\nlandscapes: [{ name: dev, controlPlane: { context: kcp-dev } }]\n")).toEqual({
      releaseManagers: [],
      landscapes: [
        { name: "dev", controlPlane: { context: "kcp-dev" }, namespace: "kcp-system", lifecycleManager: "auto" },
      ],
      registry: undefined,
      images: {},
      kubernetesVersions: [],
    });
  });

  it("names release managers, a namespace and the model of templates", () => {
    const text = `format: 1
releaseManagers: ["@org/managers"]
landscapes:
  - { name: dev, controlPlane: { inCluster: true }, namespace: kcp, lifecycleManager: channel-templates }
`;

    expect(settingsOf(text)).toMatchObject({
      releaseManagers: ["@org/managers"],
      landscapes: [{ namespace: "kcp", lifecycleManager: "channel-templates" }],
    });
  });

  it("keeps landscapes in the order of the file", () => {
    const text = "format: 1\nlandscapes:\n" + ["zoo", "dev", "air"].map(landscape).join("");

    expect(settingsOf(text).landscapes.map(({ name }) => name)).toEqual(["zoo", "dev", "air"]);
  });

  it.each([
    ["", "version-templates"],
    [", lifecycleManager: auto", "version-templates"],
    [", lifecycleManager: channel-templates", "channel-templates"],
  ])("gives an embedded control plane %j the model %s: there is no lifecycle-manager to ask", (member, expected) => {
    const text = `format: 1\nlandscapes: [{ name: dev, controlPlane: { embedded: true }${member} }]\n`;

    expect(settingsOf(text).landscapes[0]?.lifecycleManager).toBe(expected);
  });
});

const landscape = (name: string): string => `  - { name: ${name}, controlPlane: { kubeconfig: "${name}.conf" } }\n`;
