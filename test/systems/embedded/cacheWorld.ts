import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import type { RequestListener } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach } from "vitest";
import { findBinaries } from "../../../src/systems/embedded/binaries.ts";
import { type Binaries, type DownloadDeadlines, platformName } from "../../../src/systems/embedded/releases.ts";
import type { Environment, Variables } from "../../../src/systems/environment.ts";
import { quietRun } from "../../support/quietRun.ts";
import { archiveOf, serve, sha512, type LocalServer } from "./archives.ts";

/** What the official archives contain. */
export const BOTH: readonly string[] = ["etcd", "kube-apiserver", "kubectl"];

/** Where the archive lies on a server of these tests. */
export const ARCHIVE_PATH = "envtest-v0/envtest-v0.tar.gz";

/** What servers of these tests give, unless they are told otherwise. */
export const ARCHIVE: Buffer = await archiveOf(BOTH);
const worlds: CacheWorld[] = [];

afterEach(async () => {
  for (const world of worlds.splice(0)) await world.remove();
});

/** A cache folder of its own, servers to download from, and what was said. Removed after the test. */
export class CacheWorld {
  readonly home: string = mkdtempSync(join(tmpdir(), "binaries-test-"));
  readonly cacheDir: string = join(this.home, "cache");
  readonly cache: string = join(this.cacheDir, "kyma-modules");
  readonly lines: string[] = [];
  readonly #servers: LocalServer[] = [];

  constructor() {
    worlds.push(this);
  }

  /** The environment that downloads `archive` from `base`. */
  from(
    base: string,
    variables: Variables = {},
    deadlines: Partial<DownloadDeadlines> = {},
    archive: Buffer = ARCHIVE,
  ): Environment {
    return {
      cacheDir: this.cacheDir,
      variables: { PATH: "", ...variables },
      source: {
        base,
        archive: { path: ARCHIVE_PATH, sha512: sha512(archive) },
        deadlines: { connectMs: 2_000, firstByteMs: 2_000, idleMs: 2_000, ...deadlines },
      },
    };
  }

  /** The environment without a server, whose Go is this shell script. */
  withGo(script: string): Environment {
    this.program("go", "go", `#!/bin/sh\n${script}\n`);
    return this.from("http://127.0.0.1:1", { PATH: `${join(this.home, "go")}:/usr/bin:/bin` });
  }

  find(environment: Environment, signal?: AbortSignal): Promise<Binaries> {
    return findBinaries(environment, (line) => this.lines.push(line), quietRun(signal));
  }

  /** Starts a server. Without a listener it gives the archive. */
  async serving(
    listener: RequestListener = (_request, response) => {
      response.end(ARCHIVE);
    },
  ): Promise<LocalServer> {
    const server = await serve(listener);
    this.#servers.push(server);
    return server;
  }

  /** Makes a program in a folder of this world and gives the folder. */
  program(folder: string, name: string, content = "#!/bin/sh\n"): string {
    const path = join(this.home, folder);
    mkdirSync(path, { recursive: true });
    writeFileSync(join(path, name), content, { mode: 0o755 });
    return path;
  }

  /** Where the cache keeps the binaries of a version. */
  binariesOf(version: string): Binaries {
    const folder = join(this.cache, `kubernetes-${version}-${platformName()}`);
    return { etcd: join(folder, "etcd"), apiServer: join(folder, "kube-apiserver") };
  }

  /** What lies in the cache. */
  contents(): readonly string[] {
    return existsSync(this.cache) ? readdirSync(this.cache) : [];
  }

  async remove(): Promise<void> {
    await Promise.all(this.#servers.map((server) => server.close()));
    rmSync(this.home, { recursive: true, force: true });
  }
}
