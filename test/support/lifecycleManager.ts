import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { loadAll } from "js-yaml";
import { onTestFinished, type TestContext } from "vitest";
import type { Generation } from "../../src/catalogue/settings.ts";
import type { KubernetesObject } from "../../src/kubernetes/object.ts";
import { type EmbeddedControlPlane, freePorts, startControlPlane } from "../../src/systems/embedded/controlPlane.ts";
import { endedFault, startGuard, type Guarded } from "../../src/systems/embedded/guarded.ts";
import { openOutside, type Outside } from "../sync/outside.ts";
import { CRDS, eventually, readDefinition } from "../sync/world.ts";
import { binariesForTests } from "./controlPlane.ts";
import { quietRun } from "./quietRun.ts";

/** An API server of its own, and everybody who speaks to it. */
export interface Plane {
  readonly name: string;
  readonly access: EmbeddedControlPlane;
  readonly outside: Outside;
}

/** A lifecycle-manager that someone built. */
export interface Manager {
  /** Path of the program; the folder `skr-webhook` of its sources lies beside the one that it is in. */
  readonly path: string;
  readonly generation: Generation;
}

const GROUP = "operator.kyma-project.io";
const VERSIONED = { "version-templates": "lm-1.20.4", "channel-templates": "lm-1.7.3" } as const;
const PLURALS = ["kymas", "manifests", "moduletemplates", "modulereleasemetas", "watchers"];

/** The program that `LIFECYCLE_MANAGER` names; skips the test where there is none. */
export function managerForTests(context: TestContext): Manager {
  const path = process.env["LIFECYCLE_MANAGER"];
  if (path === undefined) return context.skip("LIFECYCLE_MANAGER names no program");
  if (!existsSync(CRDS)) return context.skip("the definitions of lifecycle-manager do not lie beside this repository");
  return { path, generation: generationOf(path) };
}

/** By a flag that only the first generation has. */
function generationOf(manager: string): Generation {
  const { stderr, error } = spawnSync(manager, ["--help"], { encoding: "utf8" });
  if (error !== undefined) throw error;
  return stderr.includes("manifest-skr-listener-bind-address") ? "channel-templates" : "version-templates";
}

/** Starts an API server; it ends with the test. */
export async function startPlane(name: string, context: TestContext): Promise<Plane> {
  const binaries = await binariesForTests();
  if ("skipped" in binaries) return context.skip(binaries.skipped);
  const access = await startControlPlane({ name, binaries }, quietRun());
  onTestFinished(() => access.stop());
  return { name, access, outside: openOutside(access) };
}

/** A lifecycle-manager that runs until the end of the test, or until `stop`. */
export interface RunningManager {
  readonly start: (backOff: BackOff) => Promise<void>;
  readonly stop: () => Promise<void>;
}

type BackOff = keyof typeof BACK_OFFS;

/** How soon lifecycle-manager looks again at what failed. */
const BACK_OFFS = {
  quick: ["--failure-base-delay=300ms", "--failure-max-delay=2s"],
  /** Its own limit, from the first failure on. */
  slow: ["--failure-base-delay=30s", "--failure-max-delay=30s"],
} as const;

/** Makes an API server a control plane, and starts a lifecycle-manager on it, which reads modules at `registry`. */
export async function startManager(manager: Manager, registry: string, kcp: Plane): Promise<RunningManager> {
  await installDefinitions(kcp.outside, manager.generation);
  for (const name of ["kcp-system", "istio-system"])
    await kcp.outside.must("POST", "/api/v1/namespaces", { metadata: { name } });
  await makeGateway(kcp.outside);
  const launch = async (backOff: BackOff): Promise<Pick<Guarded, "stop">> =>
    launchManager(manager, [...(await flagsOf(manager, registry)), ...BACK_OFFS[backOff]], kcp);
  const running = { guard: await launch("quick") };
  onTestFinished(() => running.guard.stop());
  return {
    start: async (backOff) => {
      running.guard = await launch(backOff);
    },
    stop: () => running.guard.stop(),
  };
}

/** Starts the program alone. */
function launchManager(manager: Manager, args: readonly string[], kcp: Plane): Pick<Guarded, "stop"> {
  const folder = mkdtempSync(join(tmpdir(), "kyma-modules-manager-"));
  const variables = { PATH: process.env["PATH"], HOME: folder, KUBECONFIG: kcp.access.kubeconfig };
  const guard = startGuard({ temporaryFolder: folder }, variables);
  let isOver = false;
  void guard.ended.then((ended) => {
    if (!isOver) console.error(endedFault(ended).message);
  });
  const program = { name: `lifecycle-manager of ${kcp.name}`, command: manager.path, folder: dirname(manager.path) };
  const log = join(process.env["LIFECYCLE_MANAGER_LOGS"] ?? folder, `lifecycle-manager-${kcp.name}.log`);
  guard.start([{ ...program, args, log, stop: "kill" }]);
  return {
    stop: () => {
      isOver = true;
      return guard.stop();
    },
  };
}

async function flagsOf({ path, generation }: Manager, registry: string): Promise<readonly string[]> {
  const ports = await freePorts(5);
  const [metrics, probe, listener, pprof, manifests] = ports.map((port) => `127.0.0.1:${port}`);
  const own =
    generation === "version-templates"
      ? ["--module-upgrade-rollout-max-delay=0"]
      : [
          `--skr-watcher-path=${join(dirname(path), "../skr-webhook")}`,
          `--manifest-skr-listener-bind-address=${manifests ?? ""}`,
        ];
  return [
    "--leader-elect=false",
    "--skr-watcher-image-tag=x",
    `--oci-registry-host=http://${registry}`,
    "--mandatory-module-requeue-success-interval=2s",
    `--metrics-bind-address=${metrics ?? ""}`,
    `--health-probe-bind-address=${probe ?? ""}`,
    `--kyma-skr-listener-bind-address=${listener ?? ""}`,
    `--pprof-bind-address=${pprof ?? ""}`,
    ...own,
  ];
}

async function installDefinitions(outside: Outside, generation: Generation): Promise<void> {
  const own = PLURALS.map((plural) => readDefinition(join(CRDS, `${plural}__${VERSIONED[generation]}.yaml`)));
  const others = ["cert-manager-v1.10.1.crds.yaml", "istio-v1.17.1.crds.yaml"].flatMap((file) =>
    loadAll(readFileSync(join(CRDS, "third-party", file), "utf8")),
  );
  const definitions = ([...own, ...others] as readonly (KubernetesObject | null)[]).filter(
    (one): one is KubernetesObject => one?.kind === "CustomResourceDefinition",
  );
  for (const definition of definitions)
    await outside.must("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", definition);
  for (const definition of definitions) {
    const { group, names, versions } = definition["spec"] as DefinitionSpec;
    const served = versions.find((version) => version.served)?.name ?? "";
    const path = `/apis/${group}/${served}/${names.plural}`;
    await eventually(async () => (await outside.send("GET", path)).status === 200);
  }
}

interface DefinitionSpec {
  readonly group: string;
  readonly names: { readonly plural: string };
  readonly versions: readonly { readonly name: string; readonly served: boolean }[];
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
  for (const name of ["klm-watcher", "klm-istio-gateway"]) await makeCertificate(outside, name);
}

/** What cert-manager would issue. No client connects with it. */
async function makeCertificate(outside: Outside, name: string): Promise<void> {
  await outside.must("POST", "/api/v1/namespaces/istio-system/secrets", {
    metadata: { name, annotations: { lastModifiedAt: new Date().toISOString() } },
    stringData: { "tls.crt": "none", "tls.key": "none", "ca.crt": "none" },
  });
}

/** Makes an API server a cluster of a control plane, and waits until lifecycle-manager has reached it. */
export async function registerCluster({ name, access, outside }: Plane, kcp: Plane, isBeta = false): Promise<void> {
  const config = readFileSync(access.kubeconfig, "utf8");
  await makeCertificate(kcp.outside, `${name}-webhook-tls`);
  await kcp.outside.must("POST", "/api/v1/namespaces/kcp-system/secrets", {
    metadata: { name: `kubeconfig-${name}`, labels: { [`${GROUP}/kyma-name`]: name } },
    stringData: { config },
  });
  const labels = {
    [`${GROUP}/beta`]: String(isBeta),
    [`${GROUP}/internal`]: "false",
    [`${GROUP}/managed-by`]: "lifecycle-manager",
    "kyma-project.io/runtime-id": name,
    "kyma-project.io/global-account-id": name,
    "kyma-project.io/instance-id": name,
  };
  await kcp.outside.must("POST", `/apis/${GROUP}/v1beta2/namespaces/kcp-system/kymas`, {
    apiVersion: `${GROUP}/v1beta2`,
    kind: "Kyma",
    metadata: { name, labels, annotations: { "skr-domain": "example.com" } },
    spec: { channel: "regular" },
  });
  await eventually(async () => (await outside.send("GET", RUNTIME_KYMA)).status === 200);
}

const RUNTIME_KYMA = `/apis/${GROUP}/v1beta2/namespaces/kyma-system/kymas/default`;

/** What the user of a cluster does to get modules, and no others; module to channel. */
export async function choose(runtime: Outside, channels: Readonly<Record<string, string>>): Promise<void> {
  const modules = Object.entries(channels).map(([name, channel]) => ({ name, channel }));
  await runtime.must("PATCH", RUNTIME_KYMA, { spec: { modules } }, "merge-patch");
}
