/** The value of a JSON document; `undefined`, which has no fields, when it is not valid JSON. */
export function parseJson(document: string | Buffer): unknown {
  try {
    return JSON.parse(document.toString());
  } catch {
    return undefined;
  }
}
