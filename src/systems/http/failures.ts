import { fieldAt, textAt } from "../../document/fields.ts";
import { Fault, type FaultCode } from "../../ports.ts";
import { innermost, problemText } from "../errno.ts";

/** The kinds of failed requests. */
export type Failure =
  /** 429: rejected before any effect. */
  | "limited"
  /** 502, 503, 504: from a gateway, or from a server that starts or stops. */
  | "unavailable"
  /** Another 5xx, except 501, for which a retry is useless. */
  | "failed"
  /** No connection, or a broken one, also in the middle of the answer. */
  | "lost"
  /** No answer in time, or it stopped. */
  | "timeout"
  /** There is no host of that name. */
  | "unknown-host"
  /** A wrong certificate, or no TLS. */
  | "untrusted"
  /** An answer to something else, such as a page of a proxy: whether the server did anything is unknown. */
  | "foreign"
  /** Refused by this client: an address that is not allowed, an invalid redirect, an answer that is too large. */
  | "unwanted";

/** The retry class of a request. */
export type Repeat = "safe" | "page" | "make" | "never";

/** The failures after which a request is retried. */
const REPEATED: Readonly<Record<Repeat, readonly Failure[]>> = {
  // Reads, idempotent writes, and writes with preconditions.
  safe: ["limited", "unavailable", "failed", "lost", "timeout", "foreign"],
  // A page of a list: after a timeout, the caller requests a smaller one.
  page: ["limited", "unavailable", "failed", "lost", "foreign"],
  // Not idempotent: only a rate limit guarantees that nothing was created.
  make: ["limited"],
  // The caller retries itself, or has an alternative.
  never: [],
};

/** Whether a request is retried after a failure. */
export function isRepeated(failure: Failure | undefined, repeat: Repeat = "safe"): boolean {
  return failure !== undefined && REPEATED[repeat].includes(failure);
}

/** A refusal by this client. */
export class Unwanted extends Error {}

/** The length of the part of an answer that a message shows. */
const SHOWN = 80;

/**
 * An answer that is not what was asked. A status of 200 proves nothing: proxies, sign-in pages and half-started servers
 * send it, too.
 */
export class ForeignAnswer extends Error {
  constructor(bytes: Buffer) {
    super(`it begins with ${JSON.stringify(bytes.toString("utf8", 0, SHOWN))}`);
  }
}

/** The failure for a status code; `undefined` for an accepted answer. */
export function failureOfStatus(status: number): Failure | undefined {
  if (status === 429) return "limited";
  if ([502, 503, 504].includes(status)) return "unavailable";
  return status >= 500 && status !== 501 ? "failed" : undefined;
}

/** undici's codes for redirects that it does not follow: too many, a loop, or an invalid address. */
const UNWANTED: readonly unknown[] = ["UND_ERR_REDIRECT_MAX", "UND_ERR_INVALID_ARG", "ERR_INVALID_URL"];

/** The failure for an error of an attempt, of the network or of TLS; `undefined` for an accepted answer. */
export function requestFailure(error: unknown): Failure | undefined {
  const cause = innermost(error);
  const [status, code] = [fieldAt(cause, ["statusCode"]), fieldAt(cause, ["code"])];
  if (typeof status === "number") return failureOfStatus(status);
  if (cause instanceof Error && cause.name.includes("Timeout")) return "timeout";
  if (cause instanceof ForeignAnswer) return "foreign";
  if (cause instanceof Unwanted || UNWANTED.includes(code)) return "unwanted";
  if (code === "ENOTFOUND") return "unknown-host";
  return /CERT|SSL|TLS|SIGNED|ISSUER|ALTNAME|VERIFY|INVALID|MISMATCH/.test(String(code)) ? "untrusted" : "lost";
}

/** The wait that the `Retry-After` header of an answer demands, in milliseconds. */
export function retryAfterMs(answer: unknown): number | undefined {
  return parseRetryAfter(textAt(answer, ["headers", "retry-after"]), Date.now());
}

/** Parses a `Retry-After` header, seconds or a date, into milliseconds; `undefined` for anything else. */
export function parseRetryAfter(value: string | undefined, nowMs: number): number | undefined {
  if (value === undefined || value.trim() === "") return undefined;
  const seconds = Number(value);
  const ms = Number.isNaN(seconds) ? Date.parse(value) - nowMs : seconds * 1000;
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

/** The kinds of servers. Each has its own fault codes. */
export type ServerKind = "CLUSTER" | "REGISTRY" | "FORGE" | "LINK";

/** For each failure: the suffix of its fault code, what happened, and what to check. */
const EXPLAINED = {
  limited: ["BUSY", "is busy", ""],
  unavailable: ["BUSY", "is busy", ""],
  failed: ["BUSY", "failed", ""],
  lost: ["UNREACHABLE", "cannot be reached", "the network"],
  timeout: ["TIMEOUT", "did not answer in time", "the network"],
  "unknown-host": ["UNREACHABLE", "cannot be reached", "the name server"],
  untrusted: ["UNREACHABLE", "cannot be reached", "the certificates"],
  foreign: ["UNREACHABLE", "sent something else", "the proxies on the way"],
  unwanted: ["REFUSED", "is not usable", "its redirects"],
} as const satisfies Readonly<Record<Failure, readonly [code: string, what: string, check: string]>>;

function failureCode(kind: ServerKind, failure: Failure): FaultCode {
  if (kind === "LINK") return failure === "unwanted" ? "LINK_REFUSED" : "LINK_UNREACHABLE";
  // An API server that fails is not busy: its answer tells the reason.
  return kind === "CLUSTER" && failure === "failed" ? "CLUSTER_REFUSED" : `${kind}_${EXPLAINED[failure][0]}`;
}

/** The fault of a request to `server` whose last attempt failed with `error`. */
export function requestFault(error: unknown, kind: ServerKind, subject: string, server: string): Fault {
  const failure = requestFailure(error) ?? "lost";
  const [, what, check] = EXPLAINED[failure];
  const address = kind === "FORGE" ? "GITHUB_API_URL" : "the address";
  const status = fieldAt(error, ["statusCode"]);
  const why =
    typeof status === "number"
      ? `${what} (${status})${answered(error)}`
      : `${what} (${problemText(error)}). Check ${address} and ${check}.`;
  const retry = isRepeated(failure);
  return new Fault(failureCode(kind, failure), `${subject}: ${server} ${why}`, { cause: error, retry });
}

/** The message of the server, and when to retry. */
function answered(error: unknown): string {
  const said = textAt(error, ["message"]);
  const askedMs = retryAfterMs(error);
  const later = askedMs === undefined ? "Try again later." : `Try again in ${Math.ceil(askedMs / 1000)} s.`;
  return `${said === undefined ? "" : `: ${said}`}. ${later}`;
}
