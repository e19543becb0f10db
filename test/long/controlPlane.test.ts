import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { CoreV1Api, KubeConfig } from "@kubernetes/client-node";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, onTestFinished, vi } from "vitest";
import type { Binaries } from "../../src/systems/embedded/releases.ts";
import {
  startControlPlane,
  type EmbeddedControlPlane,
  type EmbeddedOptions,
} from "../../src/systems/embedded/controlPlane.ts";
import { binariesForTests } from "../support/controlPlane.ts";
import { describeUnless } from "../support/describeUnless.ts";
import { quietRun } from "../support/quietRun.ts";
import { ask, readKubeconfig } from "../systems/embedded/apiClient.ts";
import { faultOf } from "../systems/embedded/faults.ts";
import { processesWith } from "../systems/embedded/processes.ts";

const run = promisify(execFile);
const eventually = { timeout: 20_000, interval: 50 };
const found = await binariesForTests();
const binaries: Binaries = "skipped" in found ? { etcd: "", apiServer: "" } : found;
const missing = "skipped" in found ? found.skipped : undefined;

const start = (options: Partial<EmbeddedOptions> = {}, signal?: AbortSignal): Promise<EmbeddedControlPlane> =>
  startControlPlane({ name: "test", binaries, ...options }, quietRun(signal));

const CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
const configMap = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "kept" }, data: { key: "value" } };

describeUnless(missing, "an embedded control plane that runs", () => {
  let controlPlane: EmbeddedControlPlane;

  beforeAll(async () => {
    controlPlane = await start({ name: "running one" });
  });

  afterAll(() => controlPlane.stop());

  it("serves an administrator who verifies its certificate", async () => {
    const config = new KubeConfig();
    config.loadFromFile(controlPlane.kubeconfig);
    expect(config.getCurrentContext()).toBe("running one");
    const { items } = await config.makeApiClient(CoreV1Api).listNamespace();
    expect(items.map(({ metadata }) => metadata?.name)).toContain("default");
    expect(readFileSync(controlPlane.kubeconfig, "utf8")).not.toContain("insecure");
  });

  it("accepts its bearer token, and refuses any other", async () => {
    const { kubeconfig, token } = controlPlane;
    expect(await ask({ kubeconfig, token }, CONFIG_MAPS)).toMatchObject({ status: 200 });
    expect(await ask({ kubeconfig, token: "made-up" }, CONFIG_MAPS)).toMatchObject({ status: 401 });
  });

  it("enforces the rights of a read-only user", async () => {
    const admin = { kubeconfig: controlPlane.kubeconfig };
    const metadata = { name: "reader" };
    const rules = [{ apiGroups: [""], resources: ["configmaps"], verbs: ["get", "list"] }];
    const subjects = [{ kind: "ServiceAccount", name: "reader", namespace: "default" }];
    const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "reader" };
    const rbac = "/apis/rbac.authorization.k8s.io/v1";
    const accounts = "/api/v1/namespaces/default/serviceaccounts";
    await ask(admin, accounts, { metadata });
    await ask(admin, `${rbac}/clusterroles`, { metadata, rules });
    await ask(admin, `${rbac}/clusterrolebindings`, { metadata, subjects, roleRef });
    const issued = await ask(admin, `${accounts}/reader/token`, { spec: { audiences: [], expirationSeconds: 600 } });
    const { token } = (issued.body as { status: { token: string } }).status;
    const reader = { ...admin, token };
    await vi.waitFor(async () => {
      expect(await ask(reader, CONFIG_MAPS)).toMatchObject({ status: 200 }); // the binding takes a moment
    }, eventually);
    expect(await ask(reader, CONFIG_MAPS, configMap)).toMatchObject({ status: 403 });
  });

  it("serves kubectl with any proxy setting", async (context) => {
    const HOME = mkdtempSync(join(tmpdir(), "kubectl-home-")); // it keeps a cache there
    onTestFinished(() => {
      rmSync(HOME, { recursive: true });
    });
    const env = {
      HOME,
      PATH: process.env["PATH"],
      HTTPS_PROXY: "http://127.0.0.1:1",
      HTTP_PROXY: "http://127.0.0.1:1",
    };
    const asking = run("kubectl", ["--kubeconfig", controlPlane.kubeconfig, "get", "ns", "-o", "name"], { env });
    const { stdout } = await asking.catch((error: unknown) => {
      if (error instanceof Error && "code" in error && error.code === "ENOENT") context.skip("there is no kubectl");
      throw error;
    });
    expect(stdout).toContain("namespace/default");
  });

  it("listens on 127.0.0.1 only, and etcd on sockets only", () => {
    expect(controlPlane.server).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
    const words = processesWith(dirname(controlPlane.kubeconfig)).join(" ").split(" ");
    expect(words.filter((word) => /^--(listen|bind)/.test(word))).toEqual([
      "--listen-client-urls=unix://etcd",
      "--listen-peer-urls=unix://etcd-peers",
      "--bind-address=127.0.0.1",
    ]);
  });

  it("keeps its keys and the sockets of etcd from other users", () => {
    const folder = dirname(controlPlane.kubeconfig);
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
    const isOpen = (path: string): boolean => (statSync(path).mode & 0o077) !== 0;
    const open = entries.filter((entry) => entry.isFile() && isOpen(join(entry.parentPath, entry.name)));
    expect(open.map(({ name }) => name)).toEqual(["apiserver.crt"]);
    const sockets = entries.filter((entry) => entry.isSocket());
    expect(sockets.map(({ name }) => name).toSorted()).toEqual(["etcd", "etcd-peers"]);
    for (const { parentPath } of sockets)
      expect([parentPath, isOpen(parentPath)]).toEqual([join(folder, "pki"), false]);
    expect(isOpen(folder)).toBe(false);
  });
});

describeUnless(missing, "an embedded control plane that starts and stops", () => {
  let home: string;

  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), "control-plane-test-"));
  });

  afterEach(() => {
    rmSync(home, { recursive: true, force: true });
  });

  it("leaves no process and no folder when it is stopped, even repeatedly", async () => {
    const controlPlane = await start();
    const folder = dirname(controlPlane.kubeconfig);
    expect(processesWith(folder)).toHaveLength(2);
    await Promise.all([controlPlane.stop(), controlPlane.stop()]);
    expect([processesWith(folder), existsSync(folder)]).toEqual([[], false]);
  });

  it("keeps its data after a restart in the same folder, and its kubeconfig stays valid", async () => {
    const dataDir = join(home, "data");
    const first = await start({ dataDir });
    await ask(first, CONFIG_MAPS, configMap);
    const { ca, token } = readKubeconfig(first.kubeconfig);
    const { code, message } = await faultOf(start({ dataDir }));
    expect([code, message]).toEqual(["CONFIGURATION", expect.stringContaining(dataDir)]);
    await first.stop();
    expect(processesWith(dataDir)).toEqual([]);
    const second = await start({ dataDir });
    const kept = await ask({ kubeconfig: second.kubeconfig }, `${CONFIG_MAPS}/kept`);
    expect(kept).toMatchObject({ status: 200, body: { data: { key: "value" } } });
    expect(readKubeconfig(second.kubeconfig)).toMatchObject({ ca, token });
    await second.stop();
    expect(existsSync(join(dataDir, "lock"))).toBe(false);
  });

  it("starts in a folder whose path is too long for a socket", async () => {
    const controlPlane = await start({ dataDir: join(home, "long".repeat(30)) });
    expect(await ask(controlPlane, CONFIG_MAPS)).toMatchObject({ status: 200 });
    await controlPlane.stop();
  });

  it("runs beside others that start at the same time", async () => {
    const three = await Promise.all([start(), start(), start()]);
    expect(new Set(three.map(({ server }) => server)).size).toBe(3);
    for (const { kubeconfig } of three) expect(await ask({ kubeconfig }, CONFIG_MAPS)).toMatchObject({ status: 200 });
    await Promise.all(three.map((controlPlane) => controlPlane.stop()));
  });

  it("throws the reason when it is aborted during the start, and leaves nothing", async () => {
    const interruption = new AbortController();
    const name = "aborted-test";
    const starting = start({ name }, interruption.signal);
    await vi.waitFor(() => {
      expect(processesWith(`kyma-modules-${name}-`)).toHaveLength(2);
    }, eventually);
    interruption.abort(new Error("interrupted"));
    await expect(starting).rejects.toThrow("interrupted");
    expect(processesWith(`kyma-modules-${name}-`)).toEqual([]);
    expect(readdirSync(tmpdir()).filter((entry) => entry.startsWith(`kyma-modules-${name}-`))).toEqual([]);
  });
});
