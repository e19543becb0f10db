import type { Catalogue } from "../../src/catalogue/catalogue.ts";
import type { Finding } from "../../src/document/finding.ts";
import { parse } from "../../src/catalogue/parse.ts";
import type { SnapshotFile } from "../../src/document/snapshot.ts";
import { readYaml, type YamlFile } from "../../src/document/yaml/read.ts";

/** Two landscapes, dev and prod. */
export const SETTINGS = `format: 1
landscapes:
  - name: dev
    controlPlane: { context: kcp-dev }
  - name: prod
    controlPlane: { context: kcp-prod }
    after: { landscape: dev, shortSoakReason: for tests }
`;

/** The policy of a channel that both landscapes serve. */
export const POLICY = "format: 1\nlandscapes: [dev, prod]\n";

/** The policy of a channel whose modules every cluster has. */
export const MANDATORY_POLICY = "format: 1\nkind: mandatory\nlandscapes: [dev, prod]\n";

/** Fifteen lines: the name stands in line 4, the label in 7, channel, module and version in 9 to 11, its copy in 15. */
export function channelTemplate(channel: string, module = "istio", version = "1.0.0"): string {
  return `apiVersion: operator.kyma-project.io/v1beta2
kind: ModuleTemplate
metadata:
  name: ${module}-${channel}
  namespace: kcp-system
  labels:
    operator.kyma-project.io/module-name: ${module}
spec:
  channel: ${channel}
  moduleName: ${module}
  version: ${version}
  descriptor:
    component:
      name: kyma-project.io/module/${module}
      version: ${version}
`;
}

/** The same content, as `modules/<module>/<version>/template.yaml` has it: one line less. */
export function versionTemplate(module = "istio", version = "1.0.0"): string {
  return channelTemplate("fast", module, version)
    .replace(`${module}-fast`, `${module}-${version}`)
    .replace("  channel: fast\n", "");
}

/** A repository with one channel that serves one module. */
export const REPOSITORY: Readonly<Record<string, string>> = {
  "kyma-modules.yaml": SETTINGS,
  "channels/fast.yaml": POLICY,
  "channels/fast/istio.yaml": channelTemplate("fast"),
};

/** The files of texts, of which tests use few again and again. */
const shared = new Map<string, SnapshotFile>();
const MOST_SHARED = 500;
const MAX_SHARED_LENGTH = 50_000;

/** Text or bytes as a file of a snapshot. Equal texts are one file, as a blob of Git is: the program reads it once. */
export function fileOf(content: string | Uint8Array): SnapshotFile {
  if (typeof content !== "string") return { kind: "bytes", bytes: content };
  const file = shared.get(content) ?? { kind: "bytes", bytes: Buffer.from(content) };
  if (shared.size >= MOST_SHARED) shared.clear();
  if (content.length <= MAX_SHARED_LENGTH) shared.set(content, file);
  return file;
}

/** Path to content, as a source gives it. */
export function snapshot(files: Readonly<Record<string, string | SnapshotFile>>): ReadonlyMap<string, SnapshotFile> {
  return new Map(
    Object.entries(files).map(([path, content]) => [path, typeof content === "string" ? fileOf(content) : content]),
  );
}

/** Everything that is wrong with a repository. */
export function findingsOf(files: Readonly<Record<string, string | SnapshotFile>>): readonly Finding[] {
  const parsing = parse(undefined, snapshot(files));
  return parsing.kind === "refused" ? parsing.findings : parsing.catalogue.findings;
}

/** `<file>:<line>:<column> <rule>` of each; a warning says so. */
export function places(findings: readonly Finding[]): readonly string[] {
  return findings.map(({ file, line, column, rule, severity }) => {
    return `${file}:${line}:${column} ${rule}${severity === "error" ? "" : ` (${severity})`}`;
  });
}

/** The catalogue of a repository that has no errors. */
export function catalogueOf(files: Readonly<Record<string, string | SnapshotFile>>): Catalogue {
  const parsing = parse("0123abc", snapshot(files));
  if (parsing.kind === "refused") throw new Error(places(parsing.findings).join("\n"));
  return parsing.catalogue;
}

/** A YAML file that can be read. */
export function yamlFile(path: string, text: string): YamlFile {
  const reading = readYaml(path, fileOf(text));
  if (reading.kind === "refused") throw new Error(places(reading.findings).join("\n"));
  return reading.file;
}
