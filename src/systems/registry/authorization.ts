import { textAt } from "../../document/fields.ts";
import { Fault, type Run } from "../../ports.ts";
import type { HttpAnswer } from "../http/answer.ts";
import type { HttpClient, HttpRequest } from "../http/client.ts";
import type { RegistryCredentials, CredentialStore } from "./credentials.ts";

/** A request to a registry. */
export interface RegistryRequest extends HttpRequest {
  /** The registry in its form in image references, to look up credentials. */
  readonly registry: string;
  readonly repository: string;
}

/** An HTTP client that authenticates at registries. */
export interface AuthorizedWeb {
  /**
   * Like `HttpClient.exchange`. Throws REGISTRY_UNAUTHORIZED when the registry refuses anonymous access and our
   * credentials.
   */
  exchange(request: RegistryRequest, run: Run): Promise<HttpAnswer>;
}

/** A token is renewed this long before it expires. Milliseconds. */
const MARGIN_MS = 5_000;
/** The default validity of a token. Source: the distribution project, "Token Authentication". */
const DEFAULT_SECONDS = 60;
const MAX_TOKEN_BYTES = 1024 * 1024;

interface Authorization {
  readonly header: string;
  /** In terms of `performance.now`. */
  readonly endsAtMs: number;
}

/** Authenticates after a 401 as the registry demands, and caches the authorization of each repository. */
export function authorizedWeb(web: HttpClient, credentials: CredentialStore): AuthorizedWeb {
  const granted = new Map<string, Promise<Authorization>>();
  const send = async (request: RegistryRequest, run: Run): Promise<HttpAnswer> => {
    const grant = await granted.get(tokenKey(request));
    const isCurrent = grant !== undefined && grant.endsAtMs > performance.now();
    const headers = { ...request.headers, ...(isCurrent && { authorization: grant.header }) };
    return web.exchange({ ...request, headers }, run);
  };
  return {
    exchange: async (request, run) => {
      const before = granted.get(tokenKey(request));
      const answer = await send(request, run);
      if (answer.status !== 401 && answer.status !== 403) return answer;
      const challenge = readChallenge(answer.headers["www-authenticate"] ?? "");
      if (challenge === undefined) throw unauthorized(request);
      // Concurrent requests may all get this answer: the first one fetches the token for all.
      if (granted.get(tokenKey(request)) === before) {
        const found = credentials.find(request.registry, run);
        const grant = found.then((known) => authorize(web, challenge, request, known, run));
        granted.set(tokenKey(request), grant);
        grant.catch(() => granted.delete(tokenKey(request)));
      }
      const second = await send(request, run);
      if (second.status === 401 || second.status === 403) throw unauthorized(request);
      return second;
    },
  };
}

function tokenKey({ url, repository }: RegistryRequest): string {
  return `${url.host} ${repository}`;
}

async function authorize(
  web: HttpClient,
  challenge: Challenge,
  request: RegistryRequest,
  credentials: RegistryCredentials | undefined,
  run: Run,
): Promise<Authorization> {
  if (challenge.kind === "bearer") return fetchToken(web, challenge, request, credentials, run);
  if (credentials?.kind !== "password") throw unauthorized(request);
  return { header: basic(credentials), endsAtMs: Infinity };
}

type Bearer = Extract<Challenge, { kind: "bearer" }>;

async function fetchToken(
  web: HttpClient,
  challenge: Bearer,
  request: RegistryRequest,
  credentials: RegistryCredentials | undefined,
  run: Run,
): Promise<Authorization> {
  const { url, subject } = request;
  if (!URL.canParse(challenge.realm, url.href)) throw refused(request, "its token server has an invalid address");
  const wanted = tokenRequest(challenge, request, credentials);
  const answer = await web.exchange({ ...wanted, maxBytes: MAX_TOKEN_BYTES, subject }, run);
  if (answer.status === 401 || answer.status === 403) throw unauthorized(request);
  if (answer.status !== 200) throw refused(request, `${wanted.url.host} did not issue a token (${answer.status})`);
  const body = answer.json();
  const token = textAt(body, ["token"]) ?? textAt(body, ["access_token"]);
  if (token === undefined || !/^[\x21-\x7e]+$/.test(token))
    throw refused(request, `${wanted.url.host} did not issue a valid token`);
  const { expires_in: seconds } = (body ?? {}) as { readonly expires_in?: unknown };
  const holdsMs = (typeof seconds === "number" ? seconds : DEFAULT_SECONDS) * 1_000;
  // A token that expires within the margin is still used for the request that it was fetched for.
  return { header: `Bearer ${token}`, endsAtMs: performance.now() + Math.max(holdsMs - MARGIN_MS, MARGIN_MS) };
}

function tokenRequest(
  { realm, service, scope }: Bearer,
  { url: registry, repository }: RegistryRequest,
  credentials: RegistryCredentials | undefined,
): Pick<HttpRequest, "method" | "url" | "headers" | "body"> {
  const url = new URL(realm, registry);
  const fields = { service, scope: scope === "" ? `repository:${repository}:pull` : scope };
  if (credentials?.kind === "identity-token") {
    const oauth = {
      ...fields,
      grant_type: "refresh_token",
      client_id: "kyma-modules",
      refresh_token: credentials.token,
    };
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    return { method: "POST", url, headers, body: new URLSearchParams(oauth).toString() };
  }
  for (const [name, value] of Object.entries(fields)) if (value !== "") url.searchParams.set(name, value);
  return { method: "GET", url, headers: credentials === undefined ? {} : { authorization: basic(credentials) } };
}

function basic({ user, password }: Extract<RegistryCredentials, { kind: "password" }>): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
}

function unauthorized({ subject, registry }: RegistryRequest): Fault {
  return new Fault(
    "REGISTRY_UNAUTHORIZED",
    `${subject}: ${registry} refuses access. Log in (docker login ${registry}), or correct the name: ` +
      "some registries give this answer for repositories that do not exist.",
  );
}

function refused({ subject, registry }: RegistryRequest, why: string): Fault {
  return new Fault("REGISTRY_REFUSED", `${subject}: ${registry} is not usable: ${why}.`);
}

/** The authentication that a server demands. */
type Challenge =
  | { readonly kind: "basic" }
  | { readonly kind: "bearer"; readonly realm: string; readonly service: string; readonly scope: string };

const PARAMETER = /([a-z_]+)="([^"\\]*)"/gi;

/** Reads a `WWW-Authenticate` header; `undefined` for a scheme that registries do not use. Source: RFC 9110, 11.6.1. */
export function readChallenge(header: string): Challenge | undefined {
  const bearer = /\bBearer\s+(.*)$/i.exec(header)?.[1];
  if (bearer !== undefined) {
    // Another challenge may follow in the same header: use the first parameter of each name.
    const found = [...bearer.matchAll(PARAMETER)].toReversed();
    const fields = new Map(found.map(([, name = "", value = ""]) => [name.toLowerCase(), value]));
    const [realm = "", service = "", scope = ""] = ["realm", "service", "scope"].map((name) => fields.get(name));
    return realm === "" ? undefined : { kind: "bearer", realm, service, scope };
  }
  return /\bBasic\b/i.test(header) ? { kind: "basic" } : undefined;
}
