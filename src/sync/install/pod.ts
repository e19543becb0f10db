import { gitVariables, GIT_SECRET_KEYS, type GitAddress } from "./git.ts";
import { CONTROLLER } from "./manifest.ts";

/** The configuration of the controller's pod. */
export interface ControllerPod {
  readonly image: string;
  /** Empty: all. */
  readonly landscapes: readonly string[];
  /**
   * The repository to follow. `secret` names the Secret with the credentials; without `branch`, the default of the
   * controller applies.
   */
  readonly git: GitAddress & {
    readonly url: string;
    readonly branch: string | undefined;
    readonly secret: string | undefined;
    /** Whether that Secret has a GitHub App. */
    readonly isApp: boolean;
  };
  /** Whether it publishes evidence from clusters on the branch `evidence`. */
  readonly publish: boolean;
  /** The Secret with the kubeconfig. */
  readonly kubeconfigSecret: string | undefined;
  /** Whether it uses its ServiceAccount to reach its own cluster. */
  readonly inCluster: boolean;
  /** The Secret with the key of the webhook. */
  readonly webhookSecret: string | undefined;
}

/** The port of /healthz, /readyz, /metrics and /hooks/github. */
export const PORT = 8080;
/** The name of `PORT`. */
export const PORT_NAME = "http";

const FOLDER = "/etc/kyma-modules";
const CACHE = "/var/cache/kyma-modules";
/** The user of the image; ssh requires one that exists in the image. */
const USER = 1000;
/** With 5,000 templates and 10,000 clusters it uses 290 MiB at rest, and more during the first read. */
const RESOURCES = { requests: { cpu: "100m", memory: "384Mi" }, limits: { memory: "1Gi" } };
/**
 * Makes glibc return what the controller used during the first read, and not keep some for each thread: without them, 70
 * MiB more stay resident.
 */
export const MEMORY: Readonly<Record<string, string>> = { MALLOC_TRIM_THRESHOLD_: "131072", MALLOC_ARENA_MAX: "1" };
/** The author of its commits. */
const COMMITTER = {
  GIT_AUTHOR_NAME: CONTROLLER,
  GIT_AUTHOR_EMAIL: `${CONTROLLER}@localhost`,
  GIT_COMMITTER_NAME: CONTROLLER,
  GIT_COMMITTER_EMAIL: `${CONTROLLER}@localhost`,
};
/** The time that a sync needs to finish its current writes and to release its Lease. */
const GRACE_SECONDS = 60;

/** The spec of the controller's pod. The Pod Security Standard `restricted` admits it. */
export function podSpec(pod: ControllerPod): object {
  return {
    serviceAccountName: CONTROLLER,
    automountServiceAccountToken: pod.inCluster,
    enableServiceLinks: false,
    terminationGracePeriodSeconds: GRACE_SECONDS,
    securityContext: {
      runAsNonRoot: true,
      runAsUser: USER,
      runAsGroup: USER,
      fsGroup: USER,
      seccompProfile: { type: "RuntimeDefault" },
    },
    containers: [controllerPodContainer(pod)],
    volumes: controllerPodVolumes(pod),
  };
}

function controllerPodContainer(pod: ControllerPod): object {
  return {
    name: "controller",
    image: pod.image,
    args: controllerPodArguments(pod),
    env: controllerPodVariables(pod),
    ports: [{ name: PORT_NAME, containerPort: PORT, protocol: "TCP" }],
    livenessProbe: probe("/healthz"),
    readinessProbe: probe("/readyz"),
    resources: RESOURCES,
    securityContext: {
      allowPrivilegeEscalation: false,
      capabilities: { drop: ["ALL"] },
      readOnlyRootFilesystem: true,
    },
    volumeMounts: [
      { name: "cache", mountPath: CACHE },
      { name: "tmp", mountPath: "/tmp" },
      ...controllerPodSecrets(pod).map(({ name }) => ({ name, mountPath: `${FOLDER}/${name}`, readOnly: true })),
    ],
  };
}

function controllerPodArguments({
  landscapes,
  inCluster,
  publish,
  git: { url, branch },
}: ControllerPod): readonly string[] {
  return [
    ...["sync", "--watch", ...landscapes, "--git", url],
    ...(branch === undefined ? [] : ["--branch", branch]),
    ...(inCluster ? ["--in-cluster"] : []),
    ...(publish ? ["--publish"] : []),
    ...["--listen", `0.0.0.0:${PORT}`, "--cache", CACHE],
  ];
}

function controllerPodVariables(pod: ControllerPod): readonly object[] {
  const variables = {
    HOME: "/tmp",
    ...MEMORY,
    ...(pod.kubeconfigSecret !== undefined && { KUBECONFIG: `${FOLDER}/kubeconfig/kubeconfig` }),
    ...(pod.git.secret !== undefined && !pod.git.isApp && gitVariables(pod.git, `${FOLDER}/git`)),
    ...(pod.git.isApp && { KYMA_MODULES_APP_PRIVATE_KEY: `${FOLDER}/git/private-key` }),
    ...(pod.publish && COMMITTER),
  };
  const secretKeyRef = { name: pod.webhookSecret, key: "secret" };
  const appKeyRef = { name: pod.git.secret, key: "app-id" };
  return [
    ...Object.entries(variables).map(([name, value]) => ({ name, value })),
    ...(pod.git.isApp ? [{ name: "KYMA_MODULES_APP_ID", valueFrom: { secretKeyRef: appKeyRef } }] : []),
    ...(pod.webhookSecret === undefined ? [] : [{ name: "KYMA_MODULES_WEBHOOK_SECRET", valueFrom: { secretKeyRef } }]),
  ];
}

function probe(path: string): object {
  return { httpGet: { path, port: PORT_NAME }, periodSeconds: 10, timeoutSeconds: 5, failureThreshold: 3 };
}

interface MountedSecret {
  readonly name: string;
  readonly secretName: string;
  readonly keys: readonly string[];
}

/** Secrets that are mounted as files. */
function controllerPodSecrets({ kubeconfigSecret, git }: ControllerPod): readonly MountedSecret[] {
  const keys = GIT_SECRET_KEYS[git.isApp ? "app" : git.transport];
  return [
    ...(kubeconfigSecret === undefined
      ? []
      : [{ name: "kubeconfig", secretName: kubeconfigSecret, keys: ["kubeconfig"] }]),
    ...(git.secret === undefined ? [] : [{ name: "git", secretName: git.secret, keys }]),
  ];
}

function controllerPodVolumes(pod: ControllerPod): readonly object[] {
  return [
    { name: "cache", emptyDir: { sizeLimit: "1Gi" } },
    { name: "tmp", emptyDir: { sizeLimit: "256Mi" } },
    ...controllerPodSecrets(pod).map(({ name, secretName, keys }) => ({
      name,
      // With a missing key the pod does not start, and an event names the key.
      secret: { secretName, defaultMode: 0o440, items: keys.map((key) => ({ key, path: key })) },
    })),
  ];
}
