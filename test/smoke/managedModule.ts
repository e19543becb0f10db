import { crdVersion, definition, deployment, kindOf, type SampleVersion, type Written } from "./sampleModule.ts";

/** How a version differs from a good one. */
export interface Difference {
  /** Flags of its manager. */
  readonly flags?: readonly string[];
  /** The fields of its CRD. */
  readonly fields?: Readonly<Record<string, object>>;
  /** The spec of its default CR. */
  readonly defaults?: object;
  /** A label that the Deployment selects pods by. */
  readonly line?: string;
}

const KEPT = { size: { type: "integer" }, note: { type: "string" } };

/** The name of a sample module, and what is wrong with its new version. */
export const DEFECTS: Readonly<Record<Defect, Difference>> = {
  slow: { flags: ["--start-after=1h"] },
  crashing: { flags: ["--crash"] },
  unready: { flags: ["--unready"] },
  dying: { flags: ["--crash-after=6s"] },
  failing: { flags: ["--error-after=4s"] },
  fixed: { line: "second" },
  narrow: { fields: { ...KEPT, mode: { type: "string", enum: ["plain"] } }, defaults: { mode: "plain" } },
  losing: { fields: KEPT, defaults: { size: 3 } },
  stuck: { flags: ["--stuck"] },
  leaving: { flags: ["--leave"] },
  hot: { flags: ["--hot"] },
};

/** The names of the sample modules whose new version is bad. */
export type Defect =
  "slow" | "crashing" | "unready" | "dying" | "failing" | "fixed" | "narrow" | "losing" | "stuck" | "leaving" | "hot";

/** The image of the manager, by the version of its module. */
export function managerImage(version: string): string {
  return `registry.example.com/sample-manager:${version}`;
}

/** A version whose manager really runs: see `test/single-node/manager`. */
export function managed(module: string, version: string, difference: Difference = {}): SampleVersion {
  const { defaults } = difference;
  return {
    objects: () => objects(module, version, difference),
    samples: { "own.yaml": ownResource(module) },
    ...(defaults !== undefined && { defaultCr: (good) => ({ ...good, spec: defaults }) }),
  };
}

function ownResource(module: string): Written {
  const metadata = { name: "own", namespace: "kyma-system" };
  return { apiVersion: "smoke.example.com/v1alpha1", kind: kindOf(module), metadata, spec: { size: 1 } };
}

/** The Deployment first and its namespace last: the order of a manifest need not be one in which it can be applied. */
function objects(module: string, version: string, difference: Difference): readonly Written[] {
  const namespace = `${module}-system`;
  const metadata = { name: `${module}-manager`, namespace };
  const named = { name: metadata.name };
  const rbac = "rbac.authorization.k8s.io";
  return [
    workload(module, version, difference),
    { apiVersion: "v1", kind: "ServiceAccount", metadata },
    { apiVersion: `${rbac}/v1`, kind: "ClusterRole", metadata: named, rules: rules(module) },
    {
      ...{ apiVersion: `${rbac}/v1`, kind: "ClusterRoleBinding", metadata: named },
      roleRef: { apiGroup: rbac, kind: "ClusterRole", ...named },
      subjects: [{ kind: "ServiceAccount", ...metadata }],
    },
    definitionOf(module, difference),
    {
      ...{ apiVersion: "v1", kind: "Service", metadata },
      spec: { selector: { app: module }, ports: [{ name: "probes", port: 8081 }] },
    },
    // The new version no longer has it.
    ...(version === "1.0.0"
      ? [{ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "dashboard", namespace } }]
      : []),
    { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } },
  ];
}

function rules(module: string): readonly object[] {
  const verbs = ["get", "list", "create", "patch", "delete"];
  return [
    { apiGroups: ["smoke.example.com"], resources: [`${module}s`, `${module}s/status`], verbs },
    { apiGroups: [""], resources: ["configmaps"], verbs },
  ];
}

function definitionOf(module: string, { fields }: Difference): Written {
  const good = definition(module);
  if (fields === undefined) return good;
  return { ...good, spec: { ...(good["spec"] as object), versions: [crdVersion("v1alpha1", fields)] } };
}

function workload(module: string, version: string, { flags = [], line = "first" }: Difference): Written {
  const probe = (path: string): object => ({ httpGet: { path, port: 8081 }, periodSeconds: 1 });
  const about = [`--resource=smoke.example.com/v1alpha1/${module}s`, `--finalizer=smoke.example.com/${module}`];
  const container = {
    ...{ name: "manager", image: managerImage(version), args: [...about, ...flags] },
    readinessProbe: probe("/readyz"),
    resources: { requests: { cpu: "10m", memory: "16Mi" }, limits: { memory: "64Mi" } },
    securityContext: { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ["ALL"] } },
  };
  const labels = { app: module, line };
  const { metadata, ...good } = deployment(module, labels) as { readonly metadata: object };
  const spec = {
    ...{ serviceAccountName: `${module}-manager`, terminationGracePeriodSeconds: 1, containers: [container] },
    securityContext: { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } },
  };
  return {
    ...good,
    metadata: { ...metadata, namespace: `${module}-system` },
    spec: { replicas: 1, selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
  };
}
