import { describe, expect, it } from "vitest";
import { mentions } from "../../support/mentions.ts";
import {
  complete,
  file,
  importAll,
  live,
  MODULE_LABEL,
  only,
  parseAfter,
  paths,
  reasons,
  releaseMeta,
  template,
  VERSION_ANNOTATION,
} from "./samples.ts";

const istio = (version: string, spec: object = {}) => complete("istio", version, { ...spec });
const FIELDS = { moduleName: "istio", version: "1.0.0" };
const descriptor = (version: string) => ({
  descriptor: { component: { name: "kyma-project.io/module/istio", version } },
});

describe("the place of a template", () => {
  it("is a channel file when it is named after its module and channel", () => {
    expect(only(importAll([file("a.yaml", istio("1.0.0", { channel: "fast" }))]))).toMatchObject({
      path: "channels/fast/istio.yaml",
      module: "istio",
      version: "1.0.0",
      channel: "fast",
      from: "a.yaml",
      edits: [],
      replaces: false,
    });
  });

  it.each([undefined, "", "none"])("is the version's when its channel is %j", (channel) => {
    const { path, text } = only(
      importAll([file("a.yaml", { ...istio("1.0.0", { channel }), metadata: { name: "istio-1.0.0" } })]),
    );

    expect(path).toBe("modules/istio/1.0.0/template.yaml");
    expect(text).not.toContain("channel");
  });

  it("is the mandatory channel when spec.mandatory is set, whatever the name", () => {
    const decision = importAll([
      file("a.yaml", template("anything", { ...FIELDS, channel: "regular", mandatory: true })),
    ]);

    expect(only(decision)).toMatchObject({ path: "channels/mandatory/istio.yaml", channel: "mandatory" });
    expect(only(decision).edits).toContainEqual(
      expect.objectContaining({ kind: "changed", field: "metadata.name", was: "anything", value: "istio-mandatory" }),
    );
    expect(parseAfter(decision)).toMatchObject({ kind: "catalogue" });
  });

  it("is the mandatory channel that the repository has, under its own name", () => {
    const repository = { "channels/core.yaml": "format: 1\nkind: mandatory\nlandscapes: [dev]\n" };

    expect(paths(importAll([file("a.yaml", istio("1.0.0", { mandatory: true }))], {}, repository))).toEqual([
      "channels/core/istio.yaml",
    ]);
  });

  it("is the mandatory channel that it names, if the repository has several", () => {
    const policy = "format: 1\nkind: mandatory\nlandscapes: [dev]\n";
    const repository = { "channels/must.yaml": policy, "channels/core.yaml": policy };
    const inputs = [
      file("a.yaml", istio("1.0.0", { channel: "must", mandatory: true })),
      file("b.yaml", istio("1.0.0", { channel: "core", mandatory: true })),
    ];
    const optional = file("c.yaml", istio("1.0.0", { channel: "core" }));

    expect(reasons(importAll(inputs, {}, repository))).toEqual(["a.yaml: mandatory", "b.yaml: mandatory"]);
    expect(paths(importAll(inputs.slice(1), {}, repository))).toEqual(["channels/core/istio.yaml"]);
    expect(reasons(importAll([optional], {}, repository))).toEqual(["c.yaml: mandatory"]);
  });

  it("does not exist for an optional module in a channel named mandatory", () => {
    const inputs = [file("a.yaml", istio("1.0.0", { channel: "mandatory" })), file("b.yaml", istio("1.1.0"))];

    expect(reasons(importAll(inputs))).toEqual(["a.yaml: mandatory"]);
    expect(paths(importAll(inputs))).toEqual(["modules/istio/1.1.0/template.yaml"]);
  });

  it("does not exist for a mandatory one when the channel `mandatory` is a release channel", () => {
    const repository = { "channels/mandatory.yaml": "format: 1\nlandscapes: [dev]\n" };
    const inputs = [
      file("a.yaml", istio("1.0.0", { mandatory: true })),
      file("b.yaml", releaseMeta("keda", { mandatory: { version: "1.0.0" } })),
    ];

    expect(reasons(importAll(inputs, {}, repository))).toEqual(["a.yaml: mandatory", "b.yaml: mandatory"]);
  });

  it("does not exist for another name with a channel", () => {
    expect(
      reasons(importAll([file("a.yaml", template("istio-migration-test-fast", { ...FIELDS, channel: "fast" }))])),
    ).toEqual(["a.yaml: name"]);
  });
});

describe("a filled-in field", () => {
  it("is the module from the label, the version from the annotation, and the namespace", () => {
    const metadata = { labels: { [MODULE_LABEL]: "istio" }, annotations: { [VERSION_ANNOTATION]: "1.2.0" } };
    const { edits, text } = only(
      importAll([file("a.yaml", template("istio-fast", { channel: "fast", ...descriptor("v1.1.0") }, metadata))]),
    );

    expect(edits).toEqual([
      {
        kind: "filled",
        field: "metadata.namespace",
        was: undefined,
        value: "kcp-system",
        because: "where lifecycle-manager looks",
      },
      {
        kind: "filled",
        field: "spec.version",
        was: undefined,
        value: "1.2.0",
        because: `from the annotation ${VERSION_ANNOTATION}`,
      },
      {
        kind: "filled",
        field: "spec.moduleName",
        was: undefined,
        value: "istio",
        because: `from the label ${MODULE_LABEL}`,
      },
    ]);
    expect(text).toContain("spec:\n  moduleName: istio\n  version: 1.2.0\n");
  });

  it("is the version of the descriptor without its leading v", () => {
    const object = template("istio-fast", { channel: "fast", moduleName: "istio", ...descriptor("v1.1.0-rc1") });

    expect(only(importAll([file("a.yaml", object)])).version).toBe("1.1.0-rc1");
  });

  it("is the label from spec.moduleName, also when the label has another value", () => {
    const { edits } = only(importAll([file("a.yaml", istio("1.0.0"))]));
    const wrong = only(
      importAll([file("a.yaml", complete("istio", "1.0.0", {}, { labels: { [MODULE_LABEL]: "istio-old" } }))]),
    );

    expect(edits).toEqual([]);
    expect(wrong.edits).toEqual([
      {
        kind: "changed",
        field: `metadata.labels["${MODULE_LABEL}"]`,
        was: "istio-old",
        value: "istio",
        because: "from spec.moduleName",
      },
    ]);
  });

  it("is the name of a version's template, from module and version", () => {
    const { edits, path } = only(
      importAll([
        file("a.yaml", {
          ...istio("1.0.31"),
          metadata: { name: "istio-1-0-31", namespace: "kyma-system", labels: { [MODULE_LABEL]: "istio" } },
        }),
      ]),
    );

    expect(path).toBe("modules/istio/1.0.31/template.yaml");
    expect(edits).toEqual([
      {
        kind: "changed",
        field: "metadata.namespace",
        was: "kyma-system",
        value: "kcp-system",
        because: "where lifecycle-manager looks",
      },
      {
        kind: "changed",
        field: "metadata.name",
        was: "istio-1-0-31",
        value: "istio-1.0.31",
        because: mentions("place"),
      },
    ]);
  });

  it.each([
    ["no module", template("x-fast", { version: "1.0.0" }), "module"],
    ["a module with digits", complete("manifest-1", "1.0.0", { moduleName: "" }), "module"],
    ["no version", template("istio-x", { moduleName: "istio" }), "version"],
    [
      "a version that the name of a template cannot carry",
      template("istio-x", { moduleName: "istio", version: "1.0.0-RC1" }),
      "version",
    ],
    [
      "a version with a v in the annotation",
      template("istio-x", { moduleName: "istio" }, { annotations: { [VERSION_ANNOTATION]: "v1.0.0" } }),
      "version",
    ],
  ])("does not exist for %s, which is left out", (_, object, reason) => {
    expect(reasons(importAll([file("a.yaml", object)]))).toEqual([`a.yaml: ${reason}`]);
  });
});

describe("a template that the schema refuses", () => {
  it("is left out with each problem and the line of the input", () => {
    const text =
      "# a comment\napiVersion: operator.kyma-project.io/v1beta2\nkind: ModuleTemplate\nmetadata:\n  name: istio-1.0.0\nspec:\n  version: v1.0.0\n  extra: 1\n";
    const [leftOut] = importAll([file("a.yaml", text)]).leftOut;

    expect(leftOut).toMatchObject({ source: "a.yaml", reason: "invalid", path: undefined });
    expect(leftOut?.problems.map(({ file: source, line, column }) => `${source}:${line}:${column}`)).toEqual([
      "a.yaml:8:10",
      "a.yaml:6:1",
      "a.yaml:7:12",
    ]);
  });

  it("has no lines when it is from a control plane", () => {
    const object = { ...istio("1.0.0"), spec: { version: "1.0.0" } };

    expect(importAll([live(object)]).leftOut).toMatchObject([
      { reason: "invalid", problems: [{ line: 1, column: 1 }] },
    ]);
  });

  it("is left out when its file would be too large for a control plane, or ambiguous", () => {
    const large = istio("1.0.0", { info: { repository: "x".repeat(1024 * 1024), documentation: "" } });
    const number = istio("1.1.0", { data: { apiVersion: "v1", kind: "Big", spec: { size: 1e21 } } });

    expect(reasons(importAll([live(large)]))).toEqual(["kcp: ModuleTemplate istio-1.0.0: invalid"]);
    expect(importAll([live(number)]).leftOut).toMatchObject([
      { reason: "unreadable", path: "modules/istio/1.1.0/template.yaml", problems: [{ rule: "yaml-ambiguous" }] },
    ]);
  });
});
