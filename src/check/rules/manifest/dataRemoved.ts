import type { Manifest, ManifestObject } from "../../../kubernetes/manifest.ts";
import { objectIdentity, isModulesNamespace, namedObject } from "../../../kubernetes/workload.ts";
import type { Context } from "../../context.ts";
import { BUMP, manifestPath, manifestText, type ExampleFiles } from "../../example.ts";
import { inTemplate, type Rule } from "../../rule.ts";
import { eachManifest, type JudgedManifest, type ManifestOutcomes } from "./place.ts";
import { templateManifests, metBy } from "./serving.ts";

/** What the removal of an object deletes besides it, by kind. */
const HELD: ReadonlyMap<string, string> = new Map([
  ["Namespace", "everything in it, also what users created there"],
  ["PersistentVolumeClaim", "the data on its volume, unless the reclaim policy is Retain"],
]);

const NAMESPACE = "---\napiVersion: v1\nkind: Namespace\nmetadata: { name: sample-data }\n";
const SERVED: ExampleFiles = { [manifestPath("1.1.0")]: manifestText("1.1.0") + NAMESPACE };

/** An object that holds data stays. */
export const manifestDataRemoved: Rule = {
  id: "manifest-data-removed",
  group: "manifest",
  severity: "error",
  waivable: true,
  demand: "No Namespace and no PersistentVolumeClaim of a served version is dropped.",
  rationale:
    "lifecycle-manager deletes what the new manifest no longer contains. With a Namespace, Kubernetes deletes everything in it; with a PersistentVolumeClaim, usually the data on its volume. This happens on every cluster that upgrades, and cannot be undone.",
  source: "lifecycle-manager, internal/declarative/v2/reconciler.go (pruneDiff; it never deletes kyma-system)",
  judge: (context) => eachManifest(context, (judged) => removed(context, judged)),
  bad: { base: SERVED, change: BUMP, at: { file: "channels/fast/sample.yaml", line: "version: 1.2.0" } },
  good: { base: SERVED, change: { ...BUMP, [manifestPath("1.2.0")]: manifestText("1.2.0") + NAMESPACE } },
};

function* removed(context: Context, { template, manifest }: JudgedManifest): ManifestOutcomes {
  const { known, missing } = templateManifests(context, template, metBy(context, template));
  yield* missing;
  const kept = new Set(manifestHolders(manifest).map(objectIdentity));
  const lost = new Map<string, { readonly object: ManifestObject; readonly versions: readonly string[] }>();
  for (const { template: served, manifest: before } of known)
    for (const object of manifestHolders(before).filter((one) => !kept.has(objectIdentity(one)))) {
      const identity = objectIdentity(object);
      const versions = lost.get(identity)?.versions ?? [];
      lost.set(identity, { object, versions: [...versions, served.version] });
    }
  for (const { object, versions } of lost.values()) {
    const message = `The ${namedObject(object)} is gone; it was in ${versions.join(", ")}. Its removal deletes ${String(HELD.get(object.kind))}.`;
    const remedy = "Keep it in the manifest. If it holds nothing that users need, explain this in a waiver.";
    yield inTemplate(template, ["spec", "version"], { message, remedy });
  }
}

function manifestHolders({ objects }: Manifest): readonly ManifestObject[] {
  return objects.filter((one) => one.apiVersion === "v1" && HELD.has(one.kind) && !isModulesNamespace(one));
}
