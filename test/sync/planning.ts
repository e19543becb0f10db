import { compile, type Compilation, type CompileTarget } from "../../src/catalogue/compile.ts";
import type { Generation } from "../../src/catalogue/settings.ts";
import { applySetParent } from "../../src/kubernetes/applySet.ts";
import { DESIRED_ANNOTATION, type KubernetesObject } from "../../src/kubernetes/object.ts";
import type { ObjectOutcome } from "../../src/sync/apply.ts";
import { NO_USERS } from "../../src/fleet/users.ts";
import { OPEN_GATE, CAREFUL, type LiveState, type PlanInput, type SetClaim } from "../../src/sync/plan/input.ts";
import { planEntries, isAct, planItems, type EntryItem, type Plan, type PlanItem } from "../../src/sync/plan/item.ts";
import { plan as planAll } from "../../src/sync/plan/plan.ts";
import type { EntryRecord, Records } from "../../src/sync/plan/records.ts";
import { announce, entryOutcome, settle, type EntryOutcome } from "../../src/sync/record.ts";
import type { SyncResult } from "../../src/sync/sync.ts";
import { catalogueOf, type Sample } from "./catalogueFiles.ts";
import { usersOf, type Usage } from "./usage.ts";

export { CAREFUL, usersOf, type Usage };

const NAMESPACE = "kcp-system";

/** The owner of the sets in tests. */
export const CLAIM: SetClaim = {
  repository: "org/name",
  landscape: "dev",
  generation: "version-templates",
  revision: "",
  ancestry: "forward",
};

/** The current time in tests. Unix milliseconds. */
export const NOW: number = Date.parse("2026-05-04T10:00:00Z");

/** Compiles a repository for a landscape. */
export function desiredOf(sample: Sample, generation: Generation = "version-templates"): Compilation {
  const target: CompileTarget = { landscape: "dev", namespace: NAMESPACE, generation };
  return compile(catalogueOf(sample), target);
}

/** An object as an API server returns it. */
export function stored(
  object: KubernetesObject,
  metadata: Partial<KubernetesObject["metadata"]> = {},
): KubernetesObject {
  const { kind, metadata: wanted } = object;
  const identity = { uid: `${kind} ${wanted.name}`, resourceVersion: "7" };
  return { ...object, metadata: { ...wanted, ...identity, ...metadata } };
}

/** The parent of a set with its claim. */
export function claimedParent(claim: SetClaim = CLAIM): KubernetesObject {
  const parent = applySetParent(NAMESPACE);
  const { repository, landscape, generation, revision } = claim;
  const annotations = {
    ...parent.metadata.annotations,
    "kyma-modules/repository": repository,
    "kyma-modules/landscape": landscape,
    "kyma-modules/generation": generation,
    "kyma-modules/revision": revision,
  };
  return stored({ ...parent, metadata: { ...parent.metadata, annotations } });
}

/** The state of a control plane after a sync of `desired`, with its records. */
export function liveOf(desired: Compilation): LiveState {
  const { templates, releaseMetas, target } = desired;
  return {
    parent: claimedParent({ ...CLAIM, generation: target.generation }),
    templates: templates.map((object) => stored(object)),
    releaseMetas: releaseMetas.map((object) => stored(object)),
    records: recordsOf(desired),
  };
}

/** The records of a control plane that serves exactly this, by default for a day. */
export function recordsOf({ entries }: Compilation, sinceMs?: number): Records {
  const records = entries.map(({ module, channel, mandatory, version, specHash }): [string, EntryRecord] => [
    `${mandatory ? "mandatory" : channel}/${module}`,
    recorded(version, specHash, sinceMs),
  ]);
  return { kind: "known", entries: new Map(records) };
}

/** The record of an entry that has served `version` for a day. */
export function recorded(version: string, specHash = "", sinceMs: number = NOW - 86_400_000): EntryRecord {
  const current = { version, specHash, sinceMs, accepted: [], now: undefined };
  return { current, next: undefined, previous: [], terms: undefined };
}

/** An empty control plane. */
export const NOTHING: LiveState = { parent: undefined, templates: [], releaseMetas: [], records: { kind: "none" } };

/** `live` after `edit` of the object with this name; without it if `edit` returns nothing. */
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

/** An object with the same content, as another client made it. */
export function foreign(object: KubernetesObject): KubernetesObject {
  return marked(object, { labels: {}, annotations: {}, managedFields: [{ manager: "kubectl-create" }] });
}

/** An object with other fields in its spec. */
export function respecified(object: KubernetesObject, spec: object): KubernetesObject {
  return { ...object, spec: { ...(object["spec"] as object), ...spec } };
}

/** The input of a plan, with defaults for everything that is not given. */
export function inputOf(desired: Compilation, live: LiveState, given: Partial<PlanInput> = {}): PlanInput {
  return {
    desired,
    live,
    claim: { ...CLAIM, generation: desired.target.generation },
    known: new Map(),
    users: NO_USERS,
    artifacts: { kind: "not-asked", because: "it is a test" },
    gate: OPEN_GATE,
    deadlineMs: 600_000,
    options: CAREFUL,
    nowMs: NOW,
    ...given,
  };
}

/** What is given of the input of a plan, and of the landscape. */
export type Given = Partial<PlanInput> & { readonly generation?: Generation };

/** The plan for a repository on a control plane. */
export function planOf(wanted: Sample, now: LiveState, { generation, ...given }: Given = {}): Plan {
  return planAll(inputOf(desiredOf(wanted, generation), now, given));
}

/** The items of a plan by the name of their object. */
export function byName(plan: Plan): Readonly<Record<string, PlanItem>> {
  return Object.fromEntries(planItems(plan).map((item) => [item.object.name, item]));
}

/** The entries of a plan by `<channel>/<module>`. */
export function byEntry(plan: Plan): Readonly<Record<string, EntryItem>> {
  return Object.fromEntries(planEntries(plan).map((entry) => [`${entry.channel}/${entry.module}`, entry]));
}

/** `<kind> <channel>/<module>` of each entry that is not unchanged. */
export function entrySummary(plan: Plan): readonly string[] {
  return planEntries(plan)
    .filter(({ kind }) => kind !== "unchanged")
    .map(describeEntry);
}

/** `raise fast/istio 1.2.0 → 1.3.0`, `refused fast/istio 1.3.0 → 1.2.0: user-endangered`. */
export function describeEntry(entry: EntryItem): string {
  const { channel, module, from = "–", to = "–" } = entry;
  const kind = entry.kind === "remove" && !entry.carriedOut ? "left over" : entry.kind;
  const why = entry.kind === "refused" ? `: ${entry.refusal}` : "";
  return `${kind} ${channel}/${module} ${from} → ${to}${why}`;
}

/** `<result> <entry>` of each entry that a sync moved or could not move. */
export function entryResults({ entries }: Pick<SyncResult, "entries">): readonly string[] {
  return entries.filter(({ entry }) => entry.kind !== "unchanged").map(describeResult);
}

function describeResult(outcome: EntryOutcome): string {
  const because = outcome.result === "skipped" ? `: ${outcome.because}` : "";
  return `${outcome.result} ${describeEntry(outcome.entry)}${because}`;
}

/** `<kind> <name>` of each item that is not unchanged. */
export function summary(plan: Plan): readonly string[] {
  return planItems(plan)
    .filter(({ kind }) => kind !== "unchanged")
    .map(describe);
}

function describe(item: PlanItem): string {
  const { name } = item.object;
  if (item.kind === "change") return `${item.cause} ${name}`;
  if (item.kind === "refused") return `refused ${name}: ${item.refusal}`;
  if (item.kind === "prune") return `${item.carriedOut ? "prune" : "left over"} ${name}`;
  if (item.kind === "retained") return `${item.repair === undefined ? "retained" : "repair"} ${name}`;
  return `${item.kind} ${name}`;
}

/** `<result> <name>` of every item that was not left as it is, in order of names. */
export function results({ outcomes }: SyncResult): readonly string[] {
  return outcomes
    .filter(({ item }) => item.kind !== "unchanged")
    .map((outcome) => `${outcome.result} ${outcome.item.object.name}${detailOf(outcome)}`)
    .sort();
}

function detailOf(outcome: ObjectOutcome): string {
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

/** Whether an item only removes something: an object, or some entries of a release meta. */
export function isRemoval(item: PlanItem): boolean {
  if (item.kind !== "change") return item.kind === "prune" || item.kind === "retained";
  const ofEntries = item.differences.filter(({ path }) => path.at(-1) !== DESIRED_ANNOTATION);
  return ofEntries.every(({ kind, path }) => kind === "extra" && path[1] === "channels");
}

/** The state of a control plane, with its records, after every act of a plan succeeded. */
export function carriedOut(input: PlanInput, decided: Plan): LiveState {
  const { live, desired } = input;
  const items = planItems(decided);
  const objects = new Map(
    [live.parent ?? [], live.templates, live.releaseMetas].flat().map((object) => [keyOf(object.kind, object), object]),
  );
  for (const item of items) {
    const key = keyOf(item.object.kind, { metadata: item.object });
    if (item.kind === "create") objects.set(key, stored(item.desired));
    if (item.kind === "change") objects.set(key, stored(item.desired));
    if (item.kind === "retained" && item.repair !== undefined) objects.set(key, stored(item.repair.desired));
    if (item.kind === "prune" && item.carriedOut) objects.delete(key);
  }
  const all = [...objects.values()];
  const outcomes = items.map((item) => ({ item, result: isAct(item) ? ("done" as const) : ("left" as const) }));
  const entries = planEntries(decided).map((entry) => entryOutcome(entry, outcomes, desired.target.generation));
  const keeper = settle(announce(decided, input, NOW), entries, NOW);
  return {
    parent: all.find(({ kind }) => kind === "ConfigMap"),
    templates: all.filter(({ kind }) => kind === "ModuleTemplate"),
    releaseMetas: all.filter(({ kind }) => kind === "ModuleReleaseMeta"),
    records: keeper.isEmpty ? live.records : { kind: "known", entries: keeper.entries },
  };
}

const keyOf = (kind: string, { metadata }: { metadata: { name: string } }): string => `${kind} ${metadata.name}`;
