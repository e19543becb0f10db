import { templateComponent, type Template } from "../../../catalogue/template.ts";
import { acceptFieldText, fieldAcceptance, type FieldChange } from "../../acceptance.ts";
import { compiledComponents } from "../../../catalogue/component.ts";
import type { Context } from "../../context.ts";
import { edit, MODULE, SAMPLE } from "../../example.ts";
import { inTemplate, type Complaint, type Rule, type Violation } from "../../rule.ts";
import { eachServedModule, inModuleFile, type ServedModule } from "../steps.ts";
import { acceptingField } from "./kind.ts";

const ID = "component-changed";
const [SAME, OTHER] = ["example.com/module/sample", "example.com/module/other"];
const ACCEPTED = acceptingField(ID, "ocmComponentName", SAME, OTHER);
const renamed = (text: string): string => edit(text, `ocmComponentName: ${SAME}`, `ocmComponentName: ${OTHER}`);

/** A module in service keeps its OCM component. */
export const componentChanged: Rule = {
  id: ID,
  group: "channel",
  severity: "error",
  waivable: false,
  demand: "The OCM component of a module in service changes only when that is accepted.",
  rationale:
    "With another component lifecycle-manager installs the module a second time and never removes the first. Deleting the old Manifest by hand also removes the workload of the new one.",
  source: "https://github.com/kyma-project/kyma-modules/blob/main/.github/docs/sync.md#what-a-sync-refuses",
  judge: (context) => eachServedModule(context, (module) => changes(context, module)),
  bad: {
    change: { [MODULE]: renamed(String(SAMPLE[MODULE])) },
    at: { file: MODULE, line: "ocmComponentName" },
  },
  good: { base: { [MODULE]: ACCEPTED }, change: { [MODULE]: renamed(ACCEPTED) } },
};

function changes(context: Context, module: ServedModule): readonly Violation[] {
  const { name, base } = module;
  const now = compiledComponents(context.head, name);
  return [...compiledComponents(base, name)].flatMap(([landscape, from]) => {
    const to = now.get(landscape) ?? null;
    if (from === undefined || from === to || !now.has(landscape)) return [];
    const change: FieldChange = { module: name, field: "ocmComponentName", from, to };
    if (fieldAcceptance(context, ID, change) !== undefined) return [];
    const message = `The OCM component of ${name} would change from ${from} to ${to ?? "none"}: lifecycle-manager installs the module a second time and never removes the first.`;
    const remedy = `Keep the component, or have the change accepted: ${acceptFieldText(ID, change)}.`;
    return inPlace(context, module, to, { message, remedy });
  });
}

/** In `module.yaml` if it names a component, or did; else in a template with the new component. */
function inPlace(
  { head }: Context,
  module: ServedModule,
  to: string | null,
  complaint: Complaint,
): readonly Violation[] {
  const { name, before, after, file } = module;
  const isDeclared = [before, after].some((said) => said.ocmComponentName !== undefined);
  if (isDeclared && file !== undefined) return [inModuleFile(file, module, "ocmComponentName", complaint)];
  const templates = [...head.channels.values()].flatMap((channel): readonly Template[] => {
    const template = channel.templates.get(name);
    return template !== undefined && (templateComponent(template.object).name ?? null) === to ? [template] : [];
  });
  return templates
    .slice(0, 1)
    .map((template) => inTemplate(template, ["spec", "descriptor", "component", "name"], complaint));
}
