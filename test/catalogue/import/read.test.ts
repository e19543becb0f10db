import { stringify } from "yaml";
import { describe, expect, it } from "vitest";
import { mentions } from "../../support/mentions.ts";
import { complete, file, importAll, live, only, paths, reasons } from "./samples.ts";

const istio = complete("istio", "1.0.0");
const keda = complete("keda", "2.0.0");

describe("a file", () => {
  it("may hold several documents, with comments and empty ones between them", () => {
    const text = `# all modules\n---\n# the mesh\n${stringify(istio)}---\n\n---\n${stringify(keda)}...\n---\n# nothing\n`;
    const decision = importAll([file("all.yaml", text)]);

    expect(decision.files.flatMap((one) => (one.kind === "template" ? [[one.path, one.from]] : []))).toEqual([
      ["modules/istio/1.0.0/template.yaml", "all.yaml:2"],
      ["modules/keda/2.0.0/template.yaml", "all.yaml:17"],
    ]);
    expect(decision.leftOut).toEqual([]);
    expect(decision.files.at(-2)?.text).toContain("# the mesh\napiVersion");
    expect(decision.files.at(-1)?.text).toBe(stringify(keda));
  });

  it.each(["", "# nothing\n", "---\n"])("without content (%j) gives nothing", (text) => {
    expect(importAll([file("a.yaml", text)])).toEqual({ files: [], present: [], leftOut: [] });
  });

  it("reports problems with the lines of the file, in any document", () => {
    const [leftOut] = importAll([file("a.yaml", `${stringify(istio)}---\n${stringify(keda)}  extra: yes\n`)]).leftOut;

    expect(leftOut).toMatchObject({
      source: "a.yaml:12",
      reason: "unreadable",
      problems: [{ rule: "yaml-ambiguous", line: 24, column: 10 }],
    });
  });

  it("gives its valid documents when another one is broken", () => {
    const decision = importAll([
      file("a.yaml", `a: "x\n---\n${stringify(istio)}`),
      file("b.yaml", `${stringify(istio)}---\na: 1\na: 2\n`),
    ]);

    expect(paths(decision)).toEqual(["modules/istio/1.0.0/template.yaml"]);
    expect(decision.leftOut).toMatchObject([
      { source: "a.yaml", reason: "unreadable", message: mentions("not YAML", "line") },
      {
        source: "b.yaml:12",
        reason: "unreadable",
        message: mentions("not YAML", "line 15", "Map keys must be unique"),
      },
    ]);
  });

  it("may end in blanks", () => {
    expect(only(importAll([file("a.yaml", `${stringify(istio)}   `)])).text).toBe(stringify(istio));
  });

  it("is left out when it is not UTF-8", () => {
    expect(reasons(importAll([{ kind: "file", name: "a.yaml", content: Buffer.from([0x61, 0xff]) }]))).toEqual([
      "a.yaml: unreadable",
    ]);
  });
});

describe("a kind", () => {
  it.each([
    ["text", "foo", mentions("not", "Kubernetes object")],
    ["a list", "- a", mentions("not", "Kubernetes object")],
    ["settings", "format: 1", mentions("not", "Kubernetes object")],
    [
      "a Kustomization",
      "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization",
      mentions("Kustomization", "kustomize.config.k8s.io/v1beta1"),
    ],
    [
      "an old template",
      "apiVersion: operator.kyma-project.io/v1alpha1\nkind: ModuleTemplate",
      mentions("ModuleTemplate", "operator.kyma-project.io/v1alpha1", "operator.kyma-project.io/v1beta2", "convert"),
    ],
    [
      "another person's template",
      "apiVersion: example.com/v1\nkind: ModuleTemplate",
      mentions("ModuleTemplate", "example.com/v1", "operator.kyma-project.io/v1beta2"),
    ],
  ])("that is not supported is left out with the reason: %s", (_, text, message) => {
    const { leftOut } = importAll([file("a.yaml", text)]);

    expect(leftOut).toMatchObject([{ source: "a.yaml", reason: "kind", message }]);
    expect(leftOut[0]?.message.includes("convert")).toBe(text.includes("kyma-project.io/v1alpha1"));
  });

  it("of a list is split, with the line of each item", () => {
    const list = {
      apiVersion: "v1",
      kind: "List",
      items: [istio, { apiVersion: "v1", kind: "Secret" }, { apiVersion: "v1", kind: "List" }, 7],
    };
    const decision = importAll([file("a.yaml", stringify(list))]);

    expect(only(decision)).toMatchObject({ path: "modules/istio/1.0.0/template.yaml", from: "a.yaml:4" });
    expect(reasons(decision)).toEqual(["a.yaml:15: kind", "a.yaml:17: kind", "a.yaml:19: kind"]);
  });

  it("of a list of our own kinds is split, too; one without items is empty", () => {
    const list = { apiVersion: "operator.kyma-project.io/v1beta2", kind: "ModuleTemplateList", items: [istio, keda] };

    expect(
      paths(importAll([file("a.json", JSON.stringify(list)), file("b.yaml", "apiVersion: v1\nkind: List\n")])),
    ).toHaveLength(2);
  });

  it("is read from a control plane, too", () => {
    expect(paths(importAll([live(istio)]))).toEqual(["modules/istio/1.0.0/template.yaml"]);
  });
});
