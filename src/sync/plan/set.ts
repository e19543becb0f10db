import { applySetParent, TOOLING_ANNOTATION, isOurs } from "../../kubernetes/applySet.ts";
import { compare } from "../../kubernetes/compare.ts";
import type { KubernetesObject } from "../../kubernetes/object.ts";
import type { PlanInput, PlanOptions, SetClaim } from "./input.ts";
import type { ItemOf, PlanItem } from "./item.ts";
import { culprits, nameOf, refused } from "./object.ts";

/** The annotations of the parent that say whose set it is. */
export const CLAIM_ANNOTATIONS = {
  repository: "kyma-modules/repository",
  landscape: "kyma-modules/landscape",
  generation: "kyma-modules/generation",
  revision: "kyma-modules/revision",
} as const;

/** The commit that the parent records; `undefined` where it records none. */
export function recordedRevision(parent: KubernetesObject | undefined): string | undefined {
  const revision = parent?.metadata.annotations?.[CLAIM_ANNOTATIONS.revision]?.replace(/\+dirty$/, "");
  return revision === "" ? undefined : revision;
}

/** Whether the control plane already serves a commit that descends from this one. */
export function isSuperseded(input: PlanInput): boolean {
  const { live, claim, options } = input;
  if (live.parent === undefined || claim.ancestry !== "behind" || options.rewind) return false;
  return judgeParent(input).kind !== "refused";
}

/** What becomes of the parent of the set, which says whose the set is. A set of others is left alone. */
export function judgeParent(input: PlanInput): PlanItem {
  const { live, desired, claim, options } = input;
  const parent = claimed(applySetParent(desired.target.namespace), claim);
  if (live.parent === undefined)
    return orphaned(parent, input) ?? { kind: "create", object: nameOf(parent), desired: parent };
  const refusal = foreign(live.parent, parent, options) ?? otherClaim(live.parent, parent, input);
  if (refusal !== undefined) return refusal;
  const differences = compare(parent, live.parent);
  if (differences.length === 0) return { kind: "unchanged", object: nameOf(parent) };
  const cause = differences.some(({ path: [, , name] }) => typeof name !== "string" || !isClaim(name))
    ? "drift"
    : "repository";
  const by = cause === "drift" ? culprits(live.parent, differences) : [];
  return { kind: "change", object: nameOf(parent), desired: parent, live: live.parent, cause, differences, by };
}

const isClaim = (annotation: string): boolean => Object.values<string>(CLAIM_ANNOTATIONS).includes(annotation);

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

/** Members without a parent may be anybody's: the name of a set is the same in every repository. */
function orphaned(parent: KubernetesObject, { live, desired, options }: PlanInput): ItemOf<"refused"> | undefined {
  const members = [...live.templates, ...live.releaseMetas].filter((object) => isOurs(object, desired.target)).length;
  if (members === 0 || options.takeOverSet) return undefined;
  const reason = `The ConfigMap that says whose the ${members} members of the set are is gone: they may be another repository's.`;
  return refused(
    nameOf(parent),
    "other-set",
    reason,
    "Make sure that they are this repository's, then: --take-over-set.",
  );
}

/** Another tool's set is left alone, as the specification of ApplySets wants it. */
function foreign(
  live: KubernetesObject,
  desired: KubernetesObject,
  options: PlanOptions,
): ItemOf<"refused"> | undefined {
  const tooling = live.metadata.annotations?.[TOOLING_ANNOTATION];
  if (tooling !== undefined && tooling.split("/")[0] !== "kyma-modules") {
    const remedy = "Remove or rename it: the set of kyma-modules needs that name.";
    return refused(nameOf(live), "not-ours", `The ConfigMap is the parent of an ApplySet of ${tooling}.`, remedy);
  }
  if (tooling !== undefined || options.adopt || hasLabels(live, desired)) return undefined;
  const remedy = "Remove or rename it, or take it over: sync --adopt.";
  return refused(nameOf(live), "not-ours", "The ConfigMap is not ours, and no parent of an ApplySet.", remedy);
}

/** Whether `live` has all the labels of `desired`; the label of a set's parent holds the set's own id. */
function hasLabels(live: KubernetesObject, { metadata: { labels = {} } }: KubernetesObject): boolean {
  return Object.entries(labels).every(([key, value]) => live.metadata.labels?.[key] === value);
}

/** A parent without a claim is stamped; one of another repository, landscape, generation or history is left alone. */
function otherClaim(
  live: KubernetesObject,
  desired: KubernetesObject,
  { claim, options }: PlanInput,
): ItemOf<"refused"> | undefined {
  const recorded = (key: ClaimKey): string | undefined => live.metadata.annotations?.[CLAIM_ANNOTATIONS[key]];
  const differs = (...keys: readonly ("repository" | "landscape" | "generation")[]): boolean =>
    keys.some((key) => recorded(key) !== undefined && recorded(key) !== claim[key]);
  const refuse = (reason: string, remedy: string): ItemOf<"refused"> =>
    refused(nameOf(desired), "other-set", reason, remedy);
  if (differs("repository", "landscape") && !options.takeOverSet) {
    const whose = `${folderOr(recorded("repository"))} for its landscape ${recorded("landscape") ?? "?"}`;
    const reason = `The set belongs to ${whose}, and this is ${folderOr(claim.repository)} for ${claim.landscape}.`;
    return refuse(reason, "Check the context and --repo; if it is meant, take it over: --take-over-set.");
  }
  if (differs("generation") && !options.switchGeneration) {
    const reason = `The set was made for ${String(recorded("generation"))}, and lifecycle-manager reads ${claim.generation} here.`;
    return refuse(reason, "Check lifecycleManager in kyma-modules.yaml; if it is meant: --switch-generation.");
  }
  // Another repository's commits say nothing of this one's.
  const isRewound = claim.ancestry === "unrelated" && !differs("repository");
  return isRewound && !options.rewind ? refuse(...rewoundText(live, claim)) : undefined;
}

function rewoundText(live: KubernetesObject, claim: SetClaim): readonly [reason: string, remedy: string] {
  const reason = `The set was synced from the commit ${(recordedRevision(live) ?? "").slice(0, 10)}, and ${claim.revision.slice(0, 10)} does not descend from it.`;
  return [reason, "Pull, or fetch that commit; if the history was rewritten and this is meant: --rewind."];
}

type ClaimKey = keyof typeof CLAIM_ANNOTATIONS;

function folderOr(repository: string | undefined): string {
  return repository === undefined || repository === "" ? "a folder without Git" : repository;
}
