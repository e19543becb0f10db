import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import {
  BUMP,
  edit,
  FAST,
  manifestPath,
  manifestText,
  MODULE,
  SAMPLE,
  SETTINGS,
  type ExampleFiles,
} from "../../../../src/check/example.ts";
import { descriptorComponent } from "../../../../src/check/rules/descriptor/component.ts";
import { descriptorInstallable } from "../../../../src/check/rules/descriptor/installable.ts";
import { descriptorManifest } from "../../../../src/check/rules/descriptor/manifest.ts";
import { descriptorPublished } from "../../../../src/check/rules/descriptor/published.ts";
import { descriptorRepository } from "../../../../src/check/rules/descriptor/repository.ts";
import { descriptorStructure } from "../../../../src/check/rules/descriptor/structure.ts";
import { withDescriptor } from "../../../../src/check/rules/descriptor/place.ts";
import { readManifest } from "../../../../src/kubernetes/manifest.ts";
import type { JsonObject } from "../../../../src/kubernetes/object.ts";
import { descriptorV2, descriptorV3, IMAGE, RAW_MANIFEST } from "../../../kubernetes/ocm/samples.ts";
import { contextOf, said, wholeContext } from "../../contexts.ts";
import { mentions } from "../../../support/mentions.ts";
import { embedding, messages, publishing, withComponent } from "./embedding.ts";

describe("a descriptor", () => {
  test("that is left to the registry is judged there, at the line that leaves it", async () => {
    const broken = descriptorV2({ provider: 1 });
    const context = await contextOf({ change: BUMP, outside: publishing(broken) });
    expect(said(descriptorStructure, context)).toEqual([
      expect.stringMatching(`^${FAST}:\\d+ error .*registry.* component\\.provider `),
    ]);
    const empty = await contextOf({ change: BUMP, outside: publishing({}) });
    expect(messages(said(descriptorStructure, empty))).toEqual([mentions("error", "registry", "descriptor", "empty")]);
    expect(said(descriptorManifest, empty)).toEqual([]);
  });

  test("that lifecycle-manager would not install is reported wherever it is read", async () => {
    const [sound, lost] = [descriptorV2(), descriptorV2({ repositoryContexts: [] })];
    const at = "component.repositoryContexts";
    const judged = async (embedded: JsonObject, published: JsonObject): Promise<readonly string[]> =>
      messages(
        said(descriptorInstallable, await contextOf({ change: embedding(embedded), outside: publishing(published) })),
      );
    expect(await judged(sound, sound)).toEqual([]);
    expect(await judged(sound, lost)).toEqual([mentions("error", "In the registry", at)]);
    expect(await judged(lost, sound)).toEqual([mentions("error", at)]);
    expect(await judged(lost, lost)).toEqual([mentions("error", at)]);
    const refused = descriptorV2({ repositoryContexts: [], provider: 1 });
    expect(said(descriptorInstallable, await contextOf({ change: embedding(refused) }))).toEqual([]);
  });

  test("that cannot be read is reported by one rule only", async () => {
    const context = await contextOf({ change: embedding({ schema: "v1" }) });
    expect(messages(said(descriptorStructure, context))).toEqual([
      mentions("error", "descriptor", "meta.schemaVersion", "v2", "apiVersion", "v3"),
    ]);
    expect([descriptorManifest, descriptorComponent].map((rule) => said(rule, context))).toEqual([[], []]);
  });

  test("that is not in the registry, or corrupt there, is reported once", async () => {
    for (const component of [undefined, { corrupt: "It has no descriptor." }]) {
      const context = await withComponent(BUMP, component);
      expect(said(descriptorStructure, context)).toEqual([]);
      expect(said(descriptorPublished, context)).toHaveLength(1);
    }
  });

  test("that was not asked for is not judged, which is reported once for each reason", async () => {
    expect(said(descriptorStructure, await contextOf({ change: BUMP }))).toEqual(["not run: examples ask no server"]);
    expect(said(descriptorStructure, await wholeContext({}))).toEqual(["not run: tests ask no server"]);
    const mixed = await wholeContext(withDescriptor());
    expect(said(descriptorStructure, mixed)).toEqual(["not run: tests ask no server"]);
  });
});

describe("the component", () => {
  test("has the version of the template, with or without a v, in either schema", async () => {
    const judged = async (descriptor: unknown): Promise<readonly string[]> =>
      messages(said(descriptorComponent, await contextOf({ change: embedding(descriptor) })));
    const name = "example.com/module/sample";
    expect(await judged(descriptorV2({ name, version: "v1.2.0" }))).toEqual([]);
    expect(await judged(descriptorV2({ name, version: "1.1.0" }))).toEqual([
      mentions("error", "component.version", "1.1.0", "spec.version", "1.2.0"),
    ]);
    expect(await judged(descriptorV3())).toEqual([
      mentions("error", "metadata.name", "kyma-project.io/module/sample", "module.yaml", "example.com/module/sample"),
    ]);
    expect(await judged(descriptorV2({ name: "", version: "" }))).toEqual([]);
  });

  test("is the one in the descriptor if module.yaml names none", async () => {
    const base = { [MODULE]: edit(String(SAMPLE[MODULE]), "ocmComponentName: example.com/module/sample\n", "") };
    const change = embedding(descriptorV2());
    expect(said(descriptorComponent, await contextOf({ base, change }))).toEqual([]);
    const outside = { components: { "sample 1.2.0": undefined } };
    expect(messages(said(descriptorPublished, await contextOf({ base, change, outside })))).toEqual([
      mentions("error", "registry", "no kyma-project.io/module/sample:1.2.0"),
    ]);
  });

  test("is declared by the base, where it declares any", async () => {
    const change = {
      ...withDescriptor("name: example.com/module/sample", "name: example.com/module/other"),
      [MODULE]: edit(String(SAMPLE[MODULE]), "module/sample", "module/other"),
    };
    expect(messages(said(descriptorComponent, await contextOf({ change })))).toEqual([
      mentions("error", "component.name", "example.com/module/other", "module.yaml", "example.com/module/sample"),
    ]);
  });
});

describe("the raw manifest", () => {
  test("is one, in either schema", async () => {
    const judged = async (descriptor: unknown): Promise<readonly string[]> =>
      messages(said(descriptorManifest, await contextOf({ change: embedding(descriptor) })));
    expect(await judged(descriptorV3())).toEqual([]);
    expect(await judged(descriptorV3([IMAGE]))).toEqual([mentions("error", "No resource", "raw-manifest")]);
    expect(await judged(descriptorV2({ resources: [RAW_MANIFEST, RAW_MANIFEST] }))).toEqual([
      mentions("error", "second resource", "raw-manifest"),
    ]);
  });

  test("names the manifest in the repository, as far as a digest shows", async () => {
    const described = (reference: string, mediaType = "application/x-yaml"): JsonObject => {
      const access = { type: "localBlob", localReference: reference, mediaType };
      return descriptorV2({ resources: [{ ...RAW_MANIFEST, access }] });
    };
    const judged = async (descriptor: JsonObject, change: ExampleFiles = {}): Promise<readonly string[]> =>
      messages(said(descriptorManifest, await contextOf({ change: { ...embedding(descriptor), ...change } })));
    const digest = `sha256:${createHash("sha256").update(manifestText("1.2.0")).digest("hex")}`;

    expect(await judged(described(digest))).toEqual([]);
    expect(await judged(described("sha256:0a0a"))).toEqual([
      mentions("error", "raw-manifest", "sha256:0a0a", manifestPath("1.2.0"), digest),
    ]);
    expect(await judged(described("sha256:0a0a", "application/x-tar"))).toEqual([]);
    expect(await judged(described("sha256:0a0a"), { [manifestPath("1.2.0")]: undefined })).toEqual([]);
  });
});

describe("the repository of a descriptor", () => {
  const judged = async (change: ExampleFiles, base: ExampleFiles = {}): Promise<readonly string[]> =>
    messages(said(descriptorRepository, await contextOf({ base, change })));

  test("is the last context, with its path below the registry", async () => {
    const context = (baseUrl: string, subPath?: string): object => ({ type: "OCIRegistry", baseUrl, subPath });
    const contexts = (...repositoryContexts: object[]): ExampleFiles =>
      embedding(descriptorV2(JSON.parse(JSON.stringify({ repositoryContexts })) as never));
    expect(await judged(contexts(context("example.org"), context("registry.example.com", "prod/modules")))).toEqual([]);
    expect(await judged(contexts(context("registry.example.com/production")))).toEqual([
      mentions(
        "error",
        "component.repositoryContexts.0",
        "registry.example.com/production",
        "registry.example.com/prod",
      ),
    ]);
    expect(await judged(contexts())).toEqual([]);
    expect(await judged(contexts({ type: "OCIRegistry" }))).toEqual([]);
  });

  test("is any where the settings of the base name no registry", async () => {
    const base = {
      [SETTINGS]: edit(String(SAMPLE[SETTINGS]), "registry: { baseUrl: registry.example.com/prod }\n", ""),
    };
    expect(await judged(withDescriptor("baseUrl: registry", "baseUrl: other"), base)).toEqual([]);
    expect(
      said(descriptorRepository, await wholeContext(withDescriptor("baseUrl: registry", "baseUrl: other"))),
    ).toEqual([
      mentions("error", "other.example.com/prod", "registry.example.com/prod"),
      "not run: tests ask no server",
    ]);
  });
});

describe("a published component version", () => {
  const embedded = embedding(descriptorV2());

  test("that cannot be read is reported with the message of the registry", async () => {
    expect(
      messages(said(descriptorPublished, await withComponent(BUMP, { corrupt: "It has no descriptor." }))),
    ).toEqual(["error It has no descriptor."]);
  });

  test("holds what the template says", async () => {
    const same = await contextOf({ change: embedded, outside: publishing(descriptorV3()) });
    expect(said(descriptorPublished, same)).toEqual([]);
    const unreadable = await contextOf({ change: embedded, outside: publishing("a text") });
    expect(said(descriptorPublished, unreadable)).toEqual([]);
    const other = { ...RAW_MANIFEST, access: { type: "gitHub" } };
    const more = { ...IMAGE, name: "other" };
    const changed = await contextOf({ change: embedded, outside: publishing(descriptorV3([other, more])) });
    expect(messages(said(descriptorPublished, changed))).toEqual([
      mentions("error", "other 1.2.0", "example.com/prod/sample-manager:1.2.0", "missing"),
      mentions("error", "raw-manifest 1.2.0", `sha256:${"0a".repeat(32)}`, "registry", "gitHub"),
      mentions("error", "sample-manager 1.2.0", "example.com/prod/sample-manager:1.2.0", "registry", "none"),
    ]);
  });

  test("contains one manifest", async () => {
    const component = { descriptor: descriptorV2({ resources: [RAW_MANIFEST, RAW_MANIFEST] }), digest: "sha256:0c" };
    const change = { ...embedding(descriptorV2({ resources: [RAW_MANIFEST] })) };
    expect(said(descriptorPublished, await withComponent(change, component))).toEqual([
      expect.stringMatching(`^${FAST}:\\d+ error example.com/module/sample:1.2.0 .* one raw-manifest`),
    ]);
  });

  test("that lifecycle-manager refuses has no manifest, which another rule reports", async () => {
    const component = { descriptor: descriptorV2({ repositoryContexts: [] }), digest: "sha256:0c" };
    expect(said(descriptorPublished, await withComponent(BUMP, component))).toEqual([]);
  });

  test("installs the manifest that was judged", async () => {
    const judged = async (text: string, change: ExampleFiles = BUMP): Promise<readonly string[]> => {
      const manifest = readManifest("registry.example.com/sample:1.2.0", false, Buffer.from(text));
      return said(descriptorPublished, await withComponent(change, { descriptor: {}, digest: "sha256:0d", manifest }));
    };
    expect(await judged(`# as published\n${manifestText("1.2.0")}`)).toEqual([]);
    expect(await judged(manifestText("1.1.0"))).toEqual([
      mentions(`${manifestPath("1.2.0")}:1 error`, "registry.example.com/sample:1.2.0", "another manifest"),
    ]);
    expect(await judged(manifestText("1.1.0"), { [FAST]: BUMP[FAST] })).toEqual([]);
    const context = await withComponent(BUMP, { descriptor: {}, digest: "sha256:0d" });
    const remote = readManifest("https://example.com/a.yaml", false, Buffer.from(manifestText("1.1.0")));
    const manifests = new Map([["sample 1.2.0", { kind: "known", value: remote } as const]]);
    const manifest = readManifest("registry.example.com/sample:1.2.0", false, Buffer.from(""));
    const components = new Map([
      ["sample 1.2.0", { kind: "known", value: { descriptor: {}, digest: "", manifest } } as const],
    ]);
    expect(said(descriptorPublished, { ...context, facts: { ...context.facts, manifests, components } })).toEqual([]);
  });
});
