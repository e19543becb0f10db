import { isRecord } from "./fields.ts";

/**
 * A value equal to `value` that shares each equal part with `like`, so that two similar documents need the memory of
 * one. Both are plain data, as JSON.parse gives them; neither is changed.
 */
export function sharing<Value>(value: Value, like: unknown): Value {
  return shared(value, like) as Value;
}

function shared(value: unknown, like: unknown): unknown {
  if (value === like) return like;
  if (Array.isArray(value)) {
    if (!Array.isArray(like)) return value;
    const parts = value.map((part: unknown, at) => shared(part, like[at]));
    return value.length === like.length && parts.every((part, at) => part === like[at]) ? like : parts;
  }
  return isRecord(value) && isRecord(like) ? sharedObject(value, like) : value;
}

function sharedObject(value: PlainObject, like: PlainObject): PlainObject {
  const names = Object.keys(value);
  const parts = names.map((name) => [name, Object.hasOwn(like, name) ? shared(value[name], like[name]) : value[name]]);
  const isAlike = names.length === Object.keys(like).length && names.every((name, at) => parts[at]?.[1] === like[name]);
  return isAlike ? like : (Object.fromEntries(parts) as PlainObject);
}

type PlainObject = Readonly<Record<string, unknown>>;
