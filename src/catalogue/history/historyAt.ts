import type { DeclaredEntry, ModuleHistory, ServedState } from "./history.ts";

/** What a history was right after the commit at `index` of the first-parent history. */
export function historyAt({ served, holds, hotfixes }: ModuleHistory, index: number): ModuleHistory {
  return {
    served: new Map([...served].map(([channel, states]) => [channel, states.slice(0, countUpTo(states, index))])),
    holds: standingAt(holds, index),
    hotfixes: standingAt(hotfixes, index),
  };
}

/** How many states had come by then; halved again and again, since a life asks at every step. */
function countUpTo(states: readonly ServedState[], index: number): number {
  let [low, high] = [0, states.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (Number(states[middle]?.revision.index) <= index) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** What was declared by then; what was taken back later still stood. */
function standingAt<Entry>(all: readonly DeclaredEntry<Entry>[], index: number): readonly DeclaredEntry<Entry>[] {
  return all
    .filter(({ from }) => from.index <= index)
    .map((one) => (one.to !== undefined && one.to.index > index ? { ...one, to: undefined } : one));
}
