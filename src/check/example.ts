import { CODEOWNERS_PATH, DECIDING_PATHS } from "../catalogue/codeowners.ts";
import type { FactName } from "./required.ts";
import type { ConvertedFile, SnapshotFile } from "../document/snapshot.ts";
import type { Fact, People, ServerVerdict } from "./facts.ts";
import type { ComponentVersion } from "../ports.ts";

/** Files by path, usually as text; `undefined` removes a file. */
export type ExampleFiles = Readonly<Record<string, string | SnapshotFile | undefined>>;

/** A small change of a small catalogue, and the answers of external systems. */
export interface Example {
  /** The files of the base that differ from `SAMPLE`. */
  readonly base?: ExampleFiles;
  /** The files that the change writes or removes. */
  readonly change: ExampleFiles;
  /** Whether the change consists of raw templates outside a catalogue. */
  readonly loose?: true;
  /** Contents of the channel files before the base, oldest first. */
  readonly history?: readonly ExampleFiles[];
  /** When the base was merged; long ago by default. Earlier commits are much older. */
  readonly baseMergedAt?: string;
  readonly people?: Partial<People>;
  /** The facts that must be known. */
  readonly required?: readonly FactName[];
  /** The files that a checkout of the change shows otherwise than Git has them. */
  readonly converted?: readonly ConvertedFile[];
  /** The fork point, if the head has it as a branch that it merged. */
  readonly aside?: string;
  /** Answers of external systems, for rules that need them. */
  readonly outside?: ExampleOutside;
  /** Other rules that must refuse the same change. */
  readonly also?: readonly string[];
}

/** Answers of external systems. */
export interface ExampleOutside {
  /** Keys: `versionKey`. */
  readonly releases?: Readonly<Record<string, boolean>>;
  readonly components?: Readonly<Record<string, ComponentVersion | undefined>>;
  readonly server?: Readonly<Record<string, readonly ServerVerdict[]>>;
  /** Address to manifest. */
  readonly links?: Readonly<Record<string, string>>;
  /** Image reference to digest. */
  readonly images?: Readonly<Record<string, string | undefined>>;
}

/** Answers as facts. Facts that the example omits are unknown. */
export function exampleFacts<T>(answers: Readonly<Record<string, T>> = {}): ReadonlyMap<string, Fact<T>> {
  return new Map(Object.entries(answers).map(([key, value]) => [key, { kind: "known", value }]));
}

/** `text` with the first `from` replaced. Throws if there is none, since such an example would show nothing. */
export function edit(text: string, from: string, to: string): string {
  if (!text.includes(from)) throw new Error(`The sample does not contain ${from}.`);
  return text.replace(from, () => to);
}

/** The entry of the followed channel. */
export const FAST = "channels/fast/sample.yaml";
/** The entry of the following channel. */
export const REGULAR = "channels/regular/sample.yaml";
/** The policy of the followed channel. */
export const FAST_POLICY = "channels/fast.yaml";
/** The policy of the following channel. */
export const REGULAR_POLICY = "channels/regular.yaml";
/** The settings file. */
export const SETTINGS = "kyma-modules.yaml";
/** The module file. */
export const MODULE = "modules/sample/module.yaml";
/** The holds of the module. */
export const HOLDS = "modules/sample/holds.yaml";
/** The declared hot-fixes of the module. */
export const HOTFIXES = "modules/sample/hotfixes.yaml";
/** The owners of all paths, as GitHub reads them. */
export const CODEOWNERS: string = CODEOWNERS_PATH;

/** The inputs of a version's build. */
export function manifestPath(version: string): string {
  return `modules/sample/${version}/manifest.yaml`;
}

/** `kyma-modules.yaml` of the sample. */
export const SETTINGS_TEXT = `format: 1
releaseManagers: ["@sample/release-managers"]
landscapes:
  - name: dev
    controlPlane: { context: dev }
registry: { baseUrl: registry.example.com/prod }
images: { allow: ["registry.example.com/prod/**"], digest: preferred }
kubernetes: { versions: ["1.34", "1.36"] }
`;

/** `module.yaml` of the sample. */
export const MODULE_TEXT = `format: 1
owners: ["@sample/team"]
ocmComponentName: example.com/module/sample
`;

/** `module.yaml` with links: a change that no rule refuses. */
export const LINKED: string = MODULE_TEXT.concat("links: { repository: https://example.com }\n");

/** The template of `sample` in a channel; without `channel`, the template in the folder of the version. */
export function templateText(channel: string | undefined, version: string): string {
  return `apiVersion: operator.kyma-project.io/v1beta2
kind: ModuleTemplate
metadata:
  name: sample-${channel ?? version}
  namespace: kcp-system
  labels:
    operator.kyma-project.io/module-name: sample
spec:${channel === undefined ? "" : `\n  channel: ${channel}`}
  moduleName: sample
  version: ${version}
  info:
    repository: https://github.com/sample/sample
    documentation: https://sample.example.com
  manager:
    group: apps
    version: v1
    kind: Deployment
    name: sample-manager
    namespace: kyma-system
  resources:
    - name: rawManifest
      link: https://github.com/sample/sample/releases/download/${version}/sample.yaml
  data:
    apiVersion: operator.example.com/v1
    kind: Sample
    metadata:
      name: default
      namespace: kyma-system
    spec:
      replicas: 1
  descriptor: {}
`;
}

/** The raw manifest of a version of `sample`. */
export function manifestText(version: string): string {
  return MANIFEST.replace("VERSION", () => version);
}

const MANIFEST = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: samples.operator.example.com
spec:
  group: operator.example.com
  names: { kind: Sample, listKind: SampleList, plural: samples, singular: sample }
  scope: Namespaced
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              properties:
                replicas: { type: integer, minimum: 1, maximum: 5 }
                size: { type: string, enum: [small, large] }
---
apiVersion: v1
kind: ServiceAccount
metadata:
  name: sample-manager
  namespace: kyma-system
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: sample-manager
rules:
  - apiGroups: [operator.example.com]
    resources: [samples]
    verbs: [get, list, watch]
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: sample-manager
  namespace: kyma-system
spec:
  replicas: 1
  selector:
    matchLabels: { app: sample-manager }
  template:
    metadata:
      labels: { app: sample-manager }
    spec:
      serviceAccountName: sample-manager
      securityContext:
        runAsNonRoot: true
        seccompProfile: { type: RuntimeDefault }
      containers:
        - name: manager
          image: registry.example.com/prod/sample-manager:VERSION
          securityContext:
            allowPrivilegeEscalation: false
            capabilities: { drop: [ALL] }
`;

const CODEOWNERS_TEXT = `* @sample/release-managers

# Generated by kyma-modules from here on: \`kyma-modules check --fix\` writes it anew.
${DECIDING_PATHS.map((path) => `/${path} @sample/release-managers\n`).join("")}/channels/*/sample.yaml @sample/team @sample/release-managers
/modules/sample/ @sample/team @sample/release-managers
# Waivers, accepted refusals, hot-fixes and lifted holds count only when a release manager approved.
/modules/*/module.yaml @sample/release-managers
/modules/*/holds.yaml @sample/release-managers
/modules/*/hotfixes.yaml @sample/release-managers
`;

/** The catalogue that every example changes: fast serves 1.1.0, and regular, which follows it, 1.0.0. */
export const SAMPLE: Readonly<Record<string, string>> = {
  [SETTINGS]: SETTINGS_TEXT,
  [FAST_POLICY]: "format: 1\nlandscapes: [dev]\n",
  [REGULAR_POLICY]: "format: 1\nfollows: fast\nlandscapes: [dev]\npromotion:\n  soak: { minor: 7d, patch: 1d }\n",
  [FAST]: templateText("fast", "1.1.0"),
  [REGULAR]: templateText("regular", "1.0.0"),
  [MODULE]: MODULE_TEXT,
  [manifestPath("1.0.0")]: manifestText("1.0.0"),
  [manifestPath("1.1.0")]: manifestText("1.1.0"),
  [CODEOWNERS]: CODEOWNERS_TEXT,
};

/** The bump that most examples use: fast gets 1.2.0, with its own manifest. */
export const BUMP: Readonly<Record<string, string>> = {
  [FAST]: templateText("fast", "1.2.0"),
  [manifestPath("1.2.0")]: manifestText("1.2.0"),
};

/** `BUMP` with one text of the template replaced. */
export function bumpTemplate(from: string, to: string): ExampleFiles {
  return { ...BUMP, [FAST]: edit(templateText("fast", "1.2.0"), from, to) };
}

/** `BUMP` with one text of the manifest replaced. */
export function bumpManifest(from: string, to: string): ExampleFiles {
  return { ...BUMP, [manifestPath("1.2.0")]: edit(manifestText("1.2.0"), from, to) };
}
