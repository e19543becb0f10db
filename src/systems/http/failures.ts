import { fieldAt, textAt } from "../../document/fields.ts";
import { Fault, type FaultCode } from "../../ports.ts";
import { innermost, problemText } from "../errno.ts";

/** Why a request came to nothing. */
export type Failure =
  /** 429: rejected before anything was done. */
  | "limited"
  /** 502, 503, 504: from a gateway, or from a server that starts or stops. */
  | "unavailable"
  /** Another 5xx. (501 means that another attempt is of no use.) */
  | "failed"
  /** No connection, or one that broke, also in the middle of the answer. */
  | "lost"
  /** No answer in time, or no more of it. */
  | "timeout"
  /** A wrong host name or certificate. */
  | "untrusted"
  /** Refused by this client: an address that may not be asked, a redirect that leads nowhere, an answer that is too large. */
  | "unwanted";

/** How far it is safe, and of use, to repeat a request. */
export type Repeat = "safe" | "page" | "make" | "never";

/** Which failures a request is repeated after. */
const REPEATED: Readonly<Record<Repeat, readonly Failure[]>> = {
  // Reads, and writes that come to the same when they are done twice, or say what they expect to find.
  safe: ["limited", "unavailable", "failed", "lost", "timeout"],
  // A page of a list: after a timeout, the caller asks for a smaller one.
  page: ["limited", "unavailable", "failed", "lost"],
  // What must not be made twice: only a rate limit says that nothing was made.
  make: ["limited"],
  // Requests whose caller repeats them itself, or has an alternative.
  never: [],
};

/** Whether a request is repeated after a failure. */
export function isRepeated(failure: Failure | undefined, repeat: Repeat = "safe"): boolean {
  return failure !== undefined && REPEATED[repeat].includes(failure);
}

/** A refusal by this client. */
export class Unwanted extends Error {}

/** The failure that a status code stands for; `undefined` for an answer that counts. */
export function failureOfStatus(status: number): Failure | undefined {
  if (status === 429) return "limited";
  if ([502, 503, 504].includes(status)) return "unavailable";
  return status >= 500 && status !== 501 ? "failed" : undefined;
}

/** undici's codes for redirects that it does not follow: too many, in a circle, or to what is not an address. */
const UNWANTED: readonly unknown[] = ["UND_ERR_REDIRECT_MAX", "UND_ERR_INVALID_ARG", "ERR_INVALID_URL"];

/** The failure that an error of an attempt, of the network or of TLS stands for; `undefined` for an answer that counts. */
export function failureOf(error: unknown): Failure | undefined {
  const cause = innermost(error);
  const [status, code] = [fieldAt(cause, ["statusCode"]), fieldAt(cause, ["code"])];
  if (typeof status === "number") return failureOfStatus(status);
  if (cause instanceof Error && cause.name.includes("Timeout")) return "timeout";
  if (cause instanceof Unwanted || UNWANTED.includes(code)) return "unwanted";
  const isWrong = /CERT|SSL|TLS|ENOTFOUND|SIGNED|ISSUER|ALTNAME|VERIFY|INVALID|MISMATCH/.test(String(code));
  return isWrong ? "untrusted" : "lost";
}

/** How long a server asks to wait, by the `Retry-After` of its answer: seconds, or a date. Milliseconds. */
export function retryAfterOf(answer: unknown): number | undefined {
  const value = textAt(answer, ["headers", "retry-after"]);
  if (value === undefined) return undefined;
  const seconds = Number(value);
  const ms = Number.isNaN(seconds) ? Date.parse(value) - Date.now() : seconds * 1000;
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

/** The kinds of servers. Each has its own Fault codes. */
export type ServerKind = "CLUSTER" | "REGISTRY" | "FORGE" | "LINK";

/** For each failure: how the code of its Fault ends, what happened, and what to check. */
const EXPLAINED = {
  limited: ["BUSY", "is busy", ""],
  unavailable: ["BUSY", "is busy", ""],
  failed: ["BUSY", "failed", ""],
  lost: ["UNREACHABLE", "cannot be reached", "the network"],
  timeout: ["TIMEOUT", "did not answer in time", "the network"],
  untrusted: ["UNREACHABLE", "cannot be reached", "the certificates"],
  unwanted: ["REFUSED", "is of no use", "where it leads"],
} as const satisfies Readonly<Record<Failure, readonly [code: string, what: string, check: string]>>;

function codeOf(kind: ServerKind, failure: Failure): FaultCode {
  if (kind === "LINK") return failure === "unwanted" ? "LINK_REFUSED" : "LINK_UNREACHABLE";
  // An API server that fails is not busy: its answer says why.
  return kind === "CLUSTER" && failure === "failed" ? "CLUSTER_REFUSED" : `${kind}_${EXPLAINED[failure][0]}`;
}

/** The Fault of a request to `server` whose last attempt failed with `error`. */
export function faultOf(error: unknown, kind: ServerKind, subject: string, server: string): Fault {
  const failure = failureOf(error) ?? "lost";
  const [, what, check] = EXPLAINED[failure];
  const address = kind === "FORGE" ? "GITHUB_API_URL" : "the address";
  const status = fieldAt(error, ["statusCode"]);
  const why =
    typeof status === "number"
      ? `${what} (${status})${answered(error)}`
      : `${what} (${problemText(error)}). Check ${address} and ${check}.`;
  const retry = isRepeated(failure);
  return new Fault(codeOf(kind, failure), `${subject}: ${server} ${why}`, { cause: error, retry });
}

/** What the server says in its answer, and when to ask it again. */
function answered(error: unknown): string {
  const said = textAt(error, ["message"]);
  const askedMs = retryAfterOf(error);
  const later = askedMs === undefined ? "Try again later." : `It asks to come back in ${Math.ceil(askedMs / 1000)} s.`;
  return `${said === undefined ? "" : `: ${said}`}. ${later}`;
}
