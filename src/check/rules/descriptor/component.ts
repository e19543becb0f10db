import { declaredComponent } from "../../../catalogue/component.ts";
import type { Context } from "../../context.ts";
import { FAST } from "../../example.ts";
import type { Rule } from "../../rule.ts";
import type { ManifestOutcomes } from "../manifest/place.ts";
import { eachDescriptor, inDescriptor, withDescriptor, type JudgedDescriptor } from "./place.ts";

/** A descriptor belongs to its module and version. */
export const descriptorComponent: Rule = {
  id: "descriptor-component",
  group: "descriptor",
  severity: "error",
  waivable: true,
  demand: "The descriptor names the OCM component of its module.yaml, and the version of its template.",
  rationale:
    "Older lifecycle-managers install what the descriptor says, newer ones what module.yaml and spec.version say. If they differ, two control planes install different things under the same name.",
  source: "https://github.com/kyma-project/kyma-modules/blob/main/.github/docs/formats.md#the-repository",
  judge: (context) => eachDescriptor(context, (judged) => identity(context, judged)),
  bad: {
    change: withDescriptor("name: example.com/module/sample", "name: example.com/module/other"),
    at: { file: FAST, line: "module/other" },
  },
  good: { change: withDescriptor() },
};

function* identity(context: Context, judged: JudgedDescriptor): ManifestOutcomes {
  const { template, descriptor } = judged;
  const root = descriptor.schema === "v2" ? "component" : "metadata";
  const wanted = [
    ["name", declaredComponent(context, template.module), descriptor.name, "module.yaml"],
    ["version", template.version, descriptor.version.replace(/^v/, ""), "spec.version"],
  ] as const;
  for (const [field, right, found, source] of wanted) {
    // Without a declared component, there is nothing to compare; descriptor-structure reports missing fields.
    if (right === undefined || found === "" || found === right) continue;
    const message = `${root}.${field} is ${found}, but ${source} says ${right}.`;
    yield inDescriptor(judged, [root, field], { message, remedy: `Publish the descriptor of ${right}.` });
  }
}
