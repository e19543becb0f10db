/** Texts that a pool keeps: catalogues and fleets name few versions, states and channels. */
const MOST = 10_000;

/** A function that derives a value once for each text, for texts of which there are few: equal texts share a value. */
export function pool<Value extends string | object>(derive: (text: string) => Value): (text: string) => Value {
  const known = new Map<string, Value>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    if (known.size >= MOST) known.clear();
    // A part of a text keeps the whole text in memory, but a copy does not.
    const copy = Buffer.from(text, "utf16le").toString("utf16le");
    const value = derive(copy);
    known.set(copy, value);
    return value;
  };
}

/** The same text for equal texts. */
export const pooled: (text: string) => string = pool((text) => text);
