import { describe, expect, test } from "vitest";
import {
  BUMP,
  bumpManifest,
  edit,
  FAST,
  manifestPath,
  manifestText,
  type ExampleFiles,
} from "../../../../src/check/example.ts";
import { descriptorImages } from "../../../../src/check/rules/descriptor/images.ts";
import { withDescriptor } from "../../../../src/check/rules/descriptor/place.ts";
import { descriptorV3, IMAGE, RAW_MANIFEST } from "../../../kubernetes/ocm/samples.ts";
import { contextOf, said } from "../../contexts.ts";
import { mentions } from "../../../support/mentions.ts";
import { embedding, messages } from "./embedding.ts";

describe("the images of a descriptor", () => {
  test("are compared as clients complete them, and a mention in the manifest is enough", async () => {
    const env = "          env: [{ name: PROXY_IMAGE, value: example.com/proxy:1 }]\n          securityContext:\n";
    const image = (imageReference: string): unknown => ({ ...IMAGE, access: { type: "ociArtifact", imageReference } });
    const names = [
      "docker.io/library/nginx:1",
      "registry.example.com/prod/sample-manager:1.2.0",
      "example.com/proxy:1",
    ];
    const descriptor = descriptorV3([RAW_MANIFEST, ...names.map(image)] as never);
    const manifest = edit(manifestText("1.2.0"), "          securityContext:\n", env);
    const sidecar = "      containers:\n        - { name: sidecar, image: nginx:1 }\n";
    const change = {
      ...embedding(descriptor),
      [manifestPath("1.2.0")]: edit(manifest, "      containers:\n", sidecar),
    };
    expect(said(descriptorImages, await contextOf({ change }))).toEqual([]);
  });

  test("are not compared with an unknown manifest", async () => {
    const change = { ...withDescriptor(), [manifestPath("1.2.0")]: undefined };
    expect(said(descriptorImages, await contextOf({ change }))).toEqual([
      mentions("not run", "manifest", "examples ask no server"),
    ]);
  });

  test("that are not references, or have a digest, are compared as they are", async () => {
    const pinned = `registry.example.com/prod/sample-manager@sha256:${"a".repeat(64)}`;
    const change = {
      ...embedding(
        descriptorV3([RAW_MANIFEST, { ...IMAGE, access: { type: "ociArtifact", imageReference: "No Image" } }]),
      ),
      ...pick(bumpManifest("registry.example.com/prod/sample-manager:1.2.0", pinned)),
    };
    expect(messages(said(descriptorImages, await contextOf({ change })))).toEqual([
      mentions("error", "manifest", pinned, "no resource"),
      mentions("error", "No Image", "not", "manifest"),
    ]);
  });
});

function pick(files: ExampleFiles): ExampleFiles {
  return { [manifestPath("1.2.0")]: files[manifestPath("1.2.0")] };
}

describe("the declared images", () => {
  const CONFIG = "name: example.com/module/sample\nversion: 1.2.0\nsecurity: ./scan.yaml\n";
  const SCAN = "modules/sample/1.2.0/scan.yaml";
  const judged = async (scan: string, files: ExampleFiles = BUMP): Promise<readonly string[]> => {
    const change = { ...files, "modules/sample/1.2.0/module-config.yaml": CONFIG, [SCAN]: scan };
    return said(descriptorImages, await contextOf({ change })).filter((text) => !text.startsWith("not run"));
  };

  test("are those of the manifest, also under the old name of the list", async () => {
    const image = "registry.example.com/prod/sample-manager:1.2.0";
    expect(await judged(`bdba: ["${image}"]\n`)).toEqual([]);
    expect(await judged(`protecode: ["${image}"]\n`)).toEqual([]);
    expect(await judged("bdba:\n  - nginx:1\n")).toEqual([
      mentions(`${SCAN}:1 error`, "manifest", image, "not declared"),
      mentions(`${SCAN}:2 error`, "nginx:1", "not", "manifest"),
    ]);
    expect(await judged("mend: {}\n")).toEqual([mentions(`${SCAN}:1 error`, "manifest", image, "not declared")]);
  });

  test("are not compared with an unknown manifest, nor if they cannot be read", async () => {
    expect(await judged("bdba: [nginx]\n", { [FAST]: BUMP[FAST] })).toEqual([]);
    expect(await judged("bdba: [nginx\n")).toEqual([]);
  });
});
