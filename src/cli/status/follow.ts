import type { Landscape } from "../../catalogue/settings.ts";
import type { Run } from "../../ports.ts";
import { clock } from "../compose/systems.ts";
import type { StatusInput } from "../../sync/landscapeStatus.ts";
import { gatherLandscape, watchLandscapes, type SyncScope } from "../compose/sync.ts";
import { untilStopped } from "../terminal/endless.ts";

/** Reads the state of a landscape. Throws a Fault if it does not answer. */
export type Gather = (landscape: Landscape, run: Run) => Promise<StatusInput>;

/** How long to collect changes into one report, in milliseconds. */
const TOGETHER_MS = 1_000;
/** How often to report without a change, because ages in the report grow, in milliseconds. */
const AGAIN_MS = 10_000;

/** The landscapes to report on, and how often. */
interface TellingOf {
  readonly scope: SyncScope;
  readonly landscapes: readonly Landscape[];
  /** Report again on every change until interrupted; otherwise once. */
  readonly watch: boolean;
}

/** Reports on landscapes, once or continuously. Returns the last result of `tell`. */
export async function followTelling<T>(
  { scope, landscapes, watch }: TellingOf,
  tell: (gather: Gather) => Promise<T>,
  run: Run,
): Promise<T> {
  if (!watch) return tell((landscape, within) => gatherLandscape(scope, landscape, undefined, within));
  const watched = watchLandscapes(scope.repository);
  const tellNow = async (): Promise<T> => {
    await watched.keep(landscapes, run);
    return tell((landscape, within) => gatherLandscape(scope, landscape, watched, within));
  };
  try {
    let told = await tellNow();
    const again = async (): Promise<never> => {
      for (;;) {
        await clock.pause(TOGETHER_MS, run);
        await watched.changed.wait(AGAIN_MS, run);
        told = await tellNow();
      }
    };
    await untilStopped(again(), run);
    return told;
  } finally {
    await watched.stop();
  }
}
