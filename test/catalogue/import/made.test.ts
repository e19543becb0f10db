import { describe, expect, it } from "vitest";
import { mentions } from "../../support/mentions.ts";
import { complete, file, importAll, parseAfter, releaseMeta, textsAfter, type Texts } from "./samples.ts";

const component = (name: string) => ({ descriptor: { component: { name, version: "1.0.0" } } });
const inChannel = (channel: string, version = "1.0.0", spec: object = {}) =>
  file(`${channel}.yaml`, complete("istio", version, { channel, ...spec }));
const settings =
  "format: 1\nlandscapes:\n  - name: dev\n    controlPlane: { context: a }\n  - name: prod\n    controlPlane: { context: b }\n";

describe("kyma-modules.yaml", () => {
  it("is made with one embedded landscape when no landscape is known", () => {
    expect(textsAfter(importAll([inChannel("fast")]))["kyma-modules.yaml"])
      .toBe(`# yaml-language-server: $schema=https://raw.githubusercontent.com/kyma-project/kyma-modules/main/schemas/settings.schema.json
format: 1
# The landscapes in roll-out order. An import knows one at most: add the others below it.
landscapes:
  - name: dev
    # embedded: an API server of the demo. Replace it with your own: { context: NAME } or { kubeconfig: PATH }.
    controlPlane: { embedded: true }
`);
  });

  it("names the context of the import", () => {
    const decision = importAll([inChannel("fast")], { context: 'kcp "dev"' });

    expect(parseAfter(decision)).toMatchObject({
      catalogue: { settings: { landscapes: [{ name: "dev", controlPlane: { context: 'kcp "dev"' } }] } },
    });
  });

  it("does not change, and policies serve its landscapes", () => {
    const repository = { "kyma-modules.yaml": settings };
    const texts = textsAfter(importAll([inChannel("fast")], {}, repository), repository);

    expect(Object.keys(texts)).toEqual(["kyma-modules.yaml", "channels/fast.yaml", "channels/fast/istio.yaml"]);
    expect(texts["kyma-modules.yaml"]).toBe(settings);
    expect(texts["channels/fast.yaml"]).toContain('landscapes: ["dev", "prod"]\n');
  });

  it.each(["a: [", "format: 2\n"])("that is unreadable (%j) does not change, either", (text) => {
    expect(
      textsAfter(importAll([inChannel("fast")], {}, { "kyma-modules.yaml": text }))["channels/fast.yaml"],
    ).toContain("landscapes: [dev]\n");
  });
});

describe("the policy of a channel", () => {
  const policy = (
    channel: string,
    inputs: Parameters<typeof importAll>[0],
    repository: Texts = {},
  ): readonly string[] | undefined => {
    const text = textsAfter(importAll(inputs, {}, repository))[`channels/${channel}.yaml`];
    return text?.split("\n").slice(3, -1);
  };

  it("is made for each channel with templates", () => {
    expect(policy("fast", [inChannel("fast")])).toEqual(["kind: release", "versions: release", "landscapes: [dev]"]);
    expect(policy("mandatory", [file("a.yaml", complete("istio", "1.0.0", { mandatory: true }))])?.[0]).toBe(
      "kind: mandatory",
    );
  });

  it("accepts pre-releases when there are some", () => {
    expect(policy("fast", [inChannel("fast", "1.0.0-rc1")])).toContainEqual(mentions("versions: any", "pre-releases"));
  });

  it("follows fast in regular when fast exists", () => {
    const follows = mentions("follows: fast");

    expect(policy("regular", [inChannel("fast"), inChannel("regular")])).toContainEqual(follows);
    expect(
      policy("regular", [inChannel("regular")], { "channels/fast.yaml": "format: 1\nlandscapes: [dev]\n" }),
    ).toContainEqual(follows);
    expect(policy("regular", [inChannel("regular")])).toEqual([
      "kind: release",
      "versions: release",
      "landscapes: [dev]",
    ]);
  });

  it.each(["kind: mandatory", "follows: slow"])("does not follow a fast of %s", (line) => {
    expect(
      policy("regular", [inChannel("regular")], { "channels/fast.yaml": `format: 1\n${line}\nlandscapes: [dev]\n` }),
    ).toEqual(["kind: release", "versions: release", "landscapes: [dev]"]);
  });

  it("follows nothing in a mandatory regular, and is not made when it exists", () => {
    const regular = {
      "channels/regular.yaml": "format: 1\nkind: mandatory\nlandscapes: [dev]\n",
      "channels/slow.yaml": "a: [",
      "channels/bad.yaml": "format: 1\n",
    };

    expect(
      policy(
        "regular",
        [
          file("a.yaml", complete("istio", "1.0.0", { mandatory: true })),
          file("b.yaml", complete("keda", "1.0.0", { channel: "fast" })),
        ],
        regular,
      )?.[0],
    ).toBeUndefined();
  });

  it("is made for regular when no channel is named, since a catalogue needs one", () => {
    const decision = importAll([file("a.yaml", complete("istio", "1.0.0"))]);

    expect(decision.files.map(({ path }) => path)).toEqual([
      "kyma-modules.yaml",
      "channels/regular.yaml",
      "modules/istio/1.0.0/template.yaml",
    ]);
    expect(parseAfter(decision)).toMatchObject({ kind: "catalogue" });
  });
});

describe("module.yaml", () => {
  const made = (inputs: Parameters<typeof importAll>[0]) =>
    textsAfter(importAll(inputs))["modules/istio/module.yaml"]?.split("\n").at(-2);

  it("names the component of the ModuleReleaseMeta, else that of the highest version", () => {
    const versions = [
      file("a.yaml", complete("istio", "1.9.0", component("example.com/old"))),
      file("b.yaml", complete("istio", "1.10.0", component("example.com/new"))),
    ];
    const meta = (name: string) =>
      file(`${name.slice(-1)}.yaml`, releaseMeta("istio", { channels: [], ocmComponentName: name }));

    expect(made(versions)).toBe("ocmComponentName: example.com/new");
    expect(made([...versions, meta("example.com/one")])).toBe("ocmComponentName: example.com/one");
    expect(made([...versions, meta("example.com/one"), file("n.yaml", releaseMeta("istio", { channels: [] }))])).toBe(
      "ocmComponentName: example.com/one",
    );
  });

  it.each([undefined, "Not A Component"])("is not made when the component is %s", (name) => {
    expect(made([file("a.yaml", complete("istio", "1.0.0", { descriptor: { component: { name } } }))])).toBeUndefined();
  });
});
