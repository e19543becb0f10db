/**
 * The kinds of external failures. A closed set: callers can switch over it.
 *
 * - `FILE_UNREADABLE`, `DISK_FULL`: the file system;
 * - `GIT_FAILED`, `REVISION_UNKNOWN`, `HISTORY_TOO_SHALLOW`: Git;
 * - `CONFIGURATION`: something that the user named does not exist or does not fit (exit code 2);
 * - `CLUSTER_UNREACHABLE`, `CLUSTER_TIMEOUT`, `CLUSTER_BUSY`: the API server did not answer (a proxy may have, in its
 *   place), or asked to come back later;
 * - `CLUSTER_UNAUTHORIZED` (401), `CLUSTER_FORBIDDEN` (403), `CLUSTER_REFUSED` (another 4xx or 5xx);
 * - `CLUSTER_KIND_MISSING`: the CustomResourceDefinition is not installed;
 * - `CLUSTER_CONFLICT` (409): the object moved since it was read;
 * - `REGISTRY_UNREACHABLE`, `REGISTRY_TIMEOUT`, `REGISTRY_BUSY`: an OCI registry did not answer, or asked to come back
 *   later;
 * - `REGISTRY_UNAUTHORIZED` (401, 403), `REGISTRY_REFUSED` (another 4xx, or an answer that is not a registry's);
 * - `REGISTRY_CORRUPT`: the content does not match its digest, or is not of the expected kind;
 * - `FORGE_UNREACHABLE`, `FORGE_TIMEOUT`, `FORGE_BUSY`: GitHub did not answer, or its rate limit is used up;
 * - `FORGE_UNAUTHORIZED` (401: no token, or an expired one), `FORGE_REFUSED` (another 4xx, a protected branch);
 * - `FORGE_CONFLICT`: someone else moved or holds the branch to be written;
 * - `LINK_UNREACHABLE`, `LINK_REFUSED`: the server of a link did not answer, or answered with something else;
 * - `BINARIES_MISSING`, `PROCESS_FAILED`: the embedded control plane; the latter also npm;
 * - `INTERNAL`: an error of this program, which ends an attempt of a controller but not the controller; see `asFault`.
 */
export type FaultCode =
  | "FILE_UNREADABLE"
  | "DISK_FULL"
  | "GIT_FAILED"
  | "REVISION_UNKNOWN"
  | "HISTORY_TOO_SHALLOW"
  | "CONFIGURATION"
  | "CLUSTER_UNREACHABLE"
  | "CLUSTER_TIMEOUT"
  | "CLUSTER_BUSY"
  | "CLUSTER_UNAUTHORIZED"
  | "CLUSTER_FORBIDDEN"
  | "CLUSTER_REFUSED"
  | "CLUSTER_KIND_MISSING"
  | "CLUSTER_CONFLICT"
  | "REGISTRY_UNREACHABLE"
  | "REGISTRY_TIMEOUT"
  | "REGISTRY_BUSY"
  | "REGISTRY_UNAUTHORIZED"
  | "REGISTRY_REFUSED"
  | "REGISTRY_CORRUPT"
  | "FORGE_UNREACHABLE"
  | "FORGE_TIMEOUT"
  | "FORGE_BUSY"
  | "FORGE_UNAUTHORIZED"
  | "FORGE_REFUSED"
  | "FORGE_CONFLICT"
  | "LINK_UNREACHABLE"
  | "LINK_REFUSED"
  | "BINARIES_MISSING"
  | "PROCESS_FAILED"
  | "INTERNAL";

/** An external failure: neither the submitter's mistake nor a bug of this program. The message says what to do. */
export class Fault extends Error {
  override readonly name = "Fault";
  readonly code: FaultCode;
  /** Whether the same call may succeed when repeated. */
  readonly retry: boolean;

  constructor(code: FaultCode, message: string, options: ErrorOptions & { readonly retry?: boolean } = {}) {
    super(message, options);
    this.code = code;
    this.retry = options.retry ?? false;
  }
}

/**
 * Any error as a fault, where an attempt must end nothing but itself: in a controller, a bug that one landscape reveals
 * must not stop the others. Tells where a bug is. Elsewhere a bug crashes.
 */
export function asFault(error: unknown): Fault {
  if (error instanceof Fault) return error;
  const place = String(error instanceof Error ? error.stack : error)
    .split(/\s*\n\s*/, 2)
    .join(" ");
  const message = `An error of kyma-modules itself: ${place}. It is tried again; report it with this message.`;
  return new Fault("INTERNAL", message, { cause: error, retry: true });
}

/** Structured log for the operator: a constant message plus fields. */
export interface Log {
  /** Logs an event of normal operation. */
  info(message: string, fields?: LogFields): void;
  /** Logs a problem that an operator should look at. */
  warn(message: string, fields?: LogFields): void;
  /** The same log with more fields on every line. */
  with(fields: LogFields): Log;
}

/** The fields of one log line. */
export type LogFields = Readonly<Record<string, string | number | boolean>>;

/** The context of every call that leaves the process: an abort signal and a log. Always the last argument. */
export interface Run {
  readonly signal: AbortSignal;
  readonly log: Log;
}
