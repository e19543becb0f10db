import type { ManifestObject } from "../../../kubernetes/manifest.ts";
import { failureText, isLaxer, meansText, podSecurityLevel } from "../../../kubernetes/podSecurity.ts";
import { namedObject, workloadPodTemplate } from "../../../kubernetes/workload.ts";
import { BUMP, bumpManifest, manifestPath } from "../../example.ts";
import type { Rule } from "../../rule.ts";
import { inManifest, type ManifestOutcomes } from "../manifest/place.ts";
import { servedSeverity } from "./dangerous.ts";
import { eachChange, inService, type Compared } from "./gain.ts";

/** A workload keeps its Pod Security level. */
export const rightsPodSecurity: Rule = {
  id: "rights-pod-security",
  group: "rights",
  severity: "warning",
  waivable: true,
  demand:
    "No workload gets a weaker Pod Security level than it has in service, no privileged one violates more controls, and a new one is restricted.",
  rationale:
    "Namespaces can demand a level: they refuse a pod that does not reach it, and the workload does not start after the upgrade. A privileged pod is practically root on its node.",
  source: "https://kubernetes.io/docs/concepts/security/pod-security-standards/",
  judge: (context) =>
    eachChange(context, function* (compared) {
      for (const object of compared.manifest.objects) yield* laxer(object, compared);
    }),
  bad: {
    change: bumpManifest("runAsNonRoot: true", "runAsNonRoot: false"),
    at: { file: manifestPath("1.2.0"), line: "    spec:" },
  },
  good: { change: BUMP },
};

function laxer(object: ManifestObject, compared: Compared): ManifestOutcomes {
  const pods = workloadPodTemplate(object);
  if (pods === undefined) return [];
  const now = podSecurityLevel(pods);
  const { level } = now;
  const before = inService(compared, object)
    .flatMap((known) => workloadPodTemplate(known) ?? [])
    .map(podSecurityLevel);
  // A new workload has no level that it could keep, so it is compared with the strictest one.
  if (level === "restricted" || before.some((known) => !isLaxer(now, known))) return [];
  const [first] = before;
  const failed = (first?.level === level ? first.failed : []).map(meansText);
  const only = failed.length === 0 ? "" : `, failing only ${failed.join("; ")}`;
  const was = first === undefined ? "new" : `${first.level} in service${only}`;
  const message = `${namedObject(object)} is ${level} (${was}). It fails: ${now.failed.map(failureText).join("; ")}.`;
  const usual = level === "privileged" ? { severity: "error" as const } : {};
  const complaint = { message, remedy: "Set the security context that the level demands.", ...usual };
  return [inManifest(compared, object, [...pods.path, "spec"], { ...complaint, ...servedSeverity(compared.served) })];
}
