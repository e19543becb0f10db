import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { load, loadAll } from "js-yaml";
import { describe, expect, it } from "vitest";
import { validate, type SchemaKind } from "../../src/catalogue/schema.ts";

const ROOT = join(import.meta.dirname, "../..");
const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");
const files = (...patterns: string[]): string[] => globSync(patterns, { cwd: ROOT }).sort();

/** The files to validate, with their schemas. */
const OWN: readonly (readonly [SchemaKind, string, string])[] = [
  ["settings", "settings", "kyma-modules.yaml"],
  ["channel", "channel", "channels/*.yaml"],
  ["module", "module", "modules/*/module.yaml"],
  ["holds", "holds", "modules/*/holds.yaml"],
  ["hotfixes", "hotfixes", "modules/*/hotfixes.yaml"],
  ["moduleTemplate", "moduletemplate", "channels/*/*.yaml"],
  ["moduleTemplate", "moduletemplate", "modules/*/*/template.yaml"],
];

const OWN_FILES = OWN.flatMap(([kind, schema, pattern]) => files(pattern).map((path) => ({ kind, schema, path })));

describe.each(OWN_FILES)("$path", ({ kind, schema, path }) => {
  it("matches its schema", () => {
    expect(validate(kind, load(read(path)))).toEqual([]);
  });

  it("names its schema in the first line, for editors", () => {
    const [first = ""] = read(path).split("\n");
    const reference = first.replace("# yaml-language-server: $schema=", "");

    expect(join(path, "..", reference)).toBe(`schemas/${schema}.schema.json`);
  });
});

it("has a file for every schema", () => {
  expect(OWN.filter(([, , pattern]) => files(pattern).length === 0)).toEqual([]);
});

interface Template {
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations: Readonly<Record<string, string>>;
  };
  readonly spec: {
    readonly channel?: string;
    readonly moduleName: string;
    readonly version: string;
    readonly mandatory?: boolean;
    readonly requiresDowntime?: boolean;
    readonly data: unknown;
    readonly manager: unknown;
    readonly associatedResources: unknown;
    readonly resources: readonly { readonly name: string; readonly link: string }[];
    readonly descriptor: { readonly component: Component };
  };
}

interface Component {
  readonly name: string;
  readonly version: string;
  readonly resources: readonly {
    readonly name: string;
    readonly version: string;
    readonly access: { readonly imageReference?: string; readonly localReference?: string };
    readonly digest?: { readonly value: string };
  }[];
}

interface ModuleConfig {
  readonly name: string;
  readonly version: string;
  readonly manager: unknown;
  readonly associatedResources: unknown;
  readonly resources: unknown;
}

const template = (path: string): Template => load(read(path)) as Template;
const TEMPLATES = files("channels/*/*.yaml", "modules/*/*/template.yaml");

describe.each(TEMPLATES)("the template %s", (path) => {
  const { metadata, spec } = template(path);
  const folder = `modules/${spec.moduleName}/${spec.version}`;
  const manifest = read(`${folder}/manifest.yaml`);
  const { component } = spec.descriptor;

  it("has the same module, version and channel everywhere", () => {
    const { channel, moduleName, version } = spec;
    const place = channel === undefined ? `${folder}/template.yaml` : `channels/${channel}/${moduleName}.yaml`;
    const { ocmComponentName } = load(read(`modules/${moduleName}/module.yaml`)) as { ocmComponentName: string };

    expect(path).toBe(place);
    expect(metadata.name).toBe(`${moduleName}-${channel ?? version}`);
    expect(metadata.namespace).toBe("kcp-system");
    expect(metadata.labels).toEqual({ "operator.kyma-project.io/module-name": moduleName });
    expect(metadata.annotations["operator.kyma-project.io/module-version"]).toBe(version);
    expect([component.name, component.version]).toEqual([ocmComponentName, version]);
    expect(component.resources.map((resource) => resource.version)).toEqual(component.resources.map(() => version));
  });

  it("names the manifest by its digest", () => {
    const digest = createHash("sha256").update(manifest).digest("hex");
    const raw = component.resources.find(({ name }) => name === "raw-manifest");

    expect(raw?.access.localReference).toBe(`sha256:${digest}`);
    expect(raw?.digest?.value).toBe(digest);
  });

  it("declares exactly the images of the manifest, with the version as tag", () => {
    const used = [...manifest.matchAll(/europe-docker\.pkg\.dev\/\S+/g)].map(([image]) => image);
    const declared = component.resources.flatMap(({ access }) => access.imageReference ?? []);

    expect(declared.toSorted()).toEqual([...new Set(used)].toSorted());
    for (const image of declared)
      expect(image).toMatch(new RegExp(`^europe-docker.pkg.dev/kyma-project/prod/[-a-z]+:${spec.version}$`));
  });

  it("contains the inputs of its build", () => {
    const config = load(read(`${folder}/module-config.yaml`)) as ModuleConfig;
    const { manager, associatedResources, resources } = spec;

    expect(spec.data).toEqual(load(read(`${folder}/default-cr.yaml`)));
    expect({ manager, associatedResources, resources }).toEqual({
      manager: config.manager,
      associatedResources: config.associatedResources,
      resources: config.resources,
    });
    expect([config.name, config.version]).toEqual([component.name, spec.version]);
  });
});

describe("the sample catalogue", () => {
  const content = (path: string): unknown => {
    const { metadata, spec } = template(path);
    const { channel: _, mandatory: __, ...rest } = spec;
    return { labels: metadata.labels, annotations: metadata.annotations, spec: rest };
  };
  const versions = (module: string): Readonly<Record<string, string>> =>
    Object.fromEntries<string>(
      files(`channels/*/${module}.yaml`).map((path) => [path.split("/")[1] ?? "", template(path).spec.version]),
    );

  it("has the same content if two channels serve one version", () => {
    const groups = Map.groupBy(TEMPLATES, (path) => `${template(path).spec.moduleName} ${template(path).spec.version}`);
    const shared = [...groups.values()].filter((paths) => paths.length > 1);

    expect(shared).not.toHaveLength(0);
    for (const [first = "", ...others] of shared)
      for (const other of others) expect(content(other)).toEqual(content(first));
  });

  it("shows every stage of a module's life", () => {
    expect(versions("message-broker")).toEqual({ fast: "2.1.3", regular: "2.1.3" });
    expect(versions("certificates")).toEqual({ fast: "1.5.0", regular: "1.4.2" });
    expect(versions("object-store")).toEqual({ fast: "0.9.1", regular: "0.9.0" });
    expect(versions("data-pipeline")).toEqual({ experimental: "0.3.0-experimental" });
    expect(versions("audit-log")).toEqual({ mandatory: "1.2.0" });
    expect(versions("service-mesh")).toEqual({ fast: "3.0.4", regular: "3.0.4" });
    expect(template("channels/mandatory/audit-log.yaml").spec.mandatory).toBe(true);
    expect(template("channels/fast/service-mesh.yaml").spec.requiresDowntime).toBe(true);
    expect(files("modules/*/*/template.yaml")).toEqual(["modules/certificates/1.4.1/template.yaml"]);
  });

  it.each(files("modules/*/*/manifest.yaml"))("hardens the manager of %s", (path) => {
    const deployment = (loadAll(read(path)) as Workload[]).find(({ kind }) => kind === "Deployment");
    const pod = deployment?.spec.template.spec;

    expect(pod?.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } });
    expect(pod?.containers[0]?.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    });
  });
});

interface Workload {
  readonly kind: string;
  readonly spec: {
    readonly template: {
      readonly spec: {
        readonly securityContext: unknown;
        readonly containers: readonly { readonly securityContext: unknown }[];
      };
    };
  };
}
