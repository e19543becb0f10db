/**
 * Caches the result of a function for each object. The objects must not change. A result is released together with its
 * object.
 */
export function oncePer<Key extends object, Value>(derive: (key: Key) => Value): (key: Key) => Value {
  const known = new WeakMap<Key, { readonly value: Value }>();
  return (key) => {
    const found = known.get(key) ?? { value: derive(key) };
    known.set(key, found);
    return found.value;
  };
}

/** The same for a function with more arguments; `nameOf` makes a key of these. An object should have few keys. */
export function oncePerWith<Key extends object, More extends readonly unknown[], Value>(
  derive: (key: Key, ...more: More) => Value,
  nameOf: (...more: More) => string,
): (key: Key, ...more: More) => Value {
  // A list: most objects have one key, and a Map for each template of a large catalogue takes 5 MiB.
  const known = new WeakMap<Key, NamedValue<Value>>();
  return (key, ...more) => {
    const [first, name] = [known.get(key), nameOf(...more)];
    let found = first;
    while (found !== undefined && found.name !== name) found = found.next;
    if (found !== undefined) return found.value;
    const value = derive(key, ...more);
    known.set(key, { name, value, next: known.get(key) });
    return value;
  };
}

interface NamedValue<Value> {
  readonly name: string;
  readonly value: Value;
  readonly next: NamedValue<Value> | undefined;
}
