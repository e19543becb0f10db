import type { DashboardState } from "../state.ts";

/** What a matter is, the most severe first. */
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

/** Something that a person should know of a module, and perhaps do. */
export interface Matter {
  readonly kind: (typeof MATTER_KINDS)[number];
  /** `undefined`: all modules of a landscape. */
  readonly module: string | undefined;
  /** What it is about beside the module, such as `1.3.0` or `prod`. */
  readonly about: string;
  /** A sentence, or half of one. */
  readonly message: string;
  /** Since when; `undefined`: nobody recorded that. Unix milliseconds. */
  readonly sinceMs: number | undefined;
  /** Whom it waits for. */
  readonly owner: string;
  /** A file of the repository that says so. */
  readonly file?: string;
  /** What a person can type next. */
  readonly commands: readonly string[];
}

/** The owners of a module, as people read them. */
export function ownersOf(module: string, { gathered: { catalogue } }: Pick<DashboardState, "gathered">): string {
  return [...catalogue.modules.values()].find(({ name }) => name === module)?.owners.join(", ") ?? "";
}

/** Compares instants; what is unknown comes last. */
export function compareTimes(a: number | undefined, b: number | undefined): number {
  return a === b ? 0 : (a ?? Infinity) - (b ?? Infinity);
}
