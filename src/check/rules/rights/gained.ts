import { rightsText } from "../../../kubernetes/rightsText.ts";
import { namedObject } from "../../../kubernetes/workload.ts";
import { BUMP, manifestPath } from "../../example.ts";
import type { Rule } from "../../rule.ts";
import { inManifest, type ManifestOutcomes } from "../manifest/place.ts";
import { templatePredecessor } from "../manifest/serving.ts";
import { BOUND, boundManifest, eachChange, gainedByObject, type Compared } from "./gain.ts";

/** Shows the rights that a version gains. */
export const rightsGained: Rule = {
  id: "rights-gained",
  group: "rights",
  severity: "note",
  waivable: true,
  demand: "Reviewers see the rights that a version gains.",
  rationale:
    "A module runs with its rights on every cluster. A new verb is easily missed among a thousand generated lines, and it stays: rights are not taken away from a running module.",
  source: "https://kubernetes.io/docs/concepts/security/rbac-good-practices/",
  judge: (context) =>
    eachChange(context, gains, (all, template) => {
      const predecessor = templatePredecessor(all, template);
      return predecessor === undefined ? [] : [predecessor];
    }),
  bad: {
    base: BOUND,
    change: { ...BUMP, ...boundManifest("1.2.0", '{ apiGroups: [""], resources: [pods], verbs: [get, delete] }') },
    at: { file: manifestPath("1.2.0"), line: "resources: [pods]" },
  },
  good: { base: BOUND, change: { ...BUMP, ...boundManifest("1.2.0") } },
};

function gains(compared: Compared): ManifestOutcomes {
  return gainedByObject(compared).map(([first, ...others]) => {
    const message = `${namedObject(first.object)} gains: ${rightsText([first, ...others])}.`;
    const remedy = "Check whether the module needs it, and whether fewer objects are enough.";
    return inManifest(compared, first.object, first.path, { message, remedy });
  });
}
