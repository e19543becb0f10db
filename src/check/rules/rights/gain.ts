import type { Manifest, ManifestObject } from "../../../kubernetes/manifest.ts";
import type { Template } from "../../../catalogue/template.ts";
import { gainedGrants, manifestGrants, type Grant } from "../../../kubernetes/rbac.ts";
import { objectIdentity } from "../../../kubernetes/workload.ts";
import type { Context } from "../../context.ts";
import { edit, manifestPath, manifestText, type ExampleFiles } from "../../example.ts";
import type { Unjudged, Violation } from "../../rule.ts";
import { eachManifest, type JudgedManifest, type ManifestOutcomes } from "../manifest/place.ts";
import { templateManifests, servedVersions } from "../manifest/serving.ts";

/** A manifest, and the manifests in service to compare it with. */
export interface Compared extends JudgedManifest {
  /** Empty for a module that no channel serves yet. */
  readonly served: readonly Manifest[];
}

/**
 * Compares every manifest with the versions that `choose` gives, by default with all that the base serves. Without a
 * base, nothing is gained. If one of the manifests is unknown, the result is unknown.
 */
export function* eachChange(
  context: Context,
  judge: (compared: Compared) => ManifestOutcomes,
  choose: (context: Context, template: Template) => readonly Template[] = servedVersions,
): Generator<Violation | Unjudged> {
  if (context.base === undefined) return;
  yield* eachManifest(context, function* (judged) {
    const { known, missing } = templateManifests(context, judged.template, choose(context, judged.template));
    yield* missing;
    if (missing.length === 0) yield* judge({ ...judged, served: known.map(({ manifest }) => manifest) });
  });
}

/** The grants that no served version has, by the object that grants them. */
export function gainedByObject({ manifest, served }: Compared): readonly (readonly [Grant, ...Grant[]])[] {
  const before = served.flatMap(({ objects }) => manifestGrants(objects));
  // A version that is already served gains nothing: its own grants are among those before.
  const byObject = new Map<unknown, [Grant, ...Grant[]]>();
  for (const grant of gainedGrants(manifestGrants(manifest.objects), before)) {
    const known = byObject.get(grant.object);
    if (known === undefined) byObject.set(grant.object, [grant]);
    else known.push(grant);
  }
  return [...byObject.values()];
}

/** An object in the versions in service, where they have it. */
export function inService({ served }: Compared, object: ManifestObject): readonly ManifestObject[] {
  return served.flatMap(
    ({ objects }) => objects.find((candidate) => objectIdentity(candidate) === objectIdentity(object)) ?? [],
  );
}

/** The binding of the sample's role. */
export const BINDING = `---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: sample-manager
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: sample-manager }
subjects: [{ kind: ServiceAccount, name: sample-manager, namespace: kyma-system }]
`;
const VERBS = "    verbs: [get, list, watch]\n";

/** The manifest of a version of the sample whose role is bound, with `rule` as an additional rule. */
export function boundManifest(version: string, rule = ""): ExampleFiles {
  const more = rule === "" ? VERBS : `${VERBS}  - ${rule}\n`;
  return { [manifestPath(version)]: edit(manifestText(version), VERBS, more) + BINDING };
}

/** The base of the examples about rights: both served versions bind their role. */
export const BOUND: ExampleFiles = { ...boundManifest("1.0.0"), ...boundManifest("1.1.0") };
