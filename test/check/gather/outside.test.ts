import { describe, expect, test } from "vitest";
import {
  BUMP,
  bumpTemplate,
  edit,
  FAST,
  manifestPath,
  MODULE,
  SAMPLE,
  SETTINGS,
  templateText,
  type ExampleFiles,
} from "../../../src/check/example.ts";
import type { Outside } from "../../../src/check/gather/outside.ts";
import { withDescriptor } from "../../../src/check/rules/descriptor/place.ts";
import type { Registry } from "../../../src/ports.ts";
import { descriptorV2 } from "../../kubernetes/ocm/samples.ts";
import { mentions } from "../../support/mentions.ts";
import { quietRun } from "../../support/quietRun.ts";
import { asked, failing, gathered, known, unknown, type Ports } from "../outsidePorts.ts";

const IMAGE_NAME = "registry.example.com/prod/sample-manager:1.2.0";
/** The bump without its manifest, so that the outside has to tell. */
const REMOTE: ExampleFiles = { [FAST]: BUMP[FAST] };

const UNASKED = mentions("manifest", "repository", "no server was asked");

describe("external systems that are not asked", () => {
  test("leaves every fact unknown, and says why", async () => {
    const facts = await gathered(
      BUMP,
      { kind: "not-asked", why: "no server was asked" },
      { [manifestPath("1.0.0")]: undefined },
    );
    expect(facts.components).toEqual(new Map([["sample 1.2.0", unknown("no server was asked")]]));
    expect(facts.releases).toEqual(new Map([["sample 1.2.0", unknown("no server was asked")]]));
    expect(facts.images).toEqual(new Map([[IMAGE_NAME, unknown("no server was asked")]]));
    expect(facts.manifests.get("sample 1.0.0")).toEqual(unknown(UNASKED));
    expect(facts.manifests.get("sample 1.2.0")).toMatchObject({ kind: "known", value: { isLocal: true } });
    expect(facts.server).toEqual(new Map());
  });

  test("does not prevent asking an API server of our own", async () => {
    const verdicts = [{ index: 0, verdict: { kind: "not-evaluated", why: "it is a test" } }] as const;
    const server = { server: () => Promise.resolve(verdicts) };
    const outside: Outside = { kind: "not-asked", why: "no server was asked", ...server };
    expect((await gathered(BUMP, outside)).server).toEqual(new Map([["sample 1.2.0", known(verdicts)]]));
    expect((await gathered(REMOTE, outside)).server.get("sample 1.2.0")).toEqual(unknown(UNASKED));
    const down: Outside = { ...outside, server: failing("CLUSTER_UNREACHABLE") };
    expect((await gathered(BUMP, down)).server.get("sample 1.2.0")).toEqual(
      unknown(mentions("API server", "not reachable")),
    );
  });
});

describe("a component version", () => {
  const component = async (ports: Ports, base: ExampleFiles = {}, change: ExampleFiles = BUMP): Promise<unknown> =>
    (await gathered(change, asked(ports), base)).components.get("sample 1.2.0");

  test("is asked for under the name and the registry of the base", async () => {
    const questions: string[] = [];
    const registry: Partial<Registry> = {
      component: (...[baseUrl, name, version]) => {
        questions.push(`${baseUrl} ${name} ${version}`);
        return Promise.resolve({ descriptor: {}, digest: "sha256:0a", rawManifest: undefined });
      },
    };
    const moved = {
      ...BUMP,
      [MODULE]: edit(String(SAMPLE[MODULE]), "module/sample", "module/other"),
      [SETTINGS]: edit(String(SAMPLE[SETTINGS]), "baseUrl: registry.example.com/prod", "baseUrl: evil.example.com"),
    };
    expect(await component({ registry }, {}, moved)).toEqual(known({ descriptor: {}, digest: "sha256:0a" }));
    expect(questions).toContain("registry.example.com/prod example.com/module/sample 1.2.0");
    expect(
      questions.filter((question) => !question.startsWith("registry.example.com/prod example.com/module/sample ")),
    ).toEqual([]);
  });

  test("is asked for under the name in its descriptor if module.yaml names none", async () => {
    const base = { [MODULE]: edit(String(SAMPLE[MODULE]), "ocmComponentName: example.com/module/sample\n", "") };
    expect(await component({}, base)).toEqual(unknown(mentions("module.yaml", "no ocmComponentName")));
    expect(await component({}, base, withDescriptor())).toEqual(known(undefined));
    expect(await component({}, base, withDescriptor("name: example.com/module/sample", 'name: ""'))).toEqual(
      unknown(mentions("module.yaml", "no ocmComponentName")),
    );
  });

  test("is unknown without a registry, and if the registry does not answer", async () => {
    const base = {
      [SETTINGS]: edit(String(SAMPLE[SETTINGS]), "registry: { baseUrl: registry.example.com/prod }\n", ""),
    };
    expect(await component({}, base)).toEqual(unknown(mentions("kyma-modules.yaml", "no registry")));
    for (const [code, why] of [
      ["REGISTRY_UNREACHABLE", "not reachable"],
      ["REGISTRY_TIMEOUT", "in time"],
      ["REGISTRY_UNAUTHORIZED", "docker login"],
      ["CONFIGURATION", "not be asked"],
    ] as const)
      expect(await component({ registry: { component: failing(code) } })).toEqual(
        unknown(mentions("registry.example.com", why)),
      );
  });

  test("that is corrupt is a known fact", async () => {
    expect(await component({ registry: { component: failing("REGISTRY_CORRUPT") } })).toEqual(
      known({ corrupt: "It broke. Repair it." }),
    );
  });
});

describe("images and releases", () => {
  test("are those of manifests and descriptors, each asked for once", async () => {
    const references: string[] = [];
    const digestOf = (reference: string): Promise<string> => {
      references.push(reference);
      return reference.includes("other") ? failing("REGISTRY_CORRUPT")() : Promise.resolve("sha256:0b");
    };
    const change = withDescriptor("prod/sample-manager:1.2.0", "prod/other:1.2.0");
    const facts = await gathered(change, asked({ registry: { digestOf } }));
    expect(facts.images).toEqual(
      new Map([
        [IMAGE_NAME, known("sha256:0b")],
        ["registry.example.com/prod/other:1.2.0", unknown(mentions("registry.example.com", "unexpected answer"))],
      ]),
    );
    expect(references).toHaveLength(2);
    const published = { descriptor: descriptorV2(), digest: "sha256:0a", rawManifest: undefined };
    const left = await gathered(BUMP, asked({ registry: { component: () => Promise.resolve(published) } }));
    expect([...left.images.keys()]).toEqual([IMAGE_NAME, "example.com/prod/sample-manager:1.2.0"]);
  });

  test("are unknown without a repository, or if it cannot be read", async () => {
    const nameless = bumpTemplate("repository: https://github.com/sample/sample", 'repository: ""');
    expect((await gathered(nameless, asked())).releases.get("sample 1.2.0")).toEqual(
      unknown(mentions("template", "no repository")),
    );
    const { releases } = await gathered(BUMP, asked({ releases: { tagExists: failing("GIT_FAILED") } }));
    expect(releases.get("sample 1.2.0")).toEqual(unknown(mentions("https://github.com/sample/sample", "credentials")));
  });

  test("are asked for sixteen at a time", async () => {
    let [underWay, most] = [0, 0];
    const tagExists = async (): Promise<boolean> => {
      most = Math.max(most, ++underWay);
      await new Promise((resolve) => setImmediate(resolve));
      underWay--;
      return true;
    };
    const letter = (index: number): string => String.fromCharCode("a".charCodeAt(0) + index);
    const names = Array.from({ length: 40 }, (_, index) => `mod${letter(index / 8)}${letter(index % 8)}`);
    const files = Object.fromEntries(
      names.map((name) => [
        `channels/fast/${name}.yaml`,
        templateText("fast", "1.0.0")
          .replace("sample-fast", `${name}-fast`)
          .replace(/(module-name|moduleName): sample/g, `$1: ${name}`),
      ]),
    );
    const facts = await gathered(files, asked({ releases: { tagExists } }));
    expect(facts.releases.size).toBe(40);
    expect(most).toBe(16);
  });
});

describe("an abort", () => {
  test("and what is not a Fault are thrown", async () => {
    const aborter = new AbortController();
    const tagExists = (): Promise<never> => {
      aborter.abort(new Error("stopped"));
      return failing("GIT_FAILED")();
    };
    await expect(gathered(BUMP, asked({ releases: { tagExists } }), {}, quietRun(aborter.signal))).rejects.toThrow(
      "stopped",
    );
    const digestOf = (): Promise<never> => Promise.reject(new TypeError("a bug"));
    await expect(gathered(BUMP, asked({ registry: { digestOf } }))).rejects.toThrow("a bug");
    const component = (): Promise<never> => Promise.reject(new TypeError("a bug"));
    await expect(gathered(BUMP, asked({ registry: { component } }))).rejects.toThrow("a bug");
  });
});
