import { setTimeout as sleep } from "node:timers/promises";
import { type Dispatcher, interceptors, request as send, type RetryHandler } from "undici";
import { Fault, type Log, type Run } from "../../ports.ts";
import { pause, untilAborted } from "../pause.ts";
import { headOf, type HttpAnswer, type HttpHead, judgeStatus, receive } from "./answer.ts";
import { failureOf, faultOf, isRepeated, type Repeat, retryAfterOf, type ServerKind, Unwanted } from "./failures.ts";

/** A request to a server. */
export interface HttpRequest {
  readonly method: "GET" | "HEAD" | "PATCH" | "POST" | "PUT" | "DELETE";
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** What the request is about; messages begin with it. */
  readonly subject: string;
  /** Without it, `safe`. */
  readonly repeat?: Repeat;
  /** Asked before every attempt but the first; what it throws ends the request. */
  readonly beforeRepeating?: (() => Promise<void>) | undefined;
  /** A longer answer is refused. */
  readonly maxBytes?: number;
  /** Gives the error of an attempt whose answer does not count; by default, its status decides. */
  readonly judge?: (answer: HttpAnswer) => Error | undefined;
  /** Where they differ from those of the client. */
  readonly limits?: Partial<Limits>;
}

/** An answer whose body is read as it comes. */
export interface HttpStream extends HttpHead {
  /** Throws a Fault when it breaks off. */
  readonly pieces: AsyncIterable<Buffer>;
}

/** Timeouts and retry limits, in milliseconds. */
export interface Limits {
  /** From the connection to the head of an answer. */
  readonly firstByteMs: number;
  /** Between two pieces of an answer. */
  readonly idleMs: number;
  /** For all attempts together, with their answers. Without it, an answer may take as long as something comes. */
  readonly wholeMs?: number;
  /** No attempt begins later than this after the first one, */
  readonly backOffMs: number;
  /** or than this, where the server says when to come back. */
  readonly retryAfterMs: number;
  /** The first pause between two attempts; each further one is twice as long, up to 3 s. */
  readonly firstPauseMs: number;
}

/** For requests that are never repeated. */
export const NO_RETRIES: Pick<Limits, "backOffMs" | "retryAfterMs" | "firstPauseMs"> = {
  backOffMs: 0,
  retryAfterMs: 0,
  firstPauseMs: 0,
};

/** A server that asked for a pause: no request to it is sent until then. */
export class Backpressure {
  #untilMs = 0;

  /** Nothing is sent for so long, or for longer. Gives how long there is to wait now. Milliseconds. */
  holdFor(ms: number): number {
    this.#untilMs = Math.max(this.#untilMs, performance.now() + ms);
    return this.#untilMs - performance.now();
  }

  /** Waits until something may be sent. */
  async wait(run: Run): Promise<void> {
    while (this.#untilMs > performance.now()) await pause(this.#untilMs - performance.now(), run);
  }
}

/** How the servers of one kind are asked. */
export interface HttpSettings {
  readonly kind: ServerKind;
  readonly dispatcher: Dispatcher;
  readonly limits: Limits;
  /** Whether an address may be asked. Without it, no redirect is followed. */
  readonly mayAsk?: (url: URL) => boolean;
  /** Shared by all requests to one server. */
  readonly backpressure?: Backpressure;
  /** Whether a server that did not answer, after all attempts, is not asked again. */
  readonly isGivenUpOnce?: boolean;
}

/** A request under way. */
interface SentRequest {
  readonly request: HttpRequest;
  readonly limits: Limits;
  /** Aborts with the run, and when `wholeMs` are over. */
  readonly signal: AbortSignal;
  readonly log: Log;
  readonly startedAt: number;
  /** Whether the caller has the beginning of the answer. */
  hasBegun: boolean;
}

type Interceptors = readonly Dispatcher.DispatcherComposeInterceptor[];

const LONGEST_PAUSE_MS = 3_000;
/** A pause of which the user is told. */
const NOTICEABLE_MS = 500;
const MOST_REDIRECTS = 5;

/** An HTTP client on undici, whose retry and redirect interceptors follow the rules of failures.ts and `mayAsk`. */
export class HttpClient {
  readonly #settings: HttpSettings;
  /** By origin, the error of the last attempt. */
  readonly #givenUp = new Map<string, unknown>();

  constructor(settings: HttpSettings) {
    this.#settings = settings;
  }

  /** The whole answer to a request. Throws a Fault when no answer counts; an abort throws its reason. */
  async exchange(request: HttpRequest, run: Run): Promise<HttpAnswer> {
    const { maxBytes = Infinity, judge = judgeStatus } = request;
    const { promise, resolve } = Promise.withResolvers<HttpAnswer>();
    const { body } = await this.#send(request, [receive(maxBytes, judge, resolve)], run);
    await body.dump();
    return promise;
  }

  /** The answer to a request as soon as it begins, whatever its status. An answer that breaks off is not repeated. */
  async open(request: HttpRequest, run: Run): Promise<HttpStream> {
    const { statusCode, headers, body } = await this.#send(request, [], run);
    return { ...headOf(statusCode, headers), pieces: this.#pieces(request, body, run) };
  }

  /** Ends every connection, and whatever is under way on them. */
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
    await this.#settings.backpressure?.wait(run);
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

  /** Follow redirects, but only to addresses that may be asked, and never with a GET in place of what was to be sent. */
  #redirects(request: HttpRequest): Interceptors {
    const { mayAsk } = this.#settings;
    if (mayAsk === undefined) return [];
    const guard: Interceptors[number] = (dispatch) => (options, handler) => {
      const url = new URL(String(options.origin));
      if (!mayAsk(url)) {
        const why = url.protocol === "http:" ? "use https" : "a link stays on its host";
        throw new Unwanted(`${url.protocol}//${url.host} is not asked: ${why}`);
      }
      if (options.method !== request.method) throw new Unwanted("a redirect would lose what is sent");
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
        log.warn(`${request.subject}: ${request.url.origin} is busy or cannot be reached; trying again`);
      isTold ||= waitMs > NOTICEABLE_MS;
      const again = async (): Promise<void> => {
        // undici goes on with its attempts after an abort that falls into a pause before there is a connection.
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
    return isOver || !isRepeated(failureOf(error), request.repeat);
  }

  /** How long to wait before the next attempt; `undefined` where it would be too late. */
  #pauseAfter(error: unknown, count: number, { limits, startedAt }: SentRequest): number | undefined {
    const askedMs = retryAfterOf(error);
    const heldMs = this.#settings.backpressure?.holdFor(Math.min(askedMs ?? 0, limits.retryAfterMs)) ?? 0;
    const backOffMs = Math.min(limits.firstPauseMs * 2 ** (count - 1), LONGEST_PAUSE_MS) * (0.5 + Math.random() / 2);
    const waitMs = Math.max(askedMs ?? backOffMs, heldMs);
    const lastMs = askedMs === undefined ? limits.backOffMs : limits.retryAfterMs;
    return performance.now() - startedAt + waitMs <= lastMs ? waitMs : undefined;
  }

  #giveUp(request: HttpRequest, error: unknown): Fault {
    // What `beforeRepeating` throws.
    if (error instanceof Fault) return error;
    const isSilent = ["lost", "timeout", "untrusted"].includes(failureOf(error) ?? "");
    if (isSilent && this.#settings.isGivenUpOnce === true) this.#givenUp.set(request.url.origin, error);
    return this.#faultOf(request, error);
  }

  #faultOf({ url, subject }: HttpRequest, error: unknown): Fault {
    return faultOf(error, this.#settings.kind, subject, url.origin);
  }
}
