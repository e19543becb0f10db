import { fileHashes, MANDATORY_LABEL } from "../../catalogue/compile.ts";
import { OWN_PREFIX } from "../../catalogue/template.ts";
import { textAt } from "../../document/fields.ts";
import { APPLY_SET_LABEL } from "../../kubernetes/applySet.ts";
import { compare, compareOnce, type Difference, fieldText } from "../../kubernetes/compare.ts";
import { DESIRED_ANNOTATION, type KubernetesObject, RESOURCES } from "../../kubernetes/object.ts";
import { lastForeignManager, fieldOwners, specAuthors } from "../../kubernetes/ownership.ts";
import { changedRestrictions, namedTemplates, templateRestrictions } from "../../kubernetes/releaseMeta.ts";
import { isOurs, type PlanInput } from "./input.ts";
import { type ItemOf, objectName, type PlanItem } from "./item.ts";
import { acceptedKey, restrictionRefusal, unknownUsers } from "./refusals.ts";
import type { ModuleState } from "./state.ts";

/** Judges an object that is wanted on the landscape. */
export function judgeDesired(
  desired: KubernetesObject,
  live: KubernetesObject | undefined,
  state: ModuleState,
): PlanItem {
  const object = objectName(desired);
  if (live === undefined)
    return isOtherThanRecorded(desired, state) && state.options.changedContent === "refuse"
      ? changedContent(desired)
      : { kind: "create", object, desired, ...missedBy(desired, state) };
  const blocker = writeBlocker(live, state);
  if (blocker !== undefined) return blocker;
  if (!isOurs(live, state)) {
    const differences = compare(desired, live, "everything");
    const adoption = { desired, live, cause: "adoption", differences, by: [], takeOver: "everything" } as const;
    return restrictedChange(desired, live, state) ?? { kind: "change", object, ...adoption };
  }
  const differences = compareOnce(desired, live);
  if (differences.length > 0) return judgeDifferences(desired, live, differences, state);
  // Another client changed it, and put back what we applied: while it owns a field, the content is not known to be ours.
  const by = specAuthors(live);
  if (by.length === 0) return { kind: "unchanged", object };
  return { kind: "change", object, desired, live, cause: "drift", differences, by, takeOver: "judged" };
}

/** Why a live object may not be written at all: it is being deleted, or is not ours. */
export function writeBlocker(
  live: KubernetesObject,
  input: Pick<PlanInput, "desired" | "live" | "options">,
): ItemOf<"waiting" | "refused"> | undefined {
  const { deletionTimestamp, managedFields, labels } = live.metadata;
  const object = objectName(live);
  if (deletionTimestamp !== undefined)
    return { kind: "waiting", object, reason: `deletion pending since ${deletionTimestamp}` };
  if (isOurs(live, input) || input.options.adopt) return undefined;
  const managers = [...new Set((managedFields ?? []).map(({ manager }) => manager ?? "unknown"))];
  const by = managers.length === 0 ? "" : `; written by ${managers.join(", ")}`;
  const set = labels?.[APPLY_SET_LABEL];
  return {
    kind: "refused",
    object,
    refusal: "not-ours",
    reason: set === undefined ? `It is not ours${by}.` : `It belongs to another ApplySet (${set})${by}.`,
    remedy: "Adopt it: sync --adopt shows and removes its other fields.",
  };
}

/** Judges an object of ours that differs from the wanted one. */
export function judgeDifferences(
  desired: KubernetesObject,
  live: KubernetesObject,
  differences: readonly Difference[],
  state: ModuleState,
): PlanItem {
  const isNew = isFromRepository(desired, live);
  const isChanged =
    isChangedContent(desired, differences) &&
    (isOtherThanRecorded(desired, state) || (isNew && isSameVersion(desired, live, state)));
  if (isChanged && state.options.changedContent === "refuse") return changedContent(desired);
  const restricted = restrictedChange(desired, live, state);
  if (restricted !== undefined) return restricted;
  const change: ItemOf<"change"> = {
    ...{ kind: "change", object: objectName(desired), desired, live, differences },
    ...(isNew ? { cause: "repository", by: [] } : { cause: "drift", by: culprits(live, differences) }),
    ...(hasForeignFields(live, differences) && { takeOver: "judged" }),
    ...(isChanged && { warning: "different content for a version that was already served" }),
  };
  return judgeRepair(change, state);
}

/** Whether fields must be taken over, so that an apply removes them. It removes those that only we own. */
function hasForeignFields({ metadata }: KubernetesObject, differences: readonly Difference[]): boolean {
  return metadata.managedFields !== undefined && differences.some(({ kind }) => kind === "extra");
}

/** lifecycle-manager would apply the new content at once to all clusters that use the version. */
function changedContent(desired: KubernetesObject): ItemOf<"refused"> {
  return {
    kind: "refused",
    object: objectName(desired),
    refusal: "content-changed",
    reason: `The content of ${desired.metadata.name} changed, but its version did not.`,
    remedy: "Give the new content a new version, and put the old file back.",
  };
}

/** Refuses to change a label that decides which clusters get a template, if it is in use. */
function restrictedChange(
  desired: KubernetesObject,
  live: KubernetesObject,
  state: ModuleState,
): ItemOf<"refused"> | undefined {
  const { module, users, gate } = state;
  if (desired.kind !== RESOURCES.moduleTemplate.kind || !isSameVersion(desired, live, state)) return undefined;
  const [before, after] = [templateRestrictions(live), templateRestrictions(desired)];
  const changed = changedRestrictions(before, after).filter((field) => {
    const [from, to] = [before, after].map((one) => (one[field] === false ? undefined : one[field]));
    return !gate.accepted.has(acceptedKey({ refusal: "restriction-changed", module, field, from, to }));
  });
  const unknown = unknownUsers("who uses it", users);
  if (changed.length === 0 || (unknown === undefined && users.all.length === 0)) return undefined;
  const fields = changed.map((field) => `the label ${field} of ${live.metadata.name}`);
  return { kind: "refused", object: objectName(live), ...(unknown ?? restrictionRefusal(fields, users)) };
}

/** The clients that made differences, as far as `managedFields` show. */
export function culprits(live: KubernetesObject, differences: readonly Difference[]): readonly string[] {
  const owners = [...new Set(differences.flatMap(({ path }) => fieldOwners(live, path)))];
  const last = lastForeignManager(live);
  return owners.length > 0 || last === undefined ? owners : [last];
}

function missedBy(desired: KubernetesObject, { live }: ModuleState): { readonly missedBy?: string } {
  const meta = live.releaseMetas.find((candidate) => namedTemplates(candidate).includes(desired.metadata.name));
  return desired.kind === RESOURCES.moduleTemplate.kind && meta !== undefined
    ? { missedBy: `ModuleReleaseMeta ${meta.metadata.name}` }
    : {};
}

/** Whether a template is of the same version as the live one. Its name says so, except up to lifecycle-manager 1.7. */
function isSameVersion(one: KubernetesObject, other: KubernetesObject, state: ModuleState): boolean {
  const path = ["spec", "version"];
  return state.desired.target.generation === "version-templates" || textAt(one, path) === textAt(other, path);
}

/** Whether the content of a template differs. */
function isChangedContent(desired: KubernetesObject, differences: readonly Difference[]): boolean {
  return (
    desired.kind === RESOURCES.moduleTemplate.kind &&
    // Whether a field belongs to the content of a version: `specHash` in catalogue/template.ts.
    differences.some(({ path: [root, second, third] }) =>
      root === "spec"
        ? second !== "channel" && second !== "mandatory"
        : typeof third === "string" && !third.startsWith(OWN_PREFIX) && !COMPILED.has(third),
    )
  );
}

/** The labels that `compile` adds. */
const COMPILED: ReadonlySet<string> = new Set([APPLY_SET_LABEL, MANDATORY_LABEL]);

/**
 * Whether the wanted object changed since the last apply; otherwise, or without that record, another client changed it.
 */
function isFromRepository(desired: KubernetesObject, live: KubernetesObject): boolean {
  const recorded = live.metadata.annotations?.[DESIRED_ANNOTATION];
  return recorded !== undefined && recorded !== desired.metadata.annotations?.[DESIRED_ANNOTATION];
}

/** Whether the records name other content for the version of a template: the object itself may be gone or changed. */
function isOtherThanRecorded(desired: KubernetesObject, { module, wanted, recorded }: ModuleState): boolean {
  const { name } = desired.metadata;
  const own = wanted.find(({ template }) => template === desired);
  const version = own?.version ?? textAt(desired, ["spec", "version"]);
  const served = [...recorded.values()]
    .flatMap(({ current, next }) => [current, next].filter((one) => one !== undefined))
    .filter((one) => one.specHash !== "" && (one.version === version || name === `${module}-${one.version}`));
  if (served.length === 0) return false;
  const hashes = own === undefined ? fileHashes(desired) : [own.specHash];
  return served.some(({ specHash }) => !hashes.includes(specHash));
}

/** The annotation that counts repairs of an object. lifecycle-manager ignores it, unlike content and labels. */
export const REPAIRS_ANNOTATION = "kyma-modules/repairs";

/** After so many repairs of the same fields in a short time, the object is contested. */
const MOST_REPAIRS = 3;
/** Repairs that are further apart are unrelated. Milliseconds. */
const SOON_MS = 60 * 60_000;

interface Repairs {
  readonly fields: string;
  readonly count: number;
  readonly at: string;
}

/** Counts a repair. An object whose repair was undone repeatedly is contested, and left alone for a while. */
export function judgeRepair(change: ItemOf<"change">, { nowMs }: Pick<PlanInput, "nowMs">): PlanItem {
  if (change.cause !== "drift") return change;
  const { object, live, desired, differences, by } = change;
  const fields = differences.map(({ path }) => fieldText(path)).join(" ");
  const before = readRepairs(live.metadata.annotations?.[REPAIRS_ANNOTATION] ?? "");
  const agoMs = nowMs - Date.parse(String(before?.at));
  const count = before?.fields === fields && agoMs >= 0 && agoMs < SOON_MS ? before.count : 0;
  if (count >= MOST_REPAIRS) return { kind: "contested", object, by, fields: differences };
  const repairs: Repairs = { fields, count: count + 1, at: new Date(nowMs).toISOString() };
  const annotations = { ...desired.metadata.annotations, [REPAIRS_ANNOTATION]: JSON.stringify(repairs) };
  return { ...change, desired: { ...desired, metadata: { ...desired.metadata, annotations } } };
}

/** Reads the annotation; `undefined` for anything that we did not write. */
function readRepairs(text: string): (Partial<Repairs> & { readonly count: number; readonly at: string }) | undefined {
  try {
    const { fields, count, at } = JSON.parse(text) as Repairs;
    return typeof count === "number" && typeof at === "string" ? { fields, count, at } : undefined;
  } catch {
    return undefined;
  }
}
