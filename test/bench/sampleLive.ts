import type { Compilation } from "../../src/catalogue/compile.ts";
import { FIELD_MANAGER, type JsonObject, type KubernetesObject } from "../../src/kubernetes/object.ts";
import { entryKey, type EntryRecord, type Records } from "../../src/sync/plan/records.ts";

/** `desired` as an API server gives it back after the sync: with identity, times and the fields that are ours. */
export function asLive(desired: KubernetesObject, index: number): KubernetesObject {
  const { apiVersion, kind: _kind, metadata, ...rest } = desired;
  const { labels, annotations } = metadata;
  const time = "2026-01-01T00:00:00Z";
  const fieldsV1 = { ...fieldsOf(rest), "f:metadata": fieldsOf({ labels, annotations }) };
  return {
    ...desired,
    metadata: {
      ...metadata,
      uid: `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`,
      resourceVersion: String(1000 + index),
      generation: 1,
      creationTimestamp: time,
      managedFields: [
        { manager: FIELD_MANAGER, operation: "Apply", apiVersion, time, fieldsType: "FieldsV1", fieldsV1 },
      ],
    },
  };
}

/** What a sync records once it made the control plane serve `desired`. */
export function recordsOf({ entries, terms }: Compilation): Records {
  const records = entries.map((entry): [string, EntryRecord] => {
    const { module, version, specHash } = entry;
    const current = { version, specHash, sinceMs: 0, accepted: [], now: undefined };
    return [entryKey(entry), { current, next: undefined, previous: [], terms: terms.get(module) }];
  });
  return { kind: "known", entries: new Map(records) };
}

function fieldsOf(object: Readonly<Record<string, unknown>>): JsonObject {
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => [`f:${key}`, isMap(value) ? fieldsOf(value) : {}]),
  );
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
