import { getSystemErrorMessage, getSystemErrorName } from "node:util";
import { Fault } from "../ports.ts";

/** Texts for errors of the operating system, of DNS and of TLS, by the code of Node's error. */
const WORDS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file or folder",
  ENOTDIR: "a part of its path is a file",
  EISDIR: "it is a folder",
  EACCES: "permission denied",
  EPERM: "operation not permitted",
  EROFS: "the file system is read-only",
  ELOOP: "its symbolic links form a loop",
  EMFILE: "too many files are open",
  ENFILE: "too many files are open",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  ENAMETOOLONG: "its name is too long",
  ENOTFOUND: "there is no such host",
  EAI_AGAIN: "the name server does not answer",
  ECONNREFUSED: "nothing listens there",
  ECONNRESET: "the connection was cut off",
  EPIPE: "the connection was closed",
  ETIMEDOUT: "there was no answer in time",
  UND_ERR_CONNECT_TIMEOUT: "the connection timed out",
  UND_ERR_HEADERS_TIMEOUT: "the answer did not begin",
  UND_ERR_BODY_TIMEOUT: "the answer stopped",
  EHOSTUNREACH: "there is no route to it",
  ENETUNREACH: "there is no route to it",
  CERT_HAS_EXPIRED: "its certificate has expired",
  CERT_NOT_YET_VALID: "its certificate is not valid yet",
  DEPTH_ZERO_SELF_SIGNED_CERT: "its certificate is self-signed and not trusted here",
  SELF_SIGNED_CERT_IN_CHAIN: "its certificate authority is not trusted here",
  UNABLE_TO_GET_ISSUER_CERT: "its certificate authority is not trusted here",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "its certificate authority is not trusted here",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "its certificate authority is not trusted here",
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for another host",
  ERR_SSL_WRONG_VERSION_NUMBER: "it does not speak TLS",
  ERR_SSL_PACKET_LENGTH_TOO_LONG: "it does not speak TLS",
};

/** The code of a system error, such as `ENOENT`. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

const ABSENT: ReadonlySet<unknown> = new Set(["ENOENT", "ENOTDIR", "ELOOP", "ENAMETOOLONG"]);

/** Whether the error means that a path does not exist, or is a circle of links. */
export function isAbsent(error: unknown): boolean {
  return ABSENT.has(errorCode(error));
}

/** Whether a fault means that its program is not on the PATH. */
export function isMissingProgram(error: unknown): boolean {
  return error instanceof Fault && errorCode(error.cause) === "ENOENT";
}

/** Whether the error means that the disk is full. */
export function isFullDisk(error: unknown): boolean {
  return ["ENOSPC", "EDQUOT"].includes(errorCode(error) ?? "");
}

/**
 * Describes an error in words, without codes. Uses the innermost cause: outer errors only report that something failed.
 */
export function problemText(error: unknown): string {
  const cause = innermost(error);
  if (!(cause instanceof Error)) return String(cause);
  const { code = "", errno, syscall = "", path = "" }: NodeJS.ErrnoException = cause;
  if (code === "ENOENT" && syscall.startsWith("spawn")) return noProgram(path);
  return WORDS[code] ?? systemMessage(code, errno) ?? (cause.message || cause.name);
}

/** Checks the name as well, since other libraries also number their errors: the -3 of zlib is not ESRCH. */
function systemMessage(code: string, errno = 0): string | undefined {
  return errno < 0 && getSystemErrorName(errno) === code ? getSystemErrorMessage(errno) : undefined;
}

function noProgram(path: string): string {
  return path.includes("/") ? `there is no program ${path}` : "there is no such program on the PATH. Install it";
}

/** Describes an error as `problemText` does, prefixed by its path if it has one. */
export function problemAt(error: unknown): string {
  const path = error instanceof Error && "path" in error ? `${String(error.path)}: ` : "";
  return path + problemText(error);
}

/** An unexpected error of the operating system as a fault; `undefined` for any other error. */
export function systemFault(error: unknown): Fault | undefined {
  if (!(error instanceof Error) || !("syscall" in error)) return undefined;
  const message = `The operating system refused ${String(error.syscall)}: ${problemAt(error)}.`;
  return new Fault(isFullDisk(error) ? "DISK_FULL" : "FILE_UNREADABLE", message, { cause: error });
}

/** The innermost cause: outer errors only report that something failed. */
export function innermost(error: unknown): unknown {
  if (error instanceof AggregateError && error.errors.length > 0) return innermost(error.errors[0]);
  return error instanceof Error && error.cause !== undefined ? innermost(error.cause) : error;
}
