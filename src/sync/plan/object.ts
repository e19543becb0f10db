import { MANDATORY_LABEL } from "../../catalogue/compile.ts";
import { OWN_PREFIX } from "../../catalogue/template.ts";
import { templateUse } from "../../fleet/users.ts";
import { APPLY_SET_LABEL } from "../../kubernetes/applySet.ts";
import { compare, compareOnce, type Difference } from "../../kubernetes/compare.ts";
import { DESIRED_ANNOTATION, type KubernetesObject, RESOURCES } from "../../kubernetes/object.ts";
import { lastForeignManager, ownersOf, specAuthors } from "../../kubernetes/ownership.ts";
import { changedRestrictions, namedTemplates, templateRestrictions } from "../../kubernetes/releaseMeta.ts";
import { isOurs, type PlanInput } from "./input.ts";
import type { ItemOf, MoveBlocker, ObjectChange, PlanItem, Refusal } from "./item.ts";
import { isOtherThanRecorded, type ModuleInput } from "./moduleInput.ts";
import { isFieldAccepted, restrictionRefusal } from "./refusals.ts";
import { judgeRepair } from "./repairs.ts";

/** Judges an object that is wanted on the landscape. */
export function judgeDesired(
  desired: KubernetesObject,
  live: KubernetesObject | undefined,
  module: ModuleInput,
): PlanItem {
  const { input } = module;
  const object = nameOf(desired);
  if (live === undefined)
    return isOtherThanRecorded(desired, module) && input.options.changedContent === "refuse"
      ? changedContent(desired)
      : { kind: "create", object, desired, ...missedBy(desired, input) };
  const blocker = blockerTo(live, input);
  if (blocker !== undefined) return blocker;
  if (!isOurs(live, input))
    return restricted(desired, live, module) ?? { kind: "change", object, ...adoptionOf(desired, live) };
  const differences = compareOnce(desired, live);
  if (differences.length > 0) return judgeDifferences(desired, live, differences, module);
  // Another client changed it, and put back what we applied: while it owns a field, the content is not known to be ours.
  const by = specAuthors(live);
  if (by.length === 0) return { kind: "unchanged", object };
  return { kind: "change", object, desired, live, cause: "drift", differences, by, takeOver: "judged" };
}

/** Why a live object may not be written at all: it is being deleted, or is not ours. */
export function blockerTo(live: KubernetesObject, input: PlanInput): ItemOf<"waiting" | "refused"> | undefined {
  const { deletionTimestamp, managedFields, labels } = live.metadata;
  if (deletionTimestamp !== undefined) return waiting(nameOf(live), deletionTimestamp);
  if (isOurs(live, input) || input.options.adopt) return undefined;
  const managers = [...new Set((managedFields ?? []).map(({ manager }) => manager ?? "unknown"))];
  const by = managers.length === 0 ? "" : `; written by ${managers.join(", ")}`;
  const set = labels?.[APPLY_SET_LABEL];
  const reason = set === undefined ? `It is not ours${by}.` : `It belongs to another ApplySet (${set})${by}.`;
  return refused(nameOf(live), "not-ours", reason, "Adopt it: sync --adopt shows and removes its other fields.");
}

/** Judges a template that no entry needs. `use` explains why it is still in use, if that is already known. */
export function judgeLeftOver(
  live: KubernetesObject,
  use: string | undefined,
  known: KubernetesObject | undefined,
  module: ModuleInput,
): readonly PlanItem[] {
  const { input, noRemoval } = module;
  if (!isOurs(live, input)) return [];
  const object = nameOf(live);
  const { deletionTimestamp } = live.metadata;
  if (deletionTimestamp !== undefined) return [waiting(object, deletionTimestamp)];
  if (use !== undefined) return [retained(live, use, known, module)];
  const { users, options } = input;
  const isPruned = options.pruneTemplates ?? options.prune;
  if (users.kind === "unknown") {
    return isPruned
      ? [refused(object, "references-unknown", `It is unknown who uses it: ${users.because}`, GRANT)]
      : [{ kind: "prune", object, live, carriedOut: false }];
  }
  const found = templateUse(live.metadata.name, module.module, users);
  if (found !== undefined) return [retained(live, found, known, module)];
  if (isPruned && noRemoval !== undefined) return [{ kind: "refused", object, ...noRemoval }];
  return [{ kind: "prune", object, live, carriedOut: isPruned }];
}

const GRANT = "Grant list on kymas and manifests; check the address.";

/** Keeps an older version that is in use, and repairs it if it differs from the repository. */
function retained(
  live: KubernetesObject,
  because: string,
  known: KubernetesObject | undefined,
  module: ModuleInput,
): PlanItem {
  const object = nameOf(live);
  const differences = known === undefined ? [] : compareOnce(known, live);
  if (known === undefined || differences.length === 0) return { kind: "retained", object, because };
  const judged = judgeDifferences(known, live, differences, module);
  if (judged.kind !== "change") return judged;
  const { kind: _kind, object: _object, ...repair } = judged;
  return { kind: "retained", object, because, repair };
}

function judgeDifferences(
  desired: KubernetesObject,
  live: KubernetesObject,
  differences: readonly Difference[],
  module: ModuleInput,
): PlanItem {
  const { options } = module.input;
  const object = nameOf(desired);
  const isFromUs =
    isOtherThanRecorded(desired, module) || (isFromRepository(desired, live) && isSameVersion(desired, live, module));
  const isChanged = isFromUs && isChangedContent(desired, differences);
  if (isChanged && options.changedContent === "refuse") return changedContent(desired);
  const change = changeOf(desired, live, differences);
  return (
    restricted(desired, live, module) ??
    judgeRepair({ kind: "change", object, ...change, ...(isChanged && { warning: CHANGED_CONTENT }) }, module.input)
  );
}

/** lifecycle-manager would apply the new content at once to all clusters that use the version. */
function changedContent(desired: KubernetesObject): ItemOf<"refused"> {
  const reason = `The content of ${desired.metadata.name} changed, but its version did not.`;
  const remedy = "Give the new content a new version, and put the old file back.";
  return refused(nameOf(desired), "content-changed", reason, remedy);
}

const CHANGED_CONTENT = "different content for a version that was already served";

/** Refuses to change a label that decides which clusters get a template, if it is in use. */
function restricted(
  desired: KubernetesObject,
  live: KubernetesObject,
  module: ModuleInput,
): ItemOf<"refused"> | undefined {
  const { users } = module.input;
  if (desired.kind !== RESOURCES.moduleTemplate.kind || !isSameVersion(desired, live, module)) return undefined;
  const [before, after] = [templateRestrictions(live), templateRestrictions(desired)];
  const changed = changedRestrictions(before, after).filter((field) => {
    const step = { refusal: "restriction-changed", module: module.module, field } as const;
    const [from, to] = [before, after].map((one) => (one[field] === false ? undefined : one[field]));
    return !isFieldAccepted({ ...step, from, to }, module);
  });
  if (changed.length === 0) return undefined;
  const fields = changed.map((field) => `the label ${field} of ${live.metadata.name}`);
  if (users.kind === "unknown")
    return refused(nameOf(live), "references-unknown", `It is unknown who uses it: ${users.because}`, GRANT);
  if (module.users.length === 0) return undefined;
  return refused(nameOf(live), ...restrictionRefusal(fields, module));
}

function changeOf(desired: KubernetesObject, live: KubernetesObject, differences: readonly Difference[]): ObjectChange {
  const drift = !isFromRepository(desired, live);
  return {
    desired,
    live,
    cause: drift ? "drift" : "repository",
    differences,
    by: drift ? culprits(live, differences) : [],
    // The next apply removes fields that only we own without a take-over.
    ...(live.metadata.managedFields !== undefined &&
      differences.some(({ kind }) => kind === "extra") && { takeOver: "judged" as const }),
  };
}

function adoptionOf(desired: KubernetesObject, live: KubernetesObject): ObjectChange {
  return {
    desired,
    live,
    cause: "adoption",
    differences: compare(desired, live, "everything"),
    by: [],
    takeOver: "everything",
  };
}

/** The clients that made differences, as far as `managedFields` show. */
export function culprits(live: KubernetesObject, differences: readonly Difference[]): readonly string[] {
  const owners = [...new Set(differences.flatMap(({ path }) => ownersOf(live, path)))];
  const last = lastForeignManager(live);
  return owners.length > 0 || last === undefined ? owners : [last];
}

function missedBy(desired: KubernetesObject, { live }: PlanInput): { readonly missedBy?: string } {
  const meta = live.releaseMetas.find((candidate) => namedTemplates(candidate).includes(desired.metadata.name));
  return desired.kind === RESOURCES.moduleTemplate.kind && meta !== undefined
    ? { missedBy: `ModuleReleaseMeta ${meta.metadata.name}` }
    : {};
}

/** Whether a template is of the same version as the live one. Its name says so, except up to lifecycle-manager 1.7. */
function isSameVersion(desired: KubernetesObject, live: KubernetesObject, { input }: ModuleInput): boolean {
  return input.desired.target.generation === "version-templates" || versionOf(desired) === versionOf(live);
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

/** The version of a live or compiled template. The API server has checked its type. */
function versionOf({ spec }: KubernetesObject): string | undefined {
  return ((spec ?? {}) as { readonly version?: string }).version;
}

/**
 * Whether the wanted object changed since the last apply; otherwise, or without that record, another client changed it.
 */
function isFromRepository(desired: KubernetesObject, live: KubernetesObject): boolean {
  const recorded = live.metadata.annotations?.[DESIRED_ANNOTATION];
  return recorded !== undefined && recorded !== desired.metadata.annotations?.[DESIRED_ANNOTATION];
}

/** A refusal of `object`; the reason and the remedy are whole sentences. */
export function refused(
  object: PlanItem["object"],
  refusal: Refusal,
  reason: string,
  remedy: string,
): ItemOf<"refused"> {
  return { kind: "refused", object, refusal, reason, remedy };
}

function waiting(object: PlanItem["object"], since: string): ItemOf<"waiting"> {
  return { kind: "waiting", object, reason: `deletion pending since ${since}` };
}

/** Turns an object that cannot be written into a blocker of the entry that needs it. */
export function asBlocker(item: PlanItem | undefined, module: string): MoveBlocker | undefined {
  if (item === undefined) return undefined;
  const of = item.object.name === module ? "" : `${item.object.kind} ${item.object.name}, which it needs: `;
  if (item.kind === "waiting") return { kind: "waiting", reason: `${of}${item.reason}` };
  if (item.kind === "contested")
    return { kind: "waiting", reason: `${of}${item.by.join(", ") || "another client"} keeps overwriting it` };
  if (item.kind !== "refused") return undefined;
  const { refusal, reason, remedy } = item;
  return { kind: "refused", refusal, reason: `${of}${reason}`, remedy };
}

/** The kind and the name of an object, for messages. */
export function nameOf({ kind, metadata }: KubernetesObject): PlanItem["object"] {
  return { kind, name: metadata.name };
}
