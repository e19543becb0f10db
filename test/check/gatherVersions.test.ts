import { describe, expect, test } from "vitest";
import {
  BUMP,
  bumpTemplate,
  edit,
  FAST,
  manifestPath,
  manifestText,
  SAMPLE,
  SETTINGS,
  templateText,
  type ExampleFiles,
} from "../../src/check/example.ts";
import type { OutsideClients } from "../../src/check/gather/outside.ts";
import type { ComponentVersion, Links, Releases } from "../../src/ports.ts";
import { openLinks } from "../../src/systems/http/web.ts";
import { openRegistry } from "../../src/systems/registry/registry.ts";
import { gitReleases } from "../../src/systems/git/releases.ts";
import { descriptorV2, IMAGE, RAW_MANIFEST } from "../kubernetes/ocm/samples.ts";
import { mentions } from "../support/mentions.ts";
import { pushComponent, pushImage, startRegistry } from "../support/ociFixture.ts";
import { emptyFolder, gitAt } from "../systems/repository.ts";
import { startServer } from "../systems/webServer.ts";
import { asked, failing, gathered, known, unknown, type Ports } from "./outsidePorts.ts";

const IMAGE_NAME = "registry.example.com/prod/sample-manager:1.2.0";
/** The bump without its manifest, so that the outside has to tell. */
const REMOTE: ExampleFiles = { [FAST]: BUMP[FAST] };
const LINK = "https://github.com/sample/sample/releases/download/1.2.0/sample.yaml";

describe("a manifest that is not in the repository", () => {
  const manifest = async (ports: Ports, change = REMOTE, base: ExampleFiles = {}): Promise<unknown> =>
    (await gathered(change, asked(ports), base)).manifests.get("sample 1.2.0");
  const found: ComponentVersion = {
    descriptor: descriptorV2(),
    digest: "sha256:0a",
    rawManifest: Buffer.from(manifestText("1.2.0")),
  };
  const at = (wanted: string): Links => ({
    download: (url) => Promise.resolve(url === wanted ? Buffer.from(manifestText("1.2.0")) : undefined),
  });

  test("is that of the component version, else what the template links, else what the inputs link", async () => {
    expect(await manifest({ registry: { component: () => Promise.resolve(found) } })).toMatchObject({
      value: {
        source: "registry.example.com/prod/component-descriptors/example.com/module/sample:1.2.0",
        isLocal: false,
      },
    });
    expect(await manifest({ links: at(LINK) })).toMatchObject({ kind: "known", value: { source: LINK } });
    for (const component of [failing("REGISTRY_BUSY"), failing("REGISTRY_CORRUPT")])
      expect(await manifest({ links: at(LINK), registry: { component } })).toMatchObject({ kind: "unknown" });
    const lost = { ...found, descriptor: descriptorV2({ repositoryContexts: [] }) };
    const none = { ...found, descriptor: descriptorV2({ resources: [] }), rawManifest: undefined };
    for (const component of [lost, none])
      expect(
        await manifest({ links: at(LINK), registry: { component: () => Promise.resolve(component) } }),
      ).toMatchObject({ kind: "unknown", why: mentions("lifecycle-manager", "install") });
    const without = bumpTemplate(/ {2}resources:\n( {4}.*\n)+/.exec(String(BUMP[FAST]))?.[0] ?? "", "");
    const config = { "modules/sample/1.2.0/module-config.yaml": "manifest: https://example.com/m.yaml\n" };
    const linking = { [FAST]: without[FAST], ...config };
    expect(await manifest({ links: at("https://example.com/m.yaml") }, linking)).toMatchObject({
      value: { source: "https://example.com/m.yaml" },
    });
    const nowhere = { [FAST]: without[FAST] };
    expect(await manifest({}, nowhere)).toEqual(unknown(mentions("manifest", "repository", "registry", "links")));
    expect(await manifest({ registry: { component: failing("REGISTRY_BUSY") } }, nowhere)).toEqual(
      unknown(mentions("registry.example.com", "too busy")),
    );
  });

  test("is unknown if its link is broken", async () => {
    expect(await manifest({})).toEqual(unknown(mentions("nothing", LINK)));
    expect(await manifest({ links: { download: failing("LINK_REFUSED") } })).toEqual(
      unknown(mentions(LINK, "refused")),
    );
  });

  test("is asked for of versions in service as well, but nothing else is", async () => {
    const links = at(LINK.replace("1.2.0", "1.0.0"));
    const tags: string[] = [];
    const releases: Releases = {
      tagExists: (url, version) => {
        tags.push(`${url} ${version}`);
        return Promise.resolve(true);
      },
    };
    const facts = await gathered(BUMP, asked({ links, releases }), { [manifestPath("1.0.0")]: undefined });
    expect(facts.manifests.get("sample 1.0.0")).toMatchObject({ kind: "known" });
    expect(tags).toEqual(["https://github.com/sample/sample 1.2.0"]);
    expect([...facts.images.keys()]).toEqual([IMAGE_NAME]);
  });
});

test("a real registry has one version and lacks another", async (context) => {
  const registry = await startRegistry(context);
  const image = `${registry.host}/prod/sample-manager:1.2.0`;
  const rawManifest = edit(manifestText("1.2.0"), IMAGE_NAME, image);
  const component = {
    name: "example.com/module/sample",
    version: "1.2.0",
    rawManifest,
    mediaType: "application/x-yaml",
  };
  await pushComponent(registry, "prod/", {
    ...component,
    descriptor: (access) =>
      descriptorV2({
        name: component.name,
        resources: [
          { ...RAW_MANIFEST, access: { ...access } },
          { ...IMAGE, access: { type: "ociArtifact", imageReference: image } },
        ],
      }),
  });
  const digest = await pushImage(registry, "prod/sample-manager", "1.2.0");
  const settings = `baseUrl: ${registry.host}/prod, plainHttp: true`;
  const base = {
    [SETTINGS]: edit(String(SAMPLE[SETTINGS]), "baseUrl: registry.example.com/prod", settings),
    [manifestPath("1.0.0")]: undefined,
  };
  const outside: OutsideClients = {
    kind: "asked",
    registry: (found) => Promise.resolve(openRegistry(found, { DOCKER_CONFIG: emptyFolder().path })),
    links: () => Promise.resolve(openLinks({}, { allowsLoopback: true })),
    releases: () => Promise.resolve(gitReleases(gitAt("."), { allowsLocal: true })),
  };
  const server = await startServer(() => ({ status: 200, body: manifestText("1.0.0") }));
  const link = `http://${server.host}/sample.yaml`;
  const old = templateText("regular", "1.0.0").replace(/link: .*/, `link: ${link}`);
  const repository = "repository: https://github.com/sample/sample";
  const change = { [FAST]: edit(String(BUMP[FAST]), repository, `repository: file://${emptyFolder().path}/none`) };
  const facts = await gathered(change, outside, { ...base, "channels/regular/sample.yaml": old });

  expect(facts.components.get("sample 1.2.0")).toMatchObject({ kind: "known", value: { descriptor: { meta: {} } } });
  expect(facts.components.get("sample 1.0.0")).toEqual(known(undefined));
  expect(facts.manifests.get("sample 1.2.0")).toMatchObject({ kind: "known", value: { isLocal: false } });
  expect(facts.manifests.get("sample 1.0.0")).toMatchObject({ kind: "known", value: { source: link } });
  expect(facts.images).toEqual(new Map([[image, known(digest)]]));
  expect(facts.releases.get("sample 1.2.0")).toMatchObject({ kind: "unknown" });
});
