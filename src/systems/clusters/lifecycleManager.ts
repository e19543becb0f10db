import { existsSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { looseDefinition } from "../../kubernetes/looseDefinition.ts";
import { RESOURCES, type KubernetesObject, type Resource } from "../../kubernetes/object.ts";
import { type Cluster, Fault, type ManagerTarget, type Run } from "../../ports.ts";
import { findBinaries } from "../embedded/binaries.ts";
import { freePorts, startControlPlane } from "../embedded/controlPlane.ts";
import { type Ended, endedFault, startGuard } from "../embedded/guarded.ts";
import { environmentFrom, type Variables } from "../environment.ts";
import { closeAccess, openAccess } from "../kubernetes/access.ts";
import { openCluster } from "../kubernetes/cluster.ts";
import { pause } from "../pause.ts";
import { serveRegistry } from "../registry/served.ts";
import { EMBEDDED_LIMITS } from "./embedded.ts";

/** Options for lifecycle-manager. */
interface ManagerOptions {
  /** Path of its program; the folder `skr-webhook` of its image must be beside the program's folder. */
  readonly program: string;
  /** The folder for its log; by default its temporary folder. */
  readonly logs: string | undefined;
}

const NAME = "lifecycle-manager";

/**
 * Starts lifecycle-manager (1.8 or newer) with a control plane and a registry. Everything ends with this process, even
 * if it is killed. Throws PROCESS_FAILED if it does not run.
 */
export async function startLifecycleManager(
  { program, logs }: ManagerOptions,
  variables: Variables,
  run: Run,
): Promise<ManagerTarget> {
  const open: (() => Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    for (const end of open.splice(0).toReversed()) await end();
  };
  try {
    const registry = await serveRegistry(run);
    open.push(registry.close);
    const progress = (line: string): void => {
      run.log.info(line);
    };
    const binaries = await findBinaries(environmentFrom(variables), progress, run);
    const started = await startControlPlane({ name: NAME, binaries }, run);
    open.push(() => started.stop());
    const access = await openAccess({ kubeconfig: started.kubeconfig }, EMBEDDED_LIMITS);
    open.push(() => closeAccess(access));
    const controlPlane = openCluster(access);
    await furnish(controlPlane, run);
    const temporaryFolder = await mkdtemp(join(tmpdir(), "kyma-modules-manager-"));
    const guarded = startGuard({ temporaryFolder }, { ...variables, KUBECONFIG: started.kubeconfig });
    open.push(() => guarded.stop());
    let ended: Ended | undefined;
    void guarded.ended.then((one) => (ended = one));
    const log = join(logs ?? temporaryFolder, `${NAME}.log`);
    const args = await flagsFor(registry.address);
    guarded.start([{ name: NAME, command: program, folder: dirname(program), args, log, stop: "kill" }]);
    let names = 0;
    return {
      controlPlane,
      newName: () => `smoke-${++names}`,
      publish: registry.publish,
      mustRun: () => {
        if (ended !== undefined) throw managerFault(ended, program);
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The path of the program that `LIFECYCLE_MANAGER` names. Throws CONFIGURATION if it does not exist. */
export function managerProgram({ LIFECYCLE_MANAGER: program = "" }: Variables): string {
  if (existsSync(program)) return resolve(program);
  const why = program === "" ? "is not set" : `names ${program}, which does not exist`;
  throw new Fault(
    "CONFIGURATION",
    `lifecycle-manager cannot be used: LIFECYCLE_MANAGER ${why}. Set it to the path of its program.`,
  );
}

/** Explains exit code 2: a Go program uses it for an unknown flag. */
function managerFault(ended: Ended, program: string): Fault {
  if (!ended.outcome.endsWith("code 2") || ended.tail.includes("panic:")) return endedFault(ended);
  const message = `${program} does not accept the flags of lifecycle-manager 1.20.`;
  return new Fault("CONFIGURATION", `${message} Name a program of that version, or a newer one.`);
}

/** Short intervals, since it has no other load here. */
async function flagsFor(registry: string): Promise<readonly string[]> {
  const ports = await freePorts(4);
  const [metrics, probe, listener, pprof] = ports.map((port) => `127.0.0.1:${port}`);
  const flags = {
    "leader-elect": false,
    "oci-registry-host": registry,
    "module-upgrade-rollout-max-delay": 0,
    "failure-base-delay": "300ms",
    "failure-max-delay": "2s",
    "kyma-requeue-busy-interval": "1s",
    "kyma-requeue-warning-interval": "2s",
    "manifest-requeue-busy-interval": "1s",
    "manifest-requeue-warning-interval": "2s",
    // The watcher's pod is not needed here.
    "skr-watcher-image-tag": "none",
    "metrics-bind-address": metrics,
    "health-probe-bind-address": probe,
    "kyma-skr-listener-bind-address": listener,
    "pprof-bind-address": pprof,
  };
  return Object.entries(flags).map(([name, value]) => `--${name}=${String(value)}`);
}

const MANAGED_BY_DEFAULT = {
  type: "object",
  "x-kubernetes-preserve-unknown-fields": true,
  properties: {
    modules: {
      type: "array",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["name"],
      items: {
        type: "object",
        required: ["name"],
        "x-kubernetes-preserve-unknown-fields": true,
        properties: {
          name: { type: "string" },
          managed: { type: "boolean", default: true },
          customResourcePolicy: { type: "string", default: "CreateAndDelete" },
        },
      },
    },
  },
};

const CERTIFICATES = "cert-manager.io/v1";
const ISTIO = "networking.istio.io/v1beta1";
const OPERATOR = RESOURCES.kyma.apiVersion;

/** The kinds that it lists and watches. Their schemas accept anything: objects are validated elsewhere. */
const KINDS: readonly { readonly resource: Resource; readonly definition: KubernetesObject }[] = [
  { resource: RESOURCES.kyma, spec: MANAGED_BY_DEFAULT },
  { resource: RESOURCES.moduleTemplate, hasStatus: false },
  { resource: RESOURCES.moduleReleaseMeta, hasStatus: false },
  { resource: RESOURCES.manifest },
  { resource: { apiVersion: OPERATOR, kind: "Watcher", plural: "watchers" } },
  { resource: { apiVersion: CERTIFICATES, kind: "Certificate", plural: "certificates" } },
  { resource: { apiVersion: CERTIFICATES, kind: "Issuer", plural: "issuers" } },
  { resource: { apiVersion: ISTIO, kind: "VirtualService", plural: "virtualservices" } },
  { resource: { apiVersion: ISTIO, kind: "Gateway", plural: "gateways" } },
].map(({ resource, ...options }) => ({
  resource,
  definition: looseDefinition(resource, { hasStatus: true, ...options }),
}));

/**
 * The objects that it needs before it serves a cluster: namespaces, a gateway, and certificates that are never used.
 */
const FURNITURE: readonly KubernetesObject[] = [
  ...["kcp-system", "istio-system"].map((name) => ({ apiVersion: "v1", kind: "Namespace", metadata: { name } })),
  {
    ...{ apiVersion: ISTIO, kind: "Gateway" },
    metadata: {
      name: "klm-watcher",
      namespace: "kcp-system",
      labels: { "operator.kyma-project.io/watcher-gateway": "default" },
    },
    spec: {
      selector: { istio: "ingressgateway" },
      servers: [
        {
          hosts: ["listener.example.com"],
          port: { name: "https", number: 443, protocol: "HTTPS" },
          tls: { credentialName: "klm-istio-gateway", mode: "MUTUAL" },
        },
      ],
    },
  },
  ...["klm-watcher", "klm-istio-gateway"].map((name) => ({
    ...{ apiVersion: "v1", kind: "Secret" },
    metadata: { name, namespace: "istio-system", annotations: { lastModifiedAt: "2024-01-01T00:00:00Z" } },
    stringData: { "tls.crt": "none", "tls.key": "none", "ca.crt": "none" },
  })),
];

async function furnish(controlPlane: Cluster, run: Run): Promise<void> {
  await Promise.all(KINDS.map(({ definition }) => place(definition, controlPlane, run)));
  await Promise.all(
    KINDS.map(async ({ resource: { apiVersion, kind } }) => {
      while ((await controlPlane.kindOf(apiVersion, kind, run)) === undefined) await pause(POLL_MS, run);
    }),
  );
  for (const object of FURNITURE) await place(object, controlPlane, run);
}

const POLL_MS = 50;

async function place(object: KubernetesObject, controlPlane: Cluster, run: Run): Promise<void> {
  const answer = await controlPlane.apply(object, { isTrial: false }, run);
  if (answer.kind === "refused") throw new Fault("CLUSTER_REFUSED", answer.message);
}
