import type { Json, JsonObject } from "../../../src/kubernetes/object.ts";

/** A resource as modulectl writes it. */
export const RAW_MANIFEST: JsonObject = {
  name: "raw-manifest",
  version: "1.2.0",
  type: "directoryTree",
  relation: "local",
  access: { type: "localBlob", localReference: `sha256:${"0a".repeat(32)}`, mediaType: "application/x-tar" },
};

/** An image as modulectl writes it. */
export const IMAGE: JsonObject = {
  name: "sample-manager",
  version: "1.2.0",
  type: "ociArtifact",
  relation: "external",
  labels: [{ name: "scan.security.kyma-project.io/type", value: "third-party-image", version: "v1" }],
  access: { type: "ociArtifact", imageReference: "example.com/prod/sample-manager:1.2.0" },
};

const CONTEXT: JsonObject = {
  type: "OCIRegistry",
  baseUrl: "example.com",
  subPath: "prod",
  componentNameMapping: "urlPath",
};

/** A v2 descriptor without fault; `component` replaces some of its fields. */
export function descriptorV2(component: JsonObject = {}): JsonObject {
  return {
    meta: { schemaVersion: "v2" },
    component: {
      name: "kyma-project.io/module/sample",
      version: "1.2.0",
      provider: "kyma-project.io",
      repositoryContexts: [CONTEXT],
      resources: [RAW_MANIFEST, IMAGE],
      sources: [{ name: "sources", version: "1.2.0", type: "git", access: { type: "gitHub", commit: "0a" } }],
      componentReferences: [],
      ...component,
    },
  };
}

/** A v3 descriptor without fault, with these resources. */
export function descriptorV3(resources: readonly Json[] = [RAW_MANIFEST, IMAGE]): JsonObject {
  return {
    apiVersion: "ocm.software/v3alpha1",
    kind: "ComponentVersion",
    metadata: {
      name: "kyma-project.io/module/sample",
      version: "1.2.0",
      provider: { name: "kyma-project.io", labels: [{ name: "built-by", value: "modulectl" }] },
    },
    repositoryContexts: [CONTEXT],
    spec: { resources, sources: [], references: [] },
  };
}
