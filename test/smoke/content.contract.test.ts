import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Registry } from "../../src/ports.ts";
import { moduleContent, type ContentWorld, type ModuleContent, type NoContent } from "../../src/smoke/content.ts";
import { gatherSmoke } from "../../src/smoke/gather.ts";
import { systemClock } from "../../src/systems/clock.ts";
import { directorySource } from "../../src/systems/files/files.ts";
import { openLinks } from "../../src/systems/http/web.ts";
import { descriptorV2, descriptorV3, RAW_MANIFEST } from "../kubernetes/ocm/samples.ts";
import { NO_HISTORY } from "../support/noHistory.ts";
import { quietRun } from "../support/quietRun.ts";
import { emptyFolder } from "../systems/repository.ts";
import { mentions } from "../support/mentions.ts";
import { configMap, type SampleVersion, writeModule } from "./sampleModule.ts";

const NO_REGISTRY: Registry = {
  digestOf: () => Promise.resolve(undefined),
  component: () => Promise.resolve(undefined),
  hasLayer: () => Promise.resolve(false),
};

const NO_SERVERS = {
  links: () => Promise.resolve(openLinks({}, { staysOnHost: true })),
  registry: () => Promise.resolve(NO_REGISTRY),
};

/** What smoke gets for a version of the module `linked`. */
async function contentFor(version: SampleVersion, registry = NO_REGISTRY): Promise<ModuleContent | NoContent> {
  const folder = emptyFolder();
  writeModule(folder, "linked", { "1.0.0": version });
  const landscapes = [{ name: "dev", controlPlane: { context: "dev" } }];
  const registrySettings = { baseUrl: "registry.example.com" };
  folder.write({ "kyma-modules.yaml": JSON.stringify({ format: 1, landscapes, registry: registrySettings }) });
  const sources = { head: directorySource(folder.path), base: undefined, history: NO_HISTORY, clock: systemClock };
  const gathered = await gatherSmoke({ ...sources, chosen: { kind: "all" }, only: [] }, quietRun());
  if (gathered.kind === "unreadable") throw new Error(JSON.stringify(gathered.findings));
  const [path] = gathered.paths;
  if (path === undefined) throw new Error("no path");
  const links = openLinks({}, { allowsLoopback: true, staysOnHost: true });
  const world = {
    sides: gathered,
    files: gathered.files,
    links: () => Promise.resolve(links),
    registry: () => Promise.resolve(registry),
  };
  return moduleContent(path.to, world, quietRun());
}

/** The address of a server that answers so. */
async function served(answer: (response: ServerResponse, port: number) => void): Promise<string> {
  const server = createServer((_, response) => {
    answer(response, (server.address() as AddressInfo).port);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/manifest.yaml`;
}

describe("the manifest of a version", () => {
  it("is the one that the descriptor of its template names, and no other", async () => {
    const access = { type: "localBlob", localReference: `sha256:${"0b".repeat(32)}`, mediaType: "application/x-yaml" };
    const descriptor = descriptorV3([{ ...RAW_MANIFEST, access }]);

    expect(await contentFor({ descriptor })).toMatchObject({
      said: expect.stringMatching(/raw-manifest .*\bsha256:.*manifest\.yaml .*\bsha256:/) as string,
    });
  });

  it("is gone if the change removes it, except for a version that only the base serves", async () => {
    const [base, head] = [emptyFolder(), emptyFolder()];
    const gone = { isElsewhere: true };
    writeModule(base, "linked", { "1.0.0": {}, "1.1.0": {} });
    writeModule(head, "linked", { "1.1.0": gone });
    const sources = { head: directorySource(head.path), base: directorySource(base.path), history: NO_HISTORY };
    const chosen = { kind: "all" } as const;
    const gathered = await gatherSmoke({ ...sources, clock: systemClock, chosen, only: [] }, quietRun());
    if (gathered.kind === "unreadable") throw new Error(JSON.stringify(gathered.findings));
    const world = { ...NO_SERVERS, sides: gathered, files: gathered.files };
    const { from, to } = gathered.paths.find(({ from }) => from !== undefined) ?? {};

    expect(to && (await moduleContent(to, world, quietRun()))).toMatchObject({ said: mentions("linked", "1.1.0") });
    expect(from && (await moduleContent(from, world, quietRun()))).toMatchObject({
      source: "modules/linked/1.0.0/manifest.yaml",
    });
  });

  it("is the content of its link", async () => {
    const link = await served((response) => response.end(JSON.stringify(configMap("a"))));

    expect(await contentFor({ link })).toMatchObject({ source: link, objects: [{ kind: "ConfigMap" }] });
  });

  it("is the layer of its component version where nothing links it", async () => {
    const rawManifest = Buffer.from(JSON.stringify(configMap("a")));
    const publishes = (descriptor: unknown): Registry => ({
      ...NO_REGISTRY,
      component: () => Promise.resolve({ descriptor, digest: "sha256:1", rawManifest }),
    });
    const link = await served((response) => response.end(JSON.stringify(configMap("b"))));

    for (const version of [{ isElsewhere: true }, { link }])
      expect(await contentFor(version, publishes(descriptorV2()))).toMatchObject({
        source: "registry.example.com/component-descriptors/example.com/linked:1.0.0",
        objects: [{ metadata: { name: "a" } }],
      });
    expect(await contentFor({ link }, publishes(descriptorV2({ repositoryContexts: [] })))).toMatchObject({
      said: mentions("lifecycle-manager", "linked 1.0.0", "component.repositoryContexts"),
    });
  });

  it("is that of the registry and of the component that the base names, whatever the change says", async () => {
    const [base, head] = [emptyFolder(), emptyFolder()];
    const landscapes = [{ name: "dev", controlPlane: { context: "dev" } }];
    for (const [folder, name] of [
      [base, "base"],
      [head, "head"],
    ] as const) {
      writeModule(folder, "linked", { "1.0.0": { isElsewhere: true } });
      folder.write({
        "kyma-modules.yaml": JSON.stringify({ format: 1, landscapes, registry: { baseUrl: `${name}.example.com` } }),
        "modules/linked/module.yaml": `format: 1\nowners: ["@o/t"]\nocmComponentName: example.com/module/${name}\n`,
      });
    }
    const asked: unknown[] = [];
    const component: Registry["component"] = (baseUrl, name) => Promise.resolve(void asked.push(baseUrl, name));
    const sources = { head: directorySource(head.path), base: directorySource(base.path), history: NO_HISTORY };
    const gathered = await gatherSmoke(
      { ...sources, clock: systemClock, chosen: { kind: "all" }, only: [] },
      quietRun(),
    );
    if (gathered.kind === "unreadable") throw new Error(JSON.stringify(gathered.findings));
    const registry: ContentWorld["registry"] = (settings) => {
      asked.push(settings);
      return Promise.resolve({ ...NO_REGISTRY, component: (...of) => component(...of).then(() => undefined) });
    };
    const [path] = gathered.paths;
    if (path !== undefined)
      await moduleContent(path.to, { ...NO_SERVERS, sides: gathered, files: gathered.files, registry }, quietRun());

    expect(asked).toEqual([{ baseUrl: "base.example.com" }, "base.example.com", "example.com/module/base"]);
  });

  it.each<[why: string, words: RegExp, answer: Parameters<typeof served>[0]]>([
    ["is not there", /\bnothing\b.*\bhttp/, (response) => response.writeHead(404).end()],
    ["is refused", /the server answered 403/, (response) => response.writeHead(403).end()],
    [
      "leads to another host",
      /\bredirect\b.*\bhost\b|use https/,
      (response, port) => response.writeHead(302, { location: `http://localhost:${port}/` }).end(),
    ],
    ["streams for ever", /larger than 67108864 bytes/, streamForEver],
    ["is not YAML", /manifest\.yaml:1: /, (response) => response.end("a: [")],
    ["holds nothing", /contains no object/, (response) => response.end("# nothing\n")],
    [
      "has an object that no API server takes",
      /ConfigMap .*a has 1048577 bytes/,
      (response) => response.end(JSON.stringify({ ...configMap("a"), data: { a: "a".repeat(1024 * 1024 + 1) } })),
    ],
    ["has an object without a name", /A ConfigMap without a name/, (response) => response.end("kind: ConfigMap\n")],
  ])("is a fault of the module if its link %s", async (_, words, answer) => {
    const content = await contentFor({ link: await served(answer) });

    expect("said" in content ? content.said : content.source).toMatch(words);
  });

  it("is missing if it is neither in the repository, nor linked, nor published", async () => {
    expect(await contentFor({ isElsewhere: true })).toEqual({
      said: mentions("no manifest", "linked 1.0.0"),
      remedy: expect.stringContaining("modules/linked/1.0.0/manifest.yaml") as string,
    });
  });
});

function streamForEver(response: ServerResponse): void {
  const piece = Buffer.alloc(1024 * 1024, "a");
  const more = (): void => {
    while (!response.destroyed && response.write(piece));
  };
  response.on("drain", more);
  more();
}
