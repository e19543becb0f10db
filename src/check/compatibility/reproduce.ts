import type { ValidationVerdict } from "../../kubernetes/validation.ts";
import type { Run, TrialServer } from "../../ports.ts";
import type { Proof } from "./proof.ts";
import { isLost } from "./trial.ts";

/** A running throw-away API server. */
export interface StartedTrial {
  readonly server: TrialServer;
  /** Stops it, and removes its data. */
  readonly stop: () => Promise<void>;
}

/** What API servers do with the objects of a proof. */
export interface Reproduction {
  /** With the served definition. */
  readonly before: ValidationVerdict;
  /** With the new definition. */
  readonly after: ValidationVerdict;
  /** Whether they behave as the finding says. */
  readonly isShown: boolean;
}

/** Tries what a proof says breaks, on an API server for each definition. */
export async function reproduce(
  { before: { definition: served }, after: { definition: wanted }, example }: Proof,
  startTrial: (run: Run) => Promise<StartedTrial>,
  run: Run,
): Promise<Reproduction> {
  const attempt = async (definition: unknown): Promise<ValidationVerdict> => {
    const { server, stop } = await startTrial(run);
    try {
      return await server.attempt(definition, example, run);
    } finally {
      await stop();
    }
  };
  const [before, after] = [await attempt(served), await attempt(wanted)];
  const isBroken = example.kind === "read" ? isLost(before, after) : after.kind === "refused";
  return { before, after, isShown: before.kind === "accepted" && isBroken };
}
