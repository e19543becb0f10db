import { composeReleaseMeta, releaseMetaVersions, type CompileTarget } from "../../catalogue/compile.ts";
import { compareText } from "../../document/order.ts";
import type { KubernetesObject } from "../../kubernetes/object.ts";
import type { PrintedManifest } from "../install/manifest.ts";
import { FOLDERS } from "./folders.ts";
import { isRendered, type RenderedEntry, type RenderedModule } from "./decide.ts";
import { annotated, OF_RELEASE_METAS, OF_TEMPLATES } from "./marks.ts";

/** A rendered object, with the path of its file below the folder of the landscape. */
export interface RenderedObject extends PrintedManifest {
  readonly path: string;
}

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
  return {
    path: `${FOLDERS.releaseMetas}/${module}.yaml`,
    purpose: `The version of ${module} that each channel serves.`,
    object: annotated(composeReleaseMeta(module, releaseMetaVersions(served), terms, target), OF_RELEASE_METAS),
  };
}
