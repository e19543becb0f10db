import type { Counterexample } from "../../kubernetes/crd/compare.ts";
import type { Run, Validator } from "../../ports.ts";
import { Questions } from "./questions.ts";
import type { BreakTrial } from "./trial.ts";

/** A change, and examples that may prove it, the likeliest first. */
export interface TrialExamples {
  readonly trial: BreakTrial;
  readonly examples: readonly Counterexample[];
}

/**
 * How many examples of a change are tried at once. The first proves most changes, and each object takes time; so does
 * asking, but less.
 */
const PORTIONS = [1, 9, 30, Infinity];
/** A change of which so many examples were refused before is given up. */
const HOPELESS = 40;

/**
 * Tries the examples of each change, until one proves it. The new definition is asked only about what the one in service
 * accepts: nothing else can prove a break.
 */
export async function tryExamples(candidates: readonly TrialExamples[], validator: Validator, run: Run): Promise<void> {
  let first = 0;
  for (const size of PORTIONS) {
    const open = candidates.filter(({ trial, examples }) => {
      const isHopeless = first >= HOPELESS && !trial.isAdmitted();
      return examples.length > first && !isHopeless && !trial.isProven();
    });
    await ask(validator, run, (questions) => {
      for (const { trial, examples } of open)
        for (const example of examples.slice(first, first + size)) trial.attempt(example, questions);
    });
    await ask(validator, run, (questions) => {
      for (const { trial } of open) trial.compare(questions);
    });
    first += size;
  }
  await ask(validator, run, (questions) => {
    for (const { trial } of candidates) trial.touch(questions);
  });
}

/** Asks the questions that `put` puts. */
async function ask(validator: Validator, run: Run, put: (questions: Questions) => void): Promise<void> {
  const questions = new Questions();
  put(questions);
  await questions.ask(validator, run);
}
