/** Whether `value` is a map. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether `value` is a list of strings. */
export function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

/** The value at `path`; `undefined` when there is none. */
export function fieldAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce((at, key) => (isRecord(at) ? at[key] : undefined), value);
}

/** The text at `path`; `undefined` when it is missing, empty or not a string. */
export function textAt(value: unknown, path: readonly string[]): string | undefined {
  const text = fieldAt(value, path);
  return typeof text === "string" && text !== "" ? text : undefined;
}

/** The list at `path`; empty when it is missing or not a list. */
export function listAt(value: unknown, path: readonly string[]): readonly unknown[] {
  const list = fieldAt(value, path);
  return Array.isArray(list) ? list : [];
}
