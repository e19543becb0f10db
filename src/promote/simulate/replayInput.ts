import type { Finding } from "../../document/finding.ts";
import type { ModuleName } from "../../catalogue/names.ts";
import type { ModuleHistory } from "../../catalogue/history/history.ts";

/** The input of a replay: the history of every module, and how reliable it is. */
export interface ReplayInput {
  /** The source, for people: a file, or a revision. */
  readonly source: string;
  readonly modules: ReadonlyMap<ModuleName, ModuleHistory>;
  /** Lines that were left out or corrected, in order. */
  readonly findings: readonly Finding[];
  /** Periods without observations, oldest first. */
  readonly gaps: readonly Gap[];
}

/** A period without observations: a change in it is dated to its end. Unix milliseconds. */
export interface Gap {
  readonly startMs: number;
  readonly endMs: number;
  /** The commit that ends it. */
  readonly commit: string;
}

/** Two snapshots of a file this far apart have a gap between them: it changes several times a week. */
export const GAP_MS: number = 14 * 86_400_000;
