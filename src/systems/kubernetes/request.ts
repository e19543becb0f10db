import { setTimeout as sleep } from "node:timers/promises";
import { Fault, type FaultCode, type Run } from "../../ports.ts";
import { problemText } from "../errno.ts";
import { isTimeout, retryAfterOf, type HttpAnswer } from "../http/client.ts";
import { isPassing } from "../http/errors.ts";
import type { Access, Connection } from "./access.ts";

/** One request to an API server. */
export interface ApiRequest {
  readonly method: "GET" | "PATCH" | "POST" | "PUT" | "DELETE";
  /** Path and query. */
  readonly path: string;
  readonly contentType?: string;
  readonly body?: string;
  /** What the request is about, for messages: `ModuleTemplate istio-1.2.0`. */
  readonly subject: string;
  /** Whether the caller asks for less when nothing comes in time, as a list does. */
  readonly shrinks?: boolean;
  /** Asked before every attempt but the first; what it throws ends the request. */
  readonly beforeRepeating?: () => Promise<void>;
}

/** What the API server answered: its status code and its JSON. */
export interface Response {
  readonly status: number;
  readonly body: unknown;
}

/** A pause of which the user is told. */
const NOTICEABLE_MS = 500;
/** Between attempts that were answered with half an answer, or with an error of the server. */
const PAUSE_MS = 200;

/**
 * Sends a request until it is answered. Every request here is safe to repeat: reads are, and each write says what it
 * expects to find, so that a repeated one that had been carried out is answered by a conflict.
 *
 * Gives the answer if its code is below 300 or one of `accepted`; throws a Fault that names the subject otherwise.
 */
export async function request(
  access: Access,
  what: ApiRequest,
  accepted: readonly number[],
  run: Run,
): Promise<Response> {
  const startedAt = performance.now();
  let connection = await access.connect();
  let isRenewed = false;
  for (;;) {
    await access.backpressure.wait(run);
    const attempt = await tryOnce(access, connection, what, accepted, run);
    if (attempt.kind === "answered") return attempt.response;
    run.signal.throwIfAborted();
    if (attempt.fault.code === "CLUSTER_UNAUTHORIZED" && !isRenewed) {
      // Tokens are rotated and certificates renewed while a program runs.
      isRenewed = true;
      connection = await access.renew(connection);
      continue;
    }
    if (!attempt.repeat || performance.now() - startedAt > access.limits.patienceMs) throw attempt.fault;
    await sleep(PAUSE_MS, undefined, { signal: run.signal });
    await what.beforeRepeating?.();
  }
}

type RequestAttempt =
  | { readonly kind: "answered"; readonly response: Response }
  /** `repeat`: beyond what the client repeats by itself. */
  | { readonly kind: "failed"; readonly fault: Fault; readonly repeat: boolean };

async function tryOnce(
  access: Access,
  connection: Connection,
  what: ApiRequest,
  accepted: readonly number[],
  run: Run,
): Promise<RequestAttempt> {
  let answer: HttpAnswer;
  let stoppedBy: unknown;
  const beforeRepeating = async (): Promise<void> => {
    await what.beforeRepeating?.().catch((reason: unknown) => {
      stoppedBy = reason;
      throw reason;
    });
  };
  try {
    answer = await exchange(access, connection, { ...what, beforeRepeating }, run);
  } catch (cause) {
    run.signal.throwIfAborted();
    if (cause instanceof Fault || cause === stoppedBy) throw cause;
    const isHalf =
      cause instanceof Error && "code" in cause && ["UND_ERR_SOCKET", "ECONNRESET"].includes(String(cause.code));
    return { kind: "failed", fault: unreachable(access, what, cause), repeat: isHalf };
  }
  const { status, text } = answer;
  const body = parseBody(text);
  if (body === undefined && status < 300) {
    // The beginning of JSON is an answer that broke off on its way; anything else comes from no API server.
    const isHalf = /^\s*[{[]/.test(text);
    return { kind: "failed", fault: foreign(access, what, text, isHalf), repeat: isHalf };
  }
  if (status < 300 || accepted.includes(status)) return { kind: "answered", response: { status, body } };
  const message = messageOf(body, text);
  return { kind: "failed", fault: refusal(access, what, answer, message), repeat: isPassingError(status, message) };
}

async function exchange(access: Access, connection: Connection, what: ApiRequest, run: Run): Promise<HttpAnswer> {
  const { method, path, contentType, body, subject, shrinks = false, beforeRepeating } = what;
  const { patienceMs, retryAfterMs, readMs, writeMs, idleMs } = access.limits;
  let told = false;
  const onPause = (ms: number): void => {
    if (ms > NOTICEABLE_MS && !told) {
      const patience = `for ${patienceMs / 1000} s, or as long as it asks for, up to ${retryAfterMs / 1000} s`;
      run.log.warn(`${subject}: ${access.server} is busy or not reached; trying again ${patience}`);
    }
    told ||= ms > NOTICEABLE_MS;
  };
  const headers = {
    ...(await connection.headers()),
    accept: "application/json",
    ...(contentType !== undefined && { "content-type": contentType }),
  };
  return connection.client.exchange(
    {
      method,
      server: access.server,
      path,
      headers,
      firstByteMs: method === "GET" ? readMs : writeMs,
      idleMs,
      repeatsTimeouts: !shrinks,
      ...(body !== undefined && { body }),
      ...(beforeRepeating && { beforeRepeating }),
    },
    onPause,
    run,
  );
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

function messageOf(body: unknown, text: string): string {
  const { message } = (typeof body === "object" && body !== null ? body : {}) as { readonly message?: unknown };
  return typeof message === "string" ? message : text.slice(0, 200);
}

function unreachable({ server, limits }: Access, { subject, method }: ApiRequest, cause: unknown): Fault {
  if (isTimeout(cause)) {
    const seconds = (method === "GET" ? limits.readMs : limits.writeMs) / 1000;
    return new Fault("CLUSTER_TIMEOUT", `${subject}: ${server} did not answer within ${seconds} s.`, {
      cause,
      retry: true,
    });
  }
  return new Fault(
    "CLUSTER_UNREACHABLE",
    `${subject}: ${server} cannot be reached (${problemText(cause)}). ${adviceOn(cause)}`,
    {
      cause,
      retry: isPassing(cause),
    },
  );
}

function foreign({ server }: Access, { subject }: ApiRequest, text: string, isHalf: boolean): Fault {
  if (isHalf)
    return new Fault("CLUSTER_UNREACHABLE", `${subject}: ${server} broke off in the middle of its answer.`, {
      retry: true,
    });
  const start = JSON.stringify(text.slice(0, 80));
  return new Fault("CLUSTER_REFUSED", `${subject}: what answers at ${server} is no API server; it says ${start}.`);
}

function adviceOn(cause: unknown): string {
  return isPassing(cause)
    ? "Check the address and the network."
    : "Check the address and the certificates in the kubeconfig.";
}

function refusal({ server }: Access, { subject }: ApiRequest, { status, headers }: HttpAnswer, message: string): Fault {
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
    case 504: {
      const asked = retryAfterOf(headers);
      const later = asked === undefined ? "" : ` It asks to come back in ${Math.ceil(asked / 1000)} s.`;
      return fault("CLUSTER_BUSY", `${subject}: ${server} is busy (${status}): ${message}${later}`, true);
    }
    default:
      return fault(
        "CLUSTER_REFUSED",
        `${subject}: refused by ${server} (${status}): ${message}`,
        isPassingError(status, message),
      );
  }
}

/** The only error of the server that stays is the one about a field that its schema does not know. */
function isPassingError(status: number, message: string): boolean {
  return status === 500 && !message.includes("field not declared in schema");
}
