import { describe, expect, it } from "vitest";
import { canonicalHash } from "../../src/document/canonical.ts";
import {
  compile,
  compileTemplate,
  templateName,
  type Compilation,
  type CompileTarget,
} from "../../src/catalogue/compile.ts";
import type { Template } from "../../src/catalogue/template.ts";
import { applySetId } from "../../src/kubernetes/applySet.ts";
import type { KubernetesObject } from "../../src/kubernetes/object.ts";
import { catalogueOf, channelTemplate, MANDATORY_POLICY, POLICY, REPOSITORY, versionTemplate } from "./repository.ts";

const CURRENT: CompileTarget = { landscape: "prod", namespace: "kcp-system", generation: "version-templates" };
const OLDER: CompileTarget = { ...CURRENT, generation: "channel-templates" };

const FILES: Readonly<Record<string, string>> = {
  ...REPOSITORY,
  "channels/regular.yaml": `${POLICY}follows: fast\n`,
  "channels/regular/istio.yaml": channelTemplate("regular", "istio", "0.9.0"),
  "channels/fast/keda.yaml": channelTemplate("fast", "keda"),
  "channels/regular/keda.yaml": channelTemplate("regular", "keda"),
  "channels/must.yaml": MANDATORY_POLICY,
  "channels/must/warden.yaml": channelTemplate("must", "warden", "2.0.0"),
  "modules/istio/0.8.0/template.yaml": versionTemplate("istio", "0.8.0"),
};

const compiled = (target: CompileTarget, more: Readonly<Record<string, string>> = {}): Compilation =>
  compile(catalogueOf({ ...FILES, ...more }), target);

const names = (objects: readonly KubernetesObject[]): readonly string[] => objects.map(({ metadata }) => metadata.name);

function named(objects: readonly KubernetesObject[], name: string): KubernetesObject {
  const object = objects.find(({ metadata }) => metadata.name === name);
  if (object === undefined) throw new Error(`no ${name} among ${names(objects).join(", ")}`);
  return object;
}

const withoutMarks = ({ metadata: { name, namespace }, ...object }: KubernetesObject): unknown => ({
  ...object,
  metadata: { name, namespace },
});

describe("a control plane of a current lifecycle-manager", () => {
  const { templates, releaseMetas, entries, withheld, target } = compiled(CURRENT);

  it("holds one template for each version that a channel serves, and no other", () => {
    expect(names(templates)).toEqual(["istio-0.9.0", "istio-1.0.0", "keda-1.0.0", "warden-2.0.0"]);
  });

  it("holds a template as its file has it, but for name, namespace, channel and marks", () => {
    expect(withoutMarks(named(templates, "istio-1.0.0"))).toEqual({
      apiVersion: "operator.kyma-project.io/v1beta2",
      kind: "ModuleTemplate",
      metadata: { name: "istio-1.0.0", namespace: "kcp-system" },
      spec: {
        moduleName: "istio",
        version: "1.0.0",
        descriptor: { component: { name: "kyma-project.io/module/istio", version: "1.0.0" } },
      },
    });
  });

  it("holds a release meta for each module, with the version of each channel", () => {
    expect(releaseMetas.map(withoutMarks)).toEqual([
      {
        apiVersion: "operator.kyma-project.io/v1beta2",
        kind: "ModuleReleaseMeta",
        metadata: { name: "istio", namespace: "kcp-system" },
        spec: {
          moduleName: "istio",
          ocmComponentName: "kyma-project.io/module/istio",
          channels: [
            { channel: "fast", version: "1.0.0" },
            { channel: "regular", version: "0.9.0" },
          ],
        },
      },
      expect.objectContaining({ metadata: { name: "keda", namespace: "kcp-system" } }),
      {
        apiVersion: "operator.kyma-project.io/v1beta2",
        kind: "ModuleReleaseMeta",
        metadata: { name: "warden", namespace: "kcp-system" },
        spec: {
          moduleName: "warden",
          ocmComponentName: "kyma-project.io/module/warden",
          mandatory: { version: "2.0.0" },
        },
      },
    ]);
  });

  it("marks each object as a member of the set, and with the hash of what is wanted of it", () => {
    for (const { metadata, ...object } of [...templates, ...releaseMetas]) {
      const { "kyma-modules/desired": hash, ...annotations } = metadata.annotations ?? {};
      const { name } = metadata;

      expect(metadata.labels, name).toMatchObject({
        "applyset.kubernetes.io/part-of": applySetId("kcp-system"),
        "operator.kyma-project.io/module-name": name.split("-")[0],
      });
      expect(annotations, name).toEqual({});
      expect(hash, name).toBe(canonicalHash({ ...object, metadata: { ...metadata, annotations: null } }));
    }
  });

  it("lists what each channel serves of each module", () => {
    expect(
      entries.map(({ module, channel, version, mandatory, template }) => {
        return [module, channel, version, mandatory, template.metadata.name];
      }),
    ).toEqual([
      ["istio", "fast", "1.0.0", false, "istio-1.0.0"],
      ["istio", "regular", "0.9.0", false, "istio-0.9.0"],
      ["keda", "fast", "1.0.0", false, "keda-1.0.0"],
      ["keda", "regular", "1.0.0", false, "keda-1.0.0"],
      ["warden", "must", "2.0.0", true, "warden-2.0.0"],
    ]);
    expect(withheld.size).toBe(0);
    expect(target).toBe(CURRENT);
  });

  it("keeps foreign labels and annotations of the file", () => {
    const text = channelTemplate("fast").replace("  labels:\n", "  annotations: { a: b }\n  labels:\n    c: d\n");
    const { metadata } = named(compiled(CURRENT, { "channels/fast/istio.yaml": text }).templates, "istio-1.0.0");

    expect(metadata.annotations).toMatchObject({ a: "b" });
    expect(metadata.labels).toMatchObject({ c: "d" });
  });
});

describe("a control plane of lifecycle-manager up to 1.7", () => {
  const { templates, releaseMetas } = compiled(OLDER);

  it("holds one template for each channel and module, and no release meta", () => {
    expect(names(templates)).toEqual(["istio-fast", "istio-regular", "keda-fast", "keda-regular", "warden-must"]);
    expect(releaseMetas).toEqual([]);
  });

  it("keeps the channel in the template", () => {
    expect(named(templates, "istio-regular")["spec"]).toMatchObject({ channel: "regular", version: "0.9.0" });
    expect(named(templates, "istio-regular")["spec"]).not.toHaveProperty("mandatory");
  });

  it("marks the templates of mandatory modules with a label and a field", () => {
    const { metadata, ...warden } = named(templates, "warden-must");

    expect(warden["spec"]).toMatchObject({ mandatory: true, channel: "must" });
    expect(metadata.labels).toMatchObject({ "operator.kyma-project.io/mandatory-module": "true" });
    expect(named(templates, "istio-fast").metadata.labels).not.toHaveProperty(
      "operator.kyma-project.io/mandatory-module",
    );
  });
});

describe("compile", () => {
  it("gives the same twice, whatever the order of the files", () => {
    const reversed = Object.fromEntries(Object.entries(FILES).toReversed());

    expect(compile(catalogueOf(FILES), CURRENT)).toStrictEqual(compile(catalogueOf(FILES), CURRENT));
    expect(compile(catalogueOf(reversed), CURRENT)).toEqual(compile(catalogueOf(FILES), CURRENT));
  });

  it("serves a channel in its landscapes only", () => {
    const { templates, releaseMetas } = compiled(
      { ...CURRENT, landscape: "prod" },
      { "channels/fast.yaml": "format: 1\nlandscapes: [dev]\n" },
    );

    expect(names(templates)).toEqual(["istio-0.9.0", "keda-1.0.0", "warden-2.0.0"]);
    expect(named(releaseMetas, "istio")["spec"]).toMatchObject({
      channels: [{ channel: "regular", version: "0.9.0" }],
    });
  });

  it("makes no release meta for a module without a channel in the landscape", () => {
    const files = {
      "channels/fast.yaml": "format: 1\nlandscapes: [dev]\n",
      "channels/fast/zipkin.yaml": channelTemplate("fast", "zipkin"),
    };

    expect(names(compiled(CURRENT, files).releaseMetas)).toEqual(["istio", "keda", "warden"]);
    expect(names(compiled({ ...CURRENT, landscape: "dev" }, files).releaseMetas)).toContain("zipkin");
    expect(compiled({ ...CURRENT, landscape: "other" }).templates).toEqual([]);
  });

  it("puts every object into the namespace of the landscape", () => {
    const { templates, releaseMetas } = compiled({ ...CURRENT, namespace: "kcp" });

    for (const { metadata } of [...templates, ...releaseMetas]) {
      expect(metadata.namespace).toBe("kcp");
      expect(metadata.labels?.["applyset.kubernetes.io/part-of"]).toBe(applySetId("kcp"));
    }
  });

  it("leaves out modules whose files contradict one another, and names them", () => {
    const { templates, releaseMetas, entries, withheld } = compiled(CURRENT, {
      "channels/regular/keda.yaml": channelTemplate("regular", "keda").replace(
        "spec:\n",
        "spec:\n  requiresDowntime: true\n",
      ),
    });

    expect(names(templates)).toEqual(["istio-0.9.0", "istio-1.0.0", "warden-2.0.0"]);
    expect(names(releaseMetas)).toEqual(["istio", "warden"]);
    expect(entries.map(({ module }) => module)).not.toContain("keda");
    expect([...withheld]).toEqual(["keda"]);
  });

  it.each([
    [
      "the module's own file",
      { "modules/istio/module.yaml": "format: 1\nocmComponentName: example.org/istio\n" },
      "example.org/istio",
    ],
    ["else a descriptor", {}, "kyma-project.io/module/istio"],
    [
      "of another channel if need be",
      { "channels/fast/istio.yaml": withoutComponent("fast") },
      "kyma-project.io/module/istio",
    ],
  ])("takes the name of the OCM component from %s", (_, files, expected) => {
    expect(named(compiled(CURRENT, files).releaseMetas, "istio")["spec"]).toMatchObject({ ocmComponentName: expected });
  });

  it("names no OCM component where nothing does", () => {
    const files = { ...REPOSITORY, "channels/fast/istio.yaml": withoutComponent("fast") };

    expect(compile(catalogueOf(files), CURRENT).releaseMetas[0]?.["spec"]).not.toHaveProperty("ocmComponentName");
  });
});

function withoutComponent(channel: string): string {
  return channelTemplate(channel).replace(/ {2}descriptor:[^]*/, "  descriptor: {}\n");
}

describe("a template that is looked up", () => {
  const template = (catalogueOf(FILES).modules.values().next().value?.templates.values().next().value ??
    {}) as Template;

  it("is named after its version in both models where no channel serves it", () => {
    expect(template.channel).toBeUndefined();
    expect(templateName(template, "version-templates")).toBe("istio-0.8.0");
    expect(templateName(template, "channel-templates")).toBe("istio-0.8.0");
    expect(compileTemplate(template, OLDER, false)["spec"]).not.toHaveProperty("channel");
  });
});
