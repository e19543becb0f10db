import type { Dispatcher } from "undici";
import { textAt } from "../../document/fields.ts";
import { parseJson } from "../../document/json.ts";
import { failureOfStatus, Unwanted } from "./failures.ts";

/** The status and headers of an answer. */
export interface HttpHead {
  readonly status: number;
  /** By lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
}

/** A complete answer. */
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

  /** The body as JSON, parsed once; `undefined` if it is not JSON. */
  json(): unknown {
    this.#json ??= { value: parseJson(this.bytes) };
    return this.#json.value;
  }
}

/** Converts the head of an answer of undici. */
export function answerHead(status: number, headers: Readonly<Record<string, string | string[] | undefined>>): HttpHead {
  const texts = Object.entries(headers).map(([name, value = ""]) => [name, [value].flat().join(", ")]);
  return { status, headers: Object.fromEntries(texts) as HttpHead["headers"] };
}

/** The error of an attempt whose answer is rejected. It has the fields of undici's own errors. */
class FailedAttempt extends Error {
  readonly statusCode: number;
  readonly headers: HttpHead["headers"];

  constructor(answer: HttpAnswer) {
    super(textAt(answer.json(), ["message"]));
    this.statusCode = answer.status;
    this.headers = answer.headers;
  }
}

/** The error of an attempt whose status allows a retry; `undefined` for other statuses. */
export function judgeStatus(answer: HttpAnswer): FailedAttempt | undefined {
  return failureOfStatus(answer.status) === undefined ? undefined : new FailedAttempt(answer);
}

/**
 * An interceptor below undici's retry interceptor, which passes on only complete accepted answers, and errors. Without
 * it, the retry interceptor requests the rest of an answer that breaks off, and API servers do not support ranges.
 */
export function receive(
  maxBytes: number,
  judge: (answer: HttpAnswer) => Error | undefined,
  onAnswer: (answer: HttpAnswer) => void,
): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, next) => {
    let head = answerHead(0, {});
    let size = 0;
    const pieces: Buffer[] = [];
    return dispatch(options, {
      onRequestStart: (controller, context) => next.onRequestStart?.(controller, context),
      onResponseStart: (_, status, headers) => {
        head = answerHead(status, headers);
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
