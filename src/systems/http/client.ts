import { setTimeout as sleep } from "node:timers/promises";
import { type Dispatcher, interceptors, request as send, type RetryHandler } from "undici";
import { Fault, type Log, type Run } from "../../ports.ts";
import { untilAborted } from "../pause.ts";
import type { Backpressure } from "./backpressure.ts";
import { answerHead, type HttpAnswer, type HttpHead, judgeStatus, receive } from "./answer.ts";
import {
  requestFailure,
  requestFault,
  isRepeated,
  type Repeat,
  retryAfterMs,
  type ServerKind,
  Unwanted,
} from "./failures.ts";

/** A request to a server. */
export interface HttpRequest {
  readonly method: "GET" | "HEAD" | "PATCH" | "POST" | "PUT" | "DELETE";
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: string | undefined;
  /** The subject of the request, which begins messages. */
  readonly subject: string;
  /** By default `safe`. */
  readonly repeat?: Repeat;
  /** Called before every retry; an error ends the request. */
  readonly beforeRepeating?: (() => Promise<void>) | undefined;
  /** Whether to send it although the server holds back other requests. */
  readonly isUrgent?: boolean;
  /** Longer answers are refused. */
  readonly maxBytes?: number;
  /** Returns the error of an attempt whose answer is rejected; by default, the status decides. */
  readonly judge?: (answer: HttpAnswer) => Error | undefined;
  /** Overrides for the limits of the client. */
  readonly limits?: Partial<Limits>;
}

/** An answer with a streamed body. */
export interface HttpStream extends HttpHead {
  /** Throws a fault if it breaks off. */
  readonly pieces: AsyncIterable<Buffer>;
}

/** Timeouts and retry limits, in milliseconds. */
export interface Limits {
  /** From the connection to the head of an answer. */
  readonly firstByteMs: number;
  /** Between two pieces of an answer. */
  readonly idleMs: number;
  /** For all attempts together, including their answers. By default unlimited while data arrives. */
  readonly wholeMs?: number;
  /** No retry begins later than this after the first attempt, */
  readonly backOffMs: number;
  /** or than this, if the server tells when to retry. */
  readonly retryAfterMs: number;
  /** The first pause between two attempts; each further one is twice as long, up to 3 s. */
  readonly firstPauseMs: number;
}

/** Limits for requests without retries. */
export const NO_RETRIES: Pick<Limits, "backOffMs" | "retryAfterMs" | "firstPauseMs"> = {
  backOffMs: 0,
  retryAfterMs: 0,
  firstPauseMs: 0,
};

/** Settings of a client for servers of one kind. */
export interface HttpSettings {
  readonly kind: ServerKind;
  readonly dispatcher: Dispatcher;
  readonly limits: Limits;
  /** Whether an address is allowed. Without it, redirects are not followed. */
  readonly mayAsk?: (url: URL) => boolean;
  /** Shared by all requests to one server. */
  readonly backpressure?: Backpressure;
  /** Whether to give up on a server that did not answer any attempt of a request. */
  readonly isGivenUpOnce?: boolean;
}

/** A request in progress. */
interface SentRequest {
  readonly request: HttpRequest;
  readonly limits: Limits;
  /** Aborts with the run, and when `wholeMs` are over. */
  readonly signal: AbortSignal;
  readonly log: Log;
  readonly startedAt: number;
  /** Whether the caller already has the beginning of the answer. */
  hasBegun: boolean;
}

type Interceptors = readonly Dispatcher.DispatcherComposeInterceptor[];

const LONGEST_PAUSE_MS = 3_000;
/** Longer pauses are logged. */
const NOTICEABLE_MS = 500;
const MOST_REDIRECTS = 5;

/** An HTTP client on undici, whose retry and redirect interceptors follow the rules of failures.ts and `mayAsk`. */
export class HttpClient {
  readonly #settings: HttpSettings;
  /** The last error of servers that were given up on, by origin. */
  readonly #givenUp = new Map<string, unknown>();

  constructor(settings: HttpSettings) {
    this.#settings = settings;
  }

  /**
   * Sends a request and returns the complete answer. Throws a fault if no answer is accepted; an abort throws its
   * reason.
   */
  async exchange(request: HttpRequest, run: Run): Promise<HttpAnswer> {
    const { maxBytes = Infinity, judge = judgeStatus } = request;
    const { promise, resolve } = Promise.withResolvers<HttpAnswer>();
    const { body } = await this.#send(request, [receive(maxBytes, judge, resolve)], run);
    await body.dump();
    return promise;
  }

  /**
   * Sends a request and returns the answer as soon as it begins, with any status. Does not retry an answer that breaks
   * off.
   */
  async open(request: HttpRequest, run: Run): Promise<HttpStream> {
    const { statusCode, headers, body } = await this.#send(request, [], run);
    return { ...answerHead(statusCode, headers), pieces: this.#pieces(request, body, run) };
  }

  /** Ends every connection and its requests. */
  async close(): Promise<void> {
    await this.#settings.dispatcher.destroy();
  }

  async *#pieces(request: HttpRequest, body: AsyncIterable<Buffer>, run: Run): AsyncGenerator<Buffer> {
    try {
      yield* body;
    } catch (error) {
      run.signal.throwIfAborted();
      throw this.#faultOf(request, error);
    }
  }

  async #send(request: HttpRequest, receivers: Interceptors, run: Run): Promise<Dispatcher.ResponseData> {
    const { url, method, body = null, headers } = request;
    run.signal.throwIfAborted();
    if (this.#givenUp.has(url.origin)) throw this.#faultOf(request, this.#givenUp.get(url.origin));
    if (request.isUrgent !== true) await this.#settings.backpressure?.wait(run);
    const limits = { ...this.#settings.limits, ...request.limits };
    const { wholeMs } = limits;
    const signal = wholeMs === undefined ? run.signal : AbortSignal.any([run.signal, AbortSignal.timeout(wholeMs)]);
    const sent = { request, limits, signal, log: run.log, startedAt: performance.now(), hasBegun: false };
    const retry = interceptors.retry({ throwOnError: false, retry: this.#retry(sent) });
    try {
      const answered = send(url, {
        ...{ method, body, signal, headersTimeout: limits.firstByteMs, bodyTimeout: limits.idleMs },
        headers: { "accept-encoding": "identity", "user-agent": "kyma-modules", ...headers },
        dispatcher: this.#settings.dispatcher.compose(...this.#redirects(request), ...receivers, retry),
      });
      return await untilAborted(answered, signal);
    } catch (error) {
      run.signal.throwIfAborted();
      throw this.#giveUp(request, signal.aborted ? signal.reason : error);
    } finally {
      sent.hasBegun = true;
    }
  }

  /** Follow redirects, but only to allowed addresses, and never with a GET in place of another method. */
  #redirects(request: HttpRequest): Interceptors {
    const { mayAsk } = this.#settings;
    if (mayAsk === undefined) return [];
    const guard: Interceptors[number] = (dispatch) => (options, handler) => {
      const url = new URL(String(options.origin));
      if (!mayAsk(url)) {
        const why = url.protocol === "http:" ? "use https" : "a redirect must stay on the host of the link";
        throw new Unwanted(`${url.protocol}//${url.host} is not allowed: ${why}`);
      }
      if (options.method !== request.method) throw new Unwanted("a redirect would lose the content of the request");
      return dispatch(options, handler);
    };
    return [guard, interceptors.redirect({ maxRedirections: MOST_REDIRECTS, throwOnMaxRedirect: true })];
  }

  #retry(sent: SentRequest): RetryHandler.RetryCallback {
    const { request, signal, log } = sent;
    let isTold = false;
    return (error, { state }, proceed) => {
      const waitMs = this.#isFinal(error, sent) ? undefined : this.#pauseAfter(error, state.counter, sent);
      if (waitMs === undefined) {
        proceed(error);
        return;
      }
      if (waitMs > NOTICEABLE_MS && !isTold)
        log.warn("server busy or unreachable; trying again", { server: request.url.origin, request: request.subject });
      isTold ||= waitMs > NOTICEABLE_MS;
      const again = async (): Promise<void> => {
        // Abort the pause here: undici would continue with its attempts if there is no connection yet.
        await sleep(waitMs, undefined, { signal });
        await request.beforeRepeating?.();
      };
      again().then(() => {
        proceed(null);
      }, proceed);
    };
  }

  #isFinal(error: unknown, { request, signal, hasBegun }: SentRequest): boolean {
    const isOver = hasBegun || signal.aborted || this.#givenUp.has(request.url.origin);
    return isOver || !isRepeated(requestFailure(error), request.repeat);
  }

  /** The pause before the next attempt in milliseconds; `undefined` if that would be too late. */
  #pauseAfter(error: unknown, count: number, { request, limits, startedAt }: SentRequest): number | undefined {
    const askedMs = retryAfterMs(error);
    const allMs = this.#settings.backpressure?.holdFor(Math.min(askedMs ?? 0, limits.retryAfterMs)) ?? 0;
    const heldMs = request.isUrgent === true ? 0 : allMs;
    const backOffMs = Math.min(limits.firstPauseMs * 2 ** (count - 1), LONGEST_PAUSE_MS) * (0.5 + Math.random() / 2);
    const waitMs = Math.max(askedMs ?? backOffMs, heldMs);
    const lastMs = askedMs === undefined ? limits.backOffMs : limits.retryAfterMs;
    return performance.now() - startedAt + waitMs <= lastMs ? waitMs : undefined;
  }

  #giveUp(request: HttpRequest, error: unknown): Fault {
    // `beforeRepeating` threw it.
    if (error instanceof Fault) return error;
    const isSilent = ["lost", "timeout", "unknown-host", "untrusted"].includes(requestFailure(error) ?? "");
    if (isSilent && this.#settings.isGivenUpOnce === true) this.#givenUp.set(request.url.origin, error);
    return this.#faultOf(request, error);
  }

  #faultOf({ url, subject }: HttpRequest, error: unknown): Fault {
    // Only addresses for the web have an origin.
    return requestFault(error, this.#settings.kind, subject, url.origin === "null" ? url.protocol : url.origin);
  }
}
