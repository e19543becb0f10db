import type { Run } from "../../ports.ts";
import type { StepContext, StepOutcome } from "../step.ts";

/** Tries the version with those that it needs, and that need it. */
export function dependencies({ neighbours, requires }: StepContext, _run: Run): Promise<StepOutcome> {
  if (neighbours.length === 0 && requires.length === 0)
    return Promise.resolve({ kind: "passed", notes: ["it requires no API, and no module requires one of its own"] });
  return Promise.resolve({ kind: "notChecked", why: "pairs of modules are not tried here" });
}
