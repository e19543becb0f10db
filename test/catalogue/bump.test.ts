import { describe, expect, it } from "vitest";
import { bumpFile, type BumpedFile } from "../../src/catalogue/bump.ts";
import { parseChannelName, parseModuleName } from "../../src/catalogue/names.ts";
import { readChannelTemplate } from "../../src/catalogue/templateFile.ts";
import { parseVersion } from "../../src/catalogue/version.ts";
import { readYaml } from "../../src/document/yaml/read.ts";
import { mentions } from "../support/mentions.ts";
import { channelTemplate, versionTemplate } from "./repository.ts";

const [module, version, channel] = [parseModuleName("istio"), parseVersion("1.1.0"), parseChannelName("fast")];
if (module === undefined || version === undefined || channel === undefined) throw new Error("these are names");
const target = { module, version, channel };

function bump(text: string): ReturnType<typeof bumpFile> {
  return bumpFile(target, { name: "template.yaml", content: Buffer.from(text) });
}

function bumped(text: string): BumpedFile {
  const file = bump(text);
  if (file.kind === "refused") throw new Error(file.why);
  return file;
}

const MINIMAL = `apiVersion: operator.kyma-project.io/v1beta2
kind: ModuleTemplate
metadata:
  name: whatever
spec:
  moduleName: istio
  descriptor: {}
`;

describe("the channel file of a bump", () => {
  it("is the template of a version with only its channel and name changed", () => {
    const { path, text, edits } = bumped(versionTemplate("istio", "1.1.0").replace("spec:", "# kept\nspec:"));

    expect(path).toBe("channels/fast/istio.yaml");
    expect(text).toBe(
      channelTemplate("fast", "istio", "1.1.0")
        .replace("  channel: fast\n", "")
        .replace("spec:\n", "# kept\nspec:\n  channel: fast\n"),
    );
    expect(edits.map(({ kind, field, was, value }) => [kind, field, was, value])).toEqual([
      ["changed", "metadata.name", "istio-1.1.0", "istio-fast"],
      ["filled", "spec.channel", undefined, "fast"],
    ]);
  });

  it("is the template itself when it needs no edits", () => {
    expect(bumped(channelTemplate("fast", "istio", "1.1.0"))).toEqual({
      kind: "file",
      path: "channels/fast/istio.yaml",
      text: channelTemplate("fast", "istio", "1.1.0"),
      edits: [],
    });
  });

  it.each([
    ["spec.version", MINIMAL.replace("  descriptor", "  version: 1.1.0\n  descriptor")],
    [
      "the annotation",
      MINIMAL.replace(
        "  name: whatever",
        "  name: whatever\n  annotations:\n    operator.kyma-project.io/module-version: 1.1.0",
      ),
    ],
    ["the descriptor", MINIMAL.replace("{}", "\n    component:\n      version: v1.1.0").replace(": \n", ":\n")],
  ])("has all that lifecycle-manager wants, where only %s has the version", (_, text) => {
    const { path, text: made } = bumped(text);
    const reading = readYaml(path, { kind: "bytes", bytes: Buffer.from(made) });

    if (reading.kind === "refused") throw new Error("it cannot be read");
    expect(readChannelTemplate(reading.file, "fast", "istio")).toMatchObject({
      findings: [],
      template: {
        module: "istio",
        version: "1.1.0",
        channel: "fast",
        object: { metadata: { namespace: "kcp-system" } },
      },
    });
  });

  it("leaves out the fields that a control plane sets", () => {
    const { text } = bumped(
      channelTemplate("fast", "istio", "1.1.0").replace("  labels:", "  uid: abc\n  labels:") +
        "status:\n  state: Ready\n",
    );

    expect(text).toBe(channelTemplate("fast", "istio", "1.1.0"));
  });

  it("refers to the schema for editors relative to its own folder", () => {
    const head = "# yaml-language-server: $schema=../../../schemas/moduletemplate.schema.json\n";

    expect(bumped(head + versionTemplate("istio", "1.1.0")).text.split("\n")[0]).toBe(
      "# yaml-language-server: $schema=../../schemas/moduletemplate.schema.json",
    );
  });

  it("can be made from the item of a list", () => {
    const item = versionTemplate("istio", "1.1.0").trimEnd().split("\n").join("\n    ");

    expect(bumped(`apiVersion: v1\nkind: List\nitems:\n  - ${item}\n`).text).toContain("name: istio-fast");
  });

  it("is the same when it is made from itself", () => {
    const once = bumped(versionTemplate("istio", "1.1.0"));

    expect(bumped(once.text)).toEqual({ ...once, edits: [] });
  });
});

describe("a template is refused", () => {
  const refusal = (text: string): string | undefined => {
    const file = bump(text);
    return file.kind === "refused" ? file.why : undefined;
  };

  it.each<[string, string, readonly string[]]>([
    ["of another version", versionTemplate("istio", "1.0.0"), ["istio 1.0.0", "1.1.0"]],
    ["of another module", versionTemplate("serverless", "1.1.0"), ["serverless", "istio"]],
    [
      "whose label names another module",
      versionTemplate("istio", "1.1.0").replace("module-name: istio", "module-name: serverless"),
      ["serverless", "istio"],
    ],
    [
      "that names no module",
      MINIMAL.replace("  moduleName: istio\n", ""),
      ["no module", "spec.moduleName", "operator.kyma-project.io/module-name"],
    ],
    ["without a version", MINIMAL, ["no version", "spec.version", "annotation", "descriptor"]],
    [
      "without a version and without a descriptor",
      MINIMAL.replace(/ {2}descriptor:[^]*$/, ""),
      ["no version", "spec.version", "annotation", "descriptor"],
    ],
    [
      "beside another one",
      [versionTemplate("istio", "1.1.0"), versionTemplate("istio", "1.0.0")].join("---\n"),
      ["2 ModuleTemplates", "one"],
    ],
    ["when it is another object", "kind: Secret\napiVersion: v1\n", ["no ModuleTemplate", "Secret (v1)"]],
    ["when the file is empty", "", ["no ModuleTemplate"]],
  ])("%s", (_, text, parts) => {
    expect(refusal(text)).toEqual(mentions(...parts));
  });

  it("with the line that makes it unreadable", () => {
    expect(refusal(`${versionTemplate("istio", "1.1.0")}  version: 1.1.0\n  version: 1.1.0\n`)).toMatch(
      /line 15|Line 15/,
    );
  });
});
