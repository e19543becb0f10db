import { MODULE_LABEL } from "../catalogue/template.ts";
import { APPLY_SET_LABEL, applySetId, TOOLING_ANNOTATION } from "../kubernetes/applySet.ts";
import { compare, type Difference } from "../kubernetes/compare.ts";
import { DESIRED_ANNOTATION, RESOURCES, type KubernetesObject } from "../kubernetes/object.ts";
import { lastForeignManager, ownersOf } from "../kubernetes/ownership.ts";
import type { Change, PlanInput, PlanItem, PlanOptions } from "./planItem.ts";
import {
  isChangedContent,
  isFromRepository,
  nameOf,
  refusalOf,
  refusalOfLoss,
  refused,
  refusedUnknown,
} from "./planRefusals.ts";
import { describeUsers } from "./references.ts";
import { namedTemplates } from "../kubernetes/releaseMeta.ts";

/** What becomes of the parent of the set. Another tool's set is left alone, as the specification wants it. */
export function judgeParent(
  desired: KubernetesObject,
  live: KubernetesObject | undefined,
  options: PlanOptions,
): PlanItem {
  const object = nameOf(desired);
  if (live === undefined) return { kind: "create", object, desired };
  const tooling = live.metadata.annotations?.[TOOLING_ANNOTATION];
  if (tooling !== undefined && tooling.split("/")[0] !== "kyma-modules") {
    const remedy = "Remove or rename it: the set of kyma-modules needs that name.";
    return refused(object, "not-ours", `The ConfigMap is the parent of an ApplySet of ${tooling}.`, remedy);
  }
  if (tooling === undefined && !options.adopt && !hasLabels(live, desired)) {
    const remedy = "Remove or rename it, or take it over: sync --adopt.";
    return refused(object, "not-ours", "The ConfigMap is not ours, and no parent of an ApplySet.", remedy);
  }
  const differences = compare(desired, live);
  return differences.length === 0
    ? { kind: "unchanged", object }
    : { kind: "change", object, ...changeOf(desired, live, differences) };
}

/** Whether `live` has all the labels of `desired`; the label of a set's parent holds the set's own id. */
function hasLabels(live: KubernetesObject, { metadata: { labels = {} } }: KubernetesObject): boolean {
  return Object.entries(labels).every(([key, value]) => live.metadata.labels?.[key] === value);
}

/** What becomes of an object that the landscape shall hold. */
export function judgeDesired(
  desired: KubernetesObject,
  live: KubernetesObject | undefined,
  input: PlanInput,
): PlanItem {
  const object = nameOf(desired);
  if (live === undefined) return { kind: "create", object, desired, ...missedBy(desired, input) };
  const { deletionTimestamp } = live.metadata;
  if (deletionTimestamp !== undefined) return waiting(object, deletionTimestamp);
  if (!isOurs(live, desired)) {
    return input.options.adopt
      ? (refusalOfLoss(desired, live, input) ?? { kind: "change", object, ...adoptionOf(desired, live) })
      : refused(object, "not-ours", notOurs(live), "Take it over: sync --adopt shows and removes what else it holds.");
  }
  const differences = compare(desired, live);
  if (differences.length === 0) return { kind: "unchanged", object };
  return (
    refusalOf(desired, live, differences, input) ?? { kind: "change", object, ...changeOf(desired, live, differences) }
  );
}

/** What becomes of an object that nobody wants. `use` says who keeps it in use, where that is known already. */
export function judgeLeftOver(live: KubernetesObject, use: string | undefined, input: PlanInput): readonly PlanItem[] {
  if (live.metadata.labels?.[APPLY_SET_LABEL] !== applySetId(input.desired.target.namespace)) return [];
  const object = nameOf(live);
  const { deletionTimestamp } = live.metadata;
  if (deletionTimestamp !== undefined) return [waiting(object, deletionTimestamp)];
  const module = live.metadata.labels[MODULE_LABEL] ?? live.metadata.name;
  if (isWithheld(module, input))
    return [{ kind: "retained", object, because: `left alone: the files of ${module} contradict one another` }];
  if (use !== undefined) return [retained(live, use, input)];
  return [judgeUse(live, module, input)];
}

function judgeUse(live: KubernetesObject, module: string, input: PlanInput): PlanItem {
  const object = nameOf(live);
  const { references, options } = input;
  const isMeta = live.kind === RESOURCES.moduleReleaseMeta.kind;
  if (references.kind === "unknown") {
    return options.prune
      ? refusedUnknown(object, "Nobody can tell who uses it", references.because)
      : { kind: "prune", object, live, carriedOut: false };
  }
  const users = isMeta ? references.modules.get(module) : references.templates.get(live.metadata.name);
  if (users === undefined) return { kind: "prune", object, live, carriedOut: options.prune };
  if (!isMeta) return retained(live, `still in use: ${describeUsers(users)}`, input);
  const reason = `No channel serves ${module} any more, but it has ${describeUsers(users)}: removing it would break them.`;
  return refused(object, "module-in-use", reason, "Let them disable the module first, or serve it again.");
}

function retained(live: KubernetesObject, because: string, input: PlanInput): PlanItem {
  const object = nameOf(live);
  const desired = input.known.get(live.metadata.name);
  const differences = desired === undefined ? [] : compare(desired, live);
  if (desired === undefined || differences.length === 0) return { kind: "retained", object, because };
  const repair = changeOf(desired, live, differences);
  return refusalOf(desired, live, differences, input) ?? { kind: "retained", object, because, repair };
}

function isWithheld(module: string, { desired }: PlanInput): boolean {
  return [...desired.withheld].some((name) => name === module);
}

function changeOf(desired: KubernetesObject, live: KubernetesObject, differences: readonly Difference[]): Change {
  const drift = !isFromRepository(desired, live) || desired.kind === RESOURCES.configMap.kind;
  return {
    desired,
    live,
    cause: drift ? "drift" : "repository",
    differences,
    by: drift ? culprits(live, differences) : [],
    ...(differences.some(({ kind }) => kind === "extra") && { takeOver: "judged" as const }),
    ...(isChangedContent(desired, live, differences) && {
      warning: "other content under a version that was served already",
    }),
  };
}

function adoptionOf(desired: KubernetesObject, live: KubernetesObject): Change {
  return {
    desired,
    live,
    cause: "adoption",
    differences: compare(desired, live, "everything"),
    by: [],
    takeOver: "everything",
  };
}

function culprits(live: KubernetesObject, differences: readonly Difference[]): readonly string[] {
  const owners = [...new Set(differences.flatMap(({ path }) => ownersOf(live, path)))];
  const last = lastForeignManager(live);
  return owners.length > 0 || last === undefined ? owners : [last];
}

/** The set's label makes an object ours; where somebody removed it, the record of what we wanted still does. */
function isOurs(live: KubernetesObject, desired: KubernetesObject): boolean {
  const set = live.metadata.labels?.[APPLY_SET_LABEL];
  return set === undefined
    ? live.metadata.annotations?.[DESIRED_ANNOTATION] !== undefined
    : set === desired.metadata.labels?.[APPLY_SET_LABEL];
}

function notOurs(live: KubernetesObject): string {
  const managers = [...new Set((live.metadata.managedFields ?? []).map(({ manager }) => manager ?? "unknown"))];
  const set = live.metadata.labels?.[APPLY_SET_LABEL];
  const by = managers.length === 0 ? "" : `; written by ${managers.join(", ")}`;
  return set === undefined ? `It is not ours${by}.` : `It belongs to another ApplySet (${set})${by}.`;
}

function missedBy(desired: KubernetesObject, { live }: PlanInput): { readonly missedBy?: string } {
  const meta = live.releaseMetas.find((candidate) => namedTemplates(candidate).includes(desired.metadata.name));
  return desired.kind === RESOURCES.moduleTemplate.kind && meta !== undefined
    ? { missedBy: `ModuleReleaseMeta ${meta.metadata.name}` }
    : {};
}

function waiting(object: PlanItem["object"], since: string): PlanItem {
  return { kind: "waiting", object, reason: `somebody deleted it at ${since}, and it is not gone yet` };
}
