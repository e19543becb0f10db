import type { Catalogue } from "../../src/catalogue/catalogue.ts";
import { parse } from "../../src/catalogue/parse.ts";
import { fileOf } from "../catalogue/repository.ts";

/** A short form of a repository for tests. */
export interface Sample {
  /** Channel to module to version, or to other fields of the spec in its file. */
  readonly channels: Readonly<Record<string, Readonly<Record<string, string | TemplateSpec>>>>;
  /** Channels of the kind mandatory; all others are release channels. */
  readonly mandatory?: readonly string[];
  /** Channels that this landscape does not serve; all others are served. */
  readonly elsewhere?: readonly string[];
  /** Channels that both landscapes serve. */
  readonly everywhere?: readonly string[];
  /** `<module>/<version>` to the spec of `modules/<module>/<version>/template.yaml`. */
  readonly versions?: Readonly<Record<string, TemplateSpec>>;
  /** Module to the fields of its `module.yaml`, and to its holds. */
  readonly modules?: Readonly<Record<string, object>>;
  readonly holds?: Readonly<Record<string, readonly object[]>>;
  /** Fields of `kyma-modules.yaml` beyond the landscapes. */
  readonly settings?: object;
  /** Path of a kubeconfig, and the namespace, for tests that run the program itself. */
  readonly kubeconfig?: string;
  readonly namespace?: string;
}

/** Fields of a template's spec; the others get defaults. */
export interface TemplateSpec {
  readonly version?: string;
  /** Labels of the template, in addition to the module's name; not a field of the spec. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}

const GROUP_VERSION = "operator.kyma-project.io/v1beta2";

/** The label by which lifecycle-manager finds a module's templates. */
export const MODULE_LABEL = "operator.kyma-project.io/module-name";

/** The ModuleTemplate in a channel file or in the file of a version. */
export function templateObject(module: string, name: string, { labels, ...spec }: TemplateSpec): object {
  return {
    apiVersion: GROUP_VERSION,
    kind: "ModuleTemplate",
    metadata: { name, namespace: "kcp-system", labels: { [MODULE_LABEL]: module, ...labels } },
    spec: {
      moduleName: module,
      info: { repository: `https://example.com/${module}`, documentation: `https://example.com/${module}/docs` },
      data: { apiVersion: "example.com/v1", kind: "Sample", metadata: { name: "default" }, spec: { size: 1 } },
      resources: [{ name: "rawManifest", link: `https://example.com/${module}.yaml` }],
      descriptor: { component: { name: `example.com/module/${module}`, version: spec.version } },
      ...spec,
    },
  };
}

/** The files of a repository, as text; JSON is YAML. */
export function filesOf(sample: Sample): ReadonlyMap<string, string> {
  const objects = [
    ["kyma-modules.yaml", settingsOf(sample)] as const,
    ...Object.keys(sample.channels).flatMap((channel) => channelFiles(channel, sample)),
    ...Object.entries(sample.versions ?? {}).map(([key, spec]) => versionFile(key, spec)),
    ...Object.entries(sample.modules ?? {}).map(([name, module]): File => [
      `modules/${name}/module.yaml`,
      { format: 1, ...module },
    ]),
    ...Object.entries(sample.holds ?? {}).map(([name, holds]): File => [
      `modules/${name}/holds.yaml`,
      { format: 1, holds },
    ]),
  ];
  return new Map(objects.map(([path, object]) => [path, JSON.stringify(object, undefined, 2)]));
}

function settingsOf({ kubeconfig, namespace = "kcp-system", settings }: Sample): object {
  const landscapes = ["dev", "elsewhere"].map((name) => ({
    name,
    controlPlane: kubeconfig === undefined ? { context: name } : { kubeconfig },
    namespace,
    lifecycleManager: "version-templates",
  }));
  return { format: 1, landscapes, ...settings };
}

type File = readonly [path: string, object: object];

function channelFiles(channel: string, sample: Sample): readonly File[] {
  const { channels, mandatory = [], elsewhere = [], everywhere = [] } = sample;
  const isMandatory = mandatory.includes(channel);
  const kind = isMandatory ? "mandatory" : "release";
  const landscapes = everywhere.includes(channel)
    ? ["elsewhere", "dev"]
    : [elsewhere.includes(channel) ? "elsewhere" : "dev"];
  const policy: File = [`channels/${channel}.yaml`, { format: 1, kind, versions: "any", landscapes }];
  const templates = Object.entries(channels[channel] ?? {}).map(([module, given]): File => {
    const spec = typeof given === "string" ? { version: given } : given;
    const full = { channel, ...(isMandatory && { mandatory: true }), ...spec };
    return [`channels/${channel}/${module}.yaml`, templateObject(module, `${module}-${channel}`, full)];
  });
  return [policy, ...templates];
}

function versionFile(key: string, spec: TemplateSpec): File {
  const [module = "", version = ""] = key.split("/");
  const object = templateObject(module, `${module}-${version}`, { version, ...spec });
  return [`modules/${module}/${version}/template.yaml`, object];
}

/** The catalogue of a repository. Throws the findings of the parser if it refuses the files. */
export function catalogueOf(sample: Sample): Catalogue {
  const parsing = parse(undefined, new Map([...filesOf(sample)].map(([path, text]) => [path, fileOf(text)])));
  if (parsing.kind === "catalogue") return parsing.catalogue;
  throw new Error(parsing.findings.map(({ file, message }) => `${file}: ${message}`).join("\n"));
}
