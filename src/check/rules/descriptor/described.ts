import { canonicalJson } from "../../../catalogue/canonical.ts";
import { fieldAt, isRecord, textAt } from "../../../catalogue/import/fields.ts";
import { MODULE_LABEL, type ModuleTemplate, type Template } from "../../../catalogue/template.ts";
import { compare, type Difference } from "../../../kubernetes/compare.ts";

/** Labels that stand for a field of the configuration: steering clusters of one kind only. */
const KINDS = ["internal", "beta"];
/** What lifecycle-manager up to 1.7 reads of a mandatory module. The channel says it, not the configuration. */
const MANDATORY_LABEL = "operator.kyma-project.io/mandatory-module";

/**
 * Where a template is not what `config` (`module-config.yaml`) and the default CR that it names describe: `wanted` is
 * what modulectl would write. What a configuration must say, but does not, is not held against the template: that is
 * no configuration of modulectl 3. Without `defaultCr` nothing is held against the template's.
 *
 * Source: modulectl 3, internal/service/templategenerator.
 */
export function differences(
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
      labels: { ...labelsOf(config), ...pick(metadata.labels, [MODULE_LABEL, MANDATORY_LABEL]) },
      // No annotations are none at all, not an empty map of them.
      ...(Object.keys(annotations).length > 0 && { annotations }),
    },
    spec: {
      ...spec,
      version: textAt(config, ["version"]) ?? version,
      info: { ...asRecord(spec["info"]), ...pick(config, ["repository", "documentation", "icons"]) },
      manager: fieldAt(config, ["manager"]),
      associatedResources: sameList(fieldAt(config, ["associatedResources"]), spec["associatedResources"]),
      resources: sameList(resourcesOf(config), spec["resources"]),
      requiresDowntime: sameFlag(fieldAt(config, ["requiresDowntime"]), spec["requiresDowntime"]),
      ...(defaultCr && { data: defaultCr.value }),
    },
  };
  return compare(wanted, object);
}

function labelsOf(config: unknown): Readonly<Record<string, string>> {
  const kinds = KINDS.filter((kind) => fieldAt(config, [kind]) === true);
  const labels = Object.fromEntries(kinds.map((kind) => [`operator.kyma-project.io/${kind}`, "true"]));
  return { ...texts(fieldAt(config, ["labels"])), ...labels };
}

/** Labels and annotations are texts, however they are written. */
function texts(value: unknown): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(asRecord(value)).map(([key, text]) => [key, String(text)]));
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}

/** The members of `value` that are there. */
function pick<T>(value: Readonly<Record<string, T>> | undefined | null, keys: readonly string[]): Record<string, T>;
function pick(value: unknown, keys: readonly string[]): Record<string, unknown>;
function pick(value: unknown, keys: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(asRecord(value)).filter(([key]) => keys.includes(key)));
}

/** The links of a template; a manifest behind an address is linked as well. */
function resourcesOf(config: unknown): readonly unknown[] {
  const listed = fieldAt(config, ["resources"]);
  const resources: readonly unknown[] = Array.isArray(listed) ? listed : [];
  const manifest = textAt(config, ["manifest"]) ?? "";
  const isLinked = resources.some((resource) => textAt(resource, ["name"]) === "rawManifest");
  return !manifest.includes("://") || isLinked ? resources : [{ name: "rawManifest", link: manifest }, ...resources];
}

/** `found` where it holds what `wanted` holds: the order does not matter, nor does it whether an empty list is there. */
function sameList(wanted: unknown, found: unknown): unknown {
  const sorted = (list: unknown): string =>
    (Array.isArray(list) ? list : [])
      .map((item: unknown) => canonicalJson(item))
      .sort()
      .join();
  return sorted(wanted) === sorted(found) ? found : wanted;
}

/** `found` where it means what `wanted` means: what is not there is false. */
function sameFlag(wanted: unknown, found: unknown): unknown {
  return (wanted === true) === (found === true) ? found : wanted === true;
}
