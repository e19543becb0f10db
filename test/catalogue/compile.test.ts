import { describe, expect, it } from "vitest";
import { hashOf } from "../../src/catalogue/canonical.ts";
import { compile, compileTemplate, templateName, type Target } from "../../src/catalogue/compile.ts";
import type { Generation } from "../../src/catalogue/settings.ts";
import { applySetId } from "../../src/kubernetes/applySet.ts";
import type { KubernetesObject } from "../../src/kubernetes/object.ts";
import { catalogueOf, type Sample } from "../sync/catalogueFiles.ts";

const DEV: Target = { landscape: "dev", namespace: "kcp", generation: "version-templates" };

function targetOf(generation: Generation): Target {
  return { ...DEV, generation };
}

function names(objects: readonly KubernetesObject[]): readonly string[] {
  return objects.map(({ metadata }) => metadata.name);
}

function specs(objects: readonly KubernetesObject[]): readonly unknown[] {
  return objects.map((object) => object["spec"]);
}

const TWO_CHANNELS: Sample = { channels: { fast: { certs: "1.1.0", mesh: "2.0.0" }, regular: { certs: "1.0.0" } } };

describe("compile for version templates", () => {
  it("gives a template for each version that a channel serves, and a release meta for each module", () => {
    const { templates, releaseMetas, entries } = compile(catalogueOf(TWO_CHANNELS), DEV);

    expect(names(templates)).toEqual(["certs-1.0.0", "certs-1.1.0", "mesh-2.0.0"]);
    expect(specs(releaseMetas)).toEqual([
      {
        moduleName: "certs",
        ocmComponentName: "example.com/module/certs",
        channels: [
          { channel: "fast", version: "1.1.0" },
          { channel: "regular", version: "1.0.0" },
        ],
      },
      {
        moduleName: "mesh",
        ocmComponentName: "example.com/module/mesh",
        channels: [{ channel: "fast", version: "2.0.0" }],
      },
    ]);
    expect(entries).toEqual([
      { module: "certs", channel: "fast", version: "1.1.0" },
      { module: "certs", channel: "regular", version: "1.0.0" },
      { module: "mesh", channel: "fast", version: "2.0.0" },
    ]);
  });

  it("gives one template for a version that two channels serve", () => {
    const { templates } = compile(
      catalogueOf({ channels: { fast: { certs: "1.0.0" }, regular: { certs: "1.0.0" } } }),
      DEV,
    );

    expect(names(templates)).toEqual(["certs-1.0.0"]);
  });

  it("changes nothing in a template but name, namespace, channel, the set's label and the hash", () => {
    const catalogue = catalogueOf(TWO_CHANNELS);
    const [file] = [...catalogue.channels.values()].flatMap(({ templates }) => [...templates.values()]);
    const { templates } = compile(catalogue, DEV);
    const compiled = templates.find(({ metadata }) => metadata.name === "certs-1.1.0");
    const { channel: _, ...spec } = file?.object.spec ?? { descriptor: {} };

    expect(compiled).toEqual({
      apiVersion: "operator.kyma-project.io/v1beta2",
      kind: "ModuleTemplate",
      metadata: {
        name: "certs-1.1.0",
        namespace: "kcp",
        labels: {
          "operator.kyma-project.io/module-name": "certs",
          "applyset.kubernetes.io/part-of": applySetId("kcp"),
        },
        annotations: { "kyma-modules/desired": expect.stringMatching(/^sha256:[0-9a-f]{64}$/) as string },
      },
      spec,
    });
  });

  it("records the hash of everything else that is wanted of an object", () => {
    for (const object of [
      ...compile(catalogueOf(TWO_CHANNELS), DEV).templates,
      ...compile(catalogueOf(TWO_CHANNELS), DEV).releaseMetas,
    ]) {
      const { "kyma-modules/desired": hash } = object.metadata.annotations ?? {};
      const { annotations: _, ...metadata } = object.metadata;

      expect(hash).toBe(hashOf({ ...object, metadata }));
    }
  });

  it("leaves out the channels that the landscape does not serve, and with the last of them the release meta", () => {
    const catalogue = catalogueOf({ ...TWO_CHANNELS, elsewhere: ["fast"] });
    const { templates, releaseMetas } = compile(catalogue, DEV);

    expect(names(templates)).toEqual(["certs-1.0.0"]);
    expect(names(releaseMetas)).toEqual(["certs"]);
    expect(names(compile(catalogue, { ...DEV, landscape: "nowhere" }).templates)).toEqual([]);
  });

  it("leaves out versions that only modules/ has", () => {
    const catalogue = catalogueOf({ ...TWO_CHANNELS, versions: { "certs/0.9.0": {} } });

    expect(names(compile(catalogue, DEV).templates)).not.toContain("certs-0.9.0");
  });

  it("maps a mandatory module to its version, and to no channel", () => {
    const catalogue = catalogueOf({ channels: { mandatory: { audit: "1.2.0" } }, mandatory: ["mandatory"] });
    const { templates, releaseMetas } = compile(catalogue, DEV);

    expect(specs(releaseMetas)).toMatchObject([{ moduleName: "audit", mandatory: { version: "1.2.0" } }]);
    expect(releaseMetas[0]?.["spec"]).not.toHaveProperty("channels");
    expect(specs(templates)).toMatchObject([{ mandatory: true }]);
  });

  it("takes the OCM component from module.yaml before the descriptor, and leaves it out where neither has it", () => {
    const catalogue = catalogueOf({
      channels: { fast: { certs: "1.0.0", mesh: { version: "1.0.0", descriptor: {} } } },
    });
    const named = new Map(
      [...catalogue.modules].map(([name, module]) => [name, { ...module, ocmComponentName: "example.com/own/certs" }]),
    );

    expect(specs(compile({ ...catalogue, modules: named }, DEV).releaseMetas)[0]).toMatchObject({
      ocmComponentName: "example.com/own/certs",
    });
    expect(specs(compile(catalogue, DEV).releaseMetas)[1]).not.toHaveProperty("ocmComponentName");
  });

  it("compiles nothing of a withheld module, and all of the others", () => {
    const catalogue = catalogueOf({
      channels: {
        fast: { certs: { version: "1.0.0", requiresDowntime: true }, mesh: "1.0.0" },
        regular: { certs: "1.0.0" },
      },
    });
    const compiled = compile(catalogue, DEV);

    expect([...compiled.withheld]).toEqual(["certs"]);
    expect(names([...compiled.templates, ...compiled.releaseMetas])).toEqual(["mesh-1.0.0", "mesh"]);
  });

  it("gives the same twice", () => {
    expect(compile(catalogueOf(TWO_CHANNELS), DEV)).toEqual(compile(catalogueOf(TWO_CHANNELS), DEV));
  });
});

describe("compile for channel templates", () => {
  const target = targetOf("channel-templates");

  it("gives a template for each channel and module, in its channel, and no release meta", () => {
    const { templates, releaseMetas } = compile(catalogueOf(TWO_CHANNELS), target);

    expect(names(templates)).toEqual(["certs-fast", "certs-regular", "mesh-fast"]);
    expect(specs(templates)).toMatchObject([{ channel: "fast" }, { channel: "regular" }, { channel: "fast" }]);
    expect(releaseMetas).toEqual([]);
  });

  it("labels mandatory templates, by which an older lifecycle-manager finds them", () => {
    const catalogue = catalogueOf({
      channels: { mandatory: { audit: "1.2.0" }, fast: { certs: "1.0.0" } },
      mandatory: ["mandatory"],
    });
    const [audit, certs] = compile(catalogue, target).templates;

    expect(audit?.metadata).toMatchObject({
      name: "audit-mandatory",
      labels: { "operator.kyma-project.io/mandatory-module": "true" },
    });
    expect(audit?.["spec"]).toMatchObject({ mandatory: true });
    expect(certs?.metadata.labels).not.toHaveProperty("operator.kyma-project.io/mandatory-module");
  });

  it("names a template of modules/ after its version, since it is in no channel", () => {
    const catalogue = catalogueOf({ ...TWO_CHANNELS, versions: { "certs/0.9.0": {} } });
    const template = [...(catalogue.modules.values().next().value?.templates.values() ?? [])][0];
    if (template === undefined) throw new Error("the sample has this template");

    expect(templateName(template, "channel-templates")).toBe("certs-0.9.0");
    expect(compileTemplate(template, target, false)["spec"]).not.toHaveProperty("channel");
  });
});
