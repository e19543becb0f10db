import { spawn } from "node:child_process";
import { createWriteStream, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { loadAll } from "js-yaml";
import { onTestFinished, type TestContext } from "vitest";
import type { Generation } from "../../../src/catalogue/settings.ts";
import type { KubernetesObject } from "../../../src/kubernetes/object.ts";
import { type EmbeddedControlPlane, freePorts, startControlPlane } from "../../../src/systems/embedded/controlPlane.ts";
import { binariesForTests } from "../../support/controlPlane.ts";
import { quietRun } from "../../support/quietRun.ts";
import { openOutside, type Outside } from "../outside.ts";
import { CRDS, eventually, readDefinition } from "../world.ts";
import { CLUSTERS } from "./scenario.ts";

/** An API server, and everybody who speaks to it. */
export interface Plane {
  readonly access: EmbeddedControlPlane;
  readonly outside: Outside;
}

/** A control plane, its clusters, and a lifecycle-manager that serves them. */
export interface RealLandscape {
  readonly kcp: Plane;
  /** In the order of `CLUSTERS`. */
  readonly runtimes: readonly Plane[];
}

/** Which program, which model of templates it reads, and where its modules lie. */
export interface Manager {
  /** Path of the program; the folder `skr-webhook` of its sources lies beside the one that it is in. */
  readonly path: string;
  readonly generation: Generation;
  /** `127.0.0.1:PORT` of a registry. */
  readonly registry: string;
}

const GROUP = "operator.kyma-project.io";
const VERSIONED = { "version-templates": "lm-1.20.4", "channel-templates": "lm-1.7.3" } as const;
const PLURALS = ["kymas", "manifests", "moduletemplates", "modulereleasemetas", "watchers"];

/** Starts all of it; ends with the test. */
export async function startLandscape(manager: Manager, context: TestContext): Promise<RealLandscape> {
  const kcp = await startPlane("kcp", context);
  const runtimes = await Promise.all(CLUSTERS.map(([name]) => startPlane(name, context)));
  await installDefinitions(kcp.outside, manager.generation);
  for (const name of ["kcp-system", "istio-system"]) await makeNamespace(kcp.outside, name);
  await makeGateway(kcp.outside);
  await startManager(manager, kcp.access.kubeconfig);
  for (const [index, runtime] of runtimes.entries()) await addCluster(index, runtime, kcp.outside);
  return { kcp, runtimes };
}

async function startPlane(name: string, context: TestContext): Promise<Plane> {
  const binaries = await binariesForTests();
  if ("skipped" in binaries) return context.skip(binaries.skipped);
  const access = await startControlPlane({ name, binaries }, quietRun());
  onTestFinished(() => access.stop());
  return { access, outside: openOutside(access) };
}

async function installDefinitions(outside: Outside, generation: Generation): Promise<void> {
  const own = PLURALS.map((plural) => readDefinition(join(CRDS, `${plural}__${VERSIONED[generation]}.yaml`)));
  const others = ["cert-manager-v1.10.1.crds.yaml", "istio-v1.17.1.crds.yaml"].flatMap((file) =>
    loadAll(readFileSync(join(CRDS, "third-party", file), "utf8")),
  );
  for (const definition of [...own, ...others] as readonly (KubernetesObject | null | undefined)[])
    if (definition?.kind === "CustomResourceDefinition")
      await outside.must("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", definition);
  const path = `/apis/${GROUP}/v1beta2/kymas`;
  await eventually(async () => (await outside.send("GET", path)).status === 200);
}

async function makeNamespace(outside: Outside, name: string): Promise<void> {
  await outside.must("POST", "/api/v1/namespaces", { metadata: { name } });
}

/** What lifecycle-manager looks for before it serves a cluster. */
async function makeGateway(outside: Outside): Promise<void> {
  const tls = { credentialName: "klm-istio-gateway", mode: "MUTUAL" };
  const servers = [{ hosts: ["listener.example.com"], port: { name: "https", number: 443, protocol: "HTTPS" }, tls }];
  await outside.must("POST", "/apis/networking.istio.io/v1beta1/namespaces/kcp-system/gateways", {
    apiVersion: "networking.istio.io/v1beta1",
    kind: "Gateway",
    metadata: { name: "klm-watcher", labels: { [`${GROUP}/watcher-gateway`]: "default" } },
    spec: { selector: { istio: "ingressgateway" }, servers },
  });
  for (const name of ["klm-watcher", "klm-istio-gateway"])
    await outside.must("POST", "/api/v1/namespaces/istio-system/secrets", {
      metadata: { name, annotations: { lastModifiedAt: new Date().toISOString() } },
      stringData: { "tls.crt": "none", "tls.key": "none", "ca.crt": "none" },
    });
}

async function startManager({ path, generation, registry }: Manager, kubeconfig: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "kyma-modules-manager-"));
  const ports = await freePorts(5);
  const [metrics, probe, listener, pprof, manifests] = ports.map((port) => `127.0.0.1:${port}`);
  const own =
    generation === "version-templates"
      ? ["--module-upgrade-rollout-max-delay=0"]
      : [
          `--skr-watcher-path=${join(dirname(path), "../skr-webhook")}`,
          `--manifest-skr-listener-bind-address=${manifests ?? ""}`,
        ];
  const flags = [
    "--leader-elect=false",
    "--skr-watcher-image-tag=x",
    `--oci-registry-host=http://${registry}`,
    "--failure-base-delay=300ms",
    "--failure-max-delay=2s",
    "--mandatory-module-requeue-success-interval=2s",
    `--metrics-bind-address=${metrics ?? ""}`,
    `--health-probe-bind-address=${probe ?? ""}`,
    `--kyma-skr-listener-bind-address=${listener ?? ""}`,
    `--pprof-bind-address=${pprof ?? ""}`,
    ...own,
  ];
  const env = { PATH: process.env["PATH"], HOME: folder, KUBECONFIG: kubeconfig };
  const child = spawn(path, flags, { env, cwd: dirname(path), stdio: ["ignore", "pipe", "pipe"] });
  const log = createWriteStream(process.env["LIFECYCLE_MANAGER_LOG"] ?? join(folder, "log"));
  child.stdout.pipe(log, { end: false });
  child.stderr.pipe(log, { end: false });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
    log.end();
    rmSync(folder, { recursive: true, force: true });
  });
}

/** Registers a cluster, and enables the module of its user in it. */
async function addCluster(index: number, { access, outside }: Plane, kcp: Outside): Promise<void> {
  const [name, channel, isBeta] = CLUSTERS[index] ?? CLUSTERS[0];
  const metadata = { name: `kubeconfig-${name}`, labels: { [`${GROUP}/kyma-name`]: name } };
  const config = readFileSync(access.kubeconfig, "utf8");
  await kcp.must("POST", "/api/v1/namespaces/kcp-system/secrets", { metadata, stringData: { config } });
  const labels = {
    [`${GROUP}/beta`]: String(isBeta),
    [`${GROUP}/internal`]: "false",
    [`${GROUP}/managed-by`]: "kim",
    "kyma-project.io/runtime-id": name,
    "kyma-project.io/global-account-id": name,
    "kyma-project.io/instance-id": name,
  };
  await kcp.must("POST", `/apis/${GROUP}/v1beta2/namespaces/kcp-system/kymas`, {
    apiVersion: `${GROUP}/v1beta2`,
    kind: "Kyma",
    metadata: { name, labels, annotations: { "skr-domain": "example.com" } },
    spec: { channel: "regular" },
  });
  await eventually(async () => (await outside.send("GET", RUNTIME_KYMA)).status === 200);
  await choose(outside, channel);
}

const RUNTIME_KYMA = `/apis/${GROUP}/v1beta2/namespaces/kyma-system/kymas/default`;

/** What the user of a cluster does to get istio from a channel. */
export async function choose(runtime: Outside, channel: string): Promise<void> {
  await runtime.must("PATCH", RUNTIME_KYMA, { spec: { modules: [{ name: "istio", channel }] } }, "merge-patch");
}
