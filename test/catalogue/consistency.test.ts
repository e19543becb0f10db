import { describe, expect, it } from "vitest";
import { mentions } from "../support/mentions.ts";
import {
  catalogueOf,
  channelTemplate,
  findingsOf,
  MANDATORY_POLICY,
  places,
  POLICY,
  REPOSITORY,
  SETTINGS,
  versionTemplate,
} from "./repository.ts";

const problems = (files: Readonly<Record<string, string>>): readonly string[] => places(findingsOf(files));

describe("landscapes", () => {
  const settings = (...lines: readonly string[]): string =>
    ["format: 1", "landscapes:", ...lines.map((line) => `  - { ${line}, controlPlane: { embedded: true } }`), ""].join(
      "\n",
    );

  it("must have unique names", () => {
    const files = {
      ...REPOSITORY,
      "kyma-modules.yaml": settings("name: dev", "name: prod", "name: dev", "name: prod"),
    };

    expect(problems(files)).toEqual([
      "kyma-modules.yaml:5:13 landscape-duplicate",
      "kyma-modules.yaml:6:13 landscape-duplicate",
    ]);
  });

  it("must come after one that is listed before them", () => {
    const files = {
      ...REPOSITORY,
      "kyma-modules.yaml": settings(
        "name: dev, after: { landscape: prod }",
        "name: prod, after: { landscape: prod }",
        "name: last, after: { landscape: stage }",
      ),
    };

    expect(problems(files)).toEqual([
      "kyma-modules.yaml:3:38 landscape-after",
      "kyma-modules.yaml:4:39 landscape-after",
      "kyma-modules.yaml:5:39 landscape-after",
    ]);
    expect(findingsOf(files)[0]?.message).toEqual(mentions("dev", "prod"));
  });

  it("must soak for as long as a version that never starts may be Ready", () => {
    const soaking = (fields: string, controlPlane = "{ context: prod }"): readonly string[] => {
      const prod = `  - { name: prod, controlPlane: ${controlPlane}, after: { landscape: dev${fields} } }\n`;
      const files = { ...REPOSITORY, "kyma-modules.yaml": `${settings("name: dev")}${prod}` };
      return findingsOf(files).map(({ rule, severity, message }) => {
        expect(message).toEqual(mentions("prod", "dev", "5 minutes"));
        return `${rule} ${severity}`;
      });
    };
    const [error, warning] = ["landscape-soak error", "landscape-soak warning"];

    for (const short of ["", ", soak: 0s", ", soak: 299s"]) expect(soaking(short)).toEqual([error]);
    expect(soaking(", soak: 5m, hotfixSoak: 0m")).toEqual([warning]);
    expect(soaking(", soak: 1m, hotfixSoak: 2m")).toEqual([error, warning]);
    for (const fine of [", soak: 5m", ", soak: 1m, shortSoakReason: for tests"]) expect(soaking(fine)).toEqual([]);
    expect(soaking("", "{ embedded: true }")).toEqual([]);
  });
});

describe("a channel", () => {
  it("must have a policy; a missing one is reported once, not for each file", () => {
    const files = {
      ...REPOSITORY,
      "channels/regular/istio.yaml": channelTemplate("regular"),
      "channels/regular/keda.yaml": channelTemplate("regular", "keda"),
    };

    expect(problems(files)).toEqual(["channels/regular/istio.yaml:1:1 channel-policy"]);
    expect(findingsOf(files)[0]).toMatchObject({
      message: mentions("regular", "no policy"),
      remedy: mentions("channels/regular.yaml"),
    });
  });

  it("with a broken policy has one", () => {
    const files = {
      ...REPOSITORY,
      "channels/fast.yaml": "format: 1\nlandscapes: dev\n",
      "channels/regular.yaml": `${POLICY}follows: fast\n`,
    };

    expect(problems(files)).toEqual(["channels/fast.yaml:2:13 schema"]);
  });

  it("must be served in existing landscapes", () => {
    const files = { ...REPOSITORY, "channels/fast.yaml": "format: 1\nlandscapes: [stage, dev, test]\n" };

    expect(problems(files)).toEqual([
      "channels/fast.yaml:2:14 channel-landscape",
      "channels/fast.yaml:2:26 channel-landscape",
    ]);
    expect(findingsOf(files)[0]?.remedy).toEqual(mentions("dev, prod"));
  });

  it.each([
    ["a release channel", `${POLICY}kind: release\n`, ["channels/mandatory.yaml:3:7 channel-reserved"]],
    ["a channel without a kind", POLICY, ["channels/mandatory.yaml:1:1 channel-reserved"]],
  ])("named mandatory cannot be %s", (_, policy, expected) => {
    expect(problems({ ...REPOSITORY, "channels/mandatory.yaml": policy })).toEqual(expected);
    expect(problems({ ...REPOSITORY, "channels/mandatory.yaml": MANDATORY_POLICY })).toEqual([]);
  });

  it("is not checked for its landscapes when the settings are unreadable", () => {
    expect(
      problems({ ...REPOSITORY, "kyma-modules.yaml": "format: one\n" }).map((place) => place.split(" ")[1]),
    ).toEqual(["schema", "schema"]);
  });

  it.each([
    ["a channel that does not exist", { regular: "slow" }, ["channels/regular.yaml:3:10 channel-follows"]],
    ["a mandatory channel", { regular: "must" }, ["channels/regular.yaml:3:10 channel-follows"]],
    ["itself", { regular: "regular" }, ["channels/regular.yaml:3:10 channel-follows"]],
    [
      "a circle",
      { regular: "slow", slow: "late", late: "regular" },
      ["channels/late.yaml:3:10", "channels/regular.yaml:3:10", "channels/slow.yaml:3:10"].map(
        (at) => `${at} channel-follows`,
      ),
    ],
    [
      "a channel that leads into a circle",
      { slow: "slow", regular: "slow" },
      ["channels/slow.yaml:3:10 channel-follows"],
    ],
    ["a channel that follows another", { regular: "fast", slow: "regular" }, []],
  ])("that follows %s", (_, follows: Readonly<Record<string, string>>, expected: readonly string[]) => {
    const policies = Object.fromEntries(
      Object.entries(follows).map(([name, followed]) => [`channels/${name}.yaml`, `${POLICY}follows: ${followed}\n`]),
    );
    const files = { ...REPOSITORY, "channels/must.yaml": MANDATORY_POLICY, ...policies };

    expect(problems(files)).toEqual(expected);
  });

  it("must exist, or nothing can be served", () => {
    expect(problems({ "kyma-modules.yaml": `# comment\n${SETTINGS}` })).toEqual([
      "kyma-modules.yaml:2:1 channel-missing",
    ]);
    expect(problems({ "kyma-modules.yaml": SETTINGS, "channels/fast/istio.yaml": channelTemplate("fast") })).toEqual([
      "channels/fast/istio.yaml:1:1 channel-policy",
    ]);
  });
});

describe("a mandatory module", () => {
  const files = {
    ...REPOSITORY,
    "channels/must.yaml": MANDATORY_POLICY,
    "channels/must/keda.yaml": channelTemplate("must", "keda"),
  };

  it("is in its channel, and may have version templates", () => {
    expect(problems({ ...files, "modules/keda/0.9.0/template.yaml": versionTemplate("keda", "0.9.0") })).toEqual([]);
  });

  it("must not be in a release channel, too: both files are reported", () => {
    const contradiction = { ...files, "channels/fast/keda.yaml": channelTemplate("fast", "keda", "2.0.0") };

    expect(problems(contradiction)).toEqual([
      "channels/fast/keda.yaml:1:1 module-mandatory",
      "channels/must/keda.yaml:1:1 module-mandatory",
    ]);
    expect(findingsOf(contradiction)[0]?.message).toContain("channels/fast/keda.yaml, channels/must/keda.yaml");
  });

  it("must be in one mandatory channel only", () => {
    const twice = {
      ...files,
      "channels/always.yaml": MANDATORY_POLICY,
      "channels/always/keda.yaml": channelTemplate("always", "keda"),
    };

    expect(problems(twice)).toEqual([
      "channels/always/keda.yaml:1:1 module-mandatory",
      "channels/must/keda.yaml:1:1 module-mandatory",
    ]);
  });
});

describe("one version in several files", () => {
  const regular = { "channels/regular.yaml": POLICY, "channels/regular/istio.yaml": channelTemplate("regular") };
  const changed = (text: string): string => text.replace("  descriptor:", "  requiresDowntime: true\n  descriptor:");
  const other = {
    "channels/fast/keda.yaml": channelTemplate("fast", "keda"),
    "channels/regular/keda.yaml": channelTemplate("regular", "keda", "1.1.0"),
  };

  it("is valid when the content is equal", () => {
    const files = { ...REPOSITORY, ...regular, "modules/istio/1.0.0/template.yaml": versionTemplate() };

    expect(catalogueOf(files)).toMatchObject({ findings: [], withheld: new Set() });
  });

  it("with different content in two channels withholds the module, and reports both files", () => {
    const files = {
      ...REPOSITORY,
      ...regular,
      ...other,
      "channels/regular/istio.yaml": changed(channelTemplate("regular")),
    };
    const { findings, withheld } = catalogueOf(files);

    expect(places(findings)).toEqual([
      "channels/fast/istio.yaml:11:12 version-content",
      "channels/regular/istio.yaml:11:12 version-content",
    ]);
    expect(findings[0]?.message).toEqual(mentions("istio 1.0.0", "channels/regular/istio.yaml", "not synced"));
    expect([...withheld]).toEqual(["istio"]);
  });

  it("with different content under modules/ is a warning", () => {
    const files = { ...REPOSITORY, "modules/istio/1.0.0/template.yaml": changed(versionTemplate()) };
    const { findings, withheld } = catalogueOf(files);

    expect(places(findings)).toEqual([
      "channels/fast/istio.yaml:11:12 version-content (warning)",
      "modules/istio/1.0.0/template.yaml:10:12 version-content (warning)",
    ]);
    expect(findings[0]?.message).toEqual(
      mentions("istio 1.0.0", "modules/istio/1.0.0/template.yaml", "channel's file", "served"),
    );
    expect([...withheld]).toEqual([]);
  });

  it("may differ from every file in one version and agree in another", () => {
    const files = {
      ...REPOSITORY,
      ...regular,
      "modules/istio/1.0.0/template.yaml": versionTemplate(),
      "modules/istio/0.9.0/template.yaml": changed(versionTemplate("istio", "0.9.0")),
    };

    expect(catalogueOf(files).findings).toEqual([]);
  });
});
