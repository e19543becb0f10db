import type { Landscape } from "../../catalogue/settings.ts";
import type { KubernetesObject, Metadata } from "../../kubernetes/object.ts";
import { CONTROLLER, metadataOf, POD_LABELS, serviceAccount, type PrintedManifest } from "./manifest.ts";
import { podSpec, PORT, PORT_NAME, type ControllerPod } from "./pod.ts";

/** Where the controller runs, and how. */
export interface Host {
  readonly namespace: string;
  readonly pod: ControllerPod;
  /** Whether the Prometheus operator is to read the metrics. */
  readonly serviceMonitor: boolean;
}

const REPLICAS = 2;

/** Everything that the controller is made of where its pods run, except the namespace and the Secrets. */
export function hostManifests(host: Host): readonly PrintedManifest[] {
  const { namespace, pod, serviceMonitor } = host;
  const metadata = metadataOf(CONTROLLER, namespace, POD_LABELS);
  const manifests: readonly PrintedManifest[] = [
    { purpose: "Where the controller runs: the account of its pods.", object: serviceAccount(metadata) },
    {
      purpose: "The controller: one pod writes to a control plane, by its Lease; the other one takes over.",
      object: deployment(metadata, pod),
    },
    { purpose: "Leads webhooks and Prometheus to the controller.", object: service(metadata) },
    {
      purpose:
        "Lets the pods ask DNS, Git, registries and API servers; lets others ask only the one port.\nAdd other ports of your API servers, registries or proxy.",
      object: networkPolicy(metadata, pod.git.port),
    },
    { purpose: "Keeps one pod running while nodes are drained.", object: disruptionBudget(metadata) },
  ];
  const monitor = {
    purpose: "Lets the Prometheus operator read the metrics.",
    object: monitorOf(metadata),
  };
  return serviceMonitor ? [...manifests, monitor] : manifests;
}

/** Why the controller's pod could not reach a landscape as the settings say, or `undefined`. */
export function reachProblem({ name, controlPlane }: Landscape, inCluster: boolean): string | undefined {
  const settings = "kyma-modules.yaml";
  if (inCluster || "context" in controlPlane) return undefined;
  if ("inCluster" in controlPlane) return `${name} is where its controller runs, says ${settings}: --in-cluster.`;
  const address = "embedded" in controlPlane ? "embedded: true" : `kubeconfig: ${controlPlane.kubeconfig}`;
  return `A pod cannot reach ${name} by ${address}. Name a context in ${settings}, which the Secret's kubeconfig has.`;
}

function deployment(metadata: Metadata, pod: ControllerPod): KubernetesObject {
  const spread = {
    maxSkew: 1,
    topologyKey: "kubernetes.io/hostname",
    whenUnsatisfiable: "ScheduleAnyway",
    labelSelector: SELECTOR,
  };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata,
    spec: {
      replicas: REPLICAS,
      strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
      selector: SELECTOR,
      template: {
        metadata: { labels: POD_LABELS },
        spec: { ...podSpec(pod), topologySpreadConstraints: [spread] },
      },
    },
  };
}

const SELECTOR = { matchLabels: POD_LABELS };

function service(metadata: Metadata): KubernetesObject {
  const ports = [{ name: PORT_NAME, port: PORT, targetPort: PORT_NAME, protocol: "TCP" }];
  return { apiVersion: "v1", kind: "Service", metadata, spec: { selector: POD_LABELS, ports } };
}

/** https, kube-apiserver's own port, and ssh. */
const ASKED_PORTS = [443, 6443, 22];

function networkPolicy(metadata: Metadata, gitPort: number): KubernetesObject {
  const tcp = (port: number | string): object => ({ protocol: "TCP", port });
  const asked = [...new Set([...ASKED_PORTS, gitPort])].map(tcp);
  return {
    apiVersion: "networking.k8s.io/v1",
    kind: "NetworkPolicy",
    metadata,
    spec: {
      podSelector: SELECTOR,
      policyTypes: ["Ingress", "Egress"],
      ingress: [{ ports: [tcp(PORT_NAME)] }],
      egress: [{ ports: [{ protocol: "UDP", port: 53 }, tcp(53)] }, { ports: asked }],
    },
  };
}

function disruptionBudget(metadata: Metadata): KubernetesObject {
  const spec = { minAvailable: REPLICAS - 1, selector: SELECTOR };
  return { apiVersion: "policy/v1", kind: "PodDisruptionBudget", metadata, spec };
}

function monitorOf(metadata: Metadata): KubernetesObject {
  const spec = { selector: SELECTOR, endpoints: [{ port: PORT_NAME, path: "/metrics" }] };
  return { apiVersion: "monitoring.coreos.com/v1", kind: "ServiceMonitor", metadata, spec };
}
