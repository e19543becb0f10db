import type { Manifest, ManifestObject } from "../../../kubernetes/manifest.ts";
import { objectIdentity, namedObject } from "../../../kubernetes/workload.ts";
import type { Context } from "../../context.ts";
import { BUMP, edit, FAST, manifestPath, manifestText, templateText } from "../../example.ts";
import { inTemplate, type Rule, type Violation } from "../../rule.ts";
import { templateManager } from "./templateManager.ts";
import { eachManifest, inManifest, type JudgedManifest, type ManifestOutcomes } from "./place.ts";
import { templateManifests, servedVersions, type ServedManifest } from "./serving.ts";

const WORKLOADS = ["Deployment", "StatefulSet", "DaemonSet"];
const DEPLOYMENT = "kind: Deployment\nmetadata:\n  name: ";
const MANAGER = "kind: Deployment\n    name: ";

/** A workload keeps its name. */
export const manifestWorkloadRenamed: Rule = {
  id: "manifest-workload-renamed",
  group: "manifest",
  severity: "error",
  waivable: true,
  demand: "No workload of a served version is replaced by one with another name.",
  rationale:
    "lifecycle-manager deletes what the new manifest no longer contains, but only the object, in the background: it applies the new workload while pods of the old one still run. Two controllers then work on the same objects; if the leases of leader election have the name of the workload, nothing prevents this. If lifecycle-manager's record of installed objects is incomplete, the old workload stays forever.",
  source: "lifecycle-manager, internal/pkg/resources/cleanup.go (DeletePropagationBackground)",
  judge: (context) => eachManifest(context, (judged) => renamed(context, judged)),
  bad: {
    change: {
      [FAST]: edit(templateText("fast", "1.2.0"), `${MANAGER}sample-manager`, `${MANAGER}sample-operator`),
      [manifestPath("1.2.0")]: edit(
        manifestText("1.2.0"),
        `${DEPLOYMENT}sample-manager`,
        `${DEPLOYMENT}sample-operator`,
      ),
    },
    at: { file: manifestPath("1.2.0"), line: "name: sample-operator" },
  },
  good: { change: BUMP },
};

function* renamed(context: Context, judged: JudgedManifest): ManifestOutcomes {
  const { template } = judged;
  const versions = servedVersions(context, template).filter(({ version }) => version !== template.version);
  const { known, missing } = templateManifests(context, template, versions);
  yield* missing;
  const found = WORKLOADS.flatMap((kind) => replaced(kind, judged, known));
  yield* found;
  // The manager is one of the workloads, so it is reported only once.
  if (found.length === 0) yield* managerRenamed(judged, known);
}

function replaced(kind: string, judged: JudgedManifest, served: readonly ServedManifest[]): readonly Violation[] {
  const now = ofKind(judged.manifest, kind);
  const gone = new Map<string, string[]>();
  const added = new Set<ManifestObject>();
  for (const { template, manifest } of served) {
    const before = ofKind(manifest, kind);
    const lost = [...before].filter(([identity]) => !now.has(identity));
    const fresh = [...now].filter(([identity]) => !before.has(identity));
    if (lost.length === 0 || fresh.length === 0) continue;
    for (const [, object] of fresh) added.add(object);
    for (const [, object] of lost)
      gone.set(namedObject(object), [...(gone.get(namedObject(object)) ?? []), template.version]);
  }
  const [first, ...others] = added;
  if (first === undefined) return [];
  const names = [first, ...others].map(namedObject).join(", ");
  const old = [...gone].map(([name, versions]) => `${name} (${versions.join(", ")})`).join(", ");
  const message = `${names} replaces ${old}: for a while, both run.`;
  const remedy = "Keep the name. If it must change, explain in a waiver why the two do not interfere.";
  return [inManifest(judged, first, ["metadata", "name"], { message, remedy })];
}

function ofKind({ objects }: Manifest, kind: string): ReadonlyMap<string, ManifestObject> {
  return new Map(objects.filter((object) => object.kind === kind).map((object) => [objectIdentity(object), object]));
}

function managerRenamed({ template }: JudgedManifest, served: readonly ServedManifest[]): readonly Violation[] {
  const now = templateManager(template);
  const others = served.filter(({ template: old }) => {
    const before = templateManager(old);
    return now !== undefined && before !== undefined && (before.kind !== now.kind || before.name !== now.name);
  });
  if (others.length === 0) return [];
  const versions = others.map(({ template: { version } }) => version).join(", ");
  const message = `The manager differs from that of ${versions}: for a while, both run.`;
  return [inTemplate(template, ["spec", "manager", "name"], { message, remedy: "Keep kind and name of the manager." })];
}
