import { sealed, type CompileTarget } from "../../catalogue/compile.ts";
import { APPLY_SET_LABEL } from "../../kubernetes/applySet.ts";
import { DESIRED_ANNOTATION, type KubernetesObject } from "../../kubernetes/object.ts";

/**
 * Neither Argo CD nor Flux may delete rendered objects: a template may be in use, and the removal of a release meta
 * uninstalls its module. So a live template that is gone from Git does not count as out of sync.
 */
const KEPT = {
  "argocd.argoproj.io/sync-options": "Prune=false,Delete=false,ServerSideApply=true",
  "kustomize.toolkit.fluxcd.io/prune": "disabled",
} as const;

/** The annotations of templates. */
export const OF_TEMPLATES: Readonly<Record<string, string>> = {
  ...KEPT,
  "argocd.argoproj.io/compare-options": "IgnoreExtraneous",
  "argocd.argoproj.io/sync-wave": "-1",
};

/** The annotations of release metas, which are applied after the templates. */
export const OF_RELEASE_METAS: Readonly<Record<string, string>> = { ...KEPT, "argocd.argoproj.io/sync-wave": "0" };

/** Replaces our own marks by those of Argo CD and Flux, so that the object is not a member of a set of `sync`. */
export function annotated(object: KubernetesObject, marks: Readonly<Record<string, string>>): KubernetesObject {
  const { [APPLY_SET_LABEL]: _set, ...labels } = { ...object.metadata.labels };
  const { [DESIRED_ANNOTATION]: _hash, ...annotations } = { ...object.metadata.annotations };
  return { ...object, metadata: { ...object.metadata, labels, annotations: { ...annotations, ...marks } } };
}

/** A rendered template as a sync would hold it: with our marks in place of theirs. */
export function unmarked(object: KubernetesObject, target: CompileTarget): KubernetesObject {
  const kept = Object.entries({ ...object.metadata.annotations }).filter(([key]) => !(key in OF_TEMPLATES));
  const { annotations: _marks, ...metadata } = object.metadata;
  const annotations = kept.length === 0 ? {} : { annotations: Object.fromEntries(kept) };
  return sealed({ ...object, metadata: { ...metadata, ...annotations } }, target);
}
