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

/** The same of an object and what else is asked; `nameOf` tells that apart by a text. An object has few such names. */
export function oncePerWith<Key extends object, More extends readonly unknown[], Value>(
  derive: (key: Key, ...more: More) => Value,
  nameOf: (...more: More) => string,
): (key: Key, ...more: More) => Value {
  // A list: most objects are asked about one name, and a Map for each template of a large catalogue takes 5 MiB.
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
