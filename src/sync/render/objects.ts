import { composeReleaseMeta, type CompileTarget } from "../../catalogue/compile.ts";
import { compareText } from "../../document/order.ts";
import { APPLY_SET_LABEL } from "../../kubernetes/applySet.ts";
import { DESIRED_ANNOTATION, type KubernetesObject } from "../../kubernetes/object.ts";
import type { PrintedManifest } from "../install/manifest.ts";
import { FOLDERS } from "./folders.ts";
import { isRendered, type RenderedEntry, type RenderedModule } from "./decide.ts";

/** A rendered object, with the path of its file below the folder of the landscape. */
export interface RenderedObject extends PrintedManifest {
  readonly path: string;
}

/**
 * Neither Argo CD nor Flux may delete rendered objects: a template may be in use, and the removal of a release meta
 * uninstalls its module. So a live template that is gone from Git does not count as out of sync.
 */
const KEPT = {
  "argocd.argoproj.io/sync-options": "Prune=false,Delete=false,ServerSideApply=true",
  "kustomize.toolkit.fluxcd.io/prune": "disabled",
} as const;
const OF_TEMPLATES = {
  ...KEPT,
  "argocd.argoproj.io/compare-options": "IgnoreExtraneous",
  "argocd.argoproj.io/sync-wave": "-1",
};
const OF_RELEASE_METAS = { ...KEPT, "argocd.argoproj.io/sync-wave": "0" };

/** The objects of all rendered modules: templates first, then the release metas that name them. */
export function renderObjects(modules: readonly RenderedModule[], target: CompileTarget): readonly RenderedObject[] {
  const rendered = modules.filter(isRendered).map((module) => {
    return { ...module, served: module.entries.filter((entry) => entry.kind === "current" || entry.kind === "kept") };
  });
  const templates = new Map(
    rendered.flatMap(({ module, served }) =>
      served.map(({ version, template }) => {
        const { name } = template.metadata;
        const path = `${FOLDERS.templates}/${name}.yaml`;
        return [name, { path, purpose: `${module} ${version}.`, object: annotated(template, OF_TEMPLATES) }] as const;
      }),
    ),
  );
  const metas = target.generation === "version-templates" ? rendered.filter(({ served }) => served.length > 0) : [];
  return [
    ...[...templates.values()].sort((a, b) => compareText(a.path, b.path)),
    ...metas.map((module) => releaseMetaFile(module, target)),
  ];
}

type ServingEntry = Extract<RenderedEntry, { version: string; template: KubernetesObject }>;

function releaseMetaFile(
  { module, served, terms }: RenderedModule & { readonly served: readonly ServingEntry[] },
  target: CompileTarget,
): RenderedObject {
  const mandatory = served.find((entry) => entry.mandatory);
  const channels = served.map(({ channel, version }) => ({ channel, version }));
  const versions = mandatory === undefined ? { channels } : { mandatory: { version: mandatory.version } };
  return {
    path: `${FOLDERS.releaseMetas}/${module}.yaml`,
    purpose: `The version of ${module} that each channel serves.`,
    object: annotated(composeReleaseMeta(module, versions, terms, target), OF_RELEASE_METAS),
  };
}

/** Replaces our own marks by those of Argo CD and Flux, so that the object is not a member of a set of `sync`. */
function annotated(object: KubernetesObject, marks: Readonly<Record<string, string>>): KubernetesObject {
  const { [APPLY_SET_LABEL]: _set, ...labels } = { ...object.metadata.labels };
  const { [DESIRED_ANNOTATION]: _hash, ...annotations } = { ...object.metadata.annotations };
  return { ...object, metadata: { ...object.metadata, labels, annotations: { ...annotations, ...marks } } };
}
