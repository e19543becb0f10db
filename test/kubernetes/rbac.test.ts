import { describe, expect, test } from "vitest";
import { covers, gainedGrants, manifestGrants, type Right } from "../../src/kubernetes/rbac.ts";
import { rightsText } from "../../src/kubernetes/rightsText.ts";
import { mentions } from "../support/mentions.ts";
import { objectsIn, podOf } from "./pods.ts";

const API = "apiVersion: rbac.authorization.k8s.io/v1";

function binding(
  kind: string,
  roleKind: string,
  role: string,
  subjects = "[{ kind: ServiceAccount, name: sample }]",
): string {
  return `---
${API}
kind: ${kind}
metadata: { name: binding${kind === "RoleBinding" ? ", namespace: kyma-system" : ""} }
roleRef: { kind: ${roleKind}, name: ${role} }
subjects: ${subjects}
---
apiVersion: v1
kind: ServiceAccount
metadata: { name: sample }
`;
}

const CLUSTER_ROLE = `${API}
kind: ClusterRole
metadata: { name: sample }
rules:
  - { apiGroups: ["", apps], resources: [pods], verbs: [get, list] }
  - { apiGroups: [""], resources: [secrets], resourceNames: [one, two], verbs: [get] }
  - { nonResourceURLs: [/metrics], verbs: [get] }
`;
const ROLE = `${API}
kind: Role
metadata: { name: sample, namespace: kyma-system }
rules: [{ apiGroups: [""], resources: [pods], verbs: [get] }]
`;

test("gives each right of a bound role", () => {
  const grants = manifestGrants(objectsIn(CLUSTER_ROLE + binding("ClusterRoleBinding", "ClusterRole", "sample")));
  expect(rightsText(grants)).toBe(
    "get, list on pods; get, list on apps/pods; get on secrets one; get on secrets two; get on /metrics",
  );
});

test("gives the rights of a RoleBinding in its namespace", () => {
  expect(rightsText(manifestGrants(objectsIn(ROLE + binding("RoleBinding", "Role", "sample"))))).toBe(
    "get on pods in kyma-system",
  );
  const other = ROLE.replace("kyma-system", "other") + binding("RoleBinding", "Role", "sample");
  expect(rightsText(manifestGrants(objectsIn(other))).split("; ")).toEqual([
    mentions("all rights", "Role sample", "kyma-system", "unknown"),
  ]);
});

test("gives no rights for a role without a binding, or a binding without subjects", () => {
  expect(manifestGrants(objectsIn(CLUSTER_ROLE))).toEqual([]);
  expect(
    manifestGrants(objectsIn(CLUSTER_ROLE + binding("ClusterRoleBinding", "ClusterRole", "sample", "[]"))),
  ).toEqual([]);
});

test("names the holders of rights, unless they are service accounts of the manifest", () => {
  const bound = (subjects: string): string =>
    rightsText(manifestGrants(objectsIn(ROLE + binding("RoleBinding", "Role", "sample", subjects))));
  expect(bound("[{ kind: Group, name: 'system:authenticated' }, { kind: ServiceAccount, name: sample }]")).toBe(
    "get on pods in kyma-system; for Group system:authenticated: get on pods in kyma-system",
  );
  expect(bound("[{ kind: ServiceAccount, name: default, namespace: other }, {}]")).toBe(
    "for ServiceAccount other/default,  : get on pods in kyma-system",
  );
  const everyone = objectsIn(binding("RoleBinding", "Role", "other", "[{ kind: User, name: one }]"));
  expect(rightsText(manifestGrants(everyone))).toEqual(
    mentions("for User one", "all rights", "Role other", "kyma-system", "unknown"),
  );
  expect(manifestGrants(everyone)).toMatchObject([{ object: { kind: "RoleBinding" }, path: ["subjects"] }]);
});

test("takes an account of the manifest without a namespace for one of any namespace", () => {
  const account = `apiVersion: v1\nkind: ServiceAccount\nmetadata: { name: own }\n---\n`;
  const subjects = "[{ kind: ServiceAccount, name: own, namespace: kyma-system }]";
  expect(
    rightsText(manifestGrants(objectsIn(account + ROLE + binding("RoleBinding", "Role", "sample", subjects)))),
  ).toBe("get on pods in kyma-system");
});

test("another holder gains what the module has", () => {
  const before = CLUSTER_ROLE + binding("ClusterRoleBinding", "ClusterRole", "sample");
  const now = before + binding("ClusterRoleBinding", "ClusterRole", "sample", "[{ kind: Group, name: all }]");
  const [gained] = [gainedGrants(manifestGrants(objectsIn(now)), manifestGrants(objectsIn(before)))];
  expect(rightsText(gained)).toMatch(/^for Group all: get, list on pods; .* on \/metrics$/);
  expect(gainedGrants(manifestGrants(objectsIn(before)), manifestGrants(objectsIn(now)))).toEqual([]);
});

test("gives the rights of a role to the holders of the roles that its labels name", () => {
  const labelled = (labels: string): string =>
    rightsText(
      manifestGrants(objectsIn(CLUSTER_ROLE.replace("name: sample }", `name: sample, labels: { ${labels} } }`))),
    );
  expect(labelled(`rbac.authorization.k8s.io/aggregate-to-view: "true"`)).toMatch(
    /^for everyone with ClusterRole view: get, list on pods; get, list on apps\/pods/,
  );
  expect(labelled(`rbac.authorization.k8s.io/aggregate-to-view: "false", app: "true"`)).toBe("");
});

test("counts the power over the requests of others", () => {
  const granted = (kind: string, fields: string, group = "admissionregistration.k8s.io"): string =>
    rightsText(
      manifestGrants(objectsIn(`apiVersion: ${group}/v1\nkind: ${kind}\nmetadata: { name: one }\n${fields}\n`)),
    );
  const rule = "{ apiGroups: ['', apps], resources: ['*/*'], operations: [CREATE] }";
  expect(granted("MutatingWebhookConfiguration", `webhooks: [{}, { rules: [${rule}] }]`)).toBe(
    "mutate on */*; mutate on apps/*/*",
  );
  expect(granted("ValidatingWebhookConfiguration", "webhooks: [{ rules: [{ apiGroups: [a], resources: [b] }] }]")).toBe(
    "validate on a/b",
  );
  const policy = `spec: { matchConstraints: { resourceRules: [{ apiGroups: [a], resources: [b] }] } }`;
  expect(granted("ValidatingAdmissionPolicy", policy)).toBe("validate on a/b");
  expect(granted("MutatingAdmissionPolicy", policy)).toBe("mutate on a/b");
  expect(granted("APIService", "spec: { group: metrics.k8s.io, version: v1 }", "apiregistration.k8s.io")).toBe(
    "serve on metrics.k8s.io/v1",
  );
  expect(granted("APIService", "spec: {}", "apiregistration.k8s.io")).toBe("");
  expect(granted("ValidatingAdmissionPolicyBinding", policy)).toBe("");
});

test("counts all rights of a service account that the manifest does not contain", () => {
  const granted = (field: string): string =>
    rightsText(
      manifestGrants([
        podOf(`{ ${field}, containers: [] }`),
        ...objectsIn("apiVersion: v1\nkind: ServiceAccount\nmetadata: { name: own, namespace: kyma-system }\n"),
      ]),
    );
  expect(granted("serviceAccountName: own, serviceAccount: own")).toBe("");
  expect(granted("hostPID: false")).toBe("");
  expect(granted("serviceAccountName: default")).toBe("");
  for (const field of ["serviceAccountName", "serviceAccount"])
    expect(granted(`${field}: other`).split("; ")).toEqual([
      mentions("all rights", "ServiceAccount other", "kyma-system", "unknown"),
    ]);
});

test("counts all rights of a service account whose token a manifest asks for", () => {
  const granted = (type: string, name: string): string =>
    rightsText(
      manifestGrants(
        objectsIn(
          `apiVersion: v1\nkind: ServiceAccount\nmetadata: { name: own }\n---\napiVersion: v1\nkind: Secret\ntype: ${type}\n` +
            `metadata: { name: token, annotations: { kubernetes.io/service-account.name: ${name} } }\n`,
        ),
      ),
    );
  expect(granted("kubernetes.io/service-account-token", "other")).toMatch(/^all rights of ServiceAccount other in /);
  expect(granted("kubernetes.io/service-account-token", "own")).toBe("");
  expect(granted("Opaque", "other")).toBe("");
});

describe("a bound role", () => {
  const collector = (name: string, rule: string): string =>
    `${API}\nkind: ClusterRole\nmetadata: { name: ${name}, labels: { collects: ${name} } }\naggregationRule: ${rule}\n---\n`;
  const bound = (...collectors: readonly string[]): string =>
    rightsText(
      manifestGrants(
        objectsIn(
          `${collectors.join("")}${ROLE}---\n` +
            CLUSTER_ROLE.replace("name: sample }", "name: sample, labels: { a: b } }") +
            binding("ClusterRoleBinding", "ClusterRole", "all"),
        ),
      ),
    );
  const collecting = (...selectors: readonly string[]): string =>
    bound(collector("all", `{ clusterRoleSelectors: [${selectors.join(", ")}] }`));
  const expecting = (expression: string): string => `{ matchExpressions: [{ key: a, ${expression} }] }`;

  test.each([
    "{ matchLabels: { a: c } }, { matchLabels: { a: b } }",
    "{}",
    ...["operator: Exists", "operator: In, values: [b]", "operator: NotIn, values: [c]", "operator: Like"].map(
      expecting,
    ),
  ])("has the rights of those that it collects by %s", (selectors) => {
    expect(collecting(selectors)).toMatch(/^get, list on pods; /);
  });

  test.each([
    "{ matchLabels: { a: c } }",
    "{ matchLabels: { a: b }, matchExpressions: [{ key: a, operator: DoesNotExist }] }",
    ...["operator: DoesNotExist", "operator: In, values: [c]", "operator: NotIn, values: [b]"].map(expecting),
  ])("does not have the rights of others than it collects by %s", (selectors) => {
    expect(collecting(selectors)).toBe("");
  });

  test("has the rights of those that a collected role collects, also in a circle", () => {
    const rule = "{ clusterRoleSelectors: [{ matchLabels: { collects: part } }] }";
    const part = "{ clusterRoleSelectors: [{ matchLabels: { a: b } }, { matchLabels: { collects: all } }] }";

    expect(bound(collector("all", rule), collector("part", part))).toMatch(/^get, list on pods; /);
  });
});

test("expands the roles of every cluster, and says that the rights of others are unknown", () => {
  const bound = (role: string): string =>
    rightsText(manifestGrants(objectsIn(binding("ClusterRoleBinding", "ClusterRole", role))));

  expect(bound("cluster-admin")).toBe("* on */*; * on *");
  expect(bound("edit")).toMatch(/^impersonate on serviceaccounts; get, .* on secrets; all rights of ClusterRole edit$/);
  expect(bound("admin")).toMatch(
    /^impersonate on serviceaccounts; .* on rbac.authorization.k8s.io\/rolebindings; all rights of ClusterRole admin$/,
  );
  expect(bound("view")).toBe("all rights of ClusterRole view");
  expect(bound("other").split("; ")).toEqual([mentions("all rights", "ClusterRole other", "unknown")]);
  expect(rightsText(manifestGrants(objectsIn(binding("RoleBinding", "Role", "cluster-admin"))))).toMatch(/unknown/);
  const empty = binding("ClusterRoleBinding", "ClusterRole", "edit").replace(/^roleRef.*$/m, "roleRef: {}");
  expect(manifestGrants(objectsIn(empty))).toMatchObject([{ resource: "", name: "" }]);
});

const GET: Right = { verb: "get", group: "", resource: "pods", name: undefined, namespace: undefined };

test.each<[string, Right, Right, boolean]>([
  ["itself", GET, GET, true],
  ["one verb by *", { ...GET, verb: "*" }, GET, true],
  ["one group by *", { ...GET, group: "*" }, { ...GET, group: "apps" }, true],
  ["one resource by *", { ...GET, resource: "*" }, { ...GET, resource: "pods/log" }, true],
  ["no address by * resources", { ...GET, resource: "*" }, { ...GET, resource: "/metrics" }, false],
  ["a subresource by */log", { ...GET, resource: "*/log" }, { ...GET, resource: "pods/log" }, true],
  ["no other subresource by */log", { ...GET, resource: "*/log" }, { ...GET, resource: "pods/exec" }, false],
  ["an address by its beginning", { ...GET, resource: "/logs/*" }, { ...GET, resource: "/logs/one" }, true],
  ["no other address", { ...GET, resource: "/logs" }, { ...GET, resource: "/logs/one" }, false],
  ["one name by all", GET, { ...GET, name: "one" }, true],
  ["not all by one name", { ...GET, name: "one" }, GET, false],
  ["one namespace by all", GET, { ...GET, namespace: "one" }, true],
  ["not all namespaces by one", { ...GET, namespace: "one" }, GET, false],
  ["no other verb", GET, { ...GET, verb: "list" }, false],
  ["no other group", GET, { ...GET, group: "apps" }, false],
])("covers %s", (_, one, other, expected) => {
  expect(covers(one, other)).toBe(expected);
});

test("a right that a wider one already covered is not gained", () => {
  const [now, before] = [CLUSTER_ROLE, CLUSTER_ROLE.replace("[get, list]", '["*"]')].map((role) =>
    manifestGrants(objectsIn(role + binding("ClusterRoleBinding", "ClusterRole", "sample"))),
  );
  expect(gainedGrants(now ?? [], before ?? [])).toEqual([]);
  expect(rightsText(gainedGrants(before ?? [], now ?? []))).toBe("* on pods; * on apps/pods");
});
