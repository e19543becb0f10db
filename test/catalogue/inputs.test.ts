import { describe, expect, test } from "vitest";
import { inputsFolder, readInputs, type Inputs } from "../../src/catalogue/inputs.ts";
import { judgeLink, MAX_FILE_BYTES, fileSizeLimit, type SnapshotFile } from "../../src/document/snapshot.ts";
import { mentions } from "../support/mentions.ts";
import { fileOf } from "./repository.ts";

function inputsOf(files: Readonly<Record<string, string | SnapshotFile>>): Inputs {
  const all = Object.entries(files).map(([name, content]): [string, SnapshotFile] => [
    `modules/a/1.0.0/${name}`,
    typeof content === "string" ? fileOf(content) : content,
  ]);
  return readInputs(new Map(all), "a", "1.0.0");
}

const NOTHING = {
  config: undefined,
  defaultCr: undefined,
  security: undefined,
  manifest: undefined,
  samples: [],
  findings: [],
};

function sourceOf({ manifest }: Inputs): string | undefined {
  return manifest !== undefined && "source" in manifest ? manifest.source : undefined;
}

describe("the inputs of a version", () => {
  test("lie in a folder of its own", () => {
    expect(inputsFolder("a", "1.0.0")).toBe("modules/a/1.0.0/");
  });

  test("are manifest.yaml without a configuration, and where the configuration names none", () => {
    expect(inputsOf({ "manifest.yaml": "kind: A\n" }).config).toBeUndefined();
    expect(sourceOf(inputsOf({ "manifest.yaml": "kind: A\n" }))).toBe("modules/a/1.0.0/manifest.yaml");
    expect(sourceOf(inputsOf({ "module-config.yaml": "name: a\n", "manifest.yaml": "kind: A\n" }))).toBe(
      "modules/a/1.0.0/manifest.yaml",
    );
  });

  test("are what the configuration names: a file beside it, or a link", () => {
    const config = "manifest: ././dist/all.yaml\n";
    const inputs = inputsOf({ "module-config.yaml": config, "dist/all.yaml": "kind: A\n" });
    expect(sourceOf(inputs)).toBe("modules/a/1.0.0/dist/all.yaml");
    expect(inputs.config?.value).toEqual({ manifest: "././dist/all.yaml" });
    expect(inputsOf({ "module-config.yaml": "manifest: https://example.com/a.yaml\n" }).manifest).toEqual({
      link: "https://example.com/a.yaml",
    });
  });

  test("have a default CR where the configuration names one that is there", () => {
    const config = fileOf("defaultCR: ./default.yaml\nsecurity: gone.yaml\n");
    const { defaultCr, security } = inputsOf({ "module-config.yaml": config, "default.yaml": "kind: A\n" });
    expect(defaultCr?.value).toEqual({ kind: "A" });
    expect(security).toBeUndefined();
  });

  test("have the samples in the order of their names, and why one cannot be read", () => {
    const { samples } = inputsOf({
      "samples/b.yaml": "kind: B\n",
      "samples/a.yml": "kind: A\n---\na: [",
      "samples/c": "x",
    });
    expect(samples.map(({ source, objects }) => [source, objects.map(({ kind }) => kind)])).toEqual([
      ["modules/a/1.0.0/samples/a.yml", ["A"]],
      ["modules/a/1.0.0/samples/b.yaml", ["B"]],
    ]);
    expect(samples.map(({ findings }) => findings.length)).toEqual([1, 0]);
  });

  test("are not there where the files are missing or cannot be read", () => {
    expect(inputsOf({})).toEqual(NOTHING);
    const { findings, ...others } = inputsOf({ "module-config.yaml": "a: [" });
    expect({ ...others, findings: [] }).toEqual(NOTHING);
    expect(findings).toMatchObject([{ rule: "yaml-syntax", line: 1, column: 5 }]);
  });

  test("are at fault where the configuration names a manifest that is not there", () => {
    for (const name of ["other.yaml", "../1.1.0/manifest.yaml"]) {
      const { manifest } = inputsOf({ "module-config.yaml": `name: a\nmanifest: ${name}\n`, "manifest.yaml": "a: 1" });
      const message = mentions(name, "not", "folder");
      expect(manifest).toMatchObject({ objects: [], findings: [{ rule: "manifest-syntax", line: 2, message }] });
    }
  });

  test("have a manifest of which only the fault is known when it is too large", () => {
    const large = { kind: "too-large", size: 99_999_999 } as const;
    const { manifest } = inputsOf({ "manifest.yaml": large });
    expect(manifest).toMatchObject({ objects: [], hash: "", findings: [{ rule: "file-size", line: 1 }] });
    expect(manifest !== undefined && "objects" in manifest && manifest.mentions("a")).toBe(true);
    expect(JSON.stringify(manifest)).toContain("99999999 bytes, more than 33554432");
  });
});

describe("a file of a snapshot", () => {
  test("may be larger when it is an input of a build", () => {
    expect(fileSizeLimit("channels/fast/a.yaml")).toBe(MAX_FILE_BYTES);
    expect(fileSizeLimit("modules/a/1.0.0/template.yaml")).toBe(MAX_FILE_BYTES);
    expect(fileSizeLimit("modules/a/1.0.0/manifest.yaml")).toBe(32 * MAX_FILE_BYTES);
  });

  test("may not be a link that leads out", () => {
    const { rule, message } = judgeLink("/etc/passwd");
    expect(rule).toBe("file-link");
    expect(message).toContain("/etc/passwd");
  });
});
