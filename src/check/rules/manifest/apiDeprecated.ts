import { KNOWN_MINOR, apiLifecycle, LIFECYCLE_SOURCE, kubernetesMinor } from "../../../kubernetes/deprecatedApis.ts";
import { namedObject } from "../../../kubernetes/workload.ts";
import type { ManifestObject } from "../../../kubernetes/manifest.ts";
import { BUMP, manifestPath, manifestText } from "../../example.ts";
import { unjudged, type Rule } from "../../rule.ts";
import { kubernetesVersions, apiLifecycleReplacement } from "./apiRemoved.ts";
import { eachObject, inManifest, type JudgedManifest, type ManifestOutcomes } from "./place.ts";

const ENDPOINTS = `${manifestText("1.2.0")}---
apiVersion: v1
kind: Endpoints
metadata:
  name: sample
  namespace: kyma-system
`;

/** Reports objects with a deprecated API version. */
export const manifestApiDeprecated: Rule = {
  id: "manifest-api-deprecated",
  group: "manifest",
  severity: "note",
  waivable: true,
  demand: "No object uses an API version that is deprecated in the newest Kubernetes version that modules run on.",
  rationale:
    "A deprecated API is served for a few more releases, then removed on all clusters of a version at once. A module that still needs it blocks the upgrade of Kubernetes for everyone.",
  source: LIFECYCLE_SOURCE,
  judge: function* (context) {
    const newest = kubernetesVersions(context).at(-1);
    if (newest === undefined) yield unjudged("no versions of Kubernetes are known (kubernetes in kyma-modules.yaml)");
    else if (kubernetesMinor(newest) > KNOWN_MINOR)
      yield unjudged(`the deprecated APIs of Kubernetes ${newest} are unknown: the table ends with 1.${KNOWN_MINOR}`);
    else yield* eachObject(context, (object, judged) => deprecated(object, judged, kubernetesMinor(newest)));
  },
  bad: {
    change: { ...BUMP, [manifestPath("1.2.0")]: ENDPOINTS },
    at: { file: manifestPath("1.2.0"), line: "kind: Endpoints" },
  },
  good: { change: BUMP },
};

function deprecated(object: ManifestObject, judged: JudgedManifest, minor: number): ManifestOutcomes {
  const row = apiLifecycle(object.apiVersion, object.kind);
  // Another rule refuses removed APIs.
  if (row === undefined || row.deprecated > minor || (row.removed ?? Infinity) <= minor) return [];
  const until = row.removed === undefined ? "" : `, and is removed in 1.${row.removed}`;
  const message = `${namedObject(object)}: ${object.apiVersion} ${object.kind} is deprecated since Kubernetes 1.${row.deprecated}${until}.`;
  return [inManifest(judged, object, ["kind"], { message, remedy: apiLifecycleReplacement(row) })];
}
