import { textAt } from "../../../document/fields.ts";
import { BUMP, bumpTemplate, FAST } from "../../example.ts";
import { inTemplate, type Rule } from "../../rule.ts";
import { findManager, templateManager } from "./templateManager.ts";
import { eachManifest, type JudgedManifest, type ManifestOutcomes } from "./place.ts";

/** The manifest contains the manager that the template names. */
export const manifestManager: Rule = {
  id: "manifest-manager",
  group: "manifest",
  severity: "error",
  waivable: true,
  demand: "The manager that the template names is an object of the manifest.",
  rationale:
    "lifecycle-manager reads the state of a module from its manager. Without the manager, the module never becomes Ready: every cluster that upgrades stays in Processing or Error, even if everything runs.",
  source: 'lifecycle-manager, ModuleTemplate, "spec.manager"',
  judge: (context) => eachManifest(context, missingManager),
  bad: {
    change: bumpTemplate("    name: sample-manager\n", "    name: sample-operator\n"),
    at: { file: FAST, line: "name: sample-operator" },
    also: ["manifest-workload-renamed"],
  },
  good: { change: BUMP },
};

function missingManager({ template, manifest }: JudgedManifest): ManifestOutcomes {
  const manager = templateManager(template);
  if (manager === undefined || findManager(manifest, manager) !== undefined) return [];
  const { apiVersion, kind, namespace, name } = manager;
  const data = template.object.spec["data"];
  const isDefaultCr =
    textAt(data, ["apiVersion"]) === apiVersion &&
    textAt(data, ["kind"]) === kind &&
    textAt(data, ["metadata", "name"]) === name;
  // The state can also be that of the default CR.
  if (isDefaultCr) return [];
  const message = `The manifest contains no ${apiVersion} ${kind} ${namespace === "" ? "" : `${namespace}/`}${name}.`;
  const similar = manifest.objects.filter((object) => object.kind === kind).map((object) => object.name);
  const remedy = `Name the manager as the manifest does${similar.length === 0 ? "" : `: ${similar.join(", ")}`}.`;
  return [inTemplate(template, ["spec", "manager", "name"], { message, remedy })];
}
