import type { Dispatcher } from "undici";
import { headOf, HttpAnswer } from "./answer.ts";
import { FailedAttempt, type Failure, Unwanted } from "./failures.ts";

/**
 * Stands below undici's retry interceptor, which then hears only of whole answers that count, and of errors. By itself, it
 * would ask for the rest of an answer that breaks off, and API servers know no ranges. `judge` says why an answer does
 * not count.
 */
export function receive(
  maxBytes: number,
  judge: (answer: HttpAnswer) => Failure | undefined,
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
        const failure = judge(answer);
        if (failure !== undefined) {
          next.onResponseError?.(controller, new FailedAttempt(failure, answer));
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
