import { compile, type Compilation, type Target } from "../../src/catalogue/compile.ts";
import type { Generation } from "../../src/catalogue/settings.ts";
import { applySetParent } from "../../src/kubernetes/applySet.ts";
import type { KubernetesObject } from "../../src/kubernetes/object.ts";
import type { Outcome } from "../../src/sync/apply.ts";
import type { LiveState, Plan, PlanInput, PlanItem, PlanOptions } from "../../src/sync/planItem.ts";
import type { SyncResult } from "../../src/sync/sync.ts";
import { NO_REFERENCES, type References, type Users } from "../../src/sync/references.ts";
import { catalogueOf, type Sample } from "./catalogueFiles.ts";

const NAMESPACE = "kcp-system";

/** What a user allows who gives no option. */
export const CAREFUL: PlanOptions = { adopt: false, prune: false, maxPrune: undefined, changedContent: "refuse" };

/** What a landscape shall hold of a repository. */
export function desiredOf(sample: Sample, generation: Generation = "version-templates"): Compilation {
  const target: Target = { landscape: "dev", namespace: NAMESPACE, generation };
  return compile(catalogueOf(sample), target);
}

/** An object as an API server gives it back. */
export function stored(
  object: KubernetesObject,
  metadata: Partial<KubernetesObject["metadata"]> = {},
): KubernetesObject {
  const { kind, metadata: wanted } = object;
  const identity = { uid: `${kind} ${wanted.name}`, resourceVersion: "7" };
  return { ...object, metadata: { ...wanted, ...identity, ...metadata } };
}

/** What a control plane holds once `desired` was synced. */
export function liveOf({ templates, releaseMetas }: Compilation): LiveState {
  return {
    parent: stored(applySetParent(NAMESPACE)),
    templates: templates.map((object) => stored(object)),
    releaseMetas: releaseMetas.map((object) => stored(object)),
  };
}

/** A control plane that holds nothing. */
export const NOTHING: LiveState = { parent: undefined, templates: [], releaseMetas: [] };

/** `live` with what `edit` makes of the object with this name; without it where that is nothing. */
export function edited(
  live: LiveState,
  name: string,
  edit: (object: KubernetesObject) => KubernetesObject | undefined,
): LiveState {
  const change = (objects: readonly KubernetesObject[]): readonly KubernetesObject[] =>
    objects.flatMap((object) => (object.metadata.name === name ? (edit(object) ?? []) : object));
  return { ...live, templates: change(live.templates), releaseMetas: change(live.releaseMetas) };
}

/** An object with other metadata. */
export function marked(object: KubernetesObject, metadata: Partial<KubernetesObject["metadata"]>): KubernetesObject {
  return { ...object, metadata: { ...object.metadata, ...metadata } };
}

/** An object with other fields in its spec. */
export function respecified(object: KubernetesObject, spec: object): KubernetesObject {
  return { ...object, spec: { ...(object["spec"] as object), ...spec } };
}

/** References that are known: templates and modules, each used by one Kyma. */
export function usedBy(...names: readonly string[]): References {
  const users: Users = { count: 1, examples: ["Kyma k"] };
  const map = new Map(names.map((name) => [name, users]));
  return { kind: "known", templates: map, modules: map };
}

/** A plan's input, with nothing unusual but what is given. */
export function inputOf(desired: Compilation, live: LiveState, given: Partial<PlanInput> = {}): PlanInput {
  return { desired, live, known: new Map(), references: NO_REFERENCES, options: CAREFUL, ...given };
}

/** The items of a plan by the name of their object. */
export function byName({ items }: Plan): Readonly<Record<string, PlanItem>> {
  return Object.fromEntries(items.map((item) => [item.object.name, item]));
}

/** `<kind> <name>` of each item that is not simply unchanged. */
export function summary({ items }: Plan): readonly string[] {
  return items.filter(({ kind }) => kind !== "unchanged").map(describe);
}

function describe(item: PlanItem): string {
  switch (item.kind) {
    case "change":
      return `${item.cause} ${item.object.name}`;
    case "refused":
      return `refused ${item.object.name}: ${item.refusal}`;
    case "prune":
      return `${item.carriedOut ? "prune" : "left over"} ${item.object.name}`;
    case "retained":
      return `${item.repair === undefined ? "retained" : "repair"} ${item.object.name}`;
    case "create":
    case "unchanged":
    case "waiting":
      return `${item.kind} ${item.object.name}`;
  }
}

/** `<result> <name>` of every item that was not simply left, in order of names. */
export function results({ outcomes }: SyncResult): readonly string[] {
  return outcomes
    .filter(({ item }) => item.kind !== "unchanged")
    .map((outcome) => `${outcome.result} ${outcome.item.object.name}${detailOf(outcome)}`)
    .sort();
}

function detailOf(outcome: Outcome): string {
  switch (outcome.result) {
    case "failed":
      return `: ${outcome.fault.message}`;
    case "skipped":
      return `: ${outcome.because}`;
    case "contested":
      return `: ${outcome.by.join()}`;
    case "done":
      return "";
    case "left":
      return outcome.item.kind === "refused" ? `: ${outcome.item.refusal}` : "";
  }
}
