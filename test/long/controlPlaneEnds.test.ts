import { execFile, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Binaries } from "../../src/systems/embedded/releases.ts";
import { startControlPlane, type EmbeddedOptions } from "../../src/systems/embedded/controlPlane.ts";
import { binariesForTests } from "../support/controlPlane.ts";
import { describeUnless } from "../support/describeUnless.ts";
import { quietRun } from "../support/quietRun.ts";
import { ask } from "../systems/embedded/apiClient.ts";
import { faultOf } from "../systems/embedded/faults.ts";
import { processesWith } from "../systems/embedded/processes.ts";

const run = promisify(execFile);
const FIXTURE = join(import.meta.dirname, "../systems/embedded/fixtures", "controlPlane.ts");
const eventually = { timeout: 20_000, interval: 50 };
const found = await binariesForTests();
const binaries: Binaries = "skipped" in found ? { etcd: "", apiServer: "" } : found;
const missing = "skipped" in found ? found.skipped : undefined;

describeUnless(missing, "an embedded control plane", () => {
  let home: string;

  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), "control-plane-ends-test-"));
  });

  afterEach(() => {
    rmSync(home, { recursive: true, force: true });
  });

  describe("whose process ends", () => {
    async function startFixture(): Promise<{ readonly folder: string; readonly parent: ChildProcess }> {
      symlinkSync(binaries.etcd, join(home, "etcd"));
      symlinkSync(binaries.apiServer, join(home, "kube-apiserver"));
      const parent = spawn(process.execPath, [FIXTURE, home], {
        stdio: ["ignore", "pipe", "pipe"],
        detached: true, // a process group, as a terminal makes one
        env: { ...process.env, HTTPS_PROXY: "http://127.0.0.1:1", NODE_USE_ENV_PROXY: "1" },
      });
      const lines = createInterface({ input: parent.stdout })[Symbol.asyncIterator]();
      await lines.next();
      const { value } = await lines.next();
      return { folder: dirname(String(value)), parent };
    }

    it("is gone after SIGKILL, with its folder", async () => {
      const { folder, parent } = await startFixture();
      expect(processesWith(folder)).toHaveLength(2);
      parent.kill("SIGKILL");
      await vi.waitFor(() => {
        expect([processesWith(folder), existsSync(folder)]).toEqual([[], false]);
      }, eventually);
    });

    it("is gone, without an error message, after Ctrl-C", async () => {
      const { folder, parent } = await startFixture();
      const said: string[] = [];
      parent.stderr?.on("data", (text: Buffer) => said.push(text.toString()));
      const exited = once(parent, "close");
      process.kill(-(parent.pid ?? 0), "SIGINT");
      expect(await exited).toEqual([130, null]);
      expect(said).toEqual([]);
      expect([processesWith(folder), existsSync(folder)]).toEqual([[], false]);
    });
  });

  describe("that cannot start", () => {
    const start = (options: Partial<EmbeddedOptions>) =>
      startControlPlane({ name: "test", binaries, ...options }, quietRun());

    /** Replaces the API server by a shell script. */
    const withApiServer = (script: string): Partial<EmbeddedOptions> => {
      const apiServer = join(home, "kube-apiserver");
      writeFileSync(apiServer, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
      return { binaries: { ...binaries, apiServer } };
    };

    it("shows the last output of the program that ended", async () => {
      const fault = await faultOf(start(withApiServer("echo starting; echo 'cannot do it' >&2; exit 7")));
      expect(fault.code).toBe("PROCESS_FAILED");
      expect(fault.message).toBe("kube-apiserver ended with code 7; the end of its log:\nstarting\ncannot do it");
    });

    it("names a program that is missing", async () => {
      const fault = await faultOf(start({ binaries: { ...binaries, etcd: join(home, "absent") } }));
      expect([fault.code, fault.message]).toEqual(["PROCESS_FAILED", expect.stringContaining(join(home, "absent"))]);
    });

    it("tries other ports when one is already in use", async () => {
      const script = `[ -e ${home}/once ] && exec ${binaries.apiServer} "$@"
        touch ${home}/once; echo 'listen tcp 127.0.0.1:1: bind: address already in use'; exit 1`;
      const controlPlane = await start(withApiServer(script));
      expect(await ask(controlPlane, "/version")).toMatchObject({ status: 200 });
      await controlPlane.stop();
    });

    it("gives up when every port is in use", async () => {
      const script = `echo x >> ${home}/tries; echo 'bind: address already in use'; exit 1`;
      expect((await faultOf(start(withApiServer(script)))).code).toBe("PROCESS_FAILED");
      expect(readFileSync(join(home, "tries"), "utf8")).toBe("x\n".repeat(5));
    });

    it("names the disk that is full", async (context) => {
      const dataDir = join(home, "small");
      mkdirSync(dataDir);
      await run("mount", ["-t", "tmpfs", "-o", "size=2m", "tmpfs", dataDir]).catch((error: unknown) => {
        context.skip(`a small disk cannot be mounted here: ${String(error)}`);
      });
      try {
        const { code, message } = await faultOf(start({ dataDir }));
        expect([code, message]).toEqual(["DISK_FULL", expect.stringContaining(dataDir)]);
      } finally {
        await run("umount", [dataDir]);
      }
    });

    it("reports a folder that cannot be written", async () => {
      writeFileSync(join(home, "file"), "");
      expect((await faultOf(start({ dataDir: join(home, "file", "data") }))).code).toBe("FILE_UNREADABLE");
    });
  });
});
