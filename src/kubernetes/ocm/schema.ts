import type { SchemaObject } from "ajv";

/** The API versions of schema v3. */
export const V3_API_VERSIONS: readonly string[] = ["ocm.software/v3alpha1", "ocm.gardener.cloud/v3alpha1"];

// Versions of a descriptor may omit the minor and the patch version, and may begin with a v.
const IDENTIFIER = String.raw`(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)`;
const VERSION = String.raw`^v?(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)){0,2}(?:-${IDENTIFIER}(?:\.${IDENTIFIER})*)?(?:\+[0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*)?$`;

const text = { type: "string" };
// OCM writes null for an empty list.
const list = (items: string): SchemaObject => ({ type: "array", nullable: true, items: { $ref: `#/$defs/${items}` } });
const ref = (name: string): SchemaObject => ({ $ref: `#/$defs/${name}` });

/** A map that must have the properties `required`; `closed` refuses properties without a schema. */
const map = (required: readonly string[], properties: SchemaObject, closed = false): SchemaObject => ({
  type: "object",
  required,
  properties,
  ...(closed && { additionalProperties: false }),
});

/** The properties that an access of one of `types` must have. A version may follow the type: `localBlob/v1`. */
const whereType = (types: string, required: readonly string[], properties: SchemaObject): SchemaObject => ({
  if: { required: ["type"], properties: { type: { type: "string", pattern: `^(?:${types})(?:/v[0-9]+)?$` } } },
  then: { required, properties },
});

const element = {
  name: ref("elementName"),
  version: ref("version"),
  type: text,
  extraIdentity: { type: "object", propertyNames: ref("elementName") },
  labels: list("label"),
};

const shared = {
  componentName: {
    type: "string",
    maxLength: 255,
    pattern: "^[a-z][-a-z0-9]*([.][a-z][-a-z0-9]*)*[.][a-z]{2,}(/[a-z][-a-z0-9_]*([.][a-z][-a-z0-9_]*)*)+$",
    patternErrorMessage: "must be a domain and a path, as in kyma-project.io/module/istio",
  },
  elementName: {
    type: "string",
    minLength: 2,
    pattern: "^[a-z0-9]([-_+a-z0-9]*[a-z0-9])?$",
    patternErrorMessage:
      "must consist of lower-case letters, digits, -, _ and +, and begin and end with a letter or digit",
  },
  version: {
    type: "string",
    pattern: VERSION,
    patternErrorMessage: "must be a version, as in 1.2.3",
  },
  label: map(["name", "value"], {
    name: text,
    version: { type: "string", pattern: "^v[0-9]+$", patternErrorMessage: "must be v and a number, as in v1" },
    signing: { type: "boolean" },
  }),
  access: {
    ...map(["type"], { type: text }),
    allOf: [
      whereType("localBlob|LocalBlob", ["localReference", "mediaType"], { localReference: text, mediaType: text }),
      whereType("ociArtifact|ociRegistry|ociImage|OCIImage", ["imageReference"], { imageReference: text }),
      whereType("localOciBlob", ["digest"], { digest: text }),
    ],
  },
  digest: {
    ...map(["hashAlgorithm", "normalisationAlgorithm", "value"], {
      hashAlgorithm: text,
      normalisationAlgorithm: text,
      value: text,
    }),
    nullable: true,
  },
  resource: map(["name", "version", "type", "relation", "access"], {
    ...element,
    relation: { type: "string", enum: ["local", "external"] },
    access: ref("access"),
    digest: ref("digest"),
  }),
  source: map(["name", "version", "type", "access"], { ...element, access: ref("access") }),
  reference: map(
    ["name", "componentName", "version"],
    {
      name: element.name,
      componentName: ref("componentName"),
      version: element.version,
      extraIdentity: element.extraIdentity,
      labels: element.labels,
      digest: ref("digest"),
    },
    true,
  ),
  repositoryContext: {
    ...map(["type"], { type: text }),
    ...whereType("ociRegistry|OCIRegistry", ["baseUrl"], {
      baseUrl: text,
      subPath: text,
      componentNameMapping: { type: "string", enum: ["urlPath", "sha256-digest"] },
    }),
  },
};

/** A component descriptor of schema v2. Source: OCM, resources/component-descriptor-v2-schema.yaml, and its access methods. */
export const V2_SCHEMA: SchemaObject = {
  ...map(["meta", "component"], {
    meta: map(["schemaVersion"], { schemaVersion: { const: "v2" } }),
    component: map(
      ["name", "version", "repositoryContexts", "provider", "sources", "componentReferences", "resources"],
      {
        name: ref("componentName"),
        version: ref("version"),
        provider: text,
        repositoryContexts: list("repositoryContext"),
        labels: list("label"),
        sources: list("source"),
        componentReferences: list("reference"),
        resources: list("resource"),
      },
    ),
    signatures: { type: "array", nullable: true },
  }),
  $defs: shared,
};

/** A component descriptor of schema v3. Source: OCM, resources/component-descriptor-ocm-v3-schema.yaml. */
export const V3_SCHEMA: SchemaObject = {
  ...map(["apiVersion", "kind", "metadata", "spec"], {
    apiVersion: { type: "string", enum: V3_API_VERSIONS },
    kind: { const: "ComponentVersion" },
    metadata: map(
      ["name", "version"],
      {
        name: ref("componentName"),
        version: ref("version"),
        labels: list("label"),
        creationTime: text,
        provider: map(["name"], { name: text, labels: list("label") }, true),
      },
      true,
    ),
    repositoryContexts: list("repositoryContext"),
    spec: map([], { sources: list("source"), references: list("reference"), resources: list("resource") }, true),
    signatures: { type: "array", nullable: true },
  }),
  $defs: shared,
};
