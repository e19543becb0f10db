import {
  KNOWN_MINOR,
  apiLifecycle,
  LIFECYCLE_SOURCE,
  kubernetesMinor,
  type ApiLifecycle,
} from "../../../kubernetes/deprecatedApis.ts";
import { namedObject } from "../../../kubernetes/workload.ts";
import type { ManifestObject } from "../../../kubernetes/manifest.ts";
import type { Context } from "../../context.ts";
import { BUMP, bumpManifest, manifestPath } from "../../example.ts";
import { unjudged, type Rule } from "../../rule.ts";
import { eachObject, inManifest, type JudgedManifest, type ManifestOutcomes } from "./place.ts";

const OLD = bumpManifest("apiVersion: apps/v1\n", "apiVersion: apps/v1beta2\n");

/** Refuses objects with an API version that a Kubernetes version no longer serves. */
export const manifestApiRemoved: Rule = {
  id: "manifest-api-removed",
  group: "manifest",
  severity: "error",
  waivable: true,
  demand: "Every version of Kubernetes that modules run on still serves the API version of every object.",
  rationale:
    "A cluster of the newer version answers 404 for such an object: the module cannot be installed there, and cannot be upgraded or removed cleanly either. The problem shows on the clusters that are upgraded first, which are not the ones that were tested.",
  source: LIFECYCLE_SOURCE,
  judge: function* (context) {
    const versions = kubernetesVersions(context);
    const known = versions.filter((version) => kubernetesMinor(version) <= KNOWN_MINOR);
    if (versions.length === 0) yield unjudged("no versions of Kubernetes are known (kubernetes in kyma-modules.yaml)");
    for (const version of versions.filter((candidate) => !known.includes(candidate)))
      yield unjudged(`the removed APIs of Kubernetes ${version} are unknown: the table ends with 1.${KNOWN_MINOR}`);
    yield* eachObject(context, (object, judged) => removed(object, judged, known));
  },
  bad: { change: OLD, at: { file: manifestPath("1.2.0"), line: "apps/v1beta2" }, also: ["manifest-manager"] },
  good: { change: BUMP },
};

/**
 * The Kubernetes versions that modules run on, oldest first. They are read from the base, so that a change cannot
 * choose its own.
 */
export function kubernetesVersions({ base, head }: Context): readonly string[] {
  return (base ?? head).settings.kubernetesVersions.toSorted((a, b) => kubernetesMinor(a) - kubernetesMinor(b));
}

/** The remedy for a deprecated API version. */
export function apiLifecycleReplacement({ replacement }: ApiLifecycle): string {
  return replacement === "" ? "There is no replacement: remove the object." : `Use ${replacement}.`;
}

function removed(object: ManifestObject, judged: JudgedManifest, versions: readonly string[]): ManifestOutcomes {
  const row = apiLifecycle(object.apiVersion, object.kind);
  const gone = versions.filter((version) => row?.removed !== undefined && row.removed <= kubernetesMinor(version));
  if (row === undefined || gone.length === 0) return [];
  const message = `${namedObject(object)}: Kubernetes ${gone.join(", ")} does not serve ${object.apiVersion} (removed in 1.${String(row.removed)}).`;
  return [inManifest(judged, object, ["apiVersion"], { message, remedy: apiLifecycleReplacement(row) })];
}
