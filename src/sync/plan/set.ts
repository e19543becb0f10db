import { shortCommit } from "../../document/printable.ts";
import { applySetParent, TOOLING_ANNOTATION } from "../../kubernetes/applySet.ts";
import { compare } from "../../kubernetes/compare.ts";
import type { KubernetesObject } from "../../kubernetes/object.ts";
import { culprits } from "./difference.ts";
import {
  CLAIM_ANNOTATIONS,
  isOurs,
  type PlanInput,
  type PlanOptions,
  recordedRevision,
  type SetClaim,
} from "./input.ts";
import { type ItemOf, type ObjectName, objectName, type PlanItem, type Refusal } from "./item.ts";

/** Whether the control plane already serves a commit that descends from this one. */
export function isSuperseded(input: PlanInput): boolean {
  const { live, claim, options } = input;
  if (live.parent === undefined || claim.ancestry !== "behind" || options.rewind) return false;
  return judgeParent(input).kind !== "refused";
}

/** Judges the parent of the set, which records its owner. A set of another owner is refused. */
export function judgeParent(input: PlanInput): PlanItem {
  const { live, desired, claim, options } = input;
  const parent = claimed(applySetParent(desired.target.namespace), claim);
  if (live.parent === undefined) {
    const refusal = orphaned(parent, input) ?? otherClaim(applySetParent(desired.target.namespace), parent, input);
    return refusal ?? { kind: "create", object: objectName(parent), desired: parent };
  }
  const refusal = foreign(live.parent, parent, options) ?? otherClaim(live.parent, parent, input);
  if (refusal !== undefined) return refusal;
  const differences = compare(parent, live.parent);
  if (differences.length === 0) return { kind: "unchanged", object: objectName(parent) };
  const claims = Object.values<string>(CLAIM_ANNOTATIONS);
  const cause = differences.some(({ path: [, , name] }) => typeof name !== "string" || !claims.includes(name))
    ? "drift"
    : "repository";
  const by = cause === "drift" ? culprits(live.parent, differences) : [];
  return { kind: "change", object: objectName(parent), desired: parent, live: live.parent, cause, differences, by };
}

function claimed(parent: KubernetesObject, claim: SetClaim): KubernetesObject {
  const { repository, landscape, generation, revision } = claim;
  const annotations = {
    ...parent.metadata.annotations,
    [CLAIM_ANNOTATIONS.repository]: repository,
    [CLAIM_ANNOTATIONS.landscape]: landscape,
    [CLAIM_ANNOTATIONS.generation]: generation,
    [CLAIM_ANNOTATIONS.revision]: revision,
  };
  return { ...parent, metadata: { ...parent.metadata, annotations } };
}

/** Members without a parent may belong to any repository, because all of them use the same name for the set. */
function orphaned(parent: KubernetesObject, input: PlanInput): ItemOf<"refused"> | undefined {
  const { live, options } = input;
  const members = [...live.templates, ...live.releaseMetas].filter((object) => isOurs(object, input)).length;
  if (members === 0 || options.takeOverSet) return undefined;
  const reason = `The ConfigMap that records the owner of the ${members} members of the set is gone: they may belong to another repository.`;
  return refusedParent(
    objectName(parent),
    "other-set",
    reason,
    "Make sure that they belong to this repository, then take them over: --take-over-set.",
  );
}

/** Refuses the set of another tool, as the specification of ApplySets requires. */
function foreign(
  live: KubernetesObject,
  desired: KubernetesObject,
  options: PlanOptions,
): ItemOf<"refused"> | undefined {
  const tooling = live.metadata.annotations?.[TOOLING_ANNOTATION];
  if (tooling !== undefined && tooling.split("/")[0] !== "kyma-modules") {
    const remedy = "Remove or rename it: the set of kyma-modules needs that name.";
    return refusedParent(
      objectName(live),
      "not-ours",
      `The ConfigMap is the parent of an ApplySet of ${tooling}.`,
      remedy,
    );
  }
  const { labels = {} } = desired.metadata;
  // The label of a parent contains the id of its set.
  const hasLabels = Object.entries(labels).every(([key, value]) => live.metadata.labels?.[key] === value);
  const isClaimed = Object.values(CLAIM_ANNOTATIONS).some((name) => live.metadata.annotations?.[name] !== undefined);
  if (tooling !== undefined || options.adopt || hasLabels || isClaimed) return undefined;
  const remedy = "Remove or rename it, or take it over: sync --adopt.";
  return refusedParent(
    objectName(live),
    "not-ours",
    "The ConfigMap is not ours, and is not the parent of an ApplySet.",
    remedy,
  );
}

/**
 * Refuses a parent with the claim of another repository, landscape, generation or history, and records of another
 * owner: they may have been restored from another control plane. Accepts a parent that nothing claims.
 */
function otherClaim(
  live: KubernetesObject,
  desired: KubernetesObject,
  input: PlanInput,
): ItemOf<"refused"> | undefined {
  const { claim, options } = input;
  const said = (key: ClaimKey): string => claimedBefore(key, live, input);
  const refuse = (reason: string, remedy: string): ItemOf<"refused"> =>
    refusedParent(objectName(desired), "other-set", reason, remedy);
  if (isOfAnother(input) && !options.takeOverSet) {
    const whose = `${folderOr(said("repository"))} for its landscape ${said("landscape")}`;
    const reason = `The set or its records belong to ${whose}, and this is ${folderOr(claim.repository)} for ${claim.landscape}.`;
    return refuse(reason, "Check the context and --repo; if this is intended, take it over: --take-over-set.");
  }
  if (said("generation") !== claim.generation && !options.switchGeneration) {
    const reason = `The set was made for ${said("generation")}, and lifecycle-manager reads ${claim.generation} here.`;
    return refuse(reason, "Check lifecycleManager in kyma-modules.yaml; if this is intended: --switch-generation.");
  }
  // Commits of another repository cannot be compared with ours.
  if (options.rewind || said("repository") !== claim.repository) return undefined;
  const [synced, planned] = [recordedRevision(live) ?? "", claim.revision].map(shortCommit);
  if (claim.ancestry === "aside")
    return refuse(
      `The set was synced from the commit ${synced}, which ${planned} has merged like a side branch, as git pull does after a rejected push.`,
      `Rebase the other commits onto ${synced}, or merge them into it; if this is intended: --rewind.`,
    );
  if (claim.ancestry !== "unrelated") return undefined;
  const reason = `The set was synced from the commit ${synced}, and ${planned} does not descend from it.`;
  return refuse(reason, "Pull, or fetch that commit; if the history was rewritten and this is intended: --rewind.");
}

/** Whether a set or its records belong to another repository or landscape: then nothing of it is written. */
export function isOfAnother(input: Pick<PlanInput, "claim" | "live">): boolean {
  const { claim, live } = input;
  return (["repository", "landscape"] as const).some((key) => claimedBefore(key, live.parent, input) !== claim[key]);
}

/** What the parent, or else the records, claim instead of the claim of this sync; that claim if they claim nothing else. */
function claimedBefore(
  key: ClaimKey,
  parent: KubernetesObject | undefined,
  { claim, live: { owner } }: Pick<PlanInput, "claim" | "live">,
): string {
  const said = [parent?.metadata.annotations?.[CLAIM_ANNOTATIONS[key]], owner?.[key]];
  return said.find((one) => one !== undefined && one !== claim[key]) ?? claim[key];
}

function refusedParent(object: ObjectName, refusal: Refusal, reason: string, remedy: string): ItemOf<"refused"> {
  return { kind: "refused", object, refusal, reason, remedy };
}

type ClaimKey = keyof typeof CLAIM_ANNOTATIONS;

function folderOr(repository: string): string {
  return repository === "" ? "a folder without Git" : repository;
}
