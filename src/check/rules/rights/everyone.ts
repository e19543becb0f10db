import { covers, manifestGrants } from "../../../kubernetes/rbac.ts";
import { rightsText } from "../../../kubernetes/rightsText.ts";
import { namedObject } from "../../../kubernetes/workload.ts";
import { BUMP, manifestPath, manifestText } from "../../example.ts";
import type { Rule } from "../../rule.ts";
import { eachManifest, inManifest } from "../manifest/place.ts";

const EVERYONE: ReadonlySet<string> = new Set([
  "User system:anonymous",
  ...["unauthenticated", "authenticated", "serviceaccounts"].map((group) => `Group system:${group}`),
]);
const VERBS = ["get", "list", "watch", "create", "update", "patch", "delete", "deletecollection"];

const bound = (group: string): string => `${manifestText("1.2.0")}---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: sample-reader }
rules: [{ apiGroups: [""], resources: [secrets], verbs: [get] }]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: { name: sample-reader }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: sample-reader }
subjects: [{ apiGroup: rbac.authorization.k8s.io, kind: Group, name: "${group}" }]
`;

/** Secrets are not for everyone. */
export const rightsEveryone: Rule = {
  id: "rights-everyone",
  group: "rights",
  severity: "error",
  waivable: true,
  demand: "No binding gives rights on secrets to all users, to anonymous ones, or to all service accounts.",
  rationale:
    "Everyone who reaches the API server, or every pod of the cluster, then has these secrets. Bindings to such a group are nearly always meant for a group of the module.",
  source: "https://kubernetes.io/docs/concepts/security/rbac-good-practices/",
  judge: (context) =>
    eachManifest(context, function* (judged) {
      const found = manifestGrants(judged.manifest.objects).filter(
        (grant) =>
          EVERYONE.has(String(grant.holder)) &&
          VERBS.some((verb) => covers(grant, { ...grant, verb, group: "", resource: "secrets" })),
      );
      const bindings = Map.groupBy(found, ({ object, holder }) => `${namedObject(object)} ${String(holder)}`);
      for (const grants of bindings.values())
        for (const { object, holder, path } of grants.slice(0, 1)) {
          const message = `${namedObject(object)} gives ${String(holder)} ${rightsText(grants)}.`;
          yield inManifest(judged, object, path, { message, remedy: "Bind the role to the accounts of the module." });
        }
    }),
  bad: {
    change: { ...BUMP, [manifestPath("1.2.0")]: bound("system:authenticated") },
    at: { file: manifestPath("1.2.0"), line: "system:authenticated" },
  },
  good: { change: { ...BUMP, [manifestPath("1.2.0")]: bound("sample:readers") } },
};
