import { MODULE_LABEL, type Template } from "../../catalogue/template.ts";
import { composeReleaseMeta, compileTemplate, type CompileTarget } from "../../catalogue/compile.ts";
import { objectGroupKind, objectKey } from "../../kubernetes/installOrder.ts";
import { RESOURCES, type KubernetesObject, type ObjectRef } from "../../kubernetes/object.ts";

const NAMESPACE = "kcp-system";
const TARGET: CompileTarget = { landscape: "smoke", namespace: NAMESPACE, generation: "version-templates" };
const LABEL = "operator.kyma-project.io/";
/** The channel of the clusters that modules are tried on. */
export const CHANNEL = "smoke";

/** The objects on the control plane that serve a version to a cluster, in the order in which they can be applied. */
export function servedObjects(template: Template, cluster: string): readonly KubernetesObject[] {
  const { module, version } = template;
  const channels = [{ channel: CHANNEL, version }];
  const terms = { ocmComponentName: testComponentName(module, cluster) };
  return [compileTemplate(template, TARGET, false), composeReleaseMeta(module, { channels }, terms, TARGET)];
}

/**
 * The name of the OCM component of a module for a cluster, in a registry of our own. lifecycle-manager reads a version
 * of a component only once, and the next cluster may need other content.
 */
export function testComponentName(module: string, cluster: string): string {
  return `smoke.example.com/${cluster}/${module}`;
}

/** The objects of a cluster on the control plane: its kubeconfig, certificates that are not used, and its Kyma. */
export function clusterObjects(name: string, kubeconfig: string): readonly KubernetesObject[] {
  const secret = { apiVersion: "v1", kind: "Secret" };
  const id = (key: string): Readonly<Record<string, string>> => ({ [`kyma-project.io/${key}`]: name });
  // Modules for users of every kind must be installed.
  const audience = { [`${LABEL}beta`]: "true", [`${LABEL}internal`]: "true" };
  const labels = { ...audience, ...id("runtime-id"), ...id("global-account-id"), ...id("instance-id") };
  const { apiVersion, kind } = RESOURCES.kyma;
  return [
    {
      ...secret,
      metadata: { name: `${name}-webhook-tls`, namespace: "istio-system" },
      stringData: { "tls.crt": "none", "tls.key": "none", "ca.crt": "none" },
    },
    {
      ...secret,
      metadata: { name: accessName(name), namespace: NAMESPACE, labels: { [`${LABEL}kyma-name`]: name } },
      stringData: { config: kubeconfig },
    },
    {
      ...{ apiVersion, kind },
      metadata: { name, namespace: NAMESPACE, labels, annotations: { "skr-domain": "example.com" } },
      spec: { channel: CHANNEL },
    },
  ];
}

/** The Kyma of a cluster on the control plane. */
export function kymaRef(name: string): ObjectRef {
  return { resource: RESOURCES.kyma, namespace: NAMESPACE, name };
}

/** The Secret with the kubeconfig of a cluster. */
export function accessRef(name: string): ObjectRef {
  return {
    resource: { apiVersion: "v1", kind: "Secret", plural: "secrets" },
    namespace: NAMESPACE,
    name: accessName(name),
  };
}

function accessName(name: string): string {
  return `kubeconfig-${name}`;
}

/** The Kyma on a cluster, in which its user enables modules. */
export const OWN_KYMA: ObjectRef = { resource: RESOURCES.kyma, namespace: "kyma-system", name: "default" };

/** Whether a Manifest is that of a module on a cluster. */
export function isModuleManifest({ metadata: { labels } }: KubernetesObject, module: string, name: string): boolean {
  return labels?.[MODULE_LABEL] === module && labels[`${LABEL}kyma-name`] === name;
}

/** The name of lifecycle-manager's program on a cluster, which reports changes there. */
export const WEBHOOK = "skr-webhook";
const POLICIES = ["metrics-to-watcher", "seed-to-watcher", "watcher-to-apiserver", "watcher-to-dns"];

/** The objects that lifecycle-manager 1.20 creates on a cluster for itself, as observed. */
export const TOOLS: readonly KubernetesObject[] = [
  ...["kymas", "moduletemplates", "modulereleasemetas"].map((plural) =>
    named("apiextensions.k8s.io/v1", "CustomResourceDefinition", `${plural}.operator.kyma-project.io`),
  ),
  named("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration", WEBHOOK),
  ...POLICIES.map((name) => inHome("networking.k8s.io/v1", "NetworkPolicy", `kyma-project.io--${name}`)),
  inHome("apps/v1", "Deployment", WEBHOOK),
  ...[WEBHOOK, `${WEBHOOK}-metrics`].map((name) => inHome("v1", "Service", name)),
  inHome("v1", "Secret", `${WEBHOOK}-tls`),
];

const OWN_KINDS: ReadonlySet<string> = new Set(
  [RESOURCES.kyma, RESOURCES.moduleTemplate, RESOURCES.moduleReleaseMeta].map(objectGroupKind),
);
const OWN_KEYS: ReadonlySet<string> = new Set(TOOLS.map(objectKey));

/**
 * Whether lifecycle-manager created an object for itself. It labels most of these objects, some of them later, and also
 * the namespace of modules.
 */
export function isOwn(object: KubernetesObject): boolean {
  const isMarked = object.metadata.labels?.[`${LABEL}managed-by`] === "kyma" && object.kind !== "Namespace";
  return isMarked || OWN_KINDS.has(objectGroupKind(object)) || OWN_KEYS.has(objectKey(object));
}

function named(apiVersion: string, kind: string, name: string): KubernetesObject {
  return { apiVersion, kind, metadata: { name } };
}

function inHome(apiVersion: string, kind: string, name: string): KubernetesObject {
  return { apiVersion, kind, metadata: { name, namespace: "kyma-system" } };
}
