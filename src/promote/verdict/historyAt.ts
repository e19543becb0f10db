import type { Declared, ModuleHistory } from "./history.ts";

/** What a history was right after the commit at `index` of the first-parent history. */
export function historyAt({ served, holds, hotfixes }: ModuleHistory, index: number): ModuleHistory {
  return {
    served: new Map(
      [...served].map(([channel, states]) => [
        channel,
        states.slice(0, states.findLastIndex(({ revision }) => revision.index <= index) + 1),
      ]),
    ),
    holds: standingAt(holds, index),
    hotfixes: standingAt(hotfixes, index),
  };
}

/** What was declared by then; what was taken back later still stood. */
function standingAt<Entry>(all: readonly Declared<Entry>[], index: number): readonly Declared<Entry>[] {
  return all
    .filter(({ from }) => from.index <= index)
    .map((one) => (one.to !== undefined && one.to.index > index ? { ...one, to: undefined } : one));
}
