/** Where a pull request is in the merge queue of its base branch. */
export type PlaceInQueue =
  /** The base branch has none. */
  | { readonly kind: "none" }
  /** It may be put in. */
  | { readonly kind: "before" }
  /** `position` counts from 1. */
  | { readonly kind: "in"; readonly position: number; readonly isMergeable: boolean }
  /** It was in with this very head, and is not any more. `reason`: GitHub's word. */
  | { readonly kind: "after"; readonly reason: string };

/** What of the timeline of a pull request bears on the queue. */
export const TIMELINE = [
  "ADDED_TO_MERGE_QUEUE_EVENT",
  "REMOVED_FROM_MERGE_QUEUE_EVENT",
  "PULL_REQUEST_COMMIT",
  "HEAD_REF_FORCE_PUSHED_EVENT",
  "REOPENED_EVENT",
] as const;

const ADDED = "AddedToMergeQueueEvent";
const REMOVED = "RemovedFromMergeQueueEvent";

/** An item of a timeline; `reason`: of a removal. */
export interface TimelineItem {
  readonly __typename: string;
  readonly reason?: string | null;
}

/** The place of a pull request by its entry, and by the end of its timeline, oldest first. */
export function placeOf(
  isEnabled: boolean,
  entry: { readonly position: number; readonly state: string } | null,
  timeline: readonly TimelineItem[],
): PlaceInQueue {
  if (entry !== null) {
    return { kind: "in", position: entry.position, isMergeable: entry.state !== "UNMERGEABLE" };
  }
  if (!isEnabled) return { kind: "none" };
  const last = timeline.at(-1);
  // A push takes it out, too, after the commit that it brings: only what was in with this head was put out with it.
  const before = timeline.findLast((item) => item.__typename !== REMOVED);
  return last?.__typename === REMOVED && before?.__typename === ADDED
    ? { kind: "after", reason: last.reason ?? "GitHub names no reason" }
    : { kind: "before" };
}

/** Why a pull request that is or was in the queue is not to be put in, as half a sentence. */
export function whyNotEntered(place: PlaceInQueue): string | undefined {
  switch (place.kind) {
    case "none":
    case "before":
      return undefined;
    case "in":
      return `it is in the merge queue, position ${place.position}${place.isMergeable ? "" : ", and cannot be merged there"}`;
    case "after":
      return whyAfter(place.reason);
  }
}

/** GitHub takes out what it merges a moment before it is merged. */
function whyAfter(reason: string): string {
  if (reason.toLowerCase() === "merged") return "the merge queue is merging it";
  const word = reason.toLowerCase().replaceAll("_", " ");
  return `the merge queue put it out (${word}): put it back on its page once that is mended, or push to its branch`;
}
