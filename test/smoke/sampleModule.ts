import type { Folder } from "../systems/repository.ts";

/** Any object, as it is written. */
export type Written = Readonly<Record<string, unknown>>;

/** One version of a sample module. */
export interface SampleVersion {
  /** Makes others of the objects of a good manifest. */
  readonly objects?: (good: readonly Written[]) => readonly Written[];
  /** A manifest as it is written, in place of any objects. */
  readonly manifest?: string;
  /** Makes another of the good default CR. */
  readonly defaultCr?: (good: Written) => Written;
  /** The APIs that its module requires, where it is the last version. */
  readonly requires?: readonly object[];
  /** Files of `samples/`, by name. */
  readonly samples?: Readonly<Record<string, Written>>;
  /** The component descriptor of the template; empty by default. */
  readonly descriptor?: object;
  /** What the template links in place of a manifest in the repository. */
  readonly link?: string;
  /** Whether the repository has no manifest, and nothing links one. */
  readonly isElsewhere?: boolean;
}

/** The kind of a sample module: each has its own, so that they do not meet on one cluster. */
export function kindOf(module: string): string {
  return `${module[0]?.toUpperCase() ?? ""}${module.slice(1)}`;
}

/** A definition with one version, whose spec has `size` and `mode`. */
export function definition(module: string): Written {
  const properties = {
    size: { type: "integer" },
    mode: { type: "string", enum: ["plain", "loud"] },
    note: { type: "string" },
  };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${module}s.smoke.example.com` },
    spec: {
      group: "smoke.example.com",
      scope: "Namespaced",
      names: { kind: kindOf(module), listKind: `${kindOf(module)}List`, plural: `${module}s`, singular: module },
      versions: [crdVersion("v1alpha1", properties)],
    },
  };
}

/** One version of a definition. */
export function crdVersion(name: string, properties: Written, isStorage = true): Written {
  const spec = { type: "object", properties };
  const conditions = { type: "array", items: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
  const status = { type: "object", properties: { state: { type: "string" }, conditions } };
  const openAPIV3Schema = { type: "object", properties: { spec, status } };
  return { name, served: true, storage: isStorage, subresources: { status: {} }, schema: { openAPIV3Schema } };
}

/** A Deployment of the module's manager. */
export function deployment(module: string, labels: Readonly<Record<string, string>> = { app: module }): Written {
  const container = { name: "manager", image: `registry.example.com/${module}:1.0.0` };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: `${module}-manager`, namespace: "kyma-system" },
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [container] } },
    },
  };
}

/** A ConfigMap of the module. */
export function configMap(name: string, namespace = "kyma-system"): Written {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace }, data: { a: "b" } };
}

function goodObjects(module: string): readonly Written[] {
  const metadata = { name: `${module}-manager`, namespace: "kyma-system" };
  return [
    deployment(module),
    { apiVersion: "v1", kind: "ServiceAccount", metadata },
    definition(module),
    configMap(`${module}-settings`),
  ];
}

function goodCr(module: string): Written {
  const metadata = { name: "default", namespace: "kyma-system" };
  return { apiVersion: "smoke.example.com/v1alpha1", kind: kindOf(module), metadata, spec: { size: 3, mode: "loud" } };
}

/** Writes a catalogue whose channel `regular` serves the first of `versions`, and `fast` the last. */
export function writeModule(folder: Folder, module: string, versions: Readonly<Record<string, SampleVersion>>): void {
  const names = Object.keys(versions);
  const policy = { format: 1, kind: "release", landscapes: ["dev"] };
  const { requires } = versions[names.at(-1) ?? ""] ?? {};
  const files: Record<string, string> = {
    "kyma-modules.yaml": JSON.stringify({ format: 1, landscapes: [{ name: "dev", controlPlane: { context: "dev" } }] }),
    "channels/fast.yaml": JSON.stringify(policy),
    "channels/regular.yaml": JSON.stringify({ ...policy, follows: "fast" }),
    [`modules/${module}/module.yaml`]: JSON.stringify({
      format: 1,
      ocmComponentName: `example.com/${module}`,
      requires,
    }),
  };
  for (const [channel, name = ""] of [
    ["regular", names[0]],
    ["fast", names.at(-1)],
  ] as const)
    files[`channels/${channel}/${module}.yaml`] = JSON.stringify(template(module, channel, name, versions[name] ?? {}));
  for (const [name, version] of Object.entries(versions)) Object.assign(files, inputs(module, name, version));
  folder.write(files);
}

const same = (good: readonly Written[]): readonly Written[] => good;

function inputs(module: string, name: string, version: SampleVersion): Readonly<Record<string, string>> {
  const folder = `modules/${module}/${name}`;
  const { objects = same, manifest, samples = {}, link, isElsewhere = link !== undefined } = version;
  const stream = objects(goodObjects(module)).map((object) => JSON.stringify(object));
  const written = Object.entries(samples).map(([file, object]) => [
    `${folder}/samples/${file}`,
    JSON.stringify(object),
  ]);
  return {
    ...(!isElsewhere && { [`${folder}/manifest.yaml`]: manifest ?? stream.join("\n---\n") }),
    ...(Object.fromEntries(written) as Readonly<Record<string, string>>),
  };
}

function template(
  module: string,
  channel: string,
  version: string,
  { defaultCr = (good) => good, link, descriptor = {} }: SampleVersion,
): Written {
  const labels = { "operator.kyma-project.io/module-name": module };
  return {
    apiVersion: "operator.kyma-project.io/v1beta2",
    kind: "ModuleTemplate",
    metadata: { name: `${module}-${channel}`, namespace: "kcp-system", labels },
    spec: {
      ...{ channel, moduleName: module, version, descriptor, data: defaultCr(goodCr(module)) },
      ...(link !== undefined && { resources: [{ name: "rawManifest", link }] }),
    },
  };
}
