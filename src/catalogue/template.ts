import type { KubernetesObject } from "../kubernetes/object.ts";
import { canonicalHash } from "../document/canonical.ts";
import type { ChannelName, ModuleName } from "./names.ts";
import type { ModuleVersion } from "./version.ts";
import type { YamlFile } from "../document/yaml/read.ts";
import { oncePer } from "../document/once.ts";

/** The label by which lifecycle-manager finds a module's templates. */
export const MODULE_LABEL = "operator.kyma-project.io/module-name";
/** The annotation in which lifecycle-manager up to 1.7 finds the version. */
export const VERSION_ANNOTATION = "operator.kyma-project.io/module-version";
/** Labels and annotations below this prefix are ours; they are not content of a version. */
export const OWN_PREFIX = "kyma-modules/";

/** A ModuleTemplate (operator.kyma-project.io/v1beta2) as this project reads it. */
export interface ModuleTemplate extends KubernetesObject {
  readonly kind: "ModuleTemplate";
  readonly spec: ModuleTemplateSpec;
}

/** Name and version of an OCM component, as far as they are there. */
interface Component {
  readonly name?: unknown;
  readonly version?: unknown;
}

/** The fields of a ModuleTemplate's `spec` that this project reads; all others are carried along. */
export interface ModuleTemplateSpec {
  readonly channel?: string;
  readonly moduleName?: string;
  readonly version?: string;
  readonly mandatory?: boolean;
  readonly descriptor: {
    readonly component?: Component | null;
    /** Where OCM v3 has what v2 has under `component`. */
    readonly metadata?: Component | null;
    readonly [key: string]: unknown;
  };
  readonly [key: string]: unknown;
}

/** One version of a module, as one file of the repository gives it. */
export interface Template {
  readonly module: ModuleName;
  readonly version: ModuleVersion;
  /** The channel whose file it is; `undefined` for `modules/<module>/<version>/template.yaml`. */
  readonly channel: ChannelName | undefined;
  readonly file: YamlFile;
  readonly object: ModuleTemplate;
}

/** Name and version of the OCM component that the template's descriptor embeds, where it embeds one. */
export function templateComponent(object: { readonly spec: Pick<ModuleTemplateSpec, "descriptor"> }): {
  readonly name?: string;
  readonly version?: string;
} {
  const { component, metadata } = object.spec.descriptor;
  const { name, version } = component ?? metadata ?? {};
  return {
    ...(typeof name === "string" && { name }),
    ...(typeof version === "string" && { version: version.replace(/^v/, "") }),
  };
}

/**
 * SHA-256 of a version's content: `spec` without `channel` and `mandatory`, and the labels and annotations that are not
 * ours. Two templates "agree" exactly when this is equal.
 */
export function specHash(object: ModuleTemplate): string {
  return hashOfContent(object);
}

/** Once for each: several rules ask, and each answer costs as much as reading the file once more. */
const hashOfContent = oncePer((object: ModuleTemplate): string => {
  const { channel: _channel, mandatory: _mandatory, ...spec } = object.spec;
  const { labels, annotations } = object.metadata;
  return canonicalHash({ spec, labels: foreign(labels), annotations: foreign(annotations) });
});

/** The schema accepts null for no labels at all. */
function foreign(entries: Readonly<Record<string, string>> | null | undefined): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(entries ?? {}).filter(([key]) => !key.startsWith(OWN_PREFIX)));
}
