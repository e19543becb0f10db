import { describe, expect, it } from "vitest";
import { specHash, type ModuleTemplate } from "../../src/catalogue/template.ts";
import { readChannelTemplate, readVersionTemplate } from "../../src/catalogue/templateFile.ts";
import { mentions } from "../support/mentions.ts";
import { channelTemplate, places, versionTemplate, yamlFile } from "./repository.ts";

const CHANNEL_FILE = "channels/fast/istio.yaml";
const VERSION_FILE = "modules/istio/1.0.0/template.yaml";

/** What is wrong with the file of module istio in channel fast, after an edit. */
function judge(from: string, to: string): readonly string[] {
  const text = channelTemplate("fast").replace(from, to);
  const { findings } = readChannelTemplate(yamlFile(CHANNEL_FILE, text), "fast", "istio");
  return places(findings).map((place) => place.replace(`${CHANNEL_FILE}:`, ""));
}

function judgeVersion(from: string, to: string): readonly string[] {
  const text = versionTemplate().replace(from, to);
  const { findings } = readVersionTemplate(yamlFile(VERSION_FILE, text), "istio", "1.0.0");
  return places(findings).map((place) => place.replace(`${VERSION_FILE}:`, ""));
}

describe("a channel's file", () => {
  it("gives the template that the channel serves", () => {
    const file = yamlFile(CHANNEL_FILE, channelTemplate("fast"));

    expect(readChannelTemplate(file, "fast", "istio")).toEqual({
      template: { module: "istio", version: "1.0.0", channel: "fast", file, object: file.value },
      findings: [],
    });
  });

  it.each([
    ["has another name", "name: istio-fast", "name: istio-regular", "4:9 place-name"],
    ["is named as a version is", "name: istio-fast", "name: istio-1.0.0", "4:9 place-name"],
    ["is labelled as another module", "module-name: istio", "module-name: keda", "7:43 place-module"],
    ["has no label", "  labels:\n    operator.kyma-project.io/module-name: istio\n", "", "3:1 place-module"],
    ["names another channel", "channel: fast", "channel: regular", "9:12 place-channel"],
    ["names the channel none", "channel: fast", "channel: none", "9:12 place-channel"],
    ["names no channel", "  channel: fast\n", "", "8:1 place-channel"],
    ["names another module", "moduleName: istio", "moduleName: keda", "10:15 place-module"],
    ["names a module that can be none", "moduleName: istio", "moduleName: a-b", "10:15 schema", "10:15 place-module"],
    ["names no module", "  moduleName: istio\n", "", "8:1 place-module"],
    ["has a version with a v", "version: 1.0.0\n  desc", "version: v1.0.0\n  desc", "11:12 schema"],
    ["has a version in upper case", "version: 1.0.0\n  desc", "version: 1.0.0-RC1\n  desc", "11:12 template-version"],
    ["has a version that ends with a hyphen", "version: 1.0.0\n", "version: 1.0.0-rc-\n", "11:12 template-version"],
    ["has no version", "  version: 1.0.0\n  desc", "  desc", "8:1 template-version"],
    ["has an empty version", "version: 1.0.0\n  desc", 'version: ""\n  desc', "11:3 template-version"],
    ["has a version that is a number", "version: 1.0.0\n  desc", "version: 1.5\n  desc", "11:12 schema"],
    ["is a Kyma", "kind: ModuleTemplate", "kind: Kyma", "2:7 schema"],
    ["has no descriptor", "  descriptor:\n", "  data:\n", "8:1 schema", "12:3 schema", "12:3 schema"],
  ])("that %s is refused at that place", (_, from, to, ...expected) => {
    expect(judge(from, to)).toEqual(expected);
  });

  it("is told what is wrong with its place even when the schema refuses it", () => {
    const text = channelTemplate("regular", "keda").replace("  descriptor:", "  descriptr:");
    const { template, findings } = readChannelTemplate(yamlFile(CHANNEL_FILE, text), "fast", "istio");

    expect(template).toBeUndefined();
    expect(places(findings).map((place) => place.replace(`${CHANNEL_FILE}:`, ""))).toEqual([
      "12:3 schema",
      "8:1 schema",
      "4:9 place-name",
      "9:12 place-channel",
      "10:15 place-module",
      "7:43 place-module",
    ]);
  });

  it.each([
    ["channel none", "none", "istio", "channel-name", mentions("3 to 32")],
    ["channel in upper case", "Fast", "istio", "channel-name", mentions("3 to 32")],
    ["module a-b", "fast", "a-b", "module-name", mentions("three or more")],
    ["module with digits", "fast", "istio2", "module-name", mentions("three or more")],
  ])("of %s is refused, with the rule for names", (_, channel, module, rule, remedy) => {
    const { template, findings } = readChannelTemplate(yamlFile("a.yaml", channelTemplate("fast")), channel, module);

    expect(template).toBeUndefined();
    expect(findings).toMatchObject([{ rule, remedy }]);
  });

  it("says what is there, what must be there, and what to do", () => {
    const text = channelTemplate("regular");
    const { findings } = readChannelTemplate(yamlFile(CHANNEL_FILE, text), "fast", "istio");

    expect(findings[0]).toMatchObject({
      message: mentions("metadata.name", "istio-regular", "istio-fast"),
      remedy: mentions("istio-fast", "move"),
    });
  });

  it("is served with a warning where other places of the file give another version", () => {
    const text = channelTemplate("fast")
      .replace("  version: 1.0.0", "  version: 1.1.0")
      .replace("  labels:", "  annotations:\n    operator.kyma-project.io/module-version: 1.0.1\n  labels:");
    const { template, findings } = readChannelTemplate(yamlFile(CHANNEL_FILE, text), "fast", "istio");

    expect(template?.version).toBe("1.1.0");
    expect(places(findings)).toEqual([
      `${CHANNEL_FILE}:7:46 template-version-copy (warning)`,
      `${CHANNEL_FILE}:17:16 template-version-copy (warning)`,
    ]);
    expect(findings[1]).toMatchObject({
      message: mentions("spec.version", "1.1.0", "spec.descriptor.component.version", "1.0.0"),
      remedy: mentions("1.1.0"),
    });
  });

  it("may write the version of its component with a v, or embed no component", () => {
    expect(judge("      version: 1.0.0", "      version: v1.0.0")).toEqual([]);
    expect(
      judge(
        "  descriptor:\n    component:\n",
        "  descriptor: {}\n  data:\n    apiVersion: v1\n    kind: A\n    spec:\n",
      ),
    ).toEqual([]);
    expect(judge("      version: 1.0.0", "      version: [1]")).toEqual([]);
    expect(judge("      name: kyma-project.io/module/istio\n", "")).toEqual([]);
  });
});

describe("a version's file", () => {
  it("gives a template without a channel", () => {
    const file = yamlFile(VERSION_FILE, versionTemplate());

    expect(readVersionTemplate(file, "istio", "1.0.0")).toEqual({
      template: { module: "istio", version: "1.0.0", channel: undefined, file, object: file.value },
      findings: [],
    });
  });

  it.each([
    ["is named as a channel's is", "name: istio-1.0.0", "name: istio-fast", "4:9 place-name"],
    ["stands in a channel", "spec:\n", "spec:\n  channel: fast\n", "9:12 place-channel"],
    ["is labelled as another module", "module-name: istio", "module-name: keda", "7:43 place-module"],
    ["names another module", "moduleName: istio", "moduleName: keda", "9:15 place-module"],
    [
      "has another version",
      "  version: 1.0.0\n",
      "  version: 1.0.1\n",
      "10:12 place-version",
      "14:16 template-version-copy (warning)",
    ],
    ["is not a template", "kind: ModuleTemplate", "kind: ModuleReleaseMeta", "2:7 schema"],
  ])("that %s is refused at that place", (_, from, to, ...expected) => {
    expect(judgeVersion(from, to)).toEqual(expected);
  });

  it.each([
    ["a folder that is not a version", "istio", "1.0.0-RC1", ["place-name", "place-version", "template-version"]],
    ["a folder that is not a module", "a-b", "1.0.0", ["module-name"]],
  ])("in %s is refused", (_, module, version, rules) => {
    const text = versionTemplate().replace("  version: 1.0.0\n", "  version: 1.0.0-RC2\n");
    const { template, findings } = readVersionTemplate(yamlFile("a.yaml", text), module, version);

    expect(template).toBeUndefined();
    expect(findings.map(({ rule }) => rule)).toEqual(rules);
  });
});

describe("specHash", () => {
  const objectOf = (text: string): ModuleTemplate => {
    const { template } = readChannelTemplate(yamlFile(CHANNEL_FILE, text), "fast", "istio");
    if (template === undefined) throw new Error("no template");
    return template.object;
  };
  const hash = (from = "", to = ""): string => specHash(objectOf(channelTemplate("fast").replace(from, to)));
  const annotated = (line: string): string => hash("  labels:\n", `  annotations:\n    ${line}\n  labels:\n`);

  it("is equal for the file of a channel, of another, and of the version", () => {
    const version = readVersionTemplate(yamlFile(VERSION_FILE, versionTemplate()), "istio", "1.0.0").template;
    const regular = readChannelTemplate(yamlFile("r", channelTemplate("regular")), "regular", "istio").template;

    expect(version && specHash(version.object)).toBe(hash());
    expect(regular && specHash(regular.object)).toBe(hash());
  });

  it.each([
    ["spec.mandatory", hash("spec:\n", "spec:\n  mandatory: true\n")],
    ["our own annotations", annotated("kyma-modules/desired: sha256:1")],
    ["our own labels", hash("  labels:\n", "  labels:\n    kyma-modules/part: a\n")],
    ["the namespace", hash("namespace: kcp-system", "namespace: kcp")],
    ["the order of keys", hash("  moduleName: istio\n  version: 1.0.0\n", "  version: 1.0.0\n  moduleName: istio\n")],
    ["comments and quotes", hash("channel: fast", "# served\n  channel: 'fast'")],
    ["members that are null", hash("spec:\n", "spec:\n  manager: null\n")],
  ])("does not depend on %s", (_, changed) => {
    expect(changed).toBe(hash());
  });

  it.each([
    ["the version", hash("  version: 1.0.0\n", "  version: 1.0.1\n")],
    ["the default custom resource", hash("spec:\n", "spec:\n  data: { apiVersion: v1, kind: A }\n")],
    ["the descriptor", hash("      version: 1.0.0\n", "      version: 1.0.1\n")],
    ["a foreign label", hash("  labels:\n", "  labels:\n    operator.kyma-project.io/beta: 'true'\n")],
    ["a foreign annotation", annotated("operator.kyma-project.io/doc-url: https://kyma-project.io")],
  ])("depends on %s", (_, changed) => {
    expect(changed).not.toBe(hash());
  });
});
