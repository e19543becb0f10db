import { APPLY_SET_LABEL, applySetId } from "../kubernetes/applySet.ts";
import { DESIRED_ANNOTATION, RESOURCES, type KubernetesObject } from "../kubernetes/object.ts";
import { canonicalHash } from "../document/canonical.ts";
import type { Catalogue } from "./catalogue.ts";
import type { ChannelName, ModuleName } from "./names.ts";
import { oncePer, oncePerWith } from "../document/once.ts";
import { compareText } from "../document/order.ts";
import type { Generation } from "./settings.ts";
import type { ModuleTerms } from "../kubernetes/releaseMeta.ts";
import { templateComponent, MODULE_LABEL, specHash, type ModuleTemplate, type Template } from "./template.ts";
import type { ModuleVersion } from "./version.ts";
import { heldModules } from "./usable.ts";

/** The label by which lifecycle-manager up to 1.7 finds mandatory templates. */
export const MANDATORY_LABEL = "operator.kyma-project.io/mandatory-module";

/** The target of a compilation. */
export interface CompileTarget {
  readonly landscape: string;
  readonly namespace: string;
  readonly generation: Generation;
}

/** What a channel serves of a module. */
export interface ChannelEntry {
  readonly module: ModuleName;
  readonly channel: ChannelName;
  readonly version: ModuleVersion;
  readonly mandatory: boolean;
  /** `specHash` of the template. */
  readonly specHash: string;
  /** The template as the control plane shall hold it. */
  readonly template: KubernetesObject;
}

/** The desired objects of a control plane. Templates come before the release metas that name them; each list is in order. */
export interface Compilation {
  readonly target: CompileTarget;
  readonly entries: readonly ChannelEntry[];
  /** The mandatory channel of the landscape: a release meta does not name it. */
  readonly mandatoryChannel: string | undefined;
  /** Of each module that an entry is of. */
  readonly terms: ReadonlyMap<string, ModuleTerms>;
  readonly templates: readonly KubernetesObject[];
  readonly releaseMetas: readonly KubernetesObject[];
  /** Modules that are left alone on the control plane, since their files, or those of a channel, cannot be used. */
  readonly withheld: ReadonlySet<ModuleName>;
}

/**
 * What the control plane of a landscape shall hold: the templates of exactly the versions that a channel of it serves.
 * Source: the CustomResourceDefinitions of lifecycle-manager 1.7 and 1.20.
 */
export function compile(catalogue: Catalogue, target: CompileTarget): Compilation {
  // A release meta has all channels of a module: without one of them, it would remove entries.
  const withheld = heldModules(catalogue);
  const served = [...catalogue.channels.values()]
    .filter(({ landscapes }) => landscapes.some((name) => name === target.landscape))
    .flatMap(({ name: channel, kind, templates }) =>
      [...templates.values()].map((template) => ({ channel, mandatory: kind === "mandatory", template })),
    )
    .filter(({ template }) => !withheld.has(template.module))
    .sort((a, b) => compareText(a.template.module, b.template.module) || compareText(a.channel, b.channel));
  const entries = served.map(({ channel, mandatory, template }): ChannelEntry => {
    const { module, version, object } = template;
    const compiled = compileTemplate(template, target, mandatory);
    return { module, channel, version, mandatory, specHash: specHash(object), template: compiled };
  });
  const templates = new Map(entries.map(({ template }) => [template.metadata.name, template]));
  const modules = Map.groupBy(served, ({ template }) => template.module);
  const terms = new Map([...modules].map(([module, same]) => [module, compiledTerms(catalogue, module, same)]));
  const mandatory = [...catalogue.channels.values()].find(
    ({ kind, landscapes }) => kind === "mandatory" && landscapes.some((name) => name === target.landscape),
  );
  return {
    target,
    entries,
    mandatoryChannel: mandatory?.name,
    terms,
    templates: [...templates.values()].sort((a, b) => compareText(a.metadata.name, b.metadata.name)),
    releaseMetas:
      target.generation === "version-templates"
        ? [...Map.groupBy(entries, ({ module }) => module)].map(([module, same]) =>
            composeReleaseMeta(module, releaseMetaVersions(same), terms.get(module), target),
          )
        : [],
    withheld,
  };
}

interface ServedByChannel {
  readonly channel: ChannelName;
  readonly mandatory: boolean;
  readonly template: Template;
}

/** The name under which a control plane holds a template. */
export function templateName(template: Template, generation: Generation): string {
  const { module, version, channel } = template;
  return generation === "channel-templates" && channel !== undefined ? `${module}-${channel}` : `${module}-${version}`;
}

/** The templates of a catalogue by the names under which control planes of either generation hold them. */
export const templatesByName: (catalogue: Catalogue) => ReadonlyMap<string, ModuleTemplate> = oncePer(
  ({ channels, modules }: Catalogue) =>
    new Map(
      [...modules.values(), ...channels.values()]
        .flatMap(({ templates }) => [...templates.values()])
        .flatMap((template) =>
          (["channel-templates", "version-templates"] as const).map((generation) => [
            templateName(template, generation),
            template.object,
          ]),
        ),
    ),
);

/**
 * A template as a control plane holds it. It sets the name, drops `spec.channel` (version templates), adds the label of
 * the set and the hash; the rest stays as in the file. lifecycle-manager up to 1.7 wants mandatory templates labelled.
 *
 * `spec.mandatory` follows the kind of the channel, whatever the file says: in a release channel it makes a current
 * lifecycle-manager forget which version its users have, and an older one install the module everywhere.
 */
export const compileTemplate: (template: Template, target: CompileTarget, mandatory: boolean) => KubernetesObject =
  oncePerWith(compileAnew, ({ namespace, generation }, mandatory) => `${namespace} ${generation} ${mandatory}`);

function compileAnew(template: Template, target: CompileTarget, mandatory: boolean): KubernetesObject {
  const { channel, mandatory: _mandatory, ...spec } = template.object.spec;
  const perChannel = target.generation === "channel-templates";
  return sealed(
    {
      ...template.object,
      metadata: {
        ...template.object.metadata,
        name: templateName(template, target.generation),
        namespace: target.namespace,
        labels: { ...template.object.metadata.labels, ...(perChannel && mandatory && { [MANDATORY_LABEL]: "true" }) },
      },
      spec: perChannel ? { ...spec, ...(channel !== undefined && { channel }), ...(mandatory && { mandatory }) } : spec,
    },
    target,
  );
}

/**
 * The possible `specHash`es of the file of a compiled template: without the labels that `compile` adds. A file may have the
 * one of mandatory templates as well.
 */
export function fileHashes({ metadata, spec, ...rest }: KubernetesObject): readonly string[] {
  const { [APPLY_SET_LABEL]: _set, ...labels } = { ...metadata.labels };
  const { [MANDATORY_LABEL]: _mandatory, ...bare } = labels;
  return [labels, bare].map((one) =>
    specHash({ ...rest, metadata: { ...metadata, labels: one }, spec } as ModuleTemplate),
  );
}

/** What a release meta says that its module's channels serve. */
type ServedVersions =
  | { readonly channels: readonly { readonly channel: string; readonly version: string }[] }
  | { readonly mandatory: { readonly version: string } };

/** What the release meta of a module says of its entries: either its channels, or a mandatory version. */
export function releaseMetaVersions(
  entries: readonly { readonly channel: string; readonly version: string; readonly mandatory: boolean }[],
): ServedVersions {
  const mandatory = entries.find((entry) => entry.mandatory);
  return mandatory === undefined
    ? { channels: entries.map(({ channel, version }) => ({ channel, version })) }
    : { mandatory: { version: mandatory.version } };
}

/** The release meta of a module. */
export function composeReleaseMeta(
  module: string,
  served: ServedVersions,
  terms: ModuleTerms | undefined,
  target: CompileTarget,
): KubernetesObject {
  const { apiVersion, kind } = RESOURCES.moduleReleaseMeta;
  const metadata = { name: module, namespace: target.namespace, labels: { [MODULE_LABEL]: module } };
  return sealed({ apiVersion, kind, metadata, spec: { moduleName: module, ...terms, ...served } }, target);
}

function compiledTerms(catalogue: Catalogue, module: ModuleName, served: readonly ServedByChannel[]): ModuleTerms {
  const { ocmComponentName, says: { kymaSelector, beta, internal } = {} } = catalogue.modules.get(module) ?? {};
  const component =
    ocmComponentName ??
    served.map(({ template }) => templateComponent(template.object).name).find((name) => name !== undefined);
  return {
    ...(component !== undefined && { ocmComponentName: component }),
    ...(kymaSelector !== undefined && { kymaSelector }),
    ...(beta === true && { beta }),
    ...(internal === true && { internal }),
  };
}

/** Marks an object as a member of the set, and records what was wanted of it. */
export function sealed(object: KubernetesObject, { namespace }: CompileTarget): KubernetesObject {
  const labels = { ...object.metadata.labels, [APPLY_SET_LABEL]: applySetId(namespace) };
  const marked = { ...object, metadata: { ...object.metadata, labels } };
  const annotations = { ...object.metadata.annotations, [DESIRED_ANNOTATION]: canonicalHash(marked) };
  return { ...marked, metadata: { ...marked.metadata, annotations } };
}
