import { describe, expect, it } from "vitest";
import type { ImportInput } from "../../../src/catalogue/import/result.ts";
import {
  complete,
  file,
  importAll,
  only,
  parseAfter,
  paths,
  reasons,
  releaseMeta,
  textsAfter,
  written,
} from "./samples.ts";

const variant = (repository: string) => ({ info: { repository, documentation: "" } });
const istio = (version: string, spec: object = {}) => complete("istio", version, { ...spec });
const fast = (name: string, repository: string, changedMs?: number): ImportInput =>
  file(name, istio("1.0.0", { channel: "fast", ...variant(repository) }), changedMs);

describe("a ModuleReleaseMeta", () => {
  const serves = (channel: string, version: string, name = `${channel}.yaml`): ImportInput =>
    file(name, releaseMeta("istio", { channels: [{ channel, version }] }));

  it("puts a version into the channels that it names", () => {
    const meta = releaseMeta("istio", {
      channels: [
        { channel: "fast", version: "1.1.0" },
        { channel: "regular", version: "1.0.0" },
      ],
    });
    const decision = importAll([file("a.yaml", istio("1.0.0")), file("b.yaml", istio("1.1.0")), file("m.yaml", meta)]);

    expect(written(decision).map(({ path, from, releasedBy }) => [path, from, releasedBy])).toEqual([
      ["channels/fast/istio.yaml", "b.yaml", ["m.yaml"]],
      ["channels/regular/istio.yaml", "a.yaml", ["m.yaml"]],
      ["modules/istio/1.0.0/template.yaml", "a.yaml", []],
      ["modules/istio/1.1.0/template.yaml", "b.yaml", []],
    ]);
    expect(written(decision)[0]?.edits.map(({ kind, field, value }) => `${kind} ${field} ${value ?? ""}`)).toEqual([
      "changed metadata.name istio-fast",
      "filled spec.channel fast",
    ]);
    expect(parseAfter(decision)).toMatchObject({ kind: "catalogue", catalogue: { findings: [] } });
  });

  it("puts a version into the mandatory channel", () => {
    const meta = file("m.yaml", releaseMeta("istio", { mandatory: { version: "1.0.0" } }));

    expect(paths(importAll([file("a.yaml", istio("1.0.0")), meta]))).toEqual([
      "channels/mandatory/istio.yaml",
      "modules/istio/1.0.0/template.yaml",
    ]);
  });

  it("takes a version from the repository, or from another channel's template", () => {
    const before = textsAfter(importAll([file("a.yaml", istio("1.0.0"))]));

    expect(paths(importAll([serves("fast", "1.0.0")], {}, before))).toEqual(["channels/fast/istio.yaml"]);
    expect(paths(importAll([serves("regular", "1.0.0"), fast("a.yaml", "one")]))).toEqual([
      "channels/fast/istio.yaml",
      "channels/regular/istio.yaml",
    ]);
  });

  it("agrees with the channel's own template", () => {
    expect(only(importAll([serves("fast", "1.0.0", "m.yaml"), fast("a.yaml", "one")]))).toMatchObject({
      from: "a.yaml",
      releasedBy: ["m.yaml"],
      merged: [],
    });
  });

  it("agrees with a template that replaces other content of this version", () => {
    const before = textsAfter(importAll([fast("old.yaml", "one")]));
    const newer = { preferNewest: true, changedMs: new Map([["channels/fast/istio.yaml", 1]]) };
    const inputs = [serves("fast", "1.0.0", "m.yaml"), fast("a.yaml", "two", 2)];
    const first = importAll(inputs.toReversed(), newer, before);

    expect(only(first)).toMatchObject({ from: "a.yaml", replaces: true });
    expect(importAll(inputs, newer, textsAfter(first, before))).toMatchObject({ files: [], leftOut: first.leftOut });
  });

  it("does not make older content of its version replace newer", () => {
    const before = textsAfter(importAll([fast("old.yaml", "one")]));
    const newer = { preferNewest: true, changedMs: new Map([["channels/fast/istio.yaml", 2]]) };
    const meta = file("m.yaml", releaseMeta("istio", { channels: [{ channel: "fast", version: "1.0.0" }] }), 3);

    expect(reasons(importAll([meta, fast("a.yaml", "two", 1)], newer, before))).toEqual([
      "a.yaml: older",
      "m.yaml: older",
    ]);
  });

  it("is left out when its version is missing, or has two contents", () => {
    const two = [file("a.yaml", istio("1.0.0", variant("one"))), file("b.yaml", istio("1.0.0", variant("two")))];

    expect(reasons(importAll([serves("fast", "1.0.0")]))).toEqual(["fast.yaml: absent"]);
    expect(reasons(importAll([serves("fast", "1.0.0"), ...two]))).toEqual([
      "a.yaml: conflict",
      "b.yaml: conflict",
      "fast.yaml: conflict",
    ]);
  });

  it("excludes another one with another version, even a missing one", () => {
    const inputs = [
      file("a.yaml", istio("1.0.0")),
      serves("fast", "1.0.0", "m.yaml"),
      serves("fast", "1.1.0", "n.yaml"),
    ];

    expect(paths(importAll(inputs))).toEqual(["modules/istio/1.0.0/template.yaml"]);
    expect(reasons(importAll(inputs))).toEqual(["m.yaml: conflict", "n.yaml: conflict"]);
  });

  it.each([
    ["a reserved channel", { channels: [{ channel: "none", version: "1.0.0" }] }, "name"],
    ["no version", { channels: [{ channel: "fast", version: "" }] }, "version"],
    ["a version that no template can have", { channels: [{ channel: "fast", version: "1.0.0-RC1" }] }, "version"],
    ["neither channels nor mandatory", {}, "invalid"],
    ["a module that cannot be", { moduleName: "", channels: [] }, "module"],
  ])("with %s is left out", (_, spec, reason) => {
    expect(reasons(importAll([file("m.yaml", releaseMeta("istio", spec, { name: "a-b" }))]))).toEqual([
      `m.yaml: ${reason}`,
    ]);
  });

  it("is left out when it has no name", () => {
    const nameless = { apiVersion: "operator.kyma-project.io/v1beta2", kind: "ModuleReleaseMeta" };

    expect(reasons(importAll([file("a.yaml", nameless)]))).toEqual(["a.yaml: invalid"]);
  });

  it("restricts who is offered the module, so that an adoption changes nothing", () => {
    const kymaSelector = { matchLabels: { tier: "gold" } };
    const meta = releaseMeta("istio", { channels: [{ channel: "fast", version: "1.0.0" }], kymaSelector, beta: true });
    const other = releaseMeta("istio", { channels: [{ channel: "regular", version: "1.0.0" }], internal: true });
    const inputs = [file("m.yaml", meta), file("a.yaml", istio("1.0.0"))];
    const textOf = (files: readonly { readonly path: string; readonly text: string }[]): string | undefined =>
      files.find(({ path }) => path === "modules/istio/module.yaml")?.text;

    expect(textOf(importAll(inputs).files)).toContain('kymaSelector: {"matchLabels":{"tier":"gold"}}\nbeta: true\n');
    expect(textOf(importAll([...inputs, file("n.yaml", other)]).files) ?? "").not.toMatch(/beta|internal|kymaSelector/);
  });

  it("is identified by its name when spec.moduleName is empty, and does not restrict with settings that are off", () => {
    const meta = releaseMeta("istio", {
      moduleName: "",
      channels: [{ channel: "fast", version: "1.0.0" }],
      beta: false,
      internal: false,
    });

    expect(reasons(importAll([file("m.yaml", meta), file("a.yaml", istio("1.0.0"))]))).toEqual([]);
  });
});
