/** The place of a pull request in the merge queue of its base branch. */
export type PlaceInQueue =
  /** The base branch has no merge queue. */
  | { readonly kind: "none" }
  /** It can be added. */
  | { readonly kind: "before" }
  /** `position` counts from 1. */
  | { readonly kind: "in"; readonly position: number; readonly isMergeable: boolean }
  /** It was removed with this head. `reason` is GitHub's term. */
  | { readonly kind: "after"; readonly reason: string };

/** The timeline items that affect the place in the queue. */
export const TIMELINE = [
  "ADDED_TO_MERGE_QUEUE_EVENT",
  "REMOVED_FROM_MERGE_QUEUE_EVENT",
  "PULL_REQUEST_COMMIT",
  "HEAD_REF_FORCE_PUSHED_EVENT",
  "REOPENED_EVENT",
] as const;

const ADDED = "AddedToMergeQueueEvent";
const REMOVED = "RemovedFromMergeQueueEvent";

/** An item of a timeline; `reason` is that of a removal. */
export interface TimelineItem {
  readonly __typename: string;
  readonly reason?: string | null;
}

/** Derives the place from the queue entry and the end of the timeline, oldest first. */
export function queuePlace(
  isEnabled: boolean,
  entry: { readonly position: number; readonly state: string } | null,
  timeline: readonly TimelineItem[],
): PlaceInQueue {
  if (entry !== null) {
    return { kind: "in", position: entry.position, isMergeable: entry.state !== "UNMERGEABLE" };
  }
  if (!isEnabled) return { kind: "none" };
  const last = timeline.at(-1);
  // A push also removes it, with a timeline item for its commit: the removal counts only if the head is the same.
  const before = timeline.findLast((item) => item.__typename !== REMOVED);
  return last?.__typename === REMOVED && before?.__typename === ADDED
    ? { kind: "after", reason: last.reason ?? "GitHub names no reason" }
    : { kind: "before" };
}

/** Why a pull request that is or was in the queue must not be added, as a clause. */
export function whyNotEntered(place: PlaceInQueue): string | undefined {
  switch (place.kind) {
    case "none":
    case "before":
      return undefined;
    case "in":
      return `it is in the merge queue, position ${place.position}${place.isMergeable ? "" : ", and cannot be merged there"}`;
    case "after": {
      // GitHub takes out what it merges a moment before it is merged.
      const word = place.reason.toLowerCase().replaceAll("_", " ");
      return word === "merged"
        ? "the merge queue is merging it"
        : `the merge queue removed it (${word}): fix that and add it again on its page, or push to its branch`;
    }
  }
}
