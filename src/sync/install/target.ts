import type { Landscape } from "../../catalogue/settings.ts";
import { applySetParent } from "../../kubernetes/applySet.ts";
import { RBAC } from "../../kubernetes/defaultRoles.ts";
import { RESOURCES, type KubernetesObject, type Resource } from "../../kubernetes/object.ts";
import { LEASE_NAME } from "../leaseHolder.ts";
import { CONTROLS_NAME } from "../controlStore.ts";
import { OBSERVED_NAME } from "../observedStore.ts";
import { STATUS_NAME } from "../controller/status.ts";
import { recordNames } from "../recordStore.ts";
import { CONTROLLER, ownMetadata, serviceAccount, type PrintedManifest } from "./manifest.ts";

/** The actor on a control plane: the controller, a `plan` or `sync` in CI, or a sync of a later landscape. */
export type Account = "controller" | "one-shot" | "reader";

/** Rights on the control plane of one landscape. */
interface TargetGrant {
  readonly landscape: Pick<Landscape, "name" | "namespace" | "lifecycleManager">;
  readonly actor: Account;
  /** Whether a reader may also read the state of clusters. */
  readonly kymas: boolean;
  /** The namespace of the controller's own ServiceAccount, if that one acts; `undefined`: the manifests contain one. */
  readonly accountNamespace: string | undefined;
}

/** One rule of a Role. */
export interface RoleRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

const NAMES: Readonly<Record<Account, string>> = {
  controller: CONTROLLER,
  "one-shot": `${CONTROLLER}-ci`,
  reader: `${CONTROLLER}-reader`,
};

const ACTORS: Readonly<Record<Account, string>> = {
  controller: "the controller",
  "one-shot": "plan and sync in CI",
  reader: "the sync of a later landscape",
};

/** The ServiceAccount, the Role and the RoleBinding of an actor in the namespace of a landscape. */
export function targetManifests(grant: TargetGrant): readonly PrintedManifest[] {
  const { landscape, actor, accountNamespace } = grant;
  const name = NAMES[actor];
  const metadata = ownMetadata(name, landscape.namespace, { "kyma-modules/landscape": landscape.name });
  const where = `On the control plane of ${landscape.name}: `;
  const account: PrintedManifest = {
    purpose: `${where}the ServiceAccount of ${ACTORS[actor]}.`,
    object: serviceAccount(metadata),
  };
  return [
    ...(accountNamespace === undefined ? [account] : []),
    {
      purpose: `${where}the permissions of ${ACTORS[actor]}.${LIMITS[actor]}`,
      object: { apiVersion: `${RBAC}/v1`, kind: "Role", metadata, rules: rulesFor(grant) },
    },
    {
      purpose: `${where}binds that Role to the ServiceAccount.`,
      object: roleBinding(metadata, accountNamespace ?? landscape.namespace),
    },
  ];
}

/** resourceNames cannot limit a POST, but the controller creates nothing with a POST. */
const BY_NAME = "\nServer-side apply names its object, so resourceNames also limit create.";
const LIMITS: Readonly<Record<Account, string>> = { controller: BY_NAME, "one-shot": BY_NAME, reader: "" };

/** The minimal rules for the work of an actor. */
export function rulesFor({ landscape, actor, kymas }: Omit<TargetGrant, "accountNamespace">): readonly RoleRule[] {
  if (actor === "reader")
    return [
      ruleOn([RESOURCES.configMap], ["get"], recordNames()),
      ...(kymas ? [ruleOn([RESOURCES.kyma, RESOURCES.manifest], ["list"])] : []),
    ];
  const isController = actor === "controller";
  const watch = isController ? ["watch"] : [];
  const write = ["create", "patch"];
  // The controller writes the status and the observations; the others write the controls, to ask it for a sync.
  const told = [STATUS_NAME, OBSERVED_NAME];
  const written = [applySetParent("").metadata.name, ...recordNames(), ...(isController ? told : [CONTROLS_NAME])];
  const readable = [...new Set([...written, CONTROLS_NAME, ...told])];
  return [
    ruleOn([RESOURCES.moduleTemplate, RESOURCES.moduleReleaseMeta], ["get", "list", ...watch, ...write, "delete"]),
    ruleOn([RESOURCES.kyma, RESOURCES.manifest], ["list", ...watch]),
    ...(landscape.lifecycleManager === "auto" ? [ruleOn([RESOURCES.deployment], ["list"])] : []),
    ruleOn([RESOURCES.configMap], ["get", ...(isController ? ["list", ...watch] : [])], readable),
    ruleOn([RESOURCES.configMap], write, written),
    ...(isController ? [ruleOn([RESOURCES.event], write)] : []),
    ruleOn([RESOURCES.lease], ["get", ...write], [LEASE_NAME]),
  ];
}

function ruleOn(resources: readonly Resource[], verbs: readonly string[], resourceNames?: readonly string[]): RoleRule {
  return {
    apiGroups: [...new Set(resources.map(({ apiVersion }) => apiVersion.replace(/\/?[^/]*$/, "")))],
    resources: resources.map(({ plural }) => plural),
    ...(resourceNames && { resourceNames }),
    verbs,
  };
}

function roleBinding(metadata: KubernetesObject["metadata"], accountNamespace: string): KubernetesObject {
  const { name } = metadata;
  return {
    apiVersion: `${RBAC}/v1`,
    kind: "RoleBinding",
    metadata,
    roleRef: { apiGroup: RBAC, kind: "Role", name },
    subjects: [{ kind: "ServiceAccount", name, namespace: accountNamespace }],
  };
}
