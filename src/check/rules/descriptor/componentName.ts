import type { ModuleName } from "../../../catalogue/names.ts";
import { manifestName } from "../../../kubernetes/ocm/manifestName.ts";
import { commonComponentName, declaredComponent } from "../../../catalogue/component.ts";
import type { Context } from "../../context.ts";
import { BUMP, edit, FAST, MODULE, SAMPLE } from "../../example.ts";
import { inTemplate, type Rule } from "../../rule.ts";

/** Kymas are usually named by a UUID. */
const KYMA = "00000000-0000-0000-0000-000000000000";

/** Each module has a Manifest of its own. */
export const componentName: Rule = {
  id: "component-name",
  group: "descriptor",
  severity: "warning",
  waivable: true,
  demand: "The last segment of a component has at most 24 characters; no two modules share a Manifest.",
  rationale:
    "lifecycle-manager names the Manifest of a module after its Kyma, the last segment of its component, and a hash, and cuts the name after 62 characters. With a UUID as the name of the Kyma, a longer segment leaves no place for the hash. Modules whose segments then begin alike share one Manifest: each reconciliation replaces one module by the other.",
  source: "lifecycle-manager 1.20.4, pkg/module/common/module.go, CreateModuleName",
  judge: function* (context) {
    const names = manifestNames(context);
    const judged = new Map(context.templates.map((template) => [template.module, template]));
    for (const [module, template] of judged) {
      const own = names.get(module);
      if (own === undefined || own.isHashed) continue;
      const others = [...names].filter(([other, { name }]) => other !== module && name === own.name);
      const message = `The Manifest of ${own.component} on a cluster has no hash in its name, which lifecycle-manager cuts after 62 characters`;
      const shared = others.map(([other, { component }]) => `${component} (${other})`).join(", ");
      yield inTemplate(template, ["spec", "moduleName"], {
        message: others.length === 0 ? `${message}.` : `${message}: it is also that of ${shared}.`,
        remedy: "Publish the module under a component with a shorter last segment before any cluster has it.",
        ...(others.length > 0 && { severity: "error" }),
      });
    }
  },
  bad: {
    base: { [MODULE]: edit(String(SAMPLE[MODULE]), "module/sample", "module/sample-with-a-component-of-a-long-name") },
    change: BUMP,
    at: { file: FAST, line: "moduleName: sample" },
  },
  good: { change: BUMP },
};

/** The Manifests of the judged modules, and of all whose `module.yaml` names a component, by module. */
function manifestNames(
  context: Context,
): ReadonlyMap<ModuleName, ReturnType<typeof manifestName> & { readonly component: string }> {
  const components = [
    ...[...context.head.modules.keys()].map((module) => [module, declaredComponent(context, module)] as const),
    ...context.templates.map((template) => [template.module, commonComponentName(context, template)] as const),
  ];
  return new Map(
    components.flatMap(([module, component]) =>
      component === undefined ? [] : [[module, { component, ...manifestName(KYMA, component, module) }]],
    ),
  );
}
