import { versionKey } from "../../../catalogue/lookup.ts";
import { canonicalJson } from "../../../document/canonical.ts";
import { fieldAt, isRecord, textAt } from "../../../document/fields.ts";
import type { Inputs } from "../../../catalogue/inputs.ts";
import { MODULE_LABEL, type ModuleTemplate, type Template } from "../../../catalogue/template.ts";
import type { YamlFile } from "../../../document/yaml/read.ts";
import type { YamlPath } from "../../../document/yaml/tree.ts";
import { compare, type Difference, type FieldPath, fieldText } from "../../../kubernetes/compare.ts";
import { declaredComponent } from "../../../catalogue/component.ts";
import type { Context } from "../../context.ts";
import { BUMP, bumpTemplate, FAST, type ExampleFiles } from "../../example.ts";
import { inTemplate, type Rule, unjudged, type Violation } from "../../rule.ts";
import { type ManifestOutcomes, unreadable } from "../manifest/place.ts";

/** The inputs of the sample's build. */
const INPUTS: ExampleFiles = {
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

/** A template matches the inputs of its build. */
export const descriptorInputs: Rule = {
  id: "descriptor-inputs",
  group: "descriptor",
  severity: "error",
  waivable: true,
  demand: "A template matches modules/<module>/<version>/module-config.yaml and its default CR, where they exist.",
  rationale:
    "People review the inputs, but control planes get the template. If only one of the two is edited, the next build undoes the edit, or it was never reviewed.",
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

function* judgeInputs(context: Context, template: Template, inputs: Inputs, config: YamlFile): ManifestOutcomes {
  yield* componentNameViolations(context, template, config);
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
function* componentNameViolations(context: Context, template: Template, config: YamlFile): Generator<Violation> {
  const { module } = template;
  const name = textAt(config.value, ["name"]);
  if (name === undefined || name === module) return;
  const component = declaredComponent(context, module);
  if (component === undefined ? name.endsWith(`/${module}`) : name === component) return;
  const message = `${config.path} describes ${name}, but this is ${component ?? module}.`;
  yield inTemplate(template, ["spec", "moduleName"], { message, remedy: "Correct the configuration, or move it." });
}

function complaint(template: Template, config: YamlFile, { path, wanted, found }: Difference): Violation {
  const message = `${fieldText(path)} is ${shown(found)}, but according to ${config.path} it is ${shown(wanted)}.`;
  const remedy = "Build the template again, or correct its inputs.";
  return inTemplate(template, placeIn(template.object, path), { message, remedy });
}

function shown(value: unknown): string {
  if (value === undefined || value === null) return "missing";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

/** The path with the indices of lists; it ends before an element that the template does not have. */
function placeIn(object: unknown, path: FieldPath): YamlPath {
  const [step, ...rest] = path;
  if (step === undefined) return [];
  if (typeof step === "string") return [step, ...placeIn(fieldAt(object, [step]), rest)];
  const items = [object].flat();
  const index = items.findIndex((item) => textAt(item, [step.key]) === step.value);
  return index < 0 ? [] : [index, ...placeIn(items[index], rest)];
}

/** Fields of the configuration that become labels, and restrict a module to some clusters. */
const KINDS = ["internal", "beta"];
/**
 * The label by which lifecycle-manager up to 1.7 knows a mandatory module. The channel decides it, not the
 * configuration.
 */
const MANDATORY_LABEL = "operator.kyma-project.io/mandatory-module";

/**
 * The differences between a template and what modulectl would write (`wanted`) for `config` (`module-config.yaml`) and
 * the default CR that it names. A mandatory field that the configuration lacks is not compared, since that is not a
 * configuration of modulectl 3. Without `defaultCr`, the default CR of the template is not compared.
 *
 * Source: modulectl 3, internal/service/templategenerator.
 */
function differences(
  { object, version }: Template,
  config: unknown,
  defaultCr: { readonly value: unknown } | undefined,
): readonly Difference[] {
  const { metadata, spec } = object;
  const annotations = { ...metadata.annotations, ...texts(fieldAt(config, ["annotations"])) };
  const wanted: ModuleTemplate = {
    ...object,
    metadata: {
      ...metadata,
      labels: { ...configLabels(config), ...pick(metadata.labels, [MODULE_LABEL, MANDATORY_LABEL]) },
      // Without annotations the map is absent, not empty.
      ...(Object.keys(annotations).length > 0 && { annotations }),
    },
    spec: {
      ...spec,
      version: textAt(config, ["version"]) ?? version,
      info: { ...asRecord(spec["info"]), ...pick(config, ["repository", "documentation", "icons"]) },
      manager: fieldAt(config, ["manager"]),
      associatedResources: sameList(fieldAt(config, ["associatedResources"]), spec["associatedResources"]),
      resources: sameList(configResources(config), spec["resources"]),
      requiresDowntime: sameFlag(fieldAt(config, ["requiresDowntime"]), spec["requiresDowntime"]),
      ...(defaultCr && { data: defaultCr.value }),
    },
  };
  return compare(wanted, object);
}

function configLabels(config: unknown): Readonly<Record<string, string>> {
  const kinds = KINDS.filter((kind) => fieldAt(config, [kind]) === true);
  const labels = Object.fromEntries(kinds.map((kind) => [`operator.kyma-project.io/${kind}`, "true"]));
  return { ...texts(fieldAt(config, ["labels"])), ...labels };
}

/** The values of labels or annotations as texts, however they are written. */
function texts(value: unknown): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(asRecord(value)).map(([key, text]) => [key, String(text)]));
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}

/** The members of `value` with one of `keys`. */
function pick<T>(value: Readonly<Record<string, T>> | undefined | null, keys: readonly string[]): Record<string, T>;
function pick(value: unknown, keys: readonly string[]): Record<string, unknown>;
function pick(value: unknown, keys: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(asRecord(value)).filter(([key]) => keys.includes(key)));
}

/** The links of a template, with the address of its manifest if it has one. */
function configResources(config: unknown): readonly unknown[] {
  const listed = fieldAt(config, ["resources"]);
  const resources: readonly unknown[] = Array.isArray(listed) ? listed : [];
  const manifest = textAt(config, ["manifest"]) ?? "";
  const isLinked = resources.some((resource) => textAt(resource, ["name"]) === "rawManifest");
  return !manifest.includes("://") || isLinked ? resources : [{ name: "rawManifest", link: manifest }, ...resources];
}

/** `found` if it has the same items as `wanted`, in any order; a missing list equals an empty one. */
function sameList(wanted: unknown, found: unknown): unknown {
  const sorted = (list: unknown): string =>
    (Array.isArray(list) ? list : [])
      .map((item: unknown) => canonicalJson(item))
      .sort()
      .join();
  return sorted(wanted) === sorted(found) ? found : wanted;
}

/** `found` if it means the same as `wanted`; a missing flag means false. */
function sameFlag(wanted: unknown, found: unknown): unknown {
  return (wanted === true) === (found === true) ? found : wanted === true;
}
