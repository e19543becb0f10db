import { request as send } from "undici";
import { setTimeout as sleep } from "node:timers/promises";
import { Fault, type FaultCode, type Run } from "../../ports.ts";
import type { Access } from "./access.ts";

/** One request to an API server. */
export interface Request {
  readonly method: "GET" | "PATCH" | "POST" | "DELETE";
  /** Path and query. */
  readonly path: string;
  readonly contentType?: string;
  readonly body?: string;
  /** What the request is about, for messages: `ModuleTemplate istio-1.2.0`. */
  readonly subject: string;
}

/** What the API server answered: its status code and its JSON. */
export interface Response {
  readonly status: number;
  readonly body: unknown;
}

/** The part of a Kubernetes `Status` that tells what went wrong. */
interface Status {
  readonly message: string;
  readonly retryAfterSeconds: number | undefined;
}

/** No single request may take longer. Shorter than any lease: a former leader's write cannot arrive late. */
const DEADLINE_MS = 10_000;
/** How long failing requests are repeated; an API server restarts within that time. */
const PATIENCE_MS = 20_000;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 3_000;
/** A pause of which the user is told. */
const NOTICEABLE_MS = 500;

/**
 * Sends a request until it is answered. Every request here is safe to repeat: reads are, and each write says what it
 * expects to find, so that a repeated one that had been carried out is answered by a conflict.
 *
 * Gives the answer if its code is below 300 or one of `accepted`; throws a Fault that names the subject otherwise.
 */
export async function request(access: Access, what: Request, accepted: readonly number[], run: Run): Promise<Response> {
  const startedAt = performance.now();
  let told = false;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    const attempt = await tryOnce(access, what, accepted, run);
    if (attempt.kind === "answered") return attempt.response;
    run.signal.throwIfAborted();
    const waitMs = Math.max(attempt.waitMs, pauseMs * (0.5 + Math.random() / 2));
    if (!attempt.fault.retry || performance.now() - startedAt + waitMs > PATIENCE_MS) throw attempt.fault;
    if (waitMs > NOTICEABLE_MS && !told)
      run.log.warn(`trying again for ${PATIENCE_MS / 1000} s: ${attempt.fault.message}`);
    told ||= waitMs > NOTICEABLE_MS;
    await sleep(waitMs, undefined, { signal: run.signal });
  }
}

type Attempt =
  | { readonly kind: "answered"; readonly response: Response }
  | { readonly kind: "failed"; readonly fault: Fault; readonly waitMs: number };

async function tryOnce(access: Access, what: Request, accepted: readonly number[], run: Run): Promise<Attempt> {
  let answer: Exchanged;
  try {
    answer = await exchange(access, what, run);
  } catch (cause) {
    run.signal.throwIfAborted();
    if (cause instanceof Fault) throw cause;
    return { kind: "failed", fault: unreachable(access, what, cause), waitMs: 0 };
  }
  const { status, text, retryAfter } = answer;
  const body = parseBody(text);
  if (body === undefined && status < 300) return { kind: "failed", fault: foreign(access, what, text), waitMs: 0 };
  if (status < 300 || accepted.includes(status)) return { kind: "answered", response: { status, body } };
  const details = statusOf(body, text, retryAfter);
  return {
    kind: "failed",
    fault: refusal(access, what, status, details),
    waitMs: (details.retryAfterSeconds ?? 0) * 1000,
  };
}

interface Exchanged {
  readonly status: number;
  readonly text: string;
  /** The header of this name, in seconds: the only place where API priority and fairness says it. NaN without one. */
  readonly retryAfter: number;
}

async function exchange(access: Access, { method, path, contentType, body }: Request, run: Run): Promise<Exchanged> {
  const headers = {
    ...(await access.headers()),
    accept: "application/json",
    ...(contentType !== undefined && { "content-type": contentType }),
  };
  const signal = AbortSignal.any([run.signal, AbortSignal.timeout(DEADLINE_MS)]);
  const answer = await send(`${access.server}${path}`, {
    method,
    headers,
    signal,
    dispatcher: access.dispatcher,
    ...(body !== undefined && { body }),
  });
  const retryAfter = Number(answer.headers["retry-after"]);
  return { status: answer.statusCode, text: await answer.body.text(), retryAfter };
}

/** A body that is no JSON comes from a proxy on the way: its text is all there is to say. */
function parseBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function statusOf(body: unknown, text: string, retryAfter: number): Status {
  const status = (typeof body === "object" && body !== null ? body : {}) as {
    readonly message?: unknown;
    readonly details?: { readonly retryAfterSeconds?: unknown };
  };
  const seconds = Number(status.details?.retryAfterSeconds ?? retryAfter);
  return {
    message: typeof status.message === "string" ? status.message : text.slice(0, 200),
    retryAfterSeconds: Number.isNaN(seconds) ? undefined : seconds,
  };
}

function unreachable({ server }: Access, { subject }: Request, cause: unknown): Fault {
  const timedOut = cause instanceof Error && cause.name === "TimeoutError";
  const reason = cause instanceof Error ? cause.message || cause.name : String(cause);
  return timedOut
    ? new Fault("CLUSTER_TIMEOUT", `${subject}: ${server} did not answer within ${DEADLINE_MS / 1000} s.`, {
        cause,
        retry: true,
      })
    : new Fault("CLUSTER_UNREACHABLE", `${subject}: ${server} cannot be reached (${reason}). ${adviceOn(cause)}`, {
        cause,
        retry: isPassing(cause),
      });
}

function foreign({ server }: Access, { subject }: Request, text: string): Fault {
  const start = JSON.stringify(text.slice(0, 80));
  return new Fault("CLUSTER_REFUSED", `${subject}: what answers at ${server} is no API server; it says ${start}.`);
}

function adviceOn(cause: unknown): string {
  return isPassing(cause)
    ? "Check the address and the network."
    : "Check the address and the certificates in the kubeconfig.";
}

/** A wrong certificate or host name does not become right by asking again. */
function isPassing(cause: unknown): boolean {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  return !/CERT|SSL|TLS|ENOTFOUND|SIGNED|ISSUER|ALTNAME|VERIFY|INVALID|MISMATCH/.test(code);
}

function refusal(
  { server }: Access,
  { subject }: Request,
  status: number,
  { message, retryAfterSeconds }: Status,
): Fault {
  const fault = (code: FaultCode, text: string, retry = false): Fault => new Fault(code, text, { retry });
  switch (status) {
    case 401:
      return fault(
        "CLUSTER_UNAUTHORIZED",
        `${subject}: ${server} does not accept these credentials. Log in again, or correct the kubeconfig.`,
      );
    case 403:
      return fault("CLUSTER_FORBIDDEN", `${subject}: not allowed by ${server}: ${message}`);
    case 409:
      return fault("CLUSTER_CONFLICT", `${subject}: ${message}`);
    case 429:
    case 502:
    case 503:
    case 504:
      return fault("CLUSTER_BUSY", `${subject}: ${server} is busy (${status}): ${message}`, true);
    default:
      return fault(
        "CLUSTER_REFUSED",
        `${subject}: refused by ${server} (${status}): ${message}`,
        retryAfterSeconds !== undefined,
      );
  }
}
