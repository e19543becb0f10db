import type { Run } from "../ports.ts";
import type { ModuleContent } from "./content.ts";
import type { UsedObject } from "./judge/kept.ts";
import type { StepContext, Trouble } from "./step.ts";

/** Watches for a while that what was reached stays; without pods nothing moves, and nothing is waited for. */
export function holdStill(
  _content: ModuleContent,
  _used: readonly UsedObject[],
  _context: StepContext,
  _run: Run,
): Promise<Trouble | undefined> {
  return Promise.resolve(undefined);
}
