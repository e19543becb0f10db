/** How a server wants to know who asks. */
export type Challenge =
  | { readonly kind: "basic" }
  | { readonly kind: "bearer"; readonly realm: string; readonly service: string; readonly scope: string };

const PARAMETER = /([a-z_]+)="([^"\\]*)"/gi;

/** Reads a `WWW-Authenticate` header; `undefined` for a scheme that registries do not use. Source: RFC 9110, 11.6.1. */
export function readChallenge(header: string): Challenge | undefined {
  const bearer = /\bBearer\s+(.*)$/i.exec(header)?.[1];
  if (bearer !== undefined) {
    // Another challenge may follow in the same header: the first parameter of a name is the one that counts.
    const found = [...bearer.matchAll(PARAMETER)].toReversed();
    const fields = new Map(found.map(([, name = "", value = ""]) => [name.toLowerCase(), value]));
    const [realm = "", service = "", scope = ""] = ["realm", "service", "scope"].map((name) => fields.get(name));
    return realm === "" ? undefined : { kind: "bearer", realm, service, scope };
  }
  return /\bBasic\b/i.test(header) ? { kind: "basic" } : undefined;
}
