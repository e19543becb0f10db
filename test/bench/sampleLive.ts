import { FIELD_MANAGER, type JsonObject, type KubernetesObject } from "../../src/kubernetes/object.ts";

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

function fieldsOf(object: Readonly<Record<string, unknown>>): JsonObject {
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => [`f:${key}`, isMap(value) ? fieldsOf(value) : {}]),
  );
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
