import { describe, expect, it } from "vitest";
import type { Settings } from "../../src/catalogue/settings.ts";
import { catalogueOf, REPOSITORY } from "./repository.ts";

function settingsOf(text: string): Settings {
  const policy = "format: 1\nlandscapes: [dev]\n";
  return catalogueOf({ ...REPOSITORY, "kyma-modules.yaml": text, "channels/fast.yaml": policy }).settings;
}

describe("kyma-modules.yaml", () => {
  it("requires only the control planes", () => {
    expect(settingsOf("format: 1\nlandscapes: [{ name: dev, controlPlane: { context: kcp-dev } }]\n")).toEqual({
      releaseManagers: [],
      landscapes: [
        {
          ...{ name: "dev", controlPlane: { context: "kcp-dev" }, namespace: "kcp-system", lifecycleManager: "auto" },
          prune: false,
        },
      ],
      registry: undefined,
      images: {},
      forge: { kind: "none" },
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

  it("names the repository for pull requests", () => {
    const text = `format: 1
landscapes: [{ name: dev, controlPlane: { context: kcp-dev } }]
forge: { kind: github, repository: octo/train }
`;

    expect(settingsOf(text).forge).toEqual({ kind: "github", repository: "octo/train", base: "main" });
  });

  it.each([
    ["{}", { title: "Promotion dashboard", blockedForMs: 604_800_000 }],
    [
      "{ title: Train, blockedFor: 36h, webhook: { environment: HOOK } }",
      { title: "Train", blockedForMs: 129_600_000, webhookVariable: "HOOK" },
    ],
  ])("enables or disables the dashboard issue: %s", (dashboard, read) => {
    const text = `format: 1
landscapes: [{ name: dev, controlPlane: { context: kcp-dev } }]
forge: { kind: github, repository: octo/train, dashboard: ${dashboard} }
`;

    expect(settingsOf(text).forge).toMatchObject({ dashboard: read });
  });

  it.each([
    ["", 0, 0],
    [", soak: 30m", 1_800_000, 1_800_000],
    [", soak: 1d, hotfixSoak: 1h", 86_400_000, 3_600_000],
    [", hotfixSoak: 0m", 0, 0],
  ])("lets an entry wait%s for %i ms, a hot-fix for %i ms", (member, soakMs, hotfixSoakMs) => {
    const text = `format: 1
landscapes:
  - { name: dev, controlPlane: { context: kcp-dev } }
  - { name: prod, controlPlane: { context: kcp-prod }, after: { landscape: dev${member} } }
`;

    expect(settingsOf(text).landscapes.map(({ after }) => after)).toEqual([
      undefined,
      { landscape: "dev", soakMs, hotfixSoakMs, notWorseBy: 0.01, deadlineMs: 600_000 },
    ]);
  });

  it("limits removals from a landscape", () => {
    const text = `format: 1
landscapes:
  - { name: dev, controlPlane: { context: kcp-dev }, prune: true, maxPrune: 25% }
`;

    expect(settingsOf(text).landscapes[0]).toMatchObject({ prune: true, maxPrune: 0.25 });
  });

  it("sets the conditions that halt a wave", () => {
    const text = `format: 1
landscapes:
  - { name: dev, controlPlane: { context: kcp-dev } }
  - { name: prod, controlPlane: { context: kcp-prod }, after: { landscape: dev, notWorseBy: 0.5%, deadline: 1h } }
`;

    expect(settingsOf(text).landscapes[1]?.after).toMatchObject({ notWorseBy: 0.005, deadlineMs: 3_600_000 });
  });

  it("keeps landscapes in the order of the file", () => {
    const text = "format: 1\nlandscapes:\n" + ["zoo", "dev", "air"].map(landscape).join("");

    expect(settingsOf(text).landscapes.map(({ name }) => name)).toEqual(["zoo", "dev", "air"]);
  });

  it.each([
    ["", "version-templates"],
    [", lifecycleManager: auto", "version-templates"],
    [", lifecycleManager: channel-templates", "channel-templates"],
  ])(
    "gives an embedded control plane %j the model %s, since it has no lifecycle-manager to detect",
    (member, expected) => {
      const text = `format: 1\nlandscapes: [{ name: dev, controlPlane: { embedded: true }${member} }]\n`;

      expect(settingsOf(text).landscapes[0]?.lifecycleManager).toBe(expected);
    },
  );
});

const landscape = (name: string): string => `  - { name: ${name}, controlPlane: { kubeconfig: "${name}.conf" } }\n`;
