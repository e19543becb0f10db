import { createHash } from "node:crypto";

/** What one channel serves of one module. */
export interface SampleEntry {
  readonly module: string;
  readonly channel: string;
  readonly version: string;
}

/** A channel file of 75 lines, with all that such a file usually has. The digests differ from entry to entry. */
export function sampleTemplate({ module, channel, version }: SampleEntry): string {
  const digest = createHash("sha256").update(`${module} ${version}`).digest("hex");
  const kind = module.split("-").map(capitalized).join("");
  return `# yaml-language-server: $schema=../../schemas/moduletemplate.schema.json
apiVersion: operator.kyma-project.io/v1beta2
kind: ModuleTemplate
metadata:
  name: ${module}-${channel}
  namespace: kcp-system
  labels:
    operator.kyma-project.io/module-name: ${module}
  annotations:
    operator.kyma-project.io/module-version: ${version}
    operator.kyma-project.io/is-cluster-scoped: "false"
spec:
  channel: ${channel}
  moduleName: ${module}
  version: ${version}
  info:
    repository: https://github.com/kyma-project/${module}
    documentation: https://kyma-project.io/#/${module}/user/README
    icons:
      - name: module-icon
        link: https://raw.githubusercontent.com/kyma-project/kyma/main/assets/logo_icon.svg
  manager:
    group: apps
    version: v1
    kind: Deployment
    name: ${module}-manager
    namespace: kyma-system
  associatedResources:
    - group: operator.kyma-project.io
      version: v1alpha1
      kind: ${kind}
  resources:
    - name: rawManifest
      link: https://github.com/kyma-project/${module}/releases/download/${version}/${module}-manager.yaml
  data:
    apiVersion: operator.kyma-project.io/v1alpha1
    kind: ${kind}
    metadata:
      name: default
      namespace: kyma-system
    spec:
      logLevel: info
  descriptor:
    meta:
      schemaVersion: v2
    component:
      name: kyma-project.io/module/${module}
      version: ${version}
      provider: kyma-project.io
      repositoryContexts:
        - type: OCIRegistry
          baseUrl: europe-docker.pkg.dev/kyma-project/prod
          componentNameMapping: urlPath
      componentReferences: []
      resources:
        - name: ${module}-manager
          type: ociArtifact
          relation: external
          version: ${version}
          access:
            type: ociArtifact
            imageReference: europe-docker.pkg.dev/kyma-project/prod/${module}-manager:${version}
        - name: raw-manifest
          type: yaml
          relation: local
          version: ${version}
          access:
            type: localBlob
            mediaType: application/x-yaml
            localReference: sha256:${digest}
          digest:
            hashAlgorithm: SHA-256
            normalisationAlgorithm: genericBlobDigest/v1
            value: ${digest}
      sources: []
`;
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
