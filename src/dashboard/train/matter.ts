import type { DashboardState } from "../state.ts";

/** The kinds of matters, the most severe first. */
export const MATTER_KINDS = [
  "halted",
  "served although held",
  "withheld",
  "blocked",
  "held",
  "refused",
  "contested",
  "paused",
  "drift",
  "debt",
  "awaited",
] as const;

/** Something about a module that a person should know, and perhaps act on. */
export interface Matter {
  readonly kind: (typeof MATTER_KINDS)[number];
  /** `undefined` for all modules of a landscape. */
  readonly module: string | undefined;
  /** Its subject beside the module, such as `1.3.0` or `prod`. */
  readonly about: string;
  /** A sentence, or a part of one. */
  readonly message: string;
  /** When it began; `undefined` if not recorded. Unix milliseconds. */
  readonly sinceMs: number | undefined;
  /** The person or team that it waits for. */
  readonly owner: string;
  /** The file of the repository that causes it. */
  readonly file?: string;
  /** The commands to run. */
  readonly commands: readonly string[];
}

/** The owners of a module as text. */
export function ownersOf(module: string, { gathered: { catalogue } }: Pick<DashboardState, "gathered">): string {
  return [...catalogue.modules.values()].find(({ name }) => name === module)?.owners.join(", ") ?? "";
}

/** Compares instants. Unknown ones come last. */
export function compareTimes(a: number | undefined, b: number | undefined): number {
  return a === b ? 0 : (a ?? Infinity) - (b ?? Infinity);
}
