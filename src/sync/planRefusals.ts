import { OWN_PREFIX } from "../catalogue/template.ts";
import { compareVersions, parseVersion } from "../catalogue/version.ts";
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
  return desired.kind === RESOURCES.moduleReleaseMeta.kind
    ? (refusedDowngrade(desired, live) ?? refusedRemoval(desired, live, input))
    : refusedContent(desired, live, differences, input);
}

/** lifecycle-manager guards mandatory modules against nothing: it installs a lower version at once, everywhere. */
function refusedDowngrade(desired: KubernetesObject, live: KubernetesObject): PlanItem | undefined {
  const [from, to] = [live, desired].map((meta) => parseVersion(readReleaseMeta(meta).mandatory?.version ?? ""));
  if (from === undefined || to === undefined || compareVersions(to, from) >= 0) return undefined;
  const reason = `Mandatory modules are not protected against downgrades: ${to} would replace ${from} at once, on every cluster.`;
  return refused(nameOf(desired), "mandatory-downgrade", reason, `Release a version higher than ${from}.`);
}

/** A channel entry that is removed puts its users into Error. */
function refusedRemoval(
  desired: KubernetesObject,
  live: KubernetesObject,
  { references }: PlanInput,
): PlanItem | undefined {
  const kept = new Set((readReleaseMeta(desired).channels ?? []).map(({ channel }) => channel));
  for (const { channel } of readReleaseMeta(live).channels ?? []) {
    if (kept.has(channel)) continue;
    const users =
      references.kind === "known" ? references.modules.get(`${desired.metadata.name}/${channel}`) : undefined;
    if (users === undefined) continue;
    const reason = `The channel ${channel} would lose ${desired.metadata.name}, which has ${describeUsers(users)} there.`;
    return refused(nameOf(desired), "channel-in-use", reason, "Move them to another channel first, or serve it again.");
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
    specVersion(desired) === specVersion(live) &&
    differences.some(
      ({ path: [root, , name] }) => root === "spec" || (typeof name === "string" && !name.startsWith(OWN_PREFIX)),
    )
  );
}

function specVersion(object: KubernetesObject): unknown {
  const spec = object["spec"];
  return typeof spec === "object" && spec !== null && "version" in spec ? spec.version : undefined;
}

/** Whether what was wanted is not what is wanted now; otherwise somebody else edited the object. */
export function isFromRepository(desired: KubernetesObject, live: KubernetesObject): boolean {
  return live.metadata.annotations?.[DESIRED_ANNOTATION] !== desired.metadata.annotations?.[DESIRED_ANNOTATION];
}

/** A refusal of `object`; the reason and the remedy are whole sentences. */
export function refused(object: PlanItem["object"], refusal: Refusal, reason: string, remedy: string): PlanItem {
  return { kind: "refused", object, refusal, reason, remedy };
}

/** How messages name an object. */
export function nameOf({ kind, metadata }: KubernetesObject): PlanItem["object"] {
  return { kind, name: metadata.name };
}
