import type { ManifestObject } from "../../../kubernetes/manifest.ts";
import { objectHostAccess } from "../../../kubernetes/hostAccess.ts";
import { namedObject } from "../../../kubernetes/workload.ts";
import { BUMP, bumpManifest, manifestPath } from "../../example.ts";
import type { Rule } from "../../rule.ts";
import { inManifest, type ManifestOutcomes } from "../manifest/place.ts";
import { servedSeverity } from "./dangerous.ts";
import { eachChange, inService, type Compared } from "./gain.ts";

const ACCOUNT = "      serviceAccountName: sample-manager\n";

/** Workloads do not access their nodes. */
export const rightsHost: Rule = {
  id: "rights-host",
  group: "rights",
  severity: "error",
  waivable: true,
  demand: "No workload or volume gains the network, processes, memory, ports or files of its node.",
  rationale:
    "Through the node, a pod reaches everything that runs there: files and tokens of other pods, and those of the kubelet. A port of the node can be used only once, so a second pod, or another module, does not start.",
  source: "https://kubernetes.io/docs/concepts/security/pod-security-standards/#baseline",
  judge: (context) =>
    eachChange(context, function* (compared) {
      for (const object of compared.manifest.objects) yield* gained(object, compared);
    }),
  bad: {
    change: bumpManifest(ACCOUNT, `${ACCOUNT}      hostNetwork: true\n`),
    at: { file: manifestPath("1.2.0"), line: "hostNetwork: true" },
    also: ["rights-pod-security"],
  },
  good: { change: BUMP },
};

function* gained(object: ManifestObject, compared: Compared): ManifestOutcomes {
  const before = inService(compared, object)
    .flatMap(objectHostAccess)
    .map(({ what }) => what);
  for (const { what, path } of objectHostAccess(object)) {
    if (before.includes(what)) continue;
    const message = `${namedObject(object)} gains ${what} of its node.`;
    const complaint = { message, remedy: "Remove it, or explain in a waiver why the module needs it." };
    yield inManifest(compared, object, path, { ...complaint, ...servedSeverity(compared.served) });
  }
}
