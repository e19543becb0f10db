import { describe, expect, test } from "vitest";
import { BUMP, edit, FAST, MODULE, SAMPLE, type ExampleFiles } from "../../../../src/check/example.ts";
import { descriptorInputs } from "../../../../src/check/rules/descriptor/inputs.ts";
import { contextOf, said } from "../../contexts.ts";
import { mentions } from "../../../support/mentions.ts";

const CONFIG = "modules/sample/1.2.0/module-config.yaml";
const CONFIG_TEXT = textOf(descriptorInputs.good.change[CONFIG]);
const TEMPLATE = String(BUMP[FAST]);

function textOf(content: ExampleFiles[string]): string {
  return typeof content === "string" ? content : "";
}

async function judged(config: string, template = TEMPLATE, base: ExampleFiles = {}): Promise<readonly string[]> {
  const change = { ...descriptorInputs.good.change, [CONFIG]: config, [FAST]: template };
  const texts = said(descriptorInputs, await contextOf({ base, change }));
  return texts.map((text) => text.replace(`${FAST}:`, "").replace(`according to ${CONFIG} `, ""));
}

/** The line of the template that holds `text`. */
function lineOf(text: string, template = TEMPLATE): number {
  return template.split("\n").findLastIndex((line) => line.includes(text)) + 1;
}

describe("the name in the inputs", () => {
  test("is that of the component, or of the module alone", async () => {
    const named = async (name: string, base: ExampleFiles = {}): Promise<readonly string[]> =>
      judged(edit(CONFIG_TEXT, "name: example.com/module/sample\n", name), TEMPLATE, base);
    expect(await named("name: sample\n")).toEqual([]);
    expect(await named("")).toEqual([]);
    expect(await named("name: example.com/sample\n")).toEqual([
      `${lineOf("moduleName")} error ${CONFIG} describes example.com/sample, but this is example.com/module/sample.`,
    ]);
    const base = { [MODULE]: edit(String(SAMPLE[MODULE]), "ocmComponentName: example.com/module/sample\n", "") };
    expect(await named("name: example.com/sample\n", base)).toEqual([]);
    expect(await named("name: example.com/other\n", base)).toEqual([
      mentions(`${lineOf("moduleName")} error ${CONFIG}`, "example.com/other", "sample"),
    ]);
  });
});

describe("a field of the template", () => {
  test.each<[string, string, unknown]>([
    ["version: 1.2.0", "version: 1.3.0", mentions("spec.version", "1.2.0", "1.3.0")],
    [
      "repository: https://github.com/sample/sample",
      "repository: https://example.com/s",
      mentions("spec.info.repository", "https://github.com/sample/sample", "https://example.com/s"),
    ],
    [
      "documentation: https://sample.example.com",
      "icons: [{ name: a, link: https://b }]",
      mentions("spec.info.icons", "missing", '[{"name":"a","link":"https://b"}]'),
    ],
    ["name: sample-manager", "name: other", mentions("spec.manager.name", "sample-manager", "other")],
    ["/1.2.0/", "/1.1.0/", mentions("spec.resources[name=rawManifest].link", "sample.yaml")],
    ["name: rawManifest", "name: other", mentions("spec.resources[name=other]", "missing")],
    ["manifest: manifest.yaml", "requiresDowntime: true", mentions("spec.requiresDowntime", "missing", "true")],
    ["manifest: manifest.yaml", "beta: true", mentions('operator.kyma-project.io/beta"]', "missing", "true")],
    ["manifest: manifest.yaml", "labels: { a: 1 }", mentions("metadata.labels.a", "missing", "1")],
    ["manifest: manifest.yaml", "annotations: { a: b }", mentions("metadata.annotations", "missing", '{"a":"b"}')],
    [
      "manifest: manifest.yaml",
      "associatedResources: [{ group: a, version: b, kind: c }]",
      mentions("spec.associatedResources", "missing"),
    ],
  ])("that differs from %s → %s is reported", async (from, to, message) => {
    const found = await judged(edit(CONFIG_TEXT, from, to));
    expect(found.map((text) => text.replace(/^\d+ error /, ""))).toContainEqual(message);
  });

  test("is reported at its place, in lists and in maps", async () => {
    expect(await judged(edit(CONFIG_TEXT, "/1.2.0/", "/1.1.0/"))).toEqual([
      expect.stringMatching(`^${lineOf("link:")} error spec`),
    ]);
    expect(await judged(edit(CONFIG_TEXT, "defaultCR: default-cr.yaml\n", ""))).toEqual([
      mentions(`${lineOf("  data:")} error`, "spec.data", '"def…', "missing"),
    ]);
  });

  test("may be written in another order, empty instead of missing, or false instead of missing", async () => {
    const more = "associatedResources:\n  - { group: a, version: b, kind: c }\n  - { group: d, version: e, kind: f }\n";
    const reversed =
      "  associatedResources:\n  - { group: d, version: e, kind: f }\n  - { group: a, version: b, kind: c }\n";
    const wrote = edit(TEMPLATE, "  descriptor: {}\n", `  descriptor: {}\n  requiresDowntime: false\n${reversed}`);
    expect(await judged(CONFIG_TEXT + more, wrote)).toEqual([]);
    expect(await judged(`${CONFIG_TEXT}associatedResources: []\n`)).toEqual([]);
    expect(
      await judged(`${CONFIG_TEXT}requiresDowntime: true\n`, edit(wrote, "Downtime: false", "Downtime: true")),
    ).toEqual([expect.stringContaining("spec.associatedResources is")]);
  });

  test("is not a default CR where the inputs have none", async () => {
    const data = / {2}data:\n( {4}.*\n)+/.exec(TEMPLATE)?.[0] ?? "";
    const without = edit(CONFIG_TEXT, "defaultCR: default-cr.yaml\n", "");
    expect(await judged(without, edit(TEMPLATE, data, ""))).toEqual([]);
  });

  test("is not compared with a field that an old configuration lacks", async () => {
    expect(await judged(edit(CONFIG_TEXT, "version: 1.2.0\nmanifest", "manifest"))).toEqual([]);
    const bare = edit(TEMPLATE, / {2}info:\n( {4}.*\n)+/.exec(TEMPLATE)?.[0] ?? "", "");
    expect(await judged(CONFIG_TEXT, bare)).toEqual([mentions("spec.info", "missing")]);
  });

  test("links a manifest that lies behind an address", async () => {
    const link = "https://github.com/sample/sample/releases/download/1.2.0/sample.yaml";
    const without = CONFIG_TEXT.slice(0, CONFIG_TEXT.indexOf("resources:"));
    expect(await judged(edit(without, "manifest: manifest.yaml", `manifest: ${link}`))).toEqual([]);
    expect(await judged(edit(CONFIG_TEXT, "manifest: manifest.yaml", "manifest: https://example.com/a"))).toEqual([]);
    expect(await judged(edit(CONFIG_TEXT, "manifest: manifest.yaml\n", ""))).toEqual([]);
  });
});

test("a version whose inputs were not gathered is not compared", async () => {
  const context = await contextOf(descriptorInputs.bad);
  expect(said(descriptorInputs, { ...context, facts: { ...context.facts, inputs: new Map() } })).toEqual([]);
});

test("an input that cannot be read is one error, where it is wrong", async () => {
  expect(await judged("a: [")).toEqual([mentions(`${CONFIG}:1 error`, "not YAML")]);
  const path = CONFIG.replace("module-config", "default-cr");
  const change = { ...descriptorInputs.good.change, [path]: "a: [" };
  expect(said(descriptorInputs, await contextOf({ change }))).toEqual([mentions(`${path}:1 error`, "not YAML")]);
});

describe("the default CR", () => {
  test("is not compared where the repository does not hold it", async () => {
    expect(await judged(edit(CONFIG_TEXT, "default-cr.yaml", "https://example.com/cr.yaml"))).toEqual([
      mentions("not run", "https://example.com/cr.yaml", "default CR", CONFIG),
    ]);
  });
});

test("labels that a channel or a path decides are not compared with the inputs", async () => {
  const labels = 'labels:\n    operator.kyma-project.io/mandatory-module: "true"\n';
  expect(await judged(CONFIG_TEXT, edit(TEMPLATE, "labels:\n", labels))).toEqual([]);
  const beta = 'labels:\n    operator.kyma-project.io/beta: "true"\n';
  expect(await judged(CONFIG_TEXT, edit(TEMPLATE, "labels:\n", beta))).toEqual([
    mentions('metadata.labels["operator.kyma-project.io/beta"]', "true", "missing"),
  ]);
});
