import { setTimeout as sleep } from "node:timers/promises";
import { interceptors, request as send, type Dispatcher, type RetryHandler } from "undici";
import type { Run } from "../../ports.ts";
import { isPassing } from "./errors.ts";

/** One exchange with a server: safe to repeat, by what it says that it expects to find. */
export interface HttpRequest {
  readonly method: "GET" | "PATCH" | "POST" | "PUT" | "DELETE";
  /** Base address, without a slash at the end. */
  readonly server: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** For the head of the answer. Milliseconds. */
  readonly firstByteMs: number;
  /** Between two parts of the answer, however long it takes as a whole. Milliseconds. */
  readonly idleMs: number;
  /** Whether a request is repeated that was not answered in time; one for less may fare better. */
  readonly repeatsTimeouts: boolean;
  /** Asked before every attempt but the first; what it throws ends the request. */
  readonly beforeRepeating?: () => Promise<void>;
}

/** What a server answered. */
export interface HttpAnswer {
  readonly status: number;
  readonly text: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** How long failing requests are repeated, and who is told. Milliseconds. */
export interface RetryPolicy {
  /** After so long nothing is repeated. */
  readonly patienceMs: number;
  /** The longest `Retry-After` that is waited for. */
  readonly retryAfterMs: number;
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
}

/** A server that asked to be left alone for a while: nobody asks it before. */
export class Backpressure {
  #untilMs = 0;

  /** Nothing is sent for so long. */
  holdFor(ms: number): void {
    this.#untilMs = Math.max(this.#untilMs, performance.now() + ms);
  }

  /** How long there is to wait now. Milliseconds. */
  remainingMs(): number {
    return Math.max(0, this.#untilMs - performance.now());
  }
}

/** Connections to one server whose failing requests are repeated by undici's retry interceptor. */
export class HttpClient {
  readonly #dispatcher: Dispatcher;
  readonly #policy: RetryPolicy;
  readonly #backpressure: Backpressure;

  constructor(dispatcher: Dispatcher, policy: RetryPolicy, backpressure: Backpressure) {
    this.#dispatcher = dispatcher.compose(interceptors.retry());
    this.#policy = policy;
    this.#backpressure = backpressure;
  }

  /**
   * Sends a request until it is answered with something else than "later" (429, 502, 503, 504), or patience ends: then it
   * gives that answer, or throws what kept it from being answered. `onPause` is told of each pause.
   */
  async exchange(request: HttpRequest, onPause: (ms: number) => void, run: Run): Promise<HttpAnswer> {
    const attempt: SendAttempt = { startedAt: performance.now(), hasBegun: false };
    const { server, path, method, headers, body, firstByteMs, idleMs } = request;
    const options: Parameters<typeof send>[1] & { readonly retryOptions: RetryHandler.RetryOptions } = {
      method,
      headers,
      headersTimeout: firstByteMs,
      bodyTimeout: idleMs,
      signal: run.signal,
      dispatcher: this.#dispatcher,
      retryOptions: {
        throwOnError: false,
        retry: (error, { state }, proceed) => {
          this.#decide(error, state.counter, { request, attempt, onPause, signal: run.signal }, proceed);
        },
      },
      ...(body !== undefined && { body }),
    };
    const answer = await send(`${server}${path}`, options).catch((error: unknown) => {
      throw attempt.stoppedBy ?? (error as Error);
    });
    if (attempt.stoppedBy !== undefined) {
      await answer.body.dump();
      throw attempt.stoppedBy;
    }
    // What breaks from here on is half an answer: it is asked for as a whole again, by whoever reads it.
    attempt.hasBegun = true;
    return { status: answer.statusCode, text: await answer.body.text(), headers: answer.headers };
  }

  #decide(
    error: RetryError,
    count: number,
    { request, attempt, onPause, signal }: SentRequest,
    proceed: Proceed,
  ): void {
    const waitMs =
      attempt.hasBegun || signal.aborted ? undefined : this.#pauseFor(error, count, request, attempt.startedAt);
    if (waitMs === undefined) {
      proceed(error);
      return;
    }
    onPause(waitMs);
    // undici goes on with its attempts after an abort that falls into a pause.
    const asked = (async () => {
      await sleep(waitMs, undefined, { signal });
      await request.beforeRepeating?.();
    })();
    asked.then(
      () => {
        proceed(null);
      },
      (reason: unknown) => {
        attempt.stoppedBy = reason instanceof Error ? reason : new Error(String(reason));
        proceed(error);
      },
    );
  }

  /** How long there is to wait before the next attempt; `undefined`: there is none. */
  #pauseFor(error: RetryError, count: number, request: HttpRequest, startedAt: number): number | undefined {
    const { patienceMs, firstPauseMs, longestPauseMs } = this.#policy;
    const spentMs = performance.now() - startedAt;
    if (!isWorthRepeating(error, request)) return undefined;
    const askedMs = retryAfterOf(error.headers ?? {});
    if (askedMs !== undefined) return this.#pauseAsked(askedMs, spentMs);
    const pause = Math.min(firstPauseMs * 2 ** Math.max(0, count - 1), longestPauseMs);
    const waitMs = Math.max(pause * (0.5 + Math.random() / 2), this.#backpressure.remainingMs());
    return spentMs + waitMs <= patienceMs ? waitMs : undefined;
  }

  /** What one request is asked to wait, all of them wait. */
  #pauseAsked(askedMs: number, spentMs: number): number | undefined {
    const { patienceMs, retryAfterMs } = this.#policy;
    this.#backpressure.holdFor(Math.min(askedMs, retryAfterMs));
    return askedMs <= retryAfterMs && spentMs + askedMs <= patienceMs + retryAfterMs ? askedMs : undefined;
  }
}

function isWorthRepeating(error: RetryError, { repeatsTimeouts }: HttpRequest): boolean {
  if (error.statusCode !== undefined && error.statusCode !== null) return LATER.has(error.statusCode);
  return isTimeout(error) ? repeatsTimeouts : isPassing(error);
}

interface SendAttempt {
  readonly startedAt: number;
  hasBegun: boolean;
  stoppedBy?: Error;
}

interface SentRequest {
  readonly request: HttpRequest;
  readonly attempt: SendAttempt;
  readonly onPause: (ms: number) => void;
  readonly signal: AbortSignal;
}

type RetryError = Error & {
  readonly statusCode?: number | null;
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>> | null;
};
type Proceed = (error: Error | null) => void;

/** The codes by which a server asks to come back. */
const LATER = new Set([429, 502, 503, 504]);

/** Whether nothing came in time. */
export function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name.includes("Timeout");
}

/** How long a server asks to wait, by its header: seconds, or a date. Milliseconds. */
export function retryAfterOf(headers: HttpAnswer["headers"]): number | undefined {
  const value = headers["retry-after"];
  if (typeof value !== "string" || value === "") return undefined;
  const seconds = Number(value);
  const ms = Number.isNaN(seconds) ? Date.parse(value) - Date.now() : seconds * 1000;
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}
