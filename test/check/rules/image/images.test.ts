import { describe, expect, test } from "vitest";
import type { Fact } from "../../../../src/check/facts.ts";
import {
  BUMP,
  bumpManifest,
  bumpTemplate,
  edit,
  manifestPath,
  manifestText,
  SAMPLE,
  SETTINGS,
  type ExampleFiles,
} from "../../../../src/check/example.ts";
import { imageDigest } from "../../../../src/check/rules/image/digest.ts";
import { imageExists } from "../../../../src/check/rules/image/exists.ts";
import { imageManagerVersion } from "../../../../src/check/rules/image/managerVersion.ts";
import { imageMissingTag } from "../../../../src/check/rules/image/missingTag.ts";
import { imageMutableTag } from "../../../../src/check/rules/image/mutableTag.ts";
import { imageRegistry, globPattern } from "../../../../src/check/rules/image/registry.ts";
import { withImage } from "../../../../src/check/rules/image/place.ts";
import { contextOf, said, wholeContext } from "../../contexts.ts";
import { mentions } from "../../../support/mentions.ts";

const DIGEST = `sha256:${"a".repeat(64)}`;
const IMAGE = "registry.example.com/prod/sample-manager:1.2.0";

/** What is said, without the place. */
function messages(texts: readonly string[]): readonly string[] {
  return texts.map((text) => text.replace(/^\S+:\d+ /, ""));
}

function imageSettings(text: string): ExampleFiles {
  const rules = 'images: { allow: ["registry.example.com/prod/**"], digest: preferred }\n';
  return { [SETTINGS]: edit(String(SAMPLE[SETTINGS]), rules, text) };
}

const MANAGER = "error Deployment kyma-system/sample-manager:";

test("an invalid reference is reported by only one rule", async () => {
  const context = await contextOf({ change: withImage('"Not an image"') });
  expect(messages(said(imageMissingTag, context))).toEqual([mentions(MANAGER, "Not an image", "image reference")]);
  expect(messages(said(imageRegistry, context))).toEqual([]);
  expect(messages(said(imageDigest, context))).toHaveLength(1);
  expect(said(imageMutableTag, context)).toEqual([]);
  expect(said(imageExists, context)).toEqual(["not run: examples ask no server"]);
  expect(messages(said(imageMissingTag, await contextOf({ change: withImage('""') })))).toEqual([
    mentions(MANAGER, "no image"),
  ]);
});

test("an image in an environment variable is judged like one that runs", async () => {
  const env = `env: [{ name: RELATED_IMAGE_WEBHOOK, value: docker.io/evil/webhook:latest }]`;
  const context = await contextOf({
    change: bumpManifest("        - name: manager\n", `        - name: manager\n          ${env}\n`),
  });

  expect(messages(said(imageMutableTag, context))).toEqual([mentions(MANAGER, "tag latest")]);
  expect(messages(said(imageRegistry, context))).toEqual([mentions(MANAGER, "docker.io/evil/webhook")]);
});

test("a digest makes a tag that moves harmless", async () => {
  const change = withImage(`registry.example.com/prod/proxy:latest@${DIGEST}`);
  expect(said(imageMutableTag, await contextOf({ change }))).toEqual([]);
});

describe("the rules of kyma-modules.yaml", () => {
  test("allow every registry and no digest where they say nothing", async () => {
    const context = await contextOf({ base: imageSettings(""), change: withImage("example.com/proxy:1") });
    expect([said(imageRegistry, context), said(imageDigest, context)]).toEqual([[], []]);
  });

  test("can require digests", async () => {
    const context = await contextOf({ base: imageSettings("images: { digest: required }\n"), change: BUMP });
    expect(messages(said(imageDigest, context))).toEqual([mentions(MANAGER, IMAGE, "no digest")]);
  });

  test("count from the head where there is no base", async () => {
    const context = await wholeContext(imageSettings('images: { allow: ["example.com/*"], digest: required }\n'));
    expect(said(imageRegistry, context)).toHaveLength(2);
    expect(said(imageDigest, context)).toHaveLength(2);
  });

  test.each([
    ["example.com/prod/**", "example.com/prod/a/b", true],
    ["example.com/prod/**", "example.com/production", false],
    ["example.com/*/a", "example.com/x/a", true],
    ["example.com/*/a", "example.com/x/y/a", false],
    ["example.com/a", "exampleXcom/a", false],
    ["**", "docker.io/library/nginx", true],
  ])("%s and %s", (glob, place, isAllowed) => {
    expect(globPattern(glob).test(place)).toBe(isAllowed);
  });
});

describe("the image of the manager", () => {
  test("cannot be determined from a digest alone, and is not judged without one", async () => {
    const judged = async (to: string): Promise<readonly string[]> =>
      messages(said(imageManagerVersion, await contextOf({ change: bumpManifest("sample-manager:1.2.0", to) })));
    expect(await judged(`sample-manager@${DIGEST}`)).toEqual([mentions("not run", "digest", "no tag")]);
    expect(await judged("sample-manager")).toEqual([]);
    expect(await judged("sample-manager:")).toEqual([mentions("not run", "manifest")]);
  });

  test("is that of the container called manager, else of the first", async () => {
    const context = await contextOf({ change: bumpManifest("- name: manager", "- name: first") });
    expect(said(imageManagerVersion, context)).toEqual([]);
    const two = bumpManifest(
      "        - name: manager\n",
      "        - name: proxy\n          image: a:1\n        - name: manager\n",
    );
    expect(said(imageManagerVersion, await contextOf({ change: two }))).toEqual([]);
  });

  test("is not judged without a manager, without its object, or without a pod", async () => {
    const none = bumpTemplate("name: sample-manager\n", "name: other\n");
    expect(said(imageManagerVersion, await contextOf({ change: none }))).toEqual([]);
    const definition = bumpTemplate(
      "group: apps\n    version: v1\n    kind: Deployment\n    name: sample-manager\n    namespace: kyma-system\n",
      "group: apiextensions.k8s.io\n    version: v1\n    kind: CustomResourceDefinition\n    name: samples.operator.example.com\n",
    );
    expect(said(imageManagerVersion, await contextOf({ change: definition }))).toEqual([]);
    const text = manifestText("1.2.0");
    const empty = { ...BUMP, [manifestPath("1.2.0")]: text.slice(0, text.indexOf("      containers:")) };
    expect(said(imageManagerVersion, await contextOf({ change: empty }))).toEqual([]);
    const without = {
      "channels/fast/sample.yaml": String(BUMP["channels/fast/sample.yaml"]).replace(/ {2}manager:\n( {4}.*\n)+/, ""),
    };
    expect(said(imageManagerVersion, await contextOf({ change: { ...BUMP, ...without } }))).toEqual([]);
  });
});

describe("an image in the registry", () => {
  async function judged(reference: string, fact: Fact<string | undefined>): Promise<readonly string[]> {
    const context = await contextOf({ change: bumpManifest(IMAGE, reference) });
    return messages(
      said(imageExists, { ...context, facts: { ...context.facts, images: new Map([[reference, fact]]) } }),
    );
  }

  test("is there, is not there, or is another", async () => {
    const pinned = `${IMAGE}@${DIGEST}`;
    expect(await judged(IMAGE, { kind: "known", value: DIGEST })).toEqual([]);
    expect(await judged(pinned, { kind: "known", value: DIGEST })).toEqual([]);
    expect(await judged(IMAGE, { kind: "known", value: undefined })).toEqual([
      mentions(MANAGER, "registry", `no ${IMAGE}`),
    ]);
    expect(await judged(pinned, { kind: "known", value: "sha256:b" })).toEqual([
      mentions(MANAGER, "registry", pinned, "sha256:b"),
    ]);
    expect(await judged(IMAGE, { kind: "unknown", why: "it is down" })).toEqual(["not run: it is down"]);
  });
});
