import type { Generation } from "../../catalogue/settings.ts";
import { RESOURCES } from "../../kubernetes/object.ts";
import { itemsOf, type EntryItem, type ObjectName, type Plan } from "./item.ts";
import type { EntryRecord } from "./records.ts";

/** The time of a sync, and the objects that it makes, by `createdObjects`. */
interface RestoringSync {
  readonly created: ReadonlySet<string>;
  readonly generation: Generation;
  readonly nowMs: number;
}

/** The kinds and names of the objects that a plan makes. */
export function createdObjects(plan: Plan): ReadonlySet<string> {
  return new Set(itemsOf(plan).flatMap(({ kind, object }) => (kind === "create" ? [objectKey(object)] : [])));
}

function objectKey({ kind, name }: ObjectName): string {
  return `${kind} ${name}`;
}

/**
 * The record of an entry with the time at which its version comes back after another client removed or replaced it: its
 * absence fails clusters, and is no failure of the version.
 */
export function withReturn(
  record: EntryRecord | undefined,
  entry: EntryItem,
  { created, generation, nowMs }: RestoringSync,
): EntryRecord | undefined {
  if (record?.current === undefined || record.next !== undefined) return record;
  const isByMeta = generation === "version-templates";
  const template = `${entry.module}-${isByMeta ? record.current.version : entry.channel}`;
  const needed = [
    { kind: RESOURCES.moduleTemplate.kind, name: template },
    ...(isByMeta ? [{ kind: RESOURCES.moduleReleaseMeta.kind, name: entry.module }] : []),
  ];
  const isBack = isReturn(entry) || needed.some((object) => created.has(objectKey(object)));
  return isBack ? { ...record, current: { ...record.current, restoredMs: nowMs } } : record;
}

function isReturn(entry: EntryItem): boolean {
  return ("cause" in entry && entry.cause === "drift") || "setBack" in entry;
}
