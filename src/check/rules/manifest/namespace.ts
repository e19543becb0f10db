import { textAt } from "../../../document/fields.ts";
import type { ManifestObject } from "../../../kubernetes/manifest.ts";
import { definedScopes, scopeOfKind } from "../../../kubernetes/objectKinds.ts";
import { apiGroup, namedObject } from "../../../kubernetes/workload.ts";
import { BUMP, bumpManifest, manifestPath } from "../../example.ts";
import type { Complaint, Rule } from "../../rule.ts";
import { eachManifest, inManifest, type JudgedManifest, type ManifestOutcomes } from "./place.ts";

/** Objects name their namespace, and the namespace exists. */
export const manifestNamespace: Rule = {
  id: "manifest-namespace",
  group: "manifest",
  severity: "warning",
  waivable: true,
  demand: "Namespaced objects name their namespace: kyma-system, or one that the manifest creates.",
  rationale:
    "An object without a namespace is created wherever the applying client happens to point, and is not found when it has to be removed. An object in a namespace that is never created is refused on every cluster without this namespace. An object in a namespace of others changes what does not belong to the module.",
  source: "https://kubernetes.io/docs/concepts/overview/working-with-objects/namespaces/",
  judge: (context) => eachManifest(context, strays),
  bad: {
    change: bumpManifest(
      "name: sample-manager\n  namespace: kyma-system\n---",
      "name: sample-manager\n  namespace: elsewhere\n---",
    ),
    at: { file: manifestPath("1.2.0"), line: "namespace: elsewhere" },
  },
  good: { change: BUMP },
};

function* strays(judged: JudgedManifest): ManifestOutcomes {
  const { manifest } = judged;
  const namespaces = manifest.objects.filter(({ kind, name }) => kind === "Namespace" && !isOfCluster(name));
  const allowed = ["kyma-system", ...namespaces.map(({ name }) => name)];
  const defined = definedScopes(manifest.objects);
  for (const object of manifest.objects) {
    const { apiVersion, kind } = object;
    const scope = scopeOfKind(apiVersion, kind) ?? defined.get(`${apiGroup(apiVersion)}/${kind}`);
    const complaint = scope && namespaceComplaint(object, scope === "namespaced", allowed);
    if (complaint !== undefined) yield inManifest(judged, object, ["metadata", "namespace"], complaint);
  }
}

function namespaceComplaint(
  object: ManifestObject,
  isNamespaced: boolean,
  allowed: readonly string[],
): Complaint | undefined {
  const { namespace } = object;
  if (!isNamespaced) {
    if (namespace === "") return undefined;
    const message = `${namedObject(object)} is cluster-scoped, but names the namespace ${namespace}.`;
    return { message, remedy: "Remove metadata.namespace: the API server ignores it.", severity: "note" };
  }
  if (namespace === "")
    return { message: `${namedObject(object)} names no namespace.`, remedy: "Name one, such as kyma-system." };
  if (allowed.includes(namespace) || readsAuthentication(object)) return undefined;
  const message = `${namedObject(object)} is in a namespace that the manifest does not create.`;
  return { message, remedy: "Put it into kyma-system, or create the namespace in the manifest.", severity: "error" };
}

/** The usual RoleBinding of API servers and webhooks, which learn from it whom the API server has authenticated. */
function readsAuthentication({ kind, namespace, value }: ManifestObject): boolean {
  const role = "extension-apiserver-authentication-reader";
  return kind === "RoleBinding" && namespace === "kube-system" && textAt(value, ["roleRef", "name"]) === role;
}

/** Whether every cluster has a namespace, so that no manifest makes it. */
export function isOfCluster(namespace: string): boolean {
  return ["default", "kube-system", "kube-public", "kube-node-lease"].includes(namespace);
}
