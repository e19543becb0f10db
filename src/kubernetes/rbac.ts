import { fieldAt, isRecord, textAt } from "../document/fields.ts";
import type { ManifestObject } from "./manifest.ts";
import type { YamlPath } from "../document/yaml/tree.ts";
import { aggregationTargets, withCollected } from "./aggregation.ts";
import { AS, asRole, DEFAULT_ROLES, RBAC } from "./defaultRoles.ts";
import { apiGroup, mapsAt, namedObject, workloadPodTemplate, textsAt, type Fields } from "./workload.ts";

/** One verb on one resource, or on one non-resource URL. */
export interface Right {
  readonly verb: string;
  /** Empty for the core group, and for a URL. */
  readonly group: string;
  /** `pods`, `pods/log`, `*`; or the URL: `/metrics`. */
  readonly resource: string;
  /** `undefined`: all objects. */
  readonly name: string | undefined;
  /** `undefined`: the whole cluster. */
  readonly namespace: string | undefined;
}

/** A right, its holder, and the place in the manifest that grants it. */
export interface Grant extends Right {
  /** `undefined` for the service accounts of the manifest; others as text, such as `Group system:authenticated`. */
  readonly holder: string | undefined;
  /**
   * The role; for another holder, or a role that is not in the manifest, the binding; else the object that has the
   * right by itself, such as a webhook.
   */
  readonly object: ManifestObject;
  /** The rule, the list of holders, or the name of the account, in the object. */
  readonly path: YamlPath;
}

const ACCOUNT = "ServiceAccount";

/** A rule in the form of those of roles, and its place in the object. */
interface PlacedRule {
  readonly rule: Fields;
  readonly path: YamlPath;
}

const VERBS: ReadonlyMap<string, string> = new Map([
  ["admissionregistration.k8s.io/MutatingWebhookConfiguration", "mutate"],
  ["admissionregistration.k8s.io/MutatingAdmissionPolicy", "mutate"],
  ["admissionregistration.k8s.io/ValidatingWebhookConfiguration", "validate"],
  ["admissionregistration.k8s.io/ValidatingAdmissionPolicy", "validate"],
  ["apiregistration.k8s.io/APIService", "serve"],
]);

/**
 * The power of an object over the requests of others, as rules of roles: a webhook or a policy can `mutate` or
 * `validate` what others write, and a service can `serve` a version of an API group in place of the API server.
 */
function admissionRules({ apiVersion, kind, value }: ManifestObject): readonly PlacedRule[] {
  const verb = VERBS.get(`${apiGroup(apiVersion)}/${kind}`);
  if (verb === undefined) return [];
  const verbs = [verb];
  const rulesAt = (parent: unknown, at: YamlPath, list: string): readonly PlacedRule[] =>
    mapsAt(isRecord(parent) ? parent : {}, list).map(({ index, value: rule }) => ({
      rule: { apiGroups: rule["apiGroups"], resources: rule["resources"], verbs },
      path: [...at, list, index],
    }));
  if (verb === "serve") {
    const [group, version] = ["group", "version"].map((field) => textAt(value, ["spec", field]));
    return [{ rule: { apiGroups: [group], resources: [version], verbs }, path: ["spec"] }];
  }
  const constraints = ["spec", "matchConstraints"];
  return [
    ...mapsAt(value, "webhooks").flatMap((webhook) => rulesAt(webhook.value, ["webhooks", webhook.index], "rules")),
    ...rulesAt(fieldAt(value, constraints), constraints, "resourceRules"),
  ];
}

/** The rights of webhooks and the like, which need no binding. */
function admissionGrants(object: ManifestObject): readonly Grant[] {
  return admissionRules(object).flatMap(({ rule, path }) =>
    ruleRights(rule, undefined).map((right) => ({ ...right, holder: undefined, object, path })),
  );
}

/** The rights of a workload, or the holder of a token, of a service account that is not in the manifest. */
function accountGrants(object: ManifestObject, accounts: ReadonlySet<string>): readonly Grant[] {
  const { namespace } = object;
  const { name, path } = serviceAccountName(object);
  // Without a name, Kubernetes takes the account default.
  if (name === undefined || name === "default" || isOwn({ namespace, name }, accounts)) return [];
  return ruleRights(asRole(ACCOUNT, name), namespace).map((right) => ({ ...right, holder: undefined, object, path }));
}

/** The service account of a workload, or of the token for which a Secret asks. */
function serviceAccountName(object: ManifestObject): { readonly name: string | undefined; readonly path: YamlPath } {
  const pods = workloadPodTemplate(object);
  // The second field is the deprecated name of the first.
  const name = textAt(pods?.spec, ["serviceAccountName"]) ?? textAt(pods?.spec, ["serviceAccount"]);
  if (pods !== undefined) return { name, path: [...pods.path, "spec"] };
  const isToken = object.kind === "Secret" && object.value["type"] === "kubernetes.io/service-account-token";
  const path = ["metadata", "annotations", "kubernetes.io/service-account.name"];
  return { name: isToken ? textAt(object.value, path) : undefined, path };
}

/**
 * The rights that a manifest grants: by its bindings, by its roles that become part of the roles of others, by its
 * webhooks (`admissionRules`), and by workloads and tokens of a foreign service account. Any other role without a binding
 * grants none. A role that is neither in the manifest nor in every cluster, and a foreign account, have unknown rights,
 * and count as the verb `as` on themselves.
 */
export function manifestGrants(objects: readonly ManifestObject[]): readonly Grant[] {
  const accounts = new Set(objects.filter(({ kind }) => kind === ACCOUNT).map(namedObject));
  const own = objects.filter(({ apiVersion }) => apiGroup(apiVersion) === RBAC);
  const bindings = own.filter(({ kind }) => ["RoleBinding", "ClusterRoleBinding"].includes(kind));
  return [
    ...bindings.flatMap((binding) => grantsBy(binding, own, accounts)),
    ...own.filter(({ kind }) => kind === "ClusterRole").flatMap(grantsByLabel),
    ...objects.flatMap((object) => [...admissionGrants(object), ...accountGrants(object, accounts)]),
  ];
}

function grantsBy(
  binding: ManifestObject,
  roles: readonly ManifestObject[],
  accounts: ReadonlySet<string>,
): readonly Grant[] {
  const holders = new Set(mapsAt(binding.value, "subjects").map(({ value }) => subjectHolder(value, accounts)));
  const bound = boundRights(binding, roles);
  return [...holders].flatMap((holder) =>
    bound.map((right): Grant =>
      holder === undefined ? { ...right, holder } : { ...right, holder, object: binding, path: ["subjects"] },
    ),
  );
}

function subjectHolder(subject: Fields, accounts: ReadonlySet<string>): string | undefined {
  const [kind = "", name = "", namespace = ""] = ["kind", "name", "namespace"].map((key) => textAt(subject, [key]));
  return kind === ACCOUNT && isOwn({ namespace, name }, accounts) ? undefined : namedObject({ kind, namespace, name });
}

/** Whether a service account is in the manifest. One there without a namespace may be in any. */
function isOwn(
  { namespace, name }: { readonly namespace: string; readonly name: string },
  accounts: ReadonlySet<string>,
): boolean {
  return [namespace, ""].some((one) => accounts.has(namedObject({ kind: ACCOUNT, namespace: one, name })));
}

/** The rights of the role of a binding. */
function boundRights(binding: ManifestObject, roles: readonly ManifestObject[]): readonly Omit<Grant, "holder">[] {
  const namespace = binding.kind === "RoleBinding" ? binding.namespace : undefined;
  const kind = textAt(binding.value, ["roleRef", "kind"]) ?? "";
  const name = textAt(binding.value, ["roleRef", "name"]) ?? "";
  const role = roles.find(
    (candidate) =>
      candidate.kind === kind &&
      candidate.name === name &&
      (kind === "ClusterRole" || candidate.namespace === namespace),
  );
  if (role !== undefined) return withCollected(role, roles).flatMap((object) => rightsOfRole(object, namespace));
  const rules = (kind === "ClusterRole" ? DEFAULT_ROLES.get(name) : undefined) ?? [asRole(kind, name)];
  return rules
    .flatMap((rule) => ruleRights(rule, namespace))
    .map((right) => ({ ...right, object: binding, path: ["roleRef"] }));
}

function rightsOfRole(role: ManifestObject, namespace: string | undefined): readonly Omit<Grant, "holder">[] {
  return mapsAt(role.value, "rules").flatMap(({ index, value }) =>
    ruleRights(value, namespace).map((right) => ({ ...right, object: role, path: ["rules", index] })),
  );
}

/** The rights that a role gives to the holders of others, by its labels. */
function grantsByLabel(role: ManifestObject): readonly Grant[] {
  return aggregationTargets(role).flatMap((target) =>
    rightsOfRole(role, undefined).map((right) => ({ ...right, holder: `everyone with ClusterRole ${target}` })),
  );
}

/** Whether a right stands for those of a role or an account whose rights are unknown. */
export function isUnknown({ verb, resource, name }: Right): boolean {
  return verb === AS && !(resource === "ClusterRole" && DEFAULT_ROLES.has(String(name)));
}

function ruleRights(rule: Fields, namespace: string | undefined): readonly Right[] {
  const verbs = textsAt(rule, "verbs");
  const listed = textsAt(rule, "resourceNames");
  const names = listed.length === 0 ? [undefined] : listed;
  const resources = textsAt(rule, "apiGroups").flatMap((group) =>
    textsAt(rule, "resources").flatMap((resource) =>
      names.flatMap((name) => verbs.map((verb) => ({ verb, group, resource, name, namespace }))),
    ),
  );
  const addresses = textsAt(rule, "nonResourceURLs").flatMap((resource) =>
    verbs.map((verb) => ({ verb, group: "", resource, name: undefined, namespace })),
  );
  return [...resources, ...addresses];
}

/** Whether `one` includes everything that `other` allows. */
export function covers(one: Right, other: Right): boolean {
  return (
    [other.verb, "*"].includes(one.verb) &&
    [other.group, "*"].includes(one.group) &&
    coversResource(one.resource, other.resource) &&
    (one.name === undefined || one.name === other.name) &&
    (one.namespace === undefined || one.namespace === other.namespace)
  );
}

/** `*` matches all resources, `*` with a subresource matches it for all resources, and a URL may end in `*`. */
function coversResource(one: string, other: string): boolean {
  if (one === other) return true;
  if (one === "*") return !other.startsWith("/");
  if (one.startsWith("*/")) return other.endsWith(one.slice(1));
  return one.startsWith("/") && one.endsWith("*") && other.startsWith(one.slice(0, -1));
}

/** The grants of `now` that no grant of `before` covers. */
export function gainedGrants(now: readonly Grant[], before: readonly Grant[]): readonly Grant[] {
  return now.filter((grant) => !before.some((known) => known.holder === grant.holder && covers(known, grant)));
}
