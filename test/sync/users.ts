import { readFileSync } from "node:fs";
import { load } from "js-yaml";
import type { ControlPlane } from "../../src/ports.ts";
import { openAccess } from "../../src/systems/kubernetes/access.ts";
import { controlPlane } from "../../src/systems/kubernetes/controlPlane.ts";
import { kubeconfigFile } from "../systems/kubeconfigFile.ts";
import { openOutside, pathOf } from "./outside.ts";
import { eventually, type World } from "./world.ts";

/** What a user may do, in the words of a Kubernetes Role. */
export interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

const GROUP = "operator.kyma-project.io";

/** May see templates, release metas and the parent of the set. */
export const READ: readonly Rule[] = [
  { apiGroups: [GROUP], resources: ["moduletemplates", "modulereleasemetas"], verbs: ["get", "list"] },
  { apiGroups: [""], resources: ["configmaps"], verbs: ["get", "list"] },
];

/** May write all of that, but not see who uses it. */
export const WRITE: readonly Rule[] = READ.map((rule) => ({
  ...rule,
  verbs: [...rule.verbs, "create", "patch", "delete"],
}));

/** The API server as a user sees it who may do no more than this in the world's namespace. */
export async function controlPlaneAs(
  rules: readonly Rule[],
  { outside, namespace, access }: World,
): Promise<ControlPlane> {
  const rbac = `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}`;
  const accounts = `/api/v1/namespaces/${namespace}/serviceaccounts`;
  const metadata = { name: "user" };
  const subjects = [{ kind: "ServiceAccount", name: "user", namespace }];
  const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "user" };
  await outside.must("POST", accounts, { metadata });
  await outside.must("POST", `${rbac}/roles`, { metadata, rules });
  await outside.must("POST", `${rbac}/rolebindings`, { metadata, subjects, roleRef });
  const issued = await outside.must("POST", `${accounts}/user/token`, {
    spec: { audiences: [], expirationSeconds: 600 },
  });
  const { token } = issued["status"] as { readonly token: string };
  const user = openOutside({ ...access, token });
  await eventually(async () => (await user.send("GET", pathOf("templates", namespace))).status === 200);
  return controlPlaneWith({ token }, access.kubeconfig);
}

/** The API server of a kubeconfig, with other credentials. */
export async function controlPlaneWith(credentials: object, kubeconfig: string): Promise<ControlPlane> {
  const { clusters } = load(readFileSync(kubeconfig, "utf8")) as {
    readonly clusters: readonly { readonly cluster: object }[];
  };
  return controlPlane(await openAccess({ kubeconfig: kubeconfigFile(clusters[0]?.cluster ?? {}, credentials) }));
}
