import { describe, expect, it } from "vitest";
import type { ImportInput } from "../../../src/catalogue/import/result.ts";
import { mentions } from "../../support/mentions.ts";
import {
  complete,
  file,
  importAll,
  live,
  only,
  parseAfter,
  paths,
  reasons,
  releaseMeta,
  textsAfter,
  written,
  type Texts,
} from "./samples.ts";

const variant = (repository: string) => ({ info: { repository, documentation: "" } });
const istio = (version: string, spec: object = {}) => complete("istio", version, { ...spec });
const fast = (name: string, repository: string, changedMs?: number): ImportInput =>
  file(name, istio("1.0.0", { channel: "fast", ...variant(repository) }), changedMs);

const MUST = { mandatory: { version: "1.0.0" } };

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
    const meta = file("m.yaml", releaseMeta("istio", MUST));

    expect(paths(importAll([file("a.yaml", istio("1.0.0")), meta]))).toEqual([
      "channels/mandatory/istio.yaml",
      "modules/istio/1.0.0/template.yaml",
    ]);
  });

  it.each([
    ["mandatory", {}],
    ["core", { "channels/core.yaml": "format: 1\nkind: mandatory\nlandscapes: [dev]\n" }],
  ])("does not make a module mandatory that is offered in a channel named %s", (channel, repository) => {
    const must = [file("a.yaml", complete("keda", "1.0.0")), file("m.yaml", releaseMeta("keda", MUST))];
    const decision = importAll(
      [...must, serves(channel, "1.0.0", "o.yaml"), file("b.yaml", istio("1.0.0"))],
      {},
      repository,
    );

    expect(reasons(decision)).toEqual(["o.yaml: mandatory"]);
    expect(paths(decision)).toEqual([
      `channels/${channel}/keda.yaml`,
      "modules/istio/1.0.0/template.yaml",
      "modules/keda/1.0.0/template.yaml",
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

  describe("restricts who is offered the module, so that an adoption changes nothing, and", () => {
    const kymaSelector = { matchLabels: { tier: "gold" } };
    const path = "modules/istio/module.yaml";
    const istioTemplate = file("a.yaml", istio("1.0.0"));
    const offered = (name: string, spec: object, changedMs?: number): ImportInput =>
      file(name, releaseMeta("istio", { channels: [{ channel: "fast", version: "1.0.0" }], ...spec }), changedMs);
    const gold = { kymaSelector, beta: true, ocmComponentName: "example.com/gold" };
    const moduleText = (lines: string): Texts => ({ [path]: `format: 1\n${lines}` });

    it("makes the module's file", () => {
      expect(textsAfter(importAll([offered("m.yaml", gold), istioTemplate]))[path]).toContain(
        'ocmComponentName: example.com/gold\nkymaSelector: {"matchLabels":{"tier":"gold"}}\nbeta: true\n',
      );
    });

    it("is left out if the existing file differs, with each field and what to write", () => {
      const repository = moduleText("internal: true\n");
      const inputs = [offered("m.yaml", gold), istioTemplate];
      const { leftOut } = importAll(inputs, {}, repository);
      const remedies = leftOut.flatMap(({ problems }) => problems.map(({ remedy }) => remedy));

      expect(leftOut).toMatchObject([{ source: "m.yaml", reason: "conflict", path }]);
      expect(leftOut.flatMap(({ problems }) => problems.map(({ line, message }) => `${line} ${message}`))).toEqual([
        mentions("11 spec.kymaSelector", '{"matchLabels":{"tier":"gold"}}', path, "not set"),
        mentions("14 spec.beta", "true", path, "not set"),
        mentions("6 spec.internal", "not set", path, "true"),
        mentions("15 spec.ocmComponentName", '"example.com/gold"', path, "not set"),
      ]);
      expect(remedies.filter((remedy) => remedy.startsWith("Remove"))).toEqual([mentions("Remove internal")]);
      const lines = remedies.flatMap((remedy) => /: (.*)$/.exec(remedy)?.[1] ?? []).join("\n");
      expect(reasons(importAll(inputs, {}, moduleText(`${lines}\n`)))).toEqual([]);
    });

    it("is left out without lines if it is from a control plane", () => {
      const meta = live(releaseMeta("istio", { channels: [], beta: true }));
      const { leftOut } = importAll([meta, istioTemplate], {}, moduleText("owners: [alice]\n"));

      expect(leftOut).toMatchObject([{ problems: [{ line: 1, column: 1 }] }]);
    });

    it("is left out if the existing file is unreadable", () => {
      const decision = importAll([offered("m.yaml", {}), istioTemplate], {}, { [path]: "beta: true\n" });
      const broken = importAll([offered("m.yaml", {}), istioTemplate], {}, { [path]: "a: [" });

      expect([...reasons(decision), ...reasons(broken)]).toEqual(["m.yaml: conflict", "m.yaml: conflict"]);
    });

    it("agrees with an existing file that leaves the component to the descriptor", () => {
      const described = { descriptor: { component: { name: "example.com/gold", version: "1.0.0" } } };
      const inputs = [offered("m.yaml", gold), file("a.yaml", istio("1.0.0", described))];
      const same = 'beta: true\ninternal: false\nkymaSelector: { matchLabels: { tier: "gold" } }\n';

      expect(reasons(importAll(inputs, {}, moduleText(same)))).toEqual([]);
    });

    it.each([
      ["restrictions", { ocmComponentName: "example.com/gold", internal: true }, "kymaSelector, beta, internal."],
      ["components", { ...gold, ocmComponentName: "example.com/third" }, "ocmComponentName."],
    ])("is left out, and the file is not made, if another one has different %s", (_, spec, fields) => {
      const inputs = [offered("m.yaml", gold), offered("n.yaml", spec), istioTemplate];
      const decision = importAll(inputs);

      expect(textsAfter(decision)).not.toHaveProperty(path);
      expect(reasons(decision)).toEqual(["m.yaml: conflict", "n.yaml: conflict"]);
      expect(decision.leftOut[0]?.message).toEqual(mentions("different contents", path, `in ${fields}`));
    });

    it("takes the newest if that is preferred and known", () => {
      const newest = { preferNewest: true };
      const inputs = [offered("m.yaml", gold, 2), offered("n.yaml", { internal: true }, 1), istioTemplate];
      const undated = [offered("m.yaml", gold), offered("n.yaml", { internal: true }, 1), istioTemplate];

      expect(textsAfter(importAll(inputs, newest))[path]).toContain("beta: true\n");
      expect(reasons(importAll(inputs, newest))).toEqual(["n.yaml: older"]);
      expect(reasons(importAll(undated, newest))).toEqual(["m.yaml: conflict", "n.yaml: conflict"]);
    });
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
