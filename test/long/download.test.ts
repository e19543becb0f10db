import { execFile, spawn } from "node:child_process";
import { mkdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import type { RequestListener } from "node:http";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it, vi } from "vitest";
import { platformName } from "../../src/systems/embedded/releases.ts";
import { mentions } from "../support/mentions.ts";
import { archiveOf } from "../systems/embedded/archives.ts";
import { ARCHIVE, ARCHIVE_PATH, CacheWorld } from "../systems/embedded/cacheWorld.ts";
import { faultOf } from "../systems/embedded/faults.ts";

const run = promisify(execFile);
const FIXTURE = join(import.meta.dirname, "../systems/embedded/fixtures", "binaries.ts");
const eventually = { timeout: 15_000, interval: 50 };

describe("a download", () => {
  it("fetches both programs, once", async () => {
    const world = new CacheWorld();
    const server = await world.serving();
    const first = await world.find(world.from(server.url));
    const second = await world.find(world.from(server.url));
    expect([first, second]).toEqual([world.binariesOf("1.36.2"), world.binariesOf("1.36.2")]);
    expect(server.requests).toEqual([`/${ARCHIVE_PATH}`]);
    expect(world.contents()).toEqual([`kubernetes-1.36.2-${platformName()}`]);
    await run(first.etcd);
  });

  it("follows redirections", async () => {
    const world = new CacheWorld();
    const server = await world.serving((request, response) => {
      if (request.url === "/elsewhere") response.end(ARCHIVE);
      else response.writeHead(302, { location: "/elsewhere" }).end();
    });
    await expect(world.find(world.from(server.url))).resolves.toEqual(world.binariesOf("1.36.2"));
  });

  it("goes through a proxy, unless NO_PROXY names the host", async () => {
    const world = new CacheWorld();
    const [origin, proxy] = await Promise.all([world.serving(), world.serving()]);
    const variables = { HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url };
    await world.find(world.from("http://archives.invalid", variables));
    expect(proxy.requests).toEqual([`http://archives.invalid/${ARCHIVE_PATH}`]);
    rmSync(world.cacheDir, { recursive: true });
    await world.find(world.from(origin.url, { ...variables, NO_PROXY: "127.0.0.1" }));
    expect([proxy.requests.length, origin.requests.length]).toEqual([1, 1]);
    rmSync(world.cacheDir, { recursive: true });
    await world.find(world.from("http://archives.invalid", { http_proxy: proxy.url.replace("http://", "") }));
    expect(proxy.requests.length).toBe(2);
  });

  it.each<[string, RequestListener, unknown]>([
    ["a wrong checksum", (_request, response) => response.end("something else"), mentions("SHA-512")],
    ["a missing archive", (_request, response) => response.writeHead(404).end(), mentions("404")],
    ["an answer that never comes", () => undefined, mentions("answer", "begin")],
    ["an answer that stops", (_request, response) => response.write("some"), mentions("answer", "stopped")],
    [
      "a cut connection",
      (_request, response) => {
        response.writeHead(200, { "content-length": 1_000 });
        response.write("some", () => response.destroy());
      },
      mentions("other side closed"),
    ],
  ])("falls back to the next source after %s, and says why", async (_name, listener, why) => {
    const world = new CacheWorld();
    const server = await world.serving(listener);
    const { code } = await faultOf(world.find(world.from(server.url, {}, { firstByteMs: 300, idleMs: 300 })));
    expect(code).toBe("BINARIES_MISSING");
    expect(world.lines.at(-1)).toEqual(mentions("download", "etcd", "kube-apiserver"));
    expect(world.lines.at(-1)).toEqual(why);
    expect(world.contents()).toEqual([]);
  });

  it.each([
    ["nothing listens", "http://127.0.0.1:1"],
    ["the name is unknown", "http://archives.invalid"],
    ["the address is none", "nonsense"],
  ])("falls back to the next source when %s", async (_name, base) => {
    const world = new CacheWorld();
    expect((await faultOf(world.find(world.from(base)))).code).toBe("BINARIES_MISSING");
  });

  it.each([
    ["is none", async () => Promise.resolve(Buffer.from("no archive")), mentions("incorrect header check")],
    ["lacks a program", () => archiveOf(["etcd"]), mentions("archive", "kube-apiserver")],
  ])("refuses an archive that %s", async (_name, make, why) => {
    const world = new CacheWorld();
    const archive = await make();
    const server = await world.serving((_request, response) => {
      response.end(archive);
    });
    const { code, message } = await faultOf(world.find(world.from(server.url, {}, {}, archive)));
    expect([code, message]).toEqual(["BINARIES_MISSING", why]);
    expect(world.contents()).toEqual([]);
  });

  it("ends with the reason when the run is aborted", async () => {
    const world = new CacheWorld();
    const interruption = new AbortController();
    const server = await world.serving(() => {
      interruption.abort(new Error("interrupted"));
    });
    await expect(world.find(world.from(server.url), interruption.signal)).rejects.toThrow("interrupted");
    expect(world.contents()).toEqual([]);
  });
});

describe("a cache that several processes use", () => {
  it("is filled once", async () => {
    const world = new CacheWorld();
    const server = await world.serving((_request, response) => setTimeout(() => response.end(ARCHIVE), 1_000));
    const argument = JSON.stringify(world.from(server.url, {}, { firstByteMs: 20_000 }));
    const outputs = await Promise.all([1, 2, 3].map(() => run(process.execPath, [FIXTURE, argument])));
    for (const { stdout } of outputs) {
      expect(JSON.parse(stdout)).toMatchObject({ binaries: world.binariesOf("1.36.2") });
    }
    expect(server.requests).toHaveLength(1);
  });

  it("is taken over from a process that was killed in the middle, with its leftovers", async () => {
    const world = new CacheWorld();
    const hanging = await world.serving((_request, response) => response.write("half"));
    const argument = JSON.stringify(world.from(hanging.url, {}, { idleMs: 60_000 }));
    const killed = spawn(process.execPath, [FIXTURE, argument], { stdio: "ignore" });
    await vi.waitFor(() => {
      expect(world.contents()).toHaveLength(2);
    }, eventually);
    killed.kill("SIGKILL");
    const server = await world.serving();
    await expect(world.find(world.from(server.url))).resolves.toEqual(world.binariesOf("1.36.2"));
    expect(world.contents()).toEqual([`kubernetes-1.36.2-${platformName()}`]);
  });

  it("makes one process wait for another, and report it", async () => {
    const world = new CacheWorld();
    const lock = join(world.cache, ".lock");
    mkdirSync(world.cache, { recursive: true });
    writeFileSync(lock, "");
    const heart = setInterval(() => {
      utimesSync(lock, new Date(), new Date());
    }, 100);
    const server = await world.serving();
    const finding = world.find(world.from(server.url));
    await vi.waitFor(() => {
      expect(world.lines).toEqual([mentions("another process", world.cache)]);
    }, eventually);
    clearInterval(heart);
    rmSync(lock);
    await expect(finding).resolves.toEqual(world.binariesOf("1.36.2"));
  });

  it("replaces a folder that a person has emptied", async () => {
    const world = new CacheWorld();
    const server = await world.serving();
    const { etcd } = await world.find(world.from(server.url));
    rmSync(etcd);
    await expect(world.find(world.from(server.url))).resolves.toEqual(world.binariesOf("1.36.2"));
  });
});
