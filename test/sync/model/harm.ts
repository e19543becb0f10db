import { isLower, type Inventory } from "./inventory.ts";

/** The harm of a sync to a cluster, or a version that it let in too early. */
export interface Harm {
  readonly kind: "down" | "gone" | "doubled" | "broken" | "held" | "early";
  /** `<cluster>/<module>`, or the channel. */
  readonly where: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** The state of clusters now, and later without any further action. */
export interface Before {
  readonly now: Inventory;
  readonly later: Inventory;
}

/** Modules that a sync removed, lowered or installed twice. */
export function installedHarm({ now, later: without }: Before, later: Inventory): readonly Harm[] {
  return [...now.installed].flatMap(([where, versions]): Harm[] => {
    const kind = harmBetween(versions, later.installed.get(where));
    const isOurs = kind !== undefined && harmBetween(versions, without.installed.get(where)) === undefined;
    return isOurs ? [{ kind, where, before: versions.join(), after: later.installed.get(where)?.join() }] : [];
  });
}

/** The harm to an installed module, given its versions before and after. */
export function harmBetween(
  before: readonly string[],
  after: readonly string[] | undefined,
): "down" | "gone" | "doubled" | undefined {
  const [highest, then] = [before.at(-1), after?.at(-1)];
  if (highest === undefined) return undefined;
  if (then === undefined) return "gone";
  if (isLower(then, highest)) return "down";
  return (after?.length ?? 0) > before.length ? "doubled" : undefined;
}

/** A working module that a sync leaves in Error: its version is forgotten. */
export function brokenHarm({ now, later: without }: Before, later: Inventory): readonly Harm[] {
  return [...later.broken]
    .filter((where) => !now.broken.has(where) && !without.broken.has(where))
    .map((where) => ({ kind: "broken", where, before: now.installed.get(where)?.join(), after: undefined }));
}
