/**
 * A function that derives a value from an object once, however often it is asked. For values that never change: objects
 * here are read-only, and an answer goes with the object that it is about.
 */
export function oncePer<Key extends object, Value>(derive: (key: Key) => Value): (key: Key) => Value {
  const known = new WeakMap<Key, { readonly value: Value }>();
  return (key) => {
    const found = known.get(key) ?? { value: derive(key) };
    known.set(key, found);
    return found.value;
  };
}

/** The same of an object and what else is asked; `nameOf` tells that apart by a text. */
export function oncePerWith<Key extends object, More extends readonly unknown[], Value>(
  derive: (key: Key, ...more: More) => Value,
  nameOf: (...more: More) => string,
): (key: Key, ...more: More) => Value {
  const known = oncePer((_: Key) => new Map<string, { readonly value: Value }>());
  return (key, ...more) => {
    const [values, name] = [known(key), nameOf(...more)];
    const found = values.get(name) ?? { value: derive(key, ...more) };
    values.set(name, found);
    return found.value;
  };
}
