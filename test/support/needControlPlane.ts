import { inject, type TestContext } from "vitest";
import type { SharedControlPlane } from "./controlPlane.ts";

/** The control plane that all tests of a run share; skips the test where there is none. */
export function needControlPlane(context: TestContext): Exclude<SharedControlPlane, { readonly skipped: string }> {
  const shared = inject("controlPlane");
  return "skipped" in shared ? context.skip(shared.skipped) : shared;
}
