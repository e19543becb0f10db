import type { Dispatcher } from "undici";
import { textAt } from "../../document/fields.ts";
import { parseJson } from "../../document/json.ts";
import { failureOfStatus, Unwanted } from "./failures.ts";

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

/** The error of an attempt whose answer does not count. It has the fields of undici's own errors. */
export class FailedAttempt extends Error {
  readonly statusCode: number;
  readonly headers: HttpHead["headers"];

  constructor(answer: HttpAnswer) {
    super(textAt(answer.json(), ["message"]));
    this.statusCode = answer.status;
    this.headers = answer.headers;
  }
}

/** The error of an attempt that was answered with a status after which it may be repeated. */
export function judgeStatus(answer: HttpAnswer): FailedAttempt | undefined {
  return failureOfStatus(answer.status) === undefined ? undefined : new FailedAttempt(answer);
}

/**
 * An interceptor for the place below undici's retry interceptor: it passes on whole answers that count, and errors. By
 * itself, the retry interceptor asks for the rest of an answer that breaks off, and API servers know no ranges.
 */
export function receive(
  maxBytes: number,
  judge: (answer: HttpAnswer) => Error | undefined,
  onAnswer: (answer: HttpAnswer) => void,
): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, next) => {
    let head = headOf(0, {});
    let size = 0;
    const pieces: Buffer[] = [];
    return dispatch(options, {
      onRequestStart: (controller, context) => next.onRequestStart?.(controller, context),
      onResponseStart: (_, status, headers) => {
        head = headOf(status, headers);
      },
      onResponseData: (controller, piece) => {
        pieces.push(piece);
        size += piece.length;
        if (size > maxBytes) controller.abort(new Unwanted(`its answer is larger than ${maxBytes} bytes`));
      },
      onResponseEnd: (controller, trailers) => {
        const answer = new HttpAnswer(head, Buffer.concat(pieces));
        const error = judge(answer);
        if (error !== undefined) {
          next.onResponseError?.(controller, error);
          return;
        }
        onAnswer(answer);
        next.onResponseStart?.(controller, 200, {});
        next.onResponseEnd?.(controller, trailers);
      },
      onResponseError: (controller, error) => next.onResponseError?.(controller, error),
    });
  };
}
