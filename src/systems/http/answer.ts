import { parseJson } from "../json.ts";

/** The beginning of an answer. */
export interface HttpHead {
  readonly status: number;
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

/** An answer that came as a whole. */
export class HttpAnswer implements HttpHead {
  readonly status: number;
  readonly headers: HttpHead["headers"];
  readonly bytes: Buffer;
  #json: { readonly value: unknown } | undefined;

  constructor({ status, headers }: HttpHead, bytes: Buffer) {
    this.status = status;
    this.headers = headers;
    this.bytes = bytes;
  }

  /** The body as JSON, parsed once; `undefined` where it is something else. */
  json(): unknown {
    this.#json ??= { value: parseJson(this.bytes) };
    return this.#json.value;
  }
}

/** The head of an answer as undici gives it. */
export function headOf(status: number, headers: Readonly<Record<string, string | string[] | undefined>>): HttpHead {
  const texts = Object.entries(headers).map(([name, value = ""]) => [name, [value].flat().join(", ")]);
  return { status, headers: Object.fromEntries(texts) as HttpHead["headers"] };
}
