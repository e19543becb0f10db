import { describe, expect, it } from "vitest";
import { readLooseFile } from "../../src/catalogue/looseTemplate.ts";
import { mentions } from "../support/mentions.ts";

const TEMPLATE = `apiVersion: operator.kyma-project.io/v1beta2
kind: ModuleTemplate
metadata:
  name: sample-fast
  creationTimestamp: null
spec:
  channel: fast
  moduleName: sample
  version: 1.2.0
  descriptor: {}
`;

/** `module version` of each template, then `rule line: message` of each finding. */
function read(text: string): readonly string[] {
  const { templates, findings } = readLooseFile("a.yaml", { kind: "bytes", bytes: Buffer.from(text) });
  return [
    ...templates.map(({ module, version }) => `${module} ${version}`),
    ...findings.map(({ rule, line, severity, message }) => `${severity} ${rule} ${line}: ${message}`),
  ];
}

describe("a template outside of a catalogue", () => {
  it("names its own module and version, and may have fields of a control plane", () => {
    expect(read(TEMPLATE)).toEqual(["sample 1.2.0"]);
    expect(read(`${TEMPLATE}---\n${TEMPLATE.replace("1.2.0", "1.3.0")}`)).toEqual(["sample 1.2.0", "sample 1.3.0"]);
  });

  it("can have its version in its descriptor, of OCM v2 or v3", () => {
    const versionless = TEMPLATE.replace("  version: 1.2.0\n", "");
    const of = (descriptor: string): readonly string[] => read(versionless.replace("{}", descriptor));
    expect(of("{ component: { version: 1.4.0 } }")).toEqual(["sample 1.4.0"]);
    expect(of("{ metadata: { version: v1.5.0 } }")).toEqual(["sample 1.5.0"]);
    expect(of("{ component: null }")[0]).toContain("error template-version");
  });

  it("can have its module in the label, or in its name", () => {
    const unnamed = TEMPLATE.replace("  moduleName: sample\n", "");
    const labelled = unnamed.replace("  name:", "  labels: { operator.kyma-project.io/module-name: other }\n  name:");
    expect(read(labelled)).toEqual(["other 1.2.0"]);
    expect(read(unnamed)).toEqual(["sample 1.2.0"]);
    const versioned = unnamed.replace("sample-fast", "sample-1.2.0").replace("  channel: fast\n", "");
    expect(read(versioned)).toEqual(["sample 1.2.0"]);
    const nameless = mentions("error module-name 6", "spec.moduleName", "label", "name");
    expect(read(unnamed.replace("sample-fast", "sample"))).toEqual([nameless]);
    expect(read(unnamed.replace("sample-fast", "a-fast"))).toEqual([nameless]);
  });

  it("must have a version, and be valid against its schema", () => {
    expect(read(TEMPLATE.replace("version: 1.2.0", "version: 1.2.0-RC1"))[0]).toContain(
      "error template-version 9: 1.2",
    );
    expect(read(TEMPLATE.replace("  version: 1.2.0\n", ""))[0]).toEqual(
      mentions("error template-version 6", "no version"),
    );
    expect(read(TEMPLATE.replace("  descriptor: {}\n", ""))[0]).toContain("error schema 6: ");
  });
});

it("skips other kinds, with a note", () => {
  expect(read("kind: Deployment\n")).toEqual([
    mentions("note stray-file 1", "ModuleTemplate", "Deployment", "not checked"),
  ]);
  expect(read("- 1\n")).toEqual([mentions("note stray-file 1", "ModuleTemplate", "not checked")]);
});

it("reports why a file cannot be read", () => {
  expect(read("a: [")).toHaveLength(1);
  const { findings } = readLooseFile("a.yaml", { kind: "too-large", size: 2_000_000 });
  expect(findings.map(({ rule }) => rule)).toEqual(["file-size"]);
});
