import { describe, it } from "vitest";

/**
 * A suite that is skipped where something is missing, and says what: a skip without a reason fails. `tests` is not called
 * then, since its hooks need what is missing.
 */
export function describeUnless(missing: string | undefined, name: string, tests: () => void): void {
  describe(name, () => {
    if (missing === undefined) tests();
    else
      it("runs", (context) => {
        context.skip(missing);
      });
  });
}
