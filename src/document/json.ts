/** The value of a JSON document; `undefined` for what is none, so that it has no fields. */
export function parseJson(document: string | Buffer): unknown {
  try {
    return JSON.parse(document.toString());
  } catch {
    return undefined;
  }
}
