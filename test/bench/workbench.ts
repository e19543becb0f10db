import { join } from "node:path";
import type { Measure } from "./wholeProcess.ts";

/** What every measurement works with. */
export interface Workbench {
  /** A temporary folder, removed at the end. */
  readonly folder: string;
  readonly runs: number;
  readonly signal: AbortSignal;
  /** Prints one line. */
  readonly say: (line: string) => void;
  readonly measure: Measure;
}

/** The repository that is measured. */
export const ROOT: string = join(import.meta.dirname, "..", "..");

/** Calls `round` once without counting it, since caches are cold then, and `runs` times more. */
export async function inRounds(
  name: string,
  { runs, say }: Pick<Workbench, "runs" | "say">,
  round: (number: number) => Promise<void>,
): Promise<void> {
  for (let number = 0; number <= runs; number++) {
    say(number === 0 ? `${name}: warming up` : `${name}: run ${number} of ${runs}`);
    await round(number);
  }
}
