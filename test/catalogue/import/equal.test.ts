import { describe, expect, it } from "vitest";
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
  textsAfter,
  written,
} from "./samples.ts";

const istio = (version: string, spec: object = {}) => complete("istio", version, { ...spec });

describe("an object of a control plane", () => {
  const server = {
    uid: "u",
    resourceVersion: "7",
    generation: 3,
    creationTimestamp: "2026-01-02T03:04:05Z",
    managedFields: [{ manager: "kubectl", time: "2026-02-02T03:04:05Z" }, { manager: "x" }],
    finalizers: ["a/b"],
  };

  it("loses the fields of the server and of tools", () => {
    const metadata = {
      ...server,
      labels: { [MODULE_LABEL]: "istio", "applyset.kubernetes.io/part-of": "x" },
      annotations: { "kyma-modules/desired": "sha256:0", "kubectl.kubernetes.io/last-applied-configuration": "{}" },
    };
    const { text, edits } = only(importAll([live({ ...complete("istio", "1.0.0", {}, metadata), status: {} })]));

    expect(text).toBe(
      `apiVersion: operator.kyma-project.io/v1beta2\nkind: ModuleTemplate\nmetadata:\n  name: istio-1.0.0\n  namespace: kcp-system\n  labels:\n    ${MODULE_LABEL}: istio\nspec:\n  descriptor: {}\n  moduleName: istio\n  version: 1.0.0\n`,
    );
    expect(edits.map(({ kind, field }) => `${kind} ${field}`)).toEqual([
      "removed status",
      ...Object.keys(server).map((field) => `removed metadata.${field}`),
      'removed metadata.labels["applyset.kubernetes.io/part-of"]',
      "removed metadata.annotations",
    ]);
  });

  it("keeps the annotations of its team", () => {
    const annotations = { "kyma-modules/desired": "sha256:0", team: "mesh" };
    const { text } = only(importAll([live(complete("istio", "1.0.0", {}, { annotations }))]));

    expect(text).toContain("annotations:\n    team: mesh\n");
    expect(text).not.toContain("desired");
  });

  it("is left out while it is being deleted", () => {
    expect(
      reasons(importAll([live(complete("istio", "1.0.0", {}, { deletionTimestamp: "2026-01-01T00:00:00Z" }))])),
    ).toEqual(["kcp: ModuleTemplate istio-1.0.0: deleting"]);
  });

  it("is as new as its last write", () => {
    const older = live(complete("istio", "1.0.0", { channel: "fast" }, { ...server, name: "istio-fast" }));
    const newer = { ...live(istio("1.1.0", { channel: "fast" })), name: "other" };
    const dated = {
      ...newer,
      object: complete("istio", "1.1.0", { channel: "fast" }, { creationTimestamp: "2026-02-01T00:00:00Z" }),
    };

    expect(only(importAll([older, dated], { preferNewest: true })).version).toBe("1.0.0");
    expect(paths(importAll([older, newer], { preferNewest: true }))).toEqual([]);
  });
});

describe("equal templates", () => {
  it("are merged, with a list of different labels and annotations", () => {
    const stamped = complete(
      "istio",
      "1.0.0",
      { channel: "fast" },
      { labels: { [MODULE_LABEL]: "istio", "managed-by": "kyma" } },
    );
    const { from, merged, text } = only(
      importAll([file("a.yaml", istio("1.0.0", { channel: "fast" })), file("b.yaml", stamped)]),
    );

    expect(from).toBe("b.yaml");
    expect(text).toContain("managed-by: kyma");
    expect(merged).toEqual([{ source: "a.yaml", differs: ["without metadata.labels managed-by: kyma"] }]);
  });

  it("are merged with the labels of the other, too", () => {
    const one = complete("istio", "1.0.0", { channel: "fast" }, { annotations: { a: "1", b: "2" } });
    const other = complete("istio", "1.0.0", { channel: "fast" }, { annotations: { c: "1" } });

    expect(only(importAll([file("a.yaml", one), file("b.yaml", other)])).merged).toEqual([
      {
        source: "b.yaml",
        differs: [
          "with metadata.annotations c: 1",
          "without metadata.annotations a: 1",
          "without metadata.annotations b: 2",
        ],
      },
    ]);
  });

  it("get the same labels in every place, so that the version has one content", () => {
    const stamped = complete(
      "istio",
      "1.0.0",
      { channel: "fast" },
      { labels: { [MODULE_LABEL]: "istio", "managed-by": "kyma" } },
    );
    const decision = importAll([file("a.yaml", istio("1.0.0", { channel: "regular" })), file("b.yaml", stamped)]);

    expect(written(decision).map(({ path, from, merged }) => [path, from, merged])).toEqual([
      ["channels/fast/istio.yaml", "b.yaml", []],
      [
        "channels/regular/istio.yaml",
        "b.yaml",
        [{ source: "a.yaml", differs: ["without metadata.labels managed-by: kyma"] }],
      ],
    ]);
    expect(parseAfter(decision)).toMatchObject({ kind: "catalogue", catalogue: { findings: [], withheld: new Set() } });
  });

  it("get the labels of the repository when it has the version", () => {
    const repository = textsAfter(importAll([file("a.yaml", istio("1.0.0", { channel: "fast" }))]));
    const stamped = complete(
      "istio",
      "1.0.0",
      { channel: "regular" },
      { labels: { [MODULE_LABEL]: "istio", "managed-by": "kyma" } },
    );
    const decision = importAll([file("b.yaml", stamped)], {}, repository);

    expect(only(decision)).toMatchObject({ path: "channels/regular/istio.yaml", from: "channels/fast/istio.yaml" });
    expect(parseAfter(decision, repository)).toMatchObject({ kind: "catalogue", catalogue: { findings: [] } });
  });

  it("get the labels of the newest when that is preferred and the time is known", () => {
    const stamped = complete(
      "istio",
      "1.0.0",
      { channel: "fast" },
      { labels: { [MODULE_LABEL]: "istio", "managed-by": "kyma" } },
    );
    const inputs = [
      file("a.yaml", stamped, 1),
      file("b.yaml", istio("1.0.0", { channel: "fast" }), 2),
      file("c.yaml", stamped),
      file("A.yaml", stamped),
    ];

    expect(only(importAll(inputs, { preferNewest: true })).from).toBe("b.yaml");
    expect(only(importAll(inputs)).from).toBe("A.yaml");
  });

  it("are different when a label that makes lifecycle-manager uninstall differs", () => {
    const beta = complete(
      "istio",
      "1.0.0",
      { channel: "fast" },
      { labels: { [MODULE_LABEL]: "istio", "operator.kyma-project.io/beta": "true" } },
    );

    expect(reasons(importAll([file("a.yaml", istio("1.0.0", { channel: "fast" })), file("b.yaml", beta)]))).toEqual([
      "a.yaml: conflict",
      "b.yaml: conflict",
    ]);
  });

  it("lose `mandatory` in a place that is not mandatory", () => {
    const inputs = [
      file("a.yaml", istio("1.0.0", { mandatory: true })),
      file("b.yaml", releaseMeta("istio", { channels: [{ channel: "fast", version: "1.0.0" }] })),
    ];

    expect(written(importAll(inputs)).map(({ path, edits }) => [path, edits.map(({ field }) => field)])).toEqual([
      ["channels/fast/istio.yaml", ["metadata.name", "spec.channel", "spec.mandatory"]],
      ["modules/istio/1.0.0/template.yaml", ["spec.mandatory"]],
    ]);
  });
});
