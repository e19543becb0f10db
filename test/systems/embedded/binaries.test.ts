import { execFile } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it, vi } from "vitest";
import { environmentFrom, type Environment } from "../../../src/systems/environment.ts";
import { mentions } from "../../support/mentions.ts";
import { archiveOf } from "./archives.ts";
import { BOTH, CacheWorld } from "./cacheWorld.ts";
import { faultOf } from "./faults.ts";

const run = promisify(execFile);

describe("findBinaries with KUBEBUILDER_ASSETS", () => {
  const assetsOf = (world: CacheWorld, programs: readonly string[]): { assets: string; environment: Environment } => {
    for (const name of programs) world.program("assets", name);
    const assets = join(world.home, "assets");
    return { assets, environment: environmentFrom({ KUBEBUILDER_ASSETS: assets, XDG_CACHE_HOME: world.cacheDir }) };
  };

  it("uses both programs from there", async () => {
    const world = new CacheWorld();
    const { assets, environment } = assetsOf(world, BOTH);
    const found = await world.find(environment);
    expect(found).toEqual({ etcd: join(assets, "etcd"), apiServer: join(assets, "kube-apiserver") });
  });

  it("resolves a relative path", async () => {
    const world = new CacheWorld();
    const { assets } = assetsOf(world, BOTH);
    const found = await world.find(environmentFrom({ KUBEBUILDER_ASSETS: relative(process.cwd(), assets) }));
    expect(found.etcd).toBe(join(assets, "etcd"));
  });

  it.each([[["etcd"]], [["kube-apiserver"]], [[]]])("refuses a folder that has only %j", async (programs) => {
    const world = new CacheWorld();
    const { assets, environment } = assetsOf(world, programs);
    const { code, message } = await faultOf(world.find(environment));
    expect([code, message]).toEqual(["CONFIGURATION", expect.stringContaining(assets)]);
  });

  it("refuses a program that is not executable", async () => {
    const world = new CacheWorld();
    const { assets, environment } = assetsOf(world, BOTH);
    chmodSync(join(assets, "etcd"), 0o644);
    expect((await faultOf(world.find(environment))).code).toBe("CONFIGURATION");
  });
});

describe("findBinaries by a build", () => {
  /** Finds the argument of `-o`. */
  const output = 'while [ "$1" != -o ]; do shift; done';

  it("announces the duration, and keeps the result", async () => {
    const world = new CacheWorld();
    const environment = world.withGo(`${output}; for p in server kube-apiserver; do echo '#!/bin/sh' > $2$p; done`);
    const found = await world.find(environment);
    expect(found).toEqual(world.binariesOf("1.36.3"));
    expect(world.lines).toContainEqual(mentions("kube-apiserver", "etcd", "Go", "minutes"));
    await run(found.etcd);
  });

  it("lists all four ways if it also fails", async () => {
    const world = new CacheWorld();
    const { code, message } = await faultOf(world.find(world.withGo("echo no module cache >&2; exit 1")));
    expect(code).toBe("BINARIES_MISSING");
    const ways = ["KUBEBUILDER_ASSETS", world.cache, "http://127.0.0.1:1", "install Go 1.26", "no module cache"];
    for (const way of ways) expect(message).toContain(way);
    expect(world.contents()).toEqual([]);
  });

  it("reports a full disk if Go does", async () => {
    const world = new CacheWorld();
    const { code, message } = await faultOf(world.find(world.withGo("echo x: no space left on device >&2; exit 1")));
    expect([code, message]).toEqual(["DISK_FULL", expect.stringContaining(world.cache)]);
  });

  it("stops when the run is aborted", async () => {
    const world = new CacheWorld();
    const interruption = new AbortController();
    const environment = world.withGo(`touch ${world.home}/started; sleep 1000`);
    const finding = world.find(environment, interruption.signal);
    await vi.waitFor(
      () => {
        expect(existsSync(join(world.home, "started"))).toBe(true);
      },
      { timeout: 10_000 },
    );
    interruption.abort(new Error("interrupted"));
    await expect(finding).rejects.toThrow("interrupted");
    expect(world.contents()).toEqual([]);
  });
});

describe("findBinaries in a cache", () => {
  it("reports a cache that cannot be written", async () => {
    const world = new CacheWorld();
    writeFileSync(world.cacheDir, "a file where the folder should be");
    expect((await faultOf(world.find(world.from("http://127.0.0.1:1")))).code).toBe("FILE_UNREADABLE");
  });

  it("names the full disk, and keeps no partial files", async (context) => {
    const world = new CacheWorld();
    mkdirSync(world.cacheDir, { recursive: true });
    await run("mount", ["-t", "tmpfs", "-o", "size=256k", "tmpfs", world.cacheDir]).catch((error: unknown) => {
      context.skip(`a small disk cannot be mounted here: ${String(error)}`);
    });
    try {
      const archive = await archiveOf(BOTH, "x".repeat(400_000));
      const server = await world.serving((_request, response) => {
        response.end(archive);
      });
      const { code, message } = await faultOf(world.find(world.from(server.url, {}, {}, archive)));
      expect([code, message]).toEqual(["DISK_FULL", expect.stringContaining(world.cache)]);
      expect(world.contents()).toEqual([]);
    } finally {
      await run("umount", [world.cacheDir]);
    }
  });
});

describe("environmentFrom", () => {
  it.each([
    ["XDG_CACHE_HOME", { XDG_CACHE_HOME: "/cache", HOME: "/home/x" }, /^\/cache$/],
    ["no relative XDG_CACHE_HOME", { XDG_CACHE_HOME: "cache", HOME: "/home/x" }, /^\/home\/x\//],
    ["HOME", { HOME: "/home/x" }, /^\/home\/x\//],
  ])("uses %s", (_name, variables, expected) => {
    expect(environmentFrom(variables).cacheDir).toMatch(expected);
  });

  it("ignores an empty KUBEBUILDER_ASSETS", () => {
    expect(environmentFrom({ KUBEBUILDER_ASSETS: "" }).assets).toBeUndefined();
  });
});
