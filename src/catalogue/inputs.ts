import type { Finding } from "../document/finding.ts";
import { fieldAt, textAt } from "../document/fields.ts";
import { readManifest, unreadableManifest, type Manifest } from "../kubernetes/manifest.ts";
import { RESOURCES } from "../kubernetes/object.ts";
import { compareText } from "../document/order.ts";
import type { SnapshotFile } from "../document/snapshot.ts";
import { locate, readYaml, refusals, type YamlFile, type YamlReading } from "../document/yaml/read.ts";
import type { ModuleTemplate, Template } from "./template.ts";

/** The build inputs of a version that the repository holds. */
export interface Inputs {
  /** `module-config.yaml`, the input of modulectl 3; `undefined` when it is missing or unreadable. */
  readonly config: YamlFile | undefined;
  /** The raw manifest; a link when the configuration names a URL. */
  readonly manifest: Manifest | { readonly link: string } | undefined;
  /** The default CR that the configuration names; `undefined` when it is missing or unreadable. */
  readonly defaultCr: YamlFile | undefined;
  /** The images to scan (`sec-scanners-config.yaml`) that the configuration names; `undefined` as above. */
  readonly security: YamlFile | undefined;
  /** The files of `samples/`, in the order of their names: objects as users write them. */
  readonly samples: readonly Manifest[];
  /** The findings for an unreadable configuration, and for unreadable files that it names. */
  readonly findings: readonly Finding[];
}

/** The manifest of a version if the repository holds it. */
export function localManifest(inputs: Inputs | undefined): Manifest | undefined {
  const manifest = inputs?.manifest;
  return manifest !== undefined && "objects" in manifest ? manifest : undefined;
}

/** The module and version of a build input, `modules/<module>/<version>/…`; `undefined` for other paths. */
export function inputAt(path: string): { readonly module: string; readonly version: string } | undefined {
  const [root, module, version, file] = path.split("/");
  if (root !== "modules" || module === undefined || version === undefined || file === undefined) return undefined;
  return file === "template.yaml" ? undefined : { module, version };
}

/** The folder of a version's inputs. */
export function inputsFolder(module: string, version: string): string {
  return `modules/${module}/${version}/`;
}

/**
 * The inputs of one version, from the files of a repository: the manifest that `module-config.yaml` names, else
 * `manifest.yaml`. Source: the module configuration of modulectl 3.
 */
export function readInputs(files: ReadonlyMap<string, SnapshotFile>, module: string, version: string): Inputs {
  const folder = inputsFolder(module, version);
  const read = (name: string | undefined): YamlReading | undefined => {
    if (name === undefined) return undefined;
    const content = files.get(folder + name);
    return content && readYaml(folder + name, content);
  };
  const configuration = read("module-config.yaml");
  const config = readYamlFile(configuration);
  const named = (field: string): string | undefined => textAt(config?.value, [field])?.replace(/^(\.\/)+/, "");
  const [defaultCr, security] = [read(named("defaultCR")), read(named("security"))];
  const inputs = {
    config,
    defaultCr: readYamlFile(defaultCr),
    security: readYamlFile(security),
    samples: [...files]
      .filter(([path]) => path.startsWith(`${folder}samples/`) && /\.ya?ml$/.test(path))
      .toSorted(([a], [b]) => compareText(a, b))
      .map(([path, file]) => manifestIn(path, file)),
    findings: [configuration, defaultCr, security].flatMap((one) => (one?.kind === "refused" ? one.findings : [])),
  };
  const manifest = named("manifest");
  if (manifest?.includes("://") === true) return { ...inputs, manifest: { link: manifest } };
  const manifestPath = folder + (manifest ?? "manifest.yaml");
  const manifestFile = files.get(manifestPath);
  const found = manifestFile && manifestIn(manifestPath, manifestFile);
  return { ...inputs, manifest: found ?? (config && manifest !== undefined ? missing(config, manifest) : undefined) };
}

/**
 * What the build inputs of a version say of its template, where there is none yet: its default CR and its manager. It is
 * in the first readable input, else at the place of the manifest.
 */
export function templatesOfInputs(
  { config, defaultCr }: Inputs,
  { module, version }: Pick<Template, "module" | "version">,
): readonly Template[] {
  const path = `${inputsFolder(module, version)}manifest.yaml`;
  const manager = fieldAt(config?.value, ["manager"]);
  const spec = { moduleName: module, version, data: defaultCr?.value, manager, descriptor: {} };
  const { apiVersion } = RESOURCES.moduleTemplate;
  const object: ModuleTemplate = {
    apiVersion,
    kind: "ModuleTemplate",
    metadata: { name: `${module}-${version}` },
    spec,
  };
  const files = [config, defaultCr, readYamlFile(readYaml(path, { kind: "bytes", bytes: Buffer.from("{}") }))];
  const readable = files.filter((file) => file !== undefined).slice(0, 1);
  return readable.map((file) => ({ module, version, channel: undefined, file, object }));
}

function readYamlFile(reading: YamlReading | undefined): YamlFile | undefined {
  return reading?.kind === "read" ? reading.file : undefined;
}

/** A configuration that names a missing file, or one outside its folder, must not look like one without a manifest. */
function missing(config: YamlFile, name: string): Manifest {
  const message = `The manifest ${name} is not in the folder of the version.`;
  const remedy = "Put the manifest there, or correct the name.";
  const place = { file: config.path, ...locate(config, ["manifest"]) };
  return unreadableManifest(config.path, [{ rule: "manifest-syntax", severity: "error", ...place, message, remedy }]);
}

function manifestIn(path: string, file: SnapshotFile): Manifest {
  return file.kind === "bytes" ? readManifest(path, true, file.bytes) : unreadableManifest(path, refusals(path, file));
}
