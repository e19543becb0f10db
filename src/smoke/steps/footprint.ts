import type { Run } from "../../ports.ts";
import type { StepContext, StepOutcome } from "../step.ts";

/** What the version takes, beside the version before. */
export function footprint({ pods }: StepContext, _run: Run): Promise<StepOutcome> {
  return Promise.resolve(
    pods ? { kind: "notChecked", why: "not measured" } : { kind: "notChecked", why: "nothing runs pods here" },
  );
}
