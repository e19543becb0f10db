import type { Finding } from "../../document/finding.ts";
import type { ModuleName } from "../../catalogue/names.ts";
import type { ModuleHistory } from "../../catalogue/history/history.ts";

/** What a simulation replays: what happened to every module, and what is to be known of where that comes from. */
export interface ReplayInput {
  /** Where it comes from, for people: a file, or a revision. */
  readonly source: string;
  readonly modules: ReadonlyMap<ModuleName, ModuleHistory>;
  /** What was left out or put right while it was read, in order of lines. */
  readonly findings: readonly Finding[];
  /** Times that nothing is known of, oldest first. */
  readonly gaps: readonly Gap[];
}

/** A time in which nothing was observed: what changed in it is dated to its end. Unix milliseconds. */
export interface Gap {
  readonly startMs: number;
  readonly endMs: number;
  /** The commit that ends it. */
  readonly commit: string;
}

/** Two looks at a file this far apart have a gap between them: it changes several times a week. */
export const GAP_MS: number = 14 * 86_400_000;
