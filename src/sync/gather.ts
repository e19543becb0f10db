import type { Catalogue } from "../catalogue/catalogue.ts";
import { compileTemplate, type Compilation } from "../catalogue/compile.ts";
import { historicPaths, lookUpAtHead, lookUpInHistory } from "../catalogue/lookup.ts";
import { parseModuleName, type ModuleName } from "../catalogue/names.ts";
import { MODULE_LABEL, type Template } from "../catalogue/template.ts";
import { parseVersion, type ModuleVersion } from "../catalogue/version.ts";
import { APPLY_SET_LABEL, applySetId, applySetParent } from "../kubernetes/applySet.ts";
import { RESOURCES, type KubernetesObject, type Resource } from "../kubernetes/object.ts";
import { Fault, type ControlPlane, type History, type Run } from "../ports.ts";
import type { LiveState } from "./planItem.ts";
import { NO_REFERENCES, ReferenceCollector, type References } from "./references.ts";
import { readReleaseMeta } from "../kubernetes/releaseMeta.ts";

/** What `plan` asks of the world. */
export interface PlanWorld {
  readonly controlPlane: ControlPlane;
  readonly history: History;
}

/** What the control plane holds: one paged LIST per kind, and one GET of the set's parent. */
export async function observe(controlPlane: ControlPlane, namespace: string, run: Run): Promise<LiveState> {
  const name = applySetParent(namespace).metadata.name;
  const [parent, templates, releaseMetas] = await Promise.all([
    controlPlane.read({ resource: RESOURCES.configMap, namespace, name }, run),
    listAll(controlPlane, RESOURCES.moduleTemplate, namespace, run),
    listAll(controlPlane, RESOURCES.moduleReleaseMeta, namespace, run),
  ]);
  return { parent, templates, releaseMetas };
}

/** All objects of a kind. Throws CLUSTER_KIND_MISSING when the control plane does not know it. */
export async function listAll(
  controlPlane: ControlPlane,
  resource: Resource,
  namespace: string,
  run: Run,
): Promise<readonly KubernetesObject[]> {
  const pages = await Array.fromAsync(controlPlane.list(resource, namespace, run));
  return pages.flat();
}

/** Who uses what. A fleet's Kymas are large, so they are asked for only when something may be taken from them. */
export async function gatherReferences(
  desired: Compilation,
  live: LiveState,
  controlPlane: ControlPlane,
  run: Run,
): Promise<References> {
  const takesAway = leftOver(desired, live).length > 0 || live.releaseMetas.some((meta) => losesChannel(meta, desired));
  return takesAway ? readReferences(controlPlane, desired.target.namespace, run) : NO_REFERENCES;
}

/** Reads every reference afresh. A kind that the control plane does not know refers to nothing. */
export async function readReferences(controlPlane: ControlPlane, namespace: string, run: Run): Promise<References> {
  const collector = new ReferenceCollector();
  try {
    await eachObject(controlPlane, RESOURCES.kyma, namespace, run, (kyma) => {
      collector.addKyma(kyma);
    });
    await eachObject(controlPlane, RESOURCES.manifest, namespace, run, (manifest) => {
      collector.addManifest(manifest);
    });
  } catch (error) {
    if (error instanceof Fault && error.code === "CLUSTER_FORBIDDEN")
      return { kind: "unknown", because: error.message };
    throw error;
  }
  return collector.collected();
}

async function eachObject(
  controlPlane: ControlPlane,
  resource: Resource,
  namespace: string,
  run: Run,
  visit: (object: KubernetesObject) => void,
): Promise<void> {
  try {
    for await (const page of controlPlane.list(resource, namespace, run)) page.forEach(visit);
  } catch (error) {
    if (!(error instanceof Fault && error.code === "CLUSTER_KIND_MISSING")) throw error;
  }
}

function losesChannel(live: KubernetesObject, { releaseMetas }: Compilation): boolean {
  const desired = releaseMetas.find(({ metadata }) => metadata.name === live.metadata.name);
  if (desired === undefined) return false;
  const kept = new Set((readReleaseMeta(desired).channels ?? []).map(({ channel }) => channel));
  return (readReleaseMeta(live).channels ?? []).some(({ channel }) => !kept.has(channel));
}

/** Live members of our set that nobody wants any more. */
function leftOver(desired: Compilation, live: LiveState): readonly KubernetesObject[] {
  const set = applySetId(desired.target.namespace);
  const wanted = new Set(
    [...desired.templates, ...desired.releaseMetas].map(({ kind, metadata }) => `${kind} ${metadata.name}`),
  );
  return [...live.templates, ...live.releaseMetas].filter(
    ({ kind, metadata }) => metadata.labels?.[APPLY_SET_LABEL] === set && !wanted.has(`${kind} ${metadata.name}`),
  );
}

/**
 * What the repository says of the versions that live on although no channel serves them, by the name of their template.
 * A version that neither head nor history has, or a history that is cut off or out of reach, is not compared: that somebody
 * still uses it matters more than that it cannot be repaired.
 */
export async function gatherKnown(
  catalogue: Catalogue,
  desired: Compilation,
  live: LiveState,
  history: History,
  run: Run,
): Promise<ReadonlyMap<string, KubernetesObject>> {
  const known = new Map<string, KubernetesObject>();
  if (desired.target.generation === "channel-templates") return known;
  for (const object of leftOver(desired, live)) {
    const identity = identify(object);
    if (identity === undefined) continue;
    const template = await lookUp(catalogue, identity, history, run);
    if (template !== undefined) known.set(object.metadata.name, compileTemplate(template, desired.target, false));
  }
  return known;
}

interface Identity {
  readonly module: ModuleName;
  readonly version: ModuleVersion;
}

function identify({ metadata }: KubernetesObject): Identity | undefined {
  const module = parseModuleName(metadata.labels?.[MODULE_LABEL] ?? "");
  const version = module === undefined ? undefined : parseVersion(metadata.name.slice(module.length + 1));
  return module === undefined || version === undefined ? undefined : { module, version };
}

async function lookUp(
  catalogue: Catalogue,
  { module, version }: Identity,
  history: History,
  run: Run,
): Promise<Template | undefined> {
  const atHead = lookUpAtHead(catalogue, module, version);
  if (atHead !== undefined) return atHead;
  let found: Template | undefined;
  try {
    await history.contentsOf(
      historicPaths(catalogue, module),
      (files) => {
        found = lookUpInHistory(files, module, version);
        return found !== undefined;
      },
      run,
    );
  } catch (error) {
    if (!(error instanceof Fault && (error.code === "HISTORY_TOO_SHALLOW" || error.code === "GIT_FAILED"))) throw error;
    run.log.warn("older version not compared", { module, version, because: error.message });
  }
  return found;
}
