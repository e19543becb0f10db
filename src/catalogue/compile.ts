import { APPLY_SET_LABEL, applySetId } from "../kubernetes/applySet.ts";
import { DESIRED_ANNOTATION, RESOURCES, type KubernetesObject } from "../kubernetes/object.ts";
import { hashOf } from "./canonical.ts";
import type { Catalogue } from "./catalogue.ts";
import type { ChannelName, ModuleName } from "./names.ts";
import { compareText } from "./order.ts";
import type { Generation } from "./settings.ts";
import { componentOf, MODULE_LABEL, type ModuleTemplate, type Template } from "./template.ts";
import type { ModuleVersion } from "./version.ts";

/** The label by which lifecycle-manager up to 1.7 finds mandatory templates. */
const MANDATORY_LABEL = "operator.kyma-project.io/mandatory-module";

/** What a control plane is compiled for. */
export interface Target {
  readonly landscape: string;
  readonly namespace: string;
  readonly generation: Generation;
}

/** What a channel serves of a module. */
export interface Entry {
  readonly module: ModuleName;
  readonly channel: ChannelName;
  readonly version: ModuleVersion;
}

/** What a control plane shall hold. Templates come before the release metas that name them; each list is in order. */
export interface Compilation {
  readonly target: Target;
  readonly entries: readonly Entry[];
  readonly templates: readonly KubernetesObject[];
  readonly releaseMetas: readonly KubernetesObject[];
  /** Modules that are left alone on the control plane, since their files contradict one another. */
  readonly withheld: ReadonlySet<ModuleName>;
}

/**
 * What the control plane of a landscape shall hold: the templates of exactly the versions that a channel of it serves.
 * Source: lifecycle-manager.md, "Two generations".
 */
export function compile(catalogue: Catalogue, target: Target): Compilation {
  const served = [...catalogue.channels.values()]
    .filter(({ landscapes }) => landscapes.some((name) => name === target.landscape))
    .flatMap(({ name: channel, kind, templates }) =>
      [...templates.values()].map((template) => ({ channel, mandatory: kind === "mandatory", template })),
    )
    .filter(({ template }) => !catalogue.withheld.has(template.module))
    .sort((a, b) => compareText(a.template.module, b.template.module) || compareText(a.channel, b.channel));
  const templates = new Map(
    served.map(({ template, mandatory }) => {
      const object = compileTemplate(template, target, mandatory);
      return [object.metadata.name, object];
    }),
  );
  return {
    target,
    entries: served.map(({ channel, template: { module, version } }) => ({ module, channel, version })),
    templates: [...templates.values()].sort((a, b) => compareText(a.metadata.name, b.metadata.name)),
    releaseMetas: target.generation === "version-templates" ? compileReleaseMetas(catalogue, served, target) : [],
    withheld: catalogue.withheld,
  };
}

interface Served {
  readonly channel: ChannelName;
  readonly mandatory: boolean;
  readonly template: Template;
}

/** The name under which a control plane holds a template. */
export function templateName(template: Template, generation: Generation): string {
  const { module, version, channel } = template;
  return generation === "channel-templates" && channel !== undefined ? `${module}-${channel}` : `${module}-${version}`;
}

/**
 * A template as a control plane holds it. It sets the name, drops `spec.channel` (version templates), adds the label of
 * the set and the hash; the rest stays as in the file. lifecycle-manager up to 1.7 wants mandatory templates labelled.
 */
export function compileTemplate(template: Template, target: Target, mandatory: boolean): KubernetesObject {
  const { channel, ...spec } = template.object.spec;
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

function compileReleaseMetas(
  catalogue: Catalogue,
  served: readonly Served[],
  target: Target,
): readonly KubernetesObject[] {
  const modules = Map.groupBy(served, ({ template }) => template.module);
  return [...modules].map(([moduleName, entries]) => {
    const ocmComponentName =
      catalogue.modules.get(moduleName)?.ocmComponentName ??
      firstComponentName(entries.map(({ template }) => template.object));
    const mandatory = entries.find((entry) => entry.mandatory);
    const channels = entries.map(({ channel, template: { version } }) => ({ channel, version }));
    return sealed(
      {
        apiVersion: RESOURCES.moduleReleaseMeta.apiVersion,
        kind: RESOURCES.moduleReleaseMeta.kind,
        metadata: { name: moduleName, namespace: target.namespace, labels: { [MODULE_LABEL]: moduleName } },
        spec: {
          moduleName,
          ...(ocmComponentName !== undefined && { ocmComponentName }),
          ...(mandatory === undefined ? { channels } : { mandatory: { version: mandatory.template.version } }),
        },
      },
      target,
    );
  });
}

function firstComponentName(templates: readonly ModuleTemplate[]): string | undefined {
  return templates.map((template) => componentOf(template).name).find((name) => name !== undefined);
}

/** Marks an object as a member of the set, and records what was wanted of it. */
function sealed(object: KubernetesObject, { namespace }: Target): KubernetesObject {
  const labels = { ...object.metadata.labels, [APPLY_SET_LABEL]: applySetId(namespace) };
  const marked = { ...object, metadata: { ...object.metadata, labels } };
  const annotations = { ...object.metadata.annotations, [DESIRED_ANNOTATION]: hashOf(marked) };
  return { ...marked, metadata: { ...marked.metadata, annotations } };
}
