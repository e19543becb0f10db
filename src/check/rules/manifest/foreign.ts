import { listAt } from "../../../document/fields.ts";
import type { ManifestObject } from "../../../kubernetes/manifest.ts";
import { RESOURCES } from "../../../kubernetes/object.ts";
import { apiGroup, namedObject } from "../../../kubernetes/workload.ts";
import { BUMP, manifestPath, manifestText } from "../../example.ts";
import type { Complaint, Rule } from "../../rule.ts";
import { eachObject, inManifest } from "./place.ts";

const KYMA = `${manifestText("1.2.0")}---
apiVersion: operator.kyma-project.io/v1beta2
kind: Kyma
metadata: { name: default, namespace: kyma-system } # not ours
spec: { channel: fast, modules: [{ name: sample }] }
`;

/** The kinds by which lifecycle-manager knows what a cluster wants and has. */
const { kyma, manifest, moduleTemplate, moduleReleaseMeta } = RESOURCES;
const MANAGED: ReadonlySet<string> = new Set([
  ...[kyma, manifest, moduleTemplate, moduleReleaseMeta].map(({ kind }) => kind),
  "Watcher",
]);

/** Fields of the metadata that tie an object to something else. */
const TIES: readonly (readonly [field: string, means: string])[] = [
  ["ownerReferences", "names an owner by a uid that no other cluster has"],
  ["finalizers", "has finalizers: it stays until a controller removes them"],
];

/** The objects of a manifest belong to the module. */
export const manifestForeign: Rule = {
  id: "manifest-foreign",
  group: "manifest",
  severity: "error",
  waivable: true,
  demand: "A manifest contains no object of lifecycle-manager, and its objects have neither owners nor finalizers.",
  rationale:
    "The Kyma of a cluster says which modules its user wants: a manifest with one enables and disables modules of others. The garbage collector deletes an object whose owner does not exist, and an owner is named by a uid that no other cluster has. A finalizer that no controller removes stops the uninstallation.",
  source: "https://kubernetes.io/docs/concepts/architecture/garbage-collection/",
  judge: (context) =>
    eachObject(context, function* (object, judged) {
      for (const [path, complaint] of complaintsOn(object)) yield inManifest(judged, object, path, complaint);
    }),
  bad: {
    change: { ...BUMP, [manifestPath("1.2.0")]: KYMA },
    at: { file: manifestPath("1.2.0"), line: "kind: Kyma" },
  },
  good: { change: BUMP },
};

function complaintsOn(object: ManifestObject): readonly (readonly [path: readonly string[], complaint: Complaint])[] {
  const { apiVersion, kind, value } = object;
  const isManaged = apiGroup(apiVersion) === apiGroup(kyma.apiVersion) && MANAGED.has(kind);
  const message = `${namedObject(object)} is an object of lifecycle-manager, not of the module.`;
  return [
    ...(isManaged ? [[["kind"], { message, remedy: "Remove it from the manifest." }] as const] : []),
    ...TIES.filter(([field]) => listAt(value, ["metadata", field]).length > 0).map(
      ([field, means]) =>
        [
          ["metadata", field],
          { message: `${namedObject(object)} ${means}.`, remedy: `Remove metadata.${field}.` },
        ] as const,
    ),
  ];
}
