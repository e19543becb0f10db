import { OWN_PREFIX } from "../catalogue/template.ts";
import { compareVersions, parseVersion } from "../catalogue/version.ts";
import { APPLY_SET_LABEL } from "../kubernetes/applySet.ts";
import type { Difference } from "../kubernetes/compare.ts";
import { DESIRED_ANNOTATION, RESOURCES, type KubernetesObject } from "../kubernetes/object.ts";
import type { PlanInput, PlanItem, Refusal } from "./planItem.ts";
import { describeUsers } from "./references.ts";
import { readReleaseMeta } from "../kubernetes/releaseMeta.ts";

/** The refusals that protect clusters from a change of an object that is ours. */
export function refusalOf(
  desired: KubernetesObject,
  live: KubernetesObject,
  differences: readonly Difference[],
  input: PlanInput,
): PlanItem | undefined {
  return refusalOfLoss(desired, live, input) ?? refusedContent(desired, live, differences, input);
}

/** The refusals that protect clusters from what a change would take from them, whoever wrote what is live. */
export function refusalOfLoss(
  desired: KubernetesObject,
  live: KubernetesObject,
  input: PlanInput,
): PlanItem | undefined {
  return refusedDowngrade(desired, live) ?? refusedRemoval(desired, live, input);
}

/** lifecycle-manager guards mandatory modules against nothing: it installs a lower version at once, everywhere. */
function refusedDowngrade(desired: KubernetesObject, live: KubernetesObject): PlanItem | undefined {
  const [from, to] = [live, desired].map((object) => parseVersion(mandatoryVersion(object) ?? ""));
  if (from === undefined || to === undefined || compareVersions(to, from) >= 0) return undefined;
  const reason = `Mandatory modules are not protected against downgrades: ${to} would replace ${from} at once, on every cluster.`;
  return refused(nameOf(desired), "mandatory-downgrade", reason, `Release a version higher than ${from}.`);
}

/** The version that an object makes every cluster run: of a release meta, or of a template up to lifecycle-manager 1.7. */
function mandatoryVersion(object: KubernetesObject): string | undefined {
  if (object.kind === RESOURCES.moduleReleaseMeta.kind) return readReleaseMeta(object).mandatory?.version;
  const { mandatory, version } = templateSpec(object);
  return mandatory === true ? version : undefined;
}

/** A channel entry that is removed puts its users into Error. */
function refusedRemoval(
  desired: KubernetesObject,
  live: KubernetesObject,
  { references }: PlanInput,
): PlanItem | undefined {
  if (desired.kind !== RESOURCES.moduleReleaseMeta.kind) return undefined;
  const object = nameOf(desired);
  const kept = new Set((readReleaseMeta(desired).channels ?? []).map(({ channel }) => channel));
  const lost = (readReleaseMeta(live).channels ?? []).filter(({ channel }) => !kept.has(channel));
  for (const { channel } of lost) {
    const loss = `The channel ${channel} would lose ${object.name}`;
    if (references.kind === "unknown")
      return refusedUnknown(object, `${loss}, and nobody can tell who uses it there`, references.because);
    const users = references.modules.get(`${object.name}/${channel}`);
    if (users === undefined) continue;
    const reason = `${loss}, which has ${describeUsers(users)} there.`;
    return refused(object, "channel-in-use", reason, "Move them to another channel first, or serve it again.");
  }
  return undefined;
}

/** A version never changes: lifecycle-manager would re-apply it at once on all clusters that use it. */
function refusedContent(
  desired: KubernetesObject,
  live: KubernetesObject,
  differences: readonly Difference[],
  { options }: PlanInput,
): PlanItem | undefined {
  if (options.changedContent === "apply" || !isChangedContent(desired, live, differences)) return undefined;
  const reason = `The content of ${desired.metadata.name} changed, but its version did not.`;
  return refused(
    nameOf(desired),
    "content-changed",
    reason,
    "Give the new content a new version, and put the old file back.",
  );
}

/** Whether a template has other content under a version that it had before, because the repository says so. */
export function isChangedContent(
  desired: KubernetesObject,
  live: KubernetesObject,
  differences: readonly Difference[],
): boolean {
  return (
    desired.kind === RESOURCES.moduleTemplate.kind &&
    isFromRepository(desired, live) &&
    templateSpec(desired).version === templateSpec(live).version &&
    differences.some(isOfContent)
  );
}

/** Whether a field belongs to the content of a version: product.md, "Definitions". */
function isOfContent({ path: [root, second, third] }: Difference): boolean {
  if (root === "spec") return second !== "channel" && second !== "mandatory";
  return typeof third === "string" && !third.startsWith(OWN_PREFIX) && third !== APPLY_SET_LABEL;
}

/** The fields of a live or compiled template's spec that are read here. The API server has checked their types. */
function templateSpec(template: KubernetesObject): { readonly mandatory?: boolean; readonly version?: string } {
  return template["spec"] ?? {};
}

/** Whether what was wanted is not what is wanted now; otherwise, as when the record is gone, somebody else did it. */
export function isFromRepository(desired: KubernetesObject, live: KubernetesObject): boolean {
  const recorded = live.metadata.annotations?.[DESIRED_ANNOTATION];
  return recorded !== undefined && recorded !== desired.metadata.annotations?.[DESIRED_ANNOTATION];
}

/** Refuses to take away what may have users: who may not list them cannot know. */
export function refusedUnknown(object: PlanItem["object"], what: string, because: string): PlanItem {
  return refused(object, "references-unknown", `${what}: ${because}`, "Grant list on kymas and manifests.");
}

/** A refusal of `object`; the reason and the remedy are whole sentences. */
export function refused(object: PlanItem["object"], refusal: Refusal, reason: string, remedy: string): PlanItem {
  return { kind: "refused", object, refusal, reason, remedy };
}

/** How messages name an object. */
export function nameOf({ kind, metadata }: KubernetesObject): PlanItem["object"] {
  return { kind, name: metadata.name };
}
