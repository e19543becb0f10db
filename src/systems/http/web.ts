import { request as send, type Dispatcher } from "undici";
import { Fault, type FaultCode, type Run } from "../../ports.ts";
import { pause } from "../pause.ts";
import { problemText } from "../errno.ts";
import { isPassing } from "./errors.ts";
import { limiter } from "../limiter.ts";
import { openDispatcher } from "./proxies.ts";

/** A request for something to read. */
export interface WebRequest {
  readonly method: "GET" | "HEAD" | "POST";
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** A longer answer is refused. */
  readonly maxBytes: number;
  /** What the request is about, for messages. */
  readonly subject: string;
}

/** What a server answered, after redirects. */
export interface WebAnswer {
  readonly status: number;
  readonly bytes: Buffer;
  /** The header of this name; empty without one. */
  readonly header: (name: string) => string;
}

/** Servers that are asked for something to read. */
export interface Web {
  /**
   * Sends a request until it is answered, and follows redirects. Gives every answer but those that ask to come back
   * later; when patience ends, throws a Fault that names the subject. A server that was given up once is not asked again.
   */
  exchange(request: WebRequest, run: Run): Promise<WebAnswer>;
}

/** The codes of the Faults of one kind of server. */
export interface WebCodes {
  readonly unreachable: FaultCode;
  readonly timeout: FaultCode;
  readonly busy: FaultCode;
  readonly refused: FaultCode;
}

/** Of servers whose address somebody wrote into a file or a variable. */
export const LINK_CODES: WebCodes = {
  unreachable: "LINK_UNREACHABLE",
  timeout: "LINK_UNREACHABLE",
  busy: "LINK_UNREACHABLE",
  refused: "LINK_REFUSED",
};

const LOOPBACK: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Whether what is sent to an address is read only by whom the address names. */
export function isSecure({ protocol }: URL): boolean {
  return protocol === "https:";
}

/** As `isSecure`, and this machine, by http as well. */
export function isSecureOrLocal(url: URL): boolean {
  return isSecure(url) || (url.protocol === "http:" && LOOPBACK.has(url.hostname));
}

/** How long is waited for what. Milliseconds. */
export interface WebRetryPolicy {
  /** For the head of an answer. */
  readonly answerMs: number;
  /** For the rest of it. */
  readonly bodyMs: number;
  /** After that time no request is repeated. */
  readonly retryMs: number;
  readonly firstPauseMs: number;
}

/** How servers are asked. */
export interface WebSettings {
  readonly codes: WebCodes;
  /** Environment variables, of which those that name proxies count. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Whether an address may be asked; redirects are held against it as well. */
  readonly mayAsk: (url: URL) => boolean;
  readonly patience?: WebRetryPolicy;
}

const PATIENCE: WebRetryPolicy = { answerMs: 10_000, bodyMs: 60_000, retryMs: 20_000, firstPauseMs: 200 };
const LONGEST_PAUSE_MS = 3_000;
/** Requests at once. */
const CONCURRENCY = 8;
const MOST_REDIRECTS = 5;

/** Opens the way to servers of one kind. Throws CONFIGURATION for a proxy whose address is none. */
export function openWeb({ codes, variables, mayAsk, patience = PATIENCE }: WebSettings): Web {
  const limit = limiter(CONCURRENCY);
  const dispatcher = openDispatcher(variables, patience.answerMs);
  const way: WebContext = { codes, mayAsk, patience, dispatcher };
  const lost = new Map<string, FetchFailure>();
  return {
    exchange: async (request, run) => {
      const startedAt = performance.now();
      for (let pauseMs = patience.firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
        const known = lost.get(request.url.origin);
        if (known !== undefined) throw faultOf(request, known);
        const attempt = await limit(() => tryOnce(way, request, run), run);
        if (attempt.kind === "answered") return attempt.answer;
        const waitMs = Math.max(attempt.waitMs, pauseMs * (0.5 + Math.random() / 2));
        if (!attempt.isPassing || performance.now() - startedAt + waitMs > patience.retryMs) {
          if (attempt.isLost) lost.set(request.url.origin, attempt);
          throw faultOf(request, attempt);
        }
        await pause(waitMs, run);
      }
    },
  };
}

/** What a request needs that is the same for all. */
interface WebContext extends Required<Pick<WebSettings, "codes" | "mayAsk" | "patience">> {
  readonly dispatcher: Dispatcher;
}

type FetchAttempt = { readonly kind: "answered"; readonly answer: WebAnswer } | FetchFailure;

interface FetchFailure {
  readonly kind: "failed";
  readonly code: FaultCode;
  /** After the subject; with what to do. */
  readonly why: string;
  readonly cause?: unknown;
  /** Whether asking again may help. */
  readonly isPassing: boolean;
  /** How long the server asks to wait. */
  readonly waitMs: number;
  /** Whether nothing answers there. */
  readonly isLost: boolean;
}

function faultOf({ subject }: WebRequest, { code, why, cause, isPassing }: FetchFailure): Fault {
  return new Fault(code, `${subject}: ${why}`, { cause, retry: isPassing });
}

async function tryOnce(way: WebContext, request: WebRequest, run: Run): Promise<FetchAttempt> {
  try {
    const answer = await follow(way, request, run);
    return isBusy(answer.status) ? busy(way, request, answer) : { kind: "answered", answer };
  } catch (error) {
    run.signal.throwIfAborted();
    if (error instanceof Fault) throw error;
    return unreachable(way, request, error);
  }
}

/** 501 says that asking again is of no use. */
function isBusy(status: number): boolean {
  return status === 429 || (status >= 500 && status !== 501);
}

async function follow(way: WebContext, request: WebRequest, run: Run): Promise<WebAnswer> {
  let { url, headers = {} } = request;
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
    if (!way.mayAsk(url)) throw refused(way, request, `${url.protocol}//${url.host} is not asked: use https`);
    const answer = await exchangeOnce(way, { ...request, url, headers }, run);
    const location = answer.header("location");
    if (![301, 302, 303, 307, 308].includes(answer.status) || location === "") return answer;
    if (!URL.canParse(location, url.href)) throw refused(way, request, "it is redirected to what is no address");
    const next = new URL(location, url);
    // Who may read here need not be known there; storage even refuses a request that says it.
    if (next.origin !== url.origin) headers = withoutAuthorization(headers);
    url = next;
  }
  throw refused(way, request, `it is redirected more than ${MOST_REDIRECTS} times`);
}

function withoutAuthorization(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name !== "authorization"));
}

async function exchangeOnce(
  way: WebContext,
  { method, url, headers, body, maxBytes, subject }: WebRequest,
  run: Run,
): Promise<WebAnswer> {
  const { expect, signal, stop } = deadline(run);
  try {
    expect(way.patience.answerMs);
    const answer = await send(url, {
      method,
      headers: { "accept-encoding": "identity", "user-agent": "kyma-modules", ...headers },
      signal,
      dispatcher: way.dispatcher,
      ...(body !== undefined && { body }),
    });
    expect(way.patience.bodyMs);
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of answer.body as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBytes) throw refused(way, { subject, url }, `it is larger than ${maxBytes} bytes`);
      chunks.push(chunk);
    }
    const header = (name: string): string => {
      const value = answer.headers[name];
      return typeof value === "string" ? value : (value?.join(", ") ?? "");
    };
    return { status: answer.statusCode, bytes: Buffer.concat(chunks), header };
  } finally {
    stop();
  }
}

/** A signal that also fires when what is expected does not come in time. */
function deadline(run: Run): {
  readonly signal: AbortSignal;
  readonly expect: (ms: number) => void;
  readonly stop: () => void;
} {
  const late = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const stop = (): void => {
    clearTimeout(timer);
  };
  const expect = (ms: number): void => {
    stop();
    timer = setTimeout(() => {
      late.abort(new DOMException(`no answer within ${ms / 1_000} s`, "TimeoutError"));
    }, ms);
  };
  return { signal: AbortSignal.any([run.signal, late.signal]), expect, stop };
}

function refused({ codes }: WebContext, { subject, url }: Pick<WebRequest, "subject" | "url">, why: string): Fault {
  return new Fault(codes.refused, `${subject}: ${url.host} is of no use: ${why}.`);
}

function busy({ codes }: WebContext, { url }: WebRequest, { status, header }: WebAnswer): FetchFailure {
  const seconds = Number(header("retry-after"));
  const waitMs = Number.isFinite(seconds) ? seconds * 1_000 : 0;
  const why = `${url.host} is busy (${status}). Try again later.`;
  return { kind: "failed", code: codes.busy, why, isPassing: true, waitMs, isLost: false };
}

function unreachable({ codes }: WebContext, { url }: WebRequest, cause: unknown): FetchFailure {
  const isLate = cause instanceof Error && cause.name.includes("Timeout");
  const [code, what] = isLate ? [codes.timeout, "did not answer in time"] : [codes.unreachable, "cannot be reached"];
  const why = `${url.host} ${what} (${problemText(cause)}). Check the address and the network.`;
  return { kind: "failed", code, why, cause, isPassing: isPassing(cause), waitMs: 0, isLost: true };
}
