import { createHash } from "node:crypto";
import { RESOURCES, type KubernetesObject } from "./object.ts";

/** The label that makes an object a member of an ApplySet; its value is the set's id. */
export const APPLY_SET_LABEL = "applyset.kubernetes.io/part-of";
/** The annotation that names the tool that owns a set; a tool does not change the sets of other tools. */
export const TOOLING_ANNOTATION = "applyset.kubernetes.io/tooling";

const ID_LABEL = "applyset.kubernetes.io/id";
const PARENT_NAME = "kyma-modules";
const GROUP_KINDS = [RESOURCES.moduleReleaseMeta, RESOURCES.moduleTemplate].map(
  ({ apiVersion, kind }) => `${kind}.${apiVersion.replace(/\/.*$/, "")}`,
);

/**
 * The id of our ApplySet in `namespace`. Source: the ApplySet specification of kubectl,
 * `applyset-<base64url(sha256("<name>.<namespace>.<kind>.<group>"))>-v1`.
 */
export function applySetId(namespace: string): string {
  const known = IDS.get(namespace);
  if (known !== undefined) return known;
  const identity = [PARENT_NAME, namespace, RESOURCES.configMap.kind, ""].join(".");
  const id = `applyset-${createHash("sha256").update(identity).digest("base64url")}-v1`;
  IDS.set(namespace, id);
  return id;
}

/** A cache by namespace, since the membership of each object of a plan is checked. */
const IDS = new Map<string, string>();

/** The set whose member an object is, by its label: ours, another one, or none. */
export function applySetOwner(
  { metadata }: KubernetesObject,
  { namespace }: { readonly namespace: string },
): "ours" | "another" | "none" {
  const id = metadata.labels?.[APPLY_SET_LABEL] ?? "";
  return id === "" ? "none" : id === applySetId(namespace) ? "ours" : "another";
}

/** The parent of the set: a ConfigMap without data, from which kubectl and other tools read the kinds of the members. */
export function applySetParent(namespace: string): KubernetesObject {
  return {
    apiVersion: RESOURCES.configMap.apiVersion,
    kind: RESOURCES.configMap.kind,
    metadata: {
      name: PARENT_NAME,
      namespace,
      labels: { [ID_LABEL]: applySetId(namespace) },
      annotations: {
        [TOOLING_ANNOTATION]: "kyma-modules/v1",
        "applyset.kubernetes.io/contains-group-kinds": GROUP_KINDS.join(","),
      },
    },
  };
}
