import type { Landscape } from "../../catalogue/settings.ts";
import type { KubernetesObject, Metadata } from "../../kubernetes/object.ts";
import { CONTROLLER, ownMetadata, POD_LABELS, serviceAccount, type PrintedManifest } from "./manifest.ts";
import { podSpec, PORT, PORT_NAME, type ControllerPod } from "./pod.ts";

/** The place where the controller runs, and its pods. */
export interface Host {
  readonly namespace: string;
  readonly pod: ControllerPod;
  /** Whether the Prometheus operator reads the metrics. */
  readonly serviceMonitor: boolean;
}

const REPLICAS = 2;

/** All objects of the controller where its pods run, except the namespace and the Secrets. */
export function hostManifests(host: Host): readonly PrintedManifest[] {
  const { namespace, pod, serviceMonitor } = host;
  const metadata = ownMetadata(CONTROLLER, namespace, POD_LABELS);
  const ports = [{ name: PORT_NAME, port: PORT, targetPort: PORT_NAME, protocol: "TCP" }];
  const manifests: readonly PrintedManifest[] = [
    { purpose: "The ServiceAccount of the controller's pods.", object: serviceAccount(metadata) },
    {
      purpose: "The controller. One pod holds the Lease of a control plane and writes to it; the other one takes over.",
      object: deployment(metadata, pod),
    },
    {
      purpose: "Routes webhooks and Prometheus to the controller.",
      object: { apiVersion: "v1", kind: "Service", metadata, spec: { selector: POD_LABELS, ports } },
    },
    {
      purpose:
        "Allows the pods to reach DNS, Git, registries and API servers, and others to reach one port of the pods.\nAdd other ports of your API servers, registries or proxy.",
      object: networkPolicy(metadata, pod.git.port),
    },
    {
      purpose: "Keeps one pod running while nodes are drained.",
      object: {
        ...{ apiVersion: "policy/v1", kind: "PodDisruptionBudget", metadata },
        spec: { minAvailable: REPLICAS - 1, selector: SELECTOR },
      },
    },
  ];
  const monitor = {
    purpose: "Lets the Prometheus operator read the metrics.",
    object: {
      ...{ apiVersion: "monitoring.coreos.com/v1", kind: "ServiceMonitor", metadata },
      spec: { selector: SELECTOR, endpoints: [{ port: PORT_NAME, path: "/metrics" }] },
    },
  };
  return serviceMonitor ? [...manifests, monitor] : manifests;
}

/** Why the controller's pod cannot reach a landscape with the settings; `undefined`: it can. */
export function reachProblem({ name, controlPlane }: Landscape, inCluster: boolean): string | undefined {
  const settings = "kyma-modules.yaml";
  if (inCluster || "context" in controlPlane) return undefined;
  if ("inCluster" in controlPlane)
    return `${settings} says that the controller of ${name} runs in its control plane: add --in-cluster.`;
  const address = "embedded" in controlPlane ? "embedded: true" : `kubeconfig: ${controlPlane.kubeconfig}`;
  return `A pod cannot reach ${name} with ${address}. In ${settings}, name a context of the kubeconfig in the Secret.`;
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

/** The ports of https, kube-apiserver and ssh. */
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
