/** Whether a connection that failed may succeed when it is tried again: a wrong certificate or host name does not. */
export function isPassing(cause: unknown): boolean {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  return !/CERT|SSL|TLS|ENOTFOUND|SIGNED|ISSUER|ALTNAME|VERIFY|INVALID|MISMATCH/.test(code);
}
