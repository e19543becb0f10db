import { createHash } from "node:crypto";
import { compareText } from "./order.ts";

/**
 * Canonical JSON: keys sorted by code unit, no white space, members without a value left out.
 *
 * Two values are equal exactly when their canonical JSON is. A null is left out as well, since to Kubernetes null and
 * absent are one; inside a list it stays, because it takes a place.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value ?? null);
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined && member !== null)
    .sort(([a], [b]) => compareText(a, b))
    .map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`);
  return `{${members.join(",")}}`;
}

/** SHA-256 of the canonical JSON of `value`, as `sha256:<64 hex digits>`. */
export function hashOf(value: unknown): string {
  return `sha256:${createHash("sha256").update(canonicalJson(value)).digest("hex")}`;
}
