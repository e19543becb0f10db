import { readFileSync } from "node:fs";
import { load } from "js-yaml";
import type { KubernetesObject } from "../../src/kubernetes/object.ts";
import type { ControlPlane } from "../../src/ports.ts";
import { openAccess } from "../../src/systems/kubernetes/access.ts";
import { controlPlane } from "../../src/systems/kubernetes/controlPlane.ts";
import { kubeconfigFile } from "../systems/kubeconfigFile.ts";
import type { Folder } from "../systems/repository.ts";
import { openOutside, type Outside } from "./outside.ts";
import { eventually, type World } from "./world.ts";

/** The rules of a Kubernetes Role for a user. */
export interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

const GROUP = "operator.kyma-project.io";

/** Read access to templates, release metas and the parent of the set. */
export const READ: readonly Rule[] = [
  { apiGroups: [GROUP], resources: ["moduletemplates", "modulereleasemetas"], verbs: ["get", "list"] },
  { apiGroups: [""], resources: ["configmaps"], verbs: ["get", "list"] },
];

/** Write access to the same objects, but no access to their users. */
export const WRITE: readonly Rule[] = READ.map((rule) => ({
  ...rule,
  verbs: [...rule.verbs, "create", "patch", "delete"],
}));

/** The API server for a user who has only these rights in the world's namespace. */
export async function controlPlaneAs(rules: readonly Rule[], world: World): Promise<ControlPlane> {
  return (await signInAs(rules, world)).controlPlane;
}

/** A user who has only these rights in the world's namespace. */
export async function signInAs(rules: readonly Rule[], world: World): Promise<SignedIn> {
  const metadata = { name: "user" };
  const subjects = [{ kind: "ServiceAccount", name: "user", namespace: world.namespace }];
  const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "user" };
  const objects = [
    { apiVersion: "v1", kind: "ServiceAccount", metadata },
    { apiVersion: "rbac.authorization.k8s.io/v1", kind: "Role", metadata, rules },
    { apiVersion: "rbac.authorization.k8s.io/v1", kind: "RoleBinding", metadata, roleRef, subjects },
  ];
  return signIn(objects, world);
}

/** A ServiceAccount that can act. */
export interface SignedIn {
  readonly controlPlane: ControlPlane;
  readonly outside: Outside;
  /** Path of its kubeconfig. */
  readonly kubeconfig: string;
}

/**
 * Creates a ServiceAccount, its Role and its RoleBinding in the world's namespace, and waits until they take effect.
 */
export async function signIn(objects: readonly KubernetesObject[], world: World): Promise<SignedIn> {
  const { outside, namespace, access } = world;
  for (const object of objects) await outside.must("POST", collectionOf(object, namespace), object);
  const account = objects.find(({ kind }) => kind === "ServiceAccount")?.metadata.name ?? "";
  const issued = await outside.must("POST", `/api/v1/namespaces/${namespace}/serviceaccounts/${account}/token`, {
    spec: { audiences: [], expirationSeconds: 600 },
  });
  const { token } = issued["status"] as { readonly token: string };
  const user = openOutside({ ...access, token });
  const [rule] = objects.flatMap((object) => (object["rules"] as readonly Rule[] | undefined) ?? []);
  await eventually(async () => {
    const review = await user.must("POST", REVIEWS, { spec: { namespace } });
    return JSON.stringify(review["status"]).includes(JSON.stringify(rule?.resources));
  });
  const kubeconfig = withCredentials({ token }, access.kubeconfig);
  return { controlPlane: controlPlane(await openAccess({ kubeconfig })), outside: user, kubeconfig };
}

const REVIEWS = "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews";

/** The namespace in which objects are created. */
export function collectionOf({ apiVersion, kind }: KubernetesObject, namespace: string): string {
  const root = apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const plural = kind.toLowerCase().replace(/y$/, "ie");
  return `${root}/namespaces/${namespace}/${plural}s`;
}

/** The API server of a kubeconfig, with other credentials. */
export async function controlPlaneWith(credentials: object, kubeconfig: string): Promise<ControlPlane> {
  return controlPlane(await openAccess({ kubeconfig: withCredentials(credentials, kubeconfig) }));
}

/** A kubeconfig with other credentials. */
function withCredentials(credentials: object, kubeconfig: string): string {
  const { clusters } = load(readFileSync(kubeconfig, "utf8")) as {
    readonly clusters: readonly { readonly cluster: object }[];
  };
  return kubeconfigFile(clusters[0]?.cluster ?? {}, credentials);
}

/** Signs in to read everything but Kymas and Manifests. */
export function signInWithoutClusters(world: World): Promise<SignedIn> {
  const leases = { apiGroups: ["coordination.k8s.io"], resources: ["leases"], verbs: ["get"] };
  return signInAs([...READ, leases], world);
}

/** From now on, the repository reads dev without its Kymas and Manifests. */
export async function hideClusters({ repository, dev }: Visited): Promise<void> {
  const { kubeconfig } = await signInWithoutClusters(dev);
  const settings = repository.git("show", "HEAD:kyma-modules.yaml");
  repository.write({ "kyma-modules.yaml": settings.replace(dev.access.kubeconfig, kubeconfig) });
  repository.commit("see less");
}

/** A repository that names the kubeconfig of a world in its settings. */
interface Visited {
  readonly repository: Folder;
  readonly dev: World;
}
