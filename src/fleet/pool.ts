/** Texts that a pool keeps: a fleet names few versions, states and channels, and fails for few reasons. */
const MOST = 10_000;

/** A function that derives a value once for each text, for texts of which there are few: equal texts share a value. */
export function pool<Value extends string | object>(derive: (text: string) => Value): (text: string) => Value {
  const known = new Map<string, Value>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    if (known.size >= MOST) known.clear();
    // A part of a text keeps the whole text in memory, but a copy does not.
    const copy = text.split("").join("");
    const value = derive(copy);
    known.set(copy, value);
    return value;
  };
}
