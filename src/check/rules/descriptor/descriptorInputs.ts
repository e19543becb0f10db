import { fieldAt, isRecord, textAt } from "../../../catalogue/import/fields.ts";
import type { Inputs } from "../../../catalogue/inputs.ts";
import type { Template } from "../../../catalogue/template.ts";
import type { YamlFile } from "../../../catalogue/yaml.ts";
import type { YamlPath } from "../../../catalogue/yamlTree.ts";
import { fieldText, type Difference, type FieldPath } from "../../../kubernetes/compare.ts";
import { declaredComponent } from "../../component.ts";
import type { Context } from "../../context.ts";
import { BUMP, bumpTemplate, FAST, type Files } from "../../example.ts";
import { versionKey } from "../../facts.ts";
import { inTemplate, unjudged, type Rule, type Violation } from "../../rule.ts";
import { unreadable, type Outcomes } from "../manifest/place.ts";
import { differences } from "./described.ts";

/** The inputs of the sample's build. */
const INPUTS: Files = {
  "modules/sample/1.2.0/module-config.yaml": `name: example.com/module/sample
version: 1.2.0
manifest: manifest.yaml
repository: https://github.com/sample/sample
documentation: https://sample.example.com
manager: { group: apps, version: v1, kind: Deployment, name: sample-manager, namespace: kyma-system }
defaultCR: default-cr.yaml
resources:
  - name: rawManifest
    link: https://github.com/sample/sample/releases/download/1.2.0/sample.yaml
`,
  "modules/sample/1.2.0/default-cr.yaml": `apiVersion: operator.example.com/v1
kind: Sample
metadata: { name: default, namespace: kyma-system }
spec: { replicas: 1 }
`,
};

/** A template is what the inputs of its build make. */
export const descriptorInputs: Rule = {
  id: "descriptor-inputs",
  group: "descriptor",
  severity: "error",
  waivable: true,
  demand:
    "A template says what modules/<module>/<version>/module-config.yaml and its default CR describe, where they exist.",
  rationale:
    "People review the inputs, and control planes get the template. An edit of only one of the two is undone by the next build, or was never reviewed.",
  source: "https://github.com/kyma-project/modulectl, module configuration",
  judge: function* (context) {
    for (const template of context.templates) {
      const inputs = context.facts.inputs.get(versionKey(template));
      yield* (inputs?.findings ?? []).map((finding) => unreadable(finding, template));
      if (inputs?.config !== undefined) yield* judgeInputs(context, template, inputs, inputs.config);
    }
  },
  bad: {
    change: { ...INPUTS, ...bumpTemplate("replicas: 1", "replicas: 3") },
    at: { file: FAST, line: "replicas: 3" },
  },
  good: { change: { ...INPUTS, ...BUMP } },
};

function* judgeInputs(context: Context, template: Template, inputs: Inputs, config: YamlFile): Outcomes {
  yield* nameOf(context, template, config);
  const named = textAt(config.value, ["defaultCR"]);
  const data = fieldAt(template.object, ["spec", "data"]);
  if (named === undefined && isRecord(data))
    yield complaint(template, config, { path: ["spec", "data"], kind: "extra", found: data });
  if (named !== undefined && inputs.defaultCr === undefined && inputs.findings.length === 0)
    yield unjudged(`${named}, the default CR of ${config.path}, is not in the repository`, template);
  for (const difference of differences(template, config.value, inputs.defaultCr))
    yield complaint(template, config, difference);
}

/** The name of the configuration is that of the OCM component, or of the module alone. */
function* nameOf(context: Context, template: Template, config: YamlFile): Generator<Violation> {
  const { module } = template;
  const name = textAt(config.value, ["name"]);
  if (name === undefined || name === module) return;
  const component = declaredComponent(context, module);
  if (component === undefined ? name.endsWith(`/${module}`) : name === component) return;
  const message = `${config.path} describes ${name}, but this is ${component ?? module}.`;
  yield inTemplate(template, ["spec", "moduleName"], { message, remedy: "Correct the configuration, or move it." });
}

function complaint(template: Template, config: YamlFile, { path, wanted, found }: Difference): Violation {
  const message = `${fieldText(path)} is ${shown(found)}, but by ${config.path} it is ${shown(wanted)}.`;
  const remedy = "Build the template anew, or correct what it is built from.";
  return inTemplate(template, placeIn(template.object, path), { message, remedy });
}

function shown(value: unknown): string {
  if (value === undefined || value === null) return "missing";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

/** The path with the indices of lists; an element that the template does not have stands nowhere. */
function placeIn(object: unknown, path: FieldPath): YamlPath {
  const [step, ...rest] = path;
  if (step === undefined) return [];
  if (typeof step === "string") return [step, ...placeIn(fieldAt(object, [step]), rest)];
  const items = [object].flat();
  const index = items.findIndex((item) => textAt(item, [step.key]) === step.value);
  return index < 0 ? [] : [index, ...placeIn(items[index], rest)];
}
