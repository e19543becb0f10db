import { mkdirSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { emptyFolder } from "../systems/repository.ts";

/** What the validator said is so for all runs: starting it takes longer than everything else that a run does. */
const VERDICTS = join(tmpdir(), "kyma-modules-test-verdicts");

/** A folder for caches in which nothing is remembered but verdicts of the validator; it goes with the test. */
export function freshCache(): string {
  const { path } = emptyFolder();
  shareVerdicts(path);
  return path;
}

/** Lets the runs that keep their caches in `folder` know the verdicts of all others. */
export function shareVerdicts(folder: string): void {
  mkdirSync(VERDICTS, { recursive: true });
  mkdirSync(join(folder, "kyma-modules"), { recursive: true });
  symlinkSync(VERDICTS, join(folder, "kyma-modules", "verdicts"));
}
