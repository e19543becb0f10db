import { describe, expect, it } from "vitest";
import { channelFilePath, cataloguePlace, versionTemplatePath, type Place } from "../../src/catalogue/paths.ts";

const PLACES: readonly (readonly [string, Place | undefined])[] = [
  ["kyma-modules.yaml", { kind: "settings" }],
  ["channels/fast.yaml", { kind: "policy", channel: "fast" }],
  ["channels/fast/istio.yaml", { kind: "channel-template", channel: "fast", module: "istio" }],
  ["channels/Fast/a-b.yaml", { kind: "channel-template", channel: "Fast", module: "a-b" }],
  ["modules/istio/module.yaml", { kind: "module", module: "istio" }],
  ["modules/istio/holds.yaml", { kind: "holds", module: "istio" }],
  ["modules/istio/hotfixes.yaml", { kind: "hotfixes", module: "istio" }],
  ["modules/istio/1.0.0/template.yaml", { kind: "version-template", module: "istio", version: "1.0.0" }],
  ["channels", { kind: "folder" }],
  ["channels/fast", { kind: "folder" }],
  ["modules", { kind: "folder" }],
  ["modules/istio", { kind: "folder" }],
  ["modules/istio/1.0.0", { kind: "folder" }],
  ["README.md", undefined],
  ["src/channels/fast.yaml", undefined],
  ["channels/fast/README.md", undefined],
  ["channels/.drafts/istio.yaml", undefined],
  ["channels/fast/.istio.yaml.swp", undefined],
  ["modules/istio/1.0.0/manifest.yaml", undefined],
  ["modules/istio/1.0.0/charts/template.yaml", undefined],
];

const STRAY = [
  "channels/fast.yml",
  "channels/fast.json",
  "channels/fast/istio.yml",
  "channels/fast/istio.YAML",
  "channels/fast/old/istio.yaml",
  "modules/istio.yaml",
  "modules/istio/module.yml",
  "modules/istio/hold.yaml",
  "modules/istio/1.0.0/template.yml",
];

describe("placeOf", () => {
  it.each(PLACES)("knows what %s holds", (path, place) => {
    expect(cataloguePlace(path)).toEqual(place);
  });

  it.each(STRAY)("treats %s as a file in the wrong place", (path) => {
    expect(cataloguePlace(path)).toMatchObject({ kind: "stray" });
  });

  it.each(["holds.yml", "HOLDS.yaml", "hotfix.json", "holds/holds.yaml"])(
    "takes %s for what a person decided",
    (name) => {
      expect(cataloguePlace(`modules/istio/${name}`)).toMatchObject({ kind: "stray", isDecision: true });
      expect(cataloguePlace("modules/istio/owners.yaml")).toMatchObject({ kind: "stray", isDecision: false });
    },
  );

  it("reads back the paths that it makes", () => {
    expect(cataloguePlace(channelFilePath("fast", "istio"))).toMatchObject({ kind: "channel-template" });
    expect(cataloguePlace(versionTemplatePath("istio", "1.0.0"))).toMatchObject({ kind: "version-template" });
  });
});
