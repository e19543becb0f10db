import { objectIdentity, namedObject } from "../../../kubernetes/workload.ts";
import { BUMP, manifestPath, manifestText } from "../../example.ts";
import type { Rule } from "../../rule.ts";
import { eachManifest, inManifest, type JudgedManifest, type ManifestOutcomes } from "./place.ts";

const SECOND = `${manifestText("1.2.0")}---
apiVersion: v1
kind: ServiceAccount
metadata: { name: sample-manager, namespace: kyma-system } # again
`;

/** A manifest contains an object only once. */
export const manifestDuplicate: Rule = {
  id: "manifest-duplicate",
  group: "manifest",
  severity: "error",
  waivable: true,
  demand: "A manifest contains no object twice.",
  rationale:
    "lifecycle-manager takes the first object and silently drops the other. If the two differ in their API version, it applies both at the same time, and chance decides which one wins. The object that was reviewed may not be the one that runs.",
  source: "lifecycle-manager, internal/util.go, ParseManifestToObjects",
  judge: (context) => eachManifest(context, duplicates),
  bad: {
    change: { ...BUMP, [manifestPath("1.2.0")]: SECOND },
    at: { file: manifestPath("1.2.0"), line: "# again" },
  },
  good: { change: BUMP },
};

function* duplicates(judged: JudgedManifest): ManifestOutcomes {
  const seen = new Set<string>();
  for (const object of judged.manifest.objects) {
    const identity = objectIdentity(object);
    if (seen.has(identity)) {
      const message = `${namedObject(object)} is already in the manifest.`;
      yield inManifest(judged, object, ["metadata", "name"], { message, remedy: "Remove one of the two." });
    }
    seen.add(identity);
  }
}
