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
