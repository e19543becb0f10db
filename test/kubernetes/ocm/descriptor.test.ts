import { describe, expect, it } from "vitest";
import {
  imagesOf,
  rawManifestDigest,
  rawManifestsOf,
  readDescriptor,
  type Descriptor,
} from "../../../src/kubernetes/ocm/descriptor.ts";
import type { Json, JsonObject } from "../../../src/kubernetes/object.ts";
import { descriptorV2, descriptorV3, IMAGE, RAW_MANIFEST } from "./samples.ts";

/** Place and message of every problem. */
function problemsOf(value: Json | undefined): readonly string[] {
  const reading = readDescriptor(value);
  const problems = reading.kind === "empty" ? [] : reading.problems;
  return problems.map(({ path, message }) => `${path.join(".")} ${message}`);
}

function descriptorOf(value: Json): Descriptor {
  const reading = readDescriptor(value);
  if (reading.kind !== "read") throw new Error(`the descriptor is ${reading.kind}`);
  return reading.descriptor;
}

const withResource = (resource: JsonObject): JsonObject => descriptorV2({ resources: [resource] });

describe("a component descriptor", () => {
  it.for<["v2" | "v3", JsonObject]>([
    ["v2", descriptorV2()],
    ["v3", descriptorV3()],
  ])("of schema %s is read with the path of each part", ([schema, value]) => {
    const { resources, ...descriptor } = descriptorOf(value);
    const context = { type: "OCIRegistry", baseUrl: "example.com", subPath: "prod", componentNameMapping: "urlPath" };
    const top = schema === "v2" ? ["component"] : [];

    expect(problemsOf(value)).toEqual([]);
    expect(descriptor).toEqual({
      schema,
      name: "kyma-project.io/module/sample",
      version: "1.2.0",
      repositoryContexts: [{ ...context, path: [...top, "repositoryContexts", 0] }],
    });
    expect(resources[1]).toEqual({
      name: "sample-manager",
      version: "1.2.0",
      type: "ociArtifact",
      relation: "external",
      labels: [{ name: "scan.security.kyma-project.io/type", value: "third-party-image" }],
      access: {
        type: "ociArtifact",
        imageReference: "example.com/prod/sample-manager:1.2.0",
        localReference: undefined,
        mediaType: undefined,
      },
      path: [schema === "v2" ? "component" : "spec", "resources", 1],
    });
  });

  it("that is {} refers to the one in the registry", () => {
    expect(readDescriptor({})).toEqual({ kind: "empty" });
  });

  it.for<[string, Json | undefined, string]>([
    ["nothing", undefined, " must be a map of properties, but is empty"],
    ["null", null, " must be a map of properties, but is empty"],
    ["a list", [], " must be a map of properties, but is a list"],
    ["a text", "v2", " must be a map of properties, but is a string"],
    ["any map", { name: "a" }, " must have meta.schemaVersion (v2) or apiVersion (v3), but has neither"],
  ])("is not read from %s", ([, value, problem]) => {
    expect(readDescriptor(value).kind).toBe("unknown");
    expect(problemsOf(value)).toEqual([problem]);
  });

  it.for<[string, JsonObject, string]>([
    [
      "without a schema version",
      { component: descriptorV2()["component"] },
      " must have the property meta, but has none",
    ],
    ["without a component", { meta: { schemaVersion: "v2" } }, " must have the property component, but has none"],
    [
      "of another schema version",
      { ...descriptorV2(), meta: { schemaVersion: "v4" } },
      'meta.schemaVersion must be "v2", but is "v4"',
    ],
    [
      "of another API version",
      { ...descriptorV3(), apiVersion: "ocm.software/v4" },
      'apiVersion must be one of ocm.software/v3alpha1, ocm.gardener.cloud/v3alpha1, but is "ocm.software/v4"',
    ],
    [
      "of another kind",
      { ...descriptorV3(), kind: "Component" },
      'kind must be "ComponentVersion", but is "Component"',
    ],
    [
      "whose name is not a domain and path",
      descriptorV2({ name: "sample" }),
      'component.name must be a domain and a path, as in kyma-project.io/module/istio, but is "sample"',
    ],
    [
      "whose version is invalid",
      descriptorV2({ version: "1.2.0.0" }),
      'component.version must be a version, as in 1.2.3, but is "1.2.0.0"',
    ],
    [
      "whose provider is a map in v2",
      descriptorV2({ provider: { name: "a" } }),
      "component.provider must be text, but is a map of properties",
    ],
    [
      "whose resources are not a list",
      descriptorV2({ resources: "none" }),
      'component.resources must be a list, but is "none"',
    ],
    [
      "with a resource that is not a map",
      descriptorV2({ resources: ["raw-manifest"] }),
      'component.resources.0 must be a map of properties, but is "raw-manifest"',
    ],
    [
      "with a resource without an access",
      withResource({ name: "config", version: "1.2.0", type: "yaml", relation: "local" }),
      "component.resources.0 must have the property access, but has none",
    ],
    [
      "with a resource that is neither local nor external",
      withResource({ ...RAW_MANIFEST, relation: "extern" }),
      'component.resources.0.relation must be one of local, external, but is "extern"',
    ],
    [
      "with a resource whose name is in capitals",
      withResource({ ...RAW_MANIFEST, name: "RAW" }),
      "component.resources.0.name must consist of lower-case letters, digits, -, _ and +, and begin and end with a letter or digit, but is " +
        '"RAW"',
    ],
    [
      "with a localBlob without a layer",
      withResource({ ...RAW_MANIFEST, access: { type: "localBlob/v1", mediaType: "application/x-tar" } }),
      "component.resources.0.access must have the property localReference, but has none",
    ],
    [
      "with a localOciBlob without a layer",
      withResource({ ...RAW_MANIFEST, access: { type: "localOciBlob" } }),
      "component.resources.0.access must have the property digest, but has none",
    ],
    [
      "with an image that says no reference",
      withResource({ ...IMAGE, access: { type: "ociRegistry" } }),
      "component.resources.0.access must have the property imageReference, but has none",
    ],
    [
      "with an image whose reference is none",
      withResource({ ...IMAGE, access: { type: "ociImage", imageReference: "Sample Manager" } }),
      'component.resources.0.access.imageReference must be an image reference, but is "Sample Manager"',
    ],
    [
      "with a label without a value",
      withResource({ ...IMAGE, labels: [{ name: "scan" }] }),
      "component.resources.0.labels.0 must have the property value, but has none",
    ],
    [
      "with a repository context without an address",
      descriptorV2({ repositoryContexts: [{ type: "OCIRegistry" }] }),
      "component.repositoryContexts.0 must have the property baseUrl, but has none",
    ],
    [
      "with a repository context of another mapping",
      descriptorV2({ repositoryContexts: [{ type: "ociRegistry", baseUrl: "a.b", componentNameMapping: "urlpaht" }] }),
      'component.repositoryContexts.0.componentNameMapping must be one of urlPath, sha256-digest, but is "urlpaht"',
    ],
    [
      "with a reference that has an unknown property",
      descriptorV2({
        componentReferences: [{ name: "istio", componentName: "kyma-project.io/istio", version: "v1", versions: [] }],
      }),
      "component.componentReferences.0.versions must be one of the properties name, componentName, version, extraIdentity, labels, digest, " +
        'but is "versions"',
    ],
  ])("%s is reported", ([, value, problem]) => {
    expect(problemsOf(value)).toEqual([problem]);
  });

  it("reports all problems at once, and its valid part is read", () => {
    const value = {
      meta: {},
      component: { version: 1, resources: [{ access: { type: "ociImage" }, labels: [{}] }], sources: null },
    };
    const { name, version, resources } = descriptorOf(value);

    expect(problemsOf(value).length).toBeGreaterThan(5);
    expect([name, version, resources.length, resources[0]?.name]).toEqual(["", "", 1, ""]);
  });

  it("may have versions of one number, other repositories, other accesses, and nulls for empty lists", () => {
    const helm = { type: "helm", helmRepository: "https://example.com/charts" };
    const value = descriptorV2({
      version: "v1",
      repositoryContexts: [{ type: "CommonTransportFormat" }],
      resources: [{ ...RAW_MANIFEST, access: helm, labels: null, digest: null, version: "1-rc.1+build" }],
      sources: null,
      componentReferences: null,
    });

    expect(problemsOf(value)).toEqual([]);
    expect(descriptorOf(value).repositoryContexts).toMatchObject([{ baseUrl: "", componentNameMapping: "" }]);
    expect(descriptorOf(value).resources).toMatchObject([{ labels: [], access: { type: "helm" } }]);
  });

  it("is read fast when it has a hostile text", () => {
    const long = descriptorV2({ name: `${"a.".repeat(300_000)}/`, version: `1-${"1a.".repeat(200_000)}!` });

    expect(problemsOf(long)).toHaveLength(2);
  });
});

describe("the parts of a component descriptor", () => {
  it("are its images, with any name of their access type", () => {
    const access = (type: string): JsonObject => ({ type, imageReference: `example.com/${type.toLowerCase()}:1` });
    const types = ["ociArtifact", "ociRegistry", "ociImage/v1", "OCIImage", "localBlob"];
    const descriptor = descriptorOf(
      descriptorV2({ resources: types.map((type) => ({ ...IMAGE, access: access(type) })) }),
    );

    expect(imagesOf(descriptor).map(({ reference }) => reference)).toEqual([
      "example.com/ociartifact:1",
      "example.com/ociregistry:1",
      "example.com/ociimage/v1:1",
      "example.com/ociimage:1",
    ]);
  });

  it("are its raw manifests, of which there should be one", () => {
    const digest = `sha256:${"0b".repeat(32)}`;
    const old = { ...RAW_MANIFEST, access: { type: "localOciBlob", digest } };
    const both = descriptorOf(descriptorV2({ resources: [RAW_MANIFEST, old, { ...old, name: "default-cr" }] }));

    const references = rawManifestsOf(both).map(({ access }) => access.localReference);
    expect(references).toEqual([`sha256:${"0a".repeat(32)}`, digest]);
  });

  it("have the digest of the raw manifest where it is YAML, and not an archive", () => {
    const access = { type: "localBlob", localReference: "sha256:0b", mediaType: "application/x-yaml" };
    const [archive] = rawManifestsOf(descriptorOf(descriptorV3()));
    const [plain] = rawManifestsOf(descriptorOf(descriptorV3([{ ...RAW_MANIFEST, access }])));

    expect([plain, archive, undefined].map(rawManifestDigest)).toEqual(["sha256:0b", undefined, undefined]);
  });
});
