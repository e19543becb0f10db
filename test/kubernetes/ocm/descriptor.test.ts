import { describe, expect, it } from "vitest";
import {
  imageProblems,
  imagesInDescriptor,
  rawManifestDigest,
  descriptorRawManifests,
  readDescriptor,
  type Descriptor,
} from "../../../src/kubernetes/ocm/descriptor.ts";
import type { Json, JsonObject } from "../../../src/kubernetes/object.ts";
import { mentions } from "../../support/mentions.ts";
import { descriptorV2, descriptorV3, IMAGE, RAW_MANIFEST } from "./samples.ts";

/** Path and message of every problem. */
function problemsOf(value: Json | undefined): readonly (readonly [string, string])[] {
  const reading = readDescriptor(value);
  const problems = reading.kind === "empty" ? [] : reading.problems;
  const images = reading.kind === "read" ? imageProblems(reading.descriptor) : [];
  return [...problems, ...images].map(({ path, message }) => [path.join("."), message]);
}

/** A problem whose message names `parts`. */
const at = (path: string, ...parts: readonly string[]): unknown => [path, mentions(...parts)];

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

  it.for<[string, Json | undefined, unknown]>([
    ["nothing", undefined, at("", "a map", "empty")],
    ["null", null, at("", "a map", "empty")],
    ["a list", [], at("", "a map", "a list")],
    ["a text", "v2", at("", "a map", "a string")],
    ["any map", { name: "a" }, at("", "meta.schemaVersion", "v2", "apiVersion", "v3")],
  ])("is not read from %s", ([, value, problem]) => {
    expect(readDescriptor(value).kind).toBe("unknown");
    expect(problemsOf(value)).toEqual([problem]);
  });

  it.for<[string, JsonObject, unknown]>([
    ["without a schema version", { component: descriptorV2()["component"] }, at("", "property meta")],
    ["without a component", { meta: { schemaVersion: "v2" } }, at("", "property component")],
    [
      "of another schema version",
      { ...descriptorV2(), meta: { schemaVersion: "v4" } },
      at("meta.schemaVersion", '"v2"', '"v4"'),
    ],
    [
      "of another API version",
      { ...descriptorV3(), apiVersion: "ocm.software/v4" },
      at("apiVersion", "ocm.software/v3alpha1, ocm.gardener.cloud/v3alpha1", '"ocm.software/v4"'),
    ],
    ["of another kind", { ...descriptorV3(), kind: "Component" }, at("kind", '"ComponentVersion"', '"Component"')],
    [
      "whose name is not a domain and path",
      descriptorV2({ name: "sample" }),
      at("component.name", "kyma-project.io/module/istio", '"sample"'),
    ],
    ["whose version is invalid", descriptorV2({ version: "1.2.0.0" }), at("component.version", "1.2.3", '"1.2.0.0"')],
    [
      "whose provider is a map in v2",
      descriptorV2({ provider: { name: "a" } }),
      at("component.provider", "text", "a map"),
    ],
    [
      "whose resources are not a list",
      descriptorV2({ resources: "none" }),
      at("component.resources", "a list", '"none"'),
    ],
    [
      "with a resource that is not a map",
      descriptorV2({ resources: ["raw-manifest"] }),
      at("component.resources.0", "a map", '"raw-manifest"'),
    ],
    [
      "with a resource without an access",
      withResource({ name: "config", version: "1.2.0", type: "yaml", relation: "local" }),
      at("component.resources.0", "property access"),
    ],
    [
      "with a resource that is neither local nor external",
      withResource({ ...RAW_MANIFEST, relation: "extern" }),
      at("component.resources.0.relation", "local, external", '"extern"'),
    ],
    [
      "with a resource whose name is in capitals",
      withResource({ ...RAW_MANIFEST, name: "RAW" }),
      at("component.resources.0.name", "lower-case", '"RAW"'),
    ],
    [
      "with a localBlob without a layer",
      withResource({ ...RAW_MANIFEST, access: { type: "localBlob/v1", mediaType: "application/x-tar" } }),
      at("component.resources.0.access", "property localReference"),
    ],
    [
      "with a localOciBlob without a layer",
      withResource({ ...RAW_MANIFEST, access: { type: "localOciBlob" } }),
      at("component.resources.0.access", "property digest"),
    ],
    [
      "with an image that says no reference",
      withResource({ ...IMAGE, access: { type: "ociRegistry" } }),
      at("component.resources.0.access", "property imageReference"),
    ],
    [
      "with an image whose reference is none",
      withResource({ ...IMAGE, access: { type: "ociImage", imageReference: "Sample Manager" } }),
      at("component.resources.0.access.imageReference", "image reference", '"Sample Manager"'),
    ],
    [
      "with a label without a value",
      withResource({ ...IMAGE, labels: [{ name: "scan" }] }),
      at("component.resources.0.labels.0", "property value"),
    ],
    [
      "with a repository context without an address",
      descriptorV2({ repositoryContexts: [{ type: "OCIRegistry" }] }),
      at("component.repositoryContexts.0", "property baseUrl"),
    ],
    [
      "with a repository context of another mapping",
      descriptorV2({ repositoryContexts: [{ type: "ociRegistry", baseUrl: "a.b", componentNameMapping: "urlpaht" }] }),
      at("component.repositoryContexts.0.componentNameMapping", "urlPath, sha256-digest", '"urlpaht"'),
    ],
    [
      "with a reference that has an unknown property",
      descriptorV2({
        componentReferences: [{ name: "istio", componentName: "kyma-project.io/istio", version: "v1", versions: [] }],
      }),
      at(
        "component.componentReferences.0.versions",
        "name, componentName, version, extraIdentity, labels, digest",
        '"versions"',
      ),
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

    expect(imagesInDescriptor(descriptor).map(({ reference }) => reference)).toEqual([
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

    const references = descriptorRawManifests(both).map(({ access }) => access.localReference);
    expect(references).toEqual([`sha256:${"0a".repeat(32)}`, digest]);
  });

  it("have the digest of the raw manifest where it is YAML, and not an archive", () => {
    const access = { type: "localBlob", localReference: "sha256:0b", mediaType: "application/x-yaml" };
    const [archive] = descriptorRawManifests(descriptorOf(descriptorV3()));
    const [plain] = descriptorRawManifests(descriptorOf(descriptorV3([{ ...RAW_MANIFEST, access }])));

    expect([plain, archive, undefined].map(rawManifestDigest)).toEqual(["sha256:0b", undefined, undefined]);
  });
});
