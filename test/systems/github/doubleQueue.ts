import type { Actor, Pull, World } from "./doubleWorld.ts";

/** Who merges what waits in the merge queue. */
export const QUEUE: Actor = { login: "github-merge-queue[bot]" };

/** Puts a pull request at the end of the merge queue. */
export function enqueue({ state }: World, pull: Pull): void {
  state.queue.push(pull.number);
  pull.timeline.push({ kind: "AddedToMergeQueueEvent" });
}

/** Takes a pull request out of the merge queue, if it is there. */
export function dequeue({ state }: World, pull: Pull, reason: string): void {
  const place = state.queue.indexOf(pull.number);
  if (place < 0) return;
  state.queue.splice(place, 1);
  pull.timeline.push({ kind: "RemovedFromMergeQueueEvent", reason });
}

/** The place of a pull request in the merge queue, from 1; `undefined` when it is not there. */
export function positionOf({ state }: World, pull: Pull): number | undefined {
  const place = state.queue.indexOf(pull.number);
  return place < 0 ? undefined : place + 1;
}
