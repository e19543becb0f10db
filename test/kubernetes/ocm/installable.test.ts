import { expect, it } from "vitest";
import { readDescriptor } from "../../../src/kubernetes/ocm/descriptor.ts";
import { installProblems, whyNotInstallable } from "../../../src/kubernetes/ocm/installable.ts";
import type { Json, JsonObject } from "../../../src/kubernetes/object.ts";
import { mentions } from "../../support/mentions.ts";
import { descriptorV2, descriptorV3, IMAGE, RAW_MANIFEST } from "./samples.ts";

/** The places of the problems. */
function placesIn(value: Json): readonly string[] {
  const reading = readDescriptor(value);
  return reading.kind === "read" ? installProblems(reading.descriptor).map(({ path }) => path.join(".")) : ["unread"];
}

const context = (fields: JsonObject): JsonObject => descriptorV2({ repositoryContexts: [fields] });
const access = (fields: JsonObject): JsonObject =>
  descriptorV2({ resources: [{ ...RAW_MANIFEST, access: { ...(RAW_MANIFEST["access"] as JsonObject), ...fields } }] });
const image = (type: string): JsonObject =>
  descriptorV2({ resources: [RAW_MANIFEST, { ...IMAGE, access: { type, imageReference: "example.com/a:1" } }] });

it.each<[what: string, value: JsonObject, places: readonly string[]]>([
  ["of modulectl", descriptorV2(), []],
  ["of schema v3", descriptorV3(), []],
  ["without contexts", descriptorV2({ repositoryContexts: [] }), ["component.repositoryContexts"]],
  ["of schema v3 without contexts", { ...descriptorV3(), repositoryContexts: null }, ["repositoryContexts"]],
  ["in a CTF", context({ type: "CommonTransportFormat", filePath: "./ctf" }), []],
  ["in OCIRegistry/v1", context({ type: "OCIRegistry/v1", baseUrl: "example.com" }), []],
  ["in ociRegistry", context({ type: "ociRegistry", baseUrl: "example.com" }), []],
  ["in ociRegistry/v1", context({ type: "ociRegistry/v1", baseUrl: "a.b" }), ["component.repositoryContexts.0.type"]],
  ["in a place of another kind", context({ type: "S3" }), ["component.repositoryContexts.0.type"]],
  [
    "mapped by digest",
    context({ type: "OCIRegistry", baseUrl: "a.b", componentNameMapping: "sha256-digest" }),
    ["component.repositoryContexts.0.componentNameMapping"],
  ],
  [
    "that was in such a place before",
    descriptorV2({ repositoryContexts: [{ type: "S3" }, { type: "OCIRegistry", baseUrl: "example.com" }] }),
    [],
  ],
  ...["localBlob/v1", "localOciBlob/v1"].map((type): [string, JsonObject, string[]] => [
    `with ${type}`,
    access({ type }),
    [],
  ]),
  ...["ociArtifact/v1", "ociRegistry"].map((type): [string, JsonObject, string[]] => [`with ${type}`, image(type), []]),
  ...["ociImage", "OCIImage", "gitHub", "helm", "npm", "None", "ociArtifact/v2", "localblob"].map(
    (type): [string, JsonObject, string[]] => [`with ${type}`, image(type), ["component.resources.1.access.type"]],
  ),
  [
    "with a manifest in two layers",
    access({ localReference: `sha256:${"0a".repeat(32)},sha256:${"0b".repeat(32)}` }),
    ["component.resources.0.access.localReference"],
  ],
  ["with a manifest without a layer", access({ localReference: "" }), []],
  ["with a YAML layer", access({ mediaType: "application/x-yaml" }), []],
  ["with a layer of any type", descriptorV2({ resources: [{ ...RAW_MANIFEST, access: { type: "localBlob" } }] }), []],
  ...["application/x-tgz", "application/x-tar+gzip", "application/vnd.oci.image.layer.v1.tar"].map(
    (mediaType): [string, JsonObject, string[]] => [
      `with a layer of ${mediaType}`,
      access({ mediaType }),
      ["component.resources.0.access.mediaType"],
    ],
  ),
])("a descriptor %s", (_, value, places) => {
  expect(placesIn(value)).toEqual(places);
});

it.each<[value: Json, why: unknown]>([
  [descriptorV2(), undefined],
  [image("Any Image"), mentions("component.resources.1.access.type", "Any Image", "whole version")],
  [descriptorV2({ provider: { name: "a" } }), mentions("component.provider", "text")],
  ["text", mentions("The descriptor", "a map")],
  [{}, mentions("descriptor", "empty")],
])("the reason for which it cannot be installed is the first problem: %#", (value, why) => {
  expect(whyNotInstallable(value)).toEqual(why);
});

it("may name an image that is not one, which no node can pull, but lifecycle-manager does not read", () => {
  const value = descriptorV2({
    resources: [RAW_MANIFEST, { ...IMAGE, access: { type: "ociArtifact", imageReference: "A B" } }],
  });

  expect(whyNotInstallable(value)).toBeUndefined();
});
