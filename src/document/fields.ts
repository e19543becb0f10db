/** Whether `value` is a map. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value at `path`; `undefined` where there is none. */
export function fieldAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce((at, key) => (isRecord(at) ? at[key] : undefined), value);
}

/** The text at `path`; `undefined` for an empty one, for what is not text, and where there is nothing. */
export function textAt(value: unknown, path: readonly string[]): string | undefined {
  const text = fieldAt(value, path);
  return typeof text === "string" && text !== "" ? text : undefined;
}

/** The list at `path`; empty for what is none, and where there is nothing. */
export function listAt(value: unknown, path: readonly string[]): readonly unknown[] {
  const list = fieldAt(value, path);
  return Array.isArray(list) ? list : [];
}
