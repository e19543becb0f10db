import { textAt } from "../../document/fields.ts";
import { Fault, type Run } from "../../ports.ts";
import type { HttpAnswer } from "../http/answer.ts";
import type { HttpClient, HttpRequest } from "../http/client.ts";
import type { RegistryCredentials, CredentialStore } from "./credentials.ts";

/** A request to a registry. */
export interface RegistryRequest extends HttpRequest {
  /** The registry as references name it, for its credentials. */
  readonly registry: string;
  readonly repository: string;
}

/** Asks registries, and says who asks. */
export interface AuthorizedWeb {
  /** As `HttpClient.exchange`. Throws REGISTRY_UNAUTHORIZED when the registry takes neither anybody nor our credentials. */
  exchange(request: RegistryRequest, run: Run): Promise<HttpAnswer>;
}

/** A token is used no longer than this before its end. Milliseconds. */
const MARGIN_MS = 5_000;
/** How long a token holds when nothing is said. Source: the distribution project, "Token Authentication". */
const DEFAULT_SECONDS = 60;
const MAX_TOKEN_BYTES = 1024 * 1024;

interface Authorization {
  readonly header: string;
  /** On the clock of `performance.now`. */
  readonly endsAtMs: number;
}

/** Answers 401 with what the registry asks for, and remembers that for each repository. */
export function authorizedWeb(web: HttpClient, credentials: CredentialStore): AuthorizedWeb {
  const granted = new Map<string, Promise<Authorization>>();
  const send = async (request: RegistryRequest, run: Run): Promise<HttpAnswer> => {
    const grant = await granted.get(keyOf(request));
    const isCurrent = grant !== undefined && grant.endsAtMs > performance.now();
    const headers = { ...request.headers, ...(isCurrent && { authorization: grant.header }) };
    return web.exchange({ ...request, headers }, run);
  };
  return {
    exchange: async (request, run) => {
      const before = granted.get(keyOf(request));
      const answer = await send(request, run);
      if (answer.status !== 401 && answer.status !== 403) return answer;
      const challenge = readChallenge(answer.headers["www-authenticate"] ?? "");
      if (challenge === undefined) throw unauthorized(request);
      // Several requests may have been answered so at once: the first one asks for the token, for all.
      if (granted.get(keyOf(request)) === before) {
        const found = credentials.find(request.registry, run);
        const grant = found.then((known) => authorize(web, challenge, request, known, run));
        granted.set(keyOf(request), grant);
        grant.catch(() => granted.delete(keyOf(request)));
      }
      const second = await send(request, run);
      if (second.status === 401 || second.status === 403) throw unauthorized(request);
      return second;
    },
  };
}

function keyOf({ url, repository }: RegistryRequest): string {
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
  if (!URL.canParse(challenge.realm, url.href))
    throw refused(request, "it sends for a token to what is not an address");
  const wanted = tokenRequest(challenge, request, credentials);
  const answer = await web.exchange({ ...wanted, maxBytes: MAX_TOKEN_BYTES, subject }, run);
  if (answer.status === 401 || answer.status === 403) throw unauthorized(request);
  if (answer.status !== 200) throw refused(request, `${wanted.url.host} gives no token (${answer.status})`);
  const body = answer.json();
  const token = textAt(body, ["token"]) ?? textAt(body, ["access_token"]);
  if (token === undefined || !/^[\x21-\x7e]+$/.test(token))
    throw refused(request, `${wanted.url.host} gives no token, but something else`);
  const { expires_in: seconds } = (body ?? {}) as { readonly expires_in?: unknown };
  const holdsMs = (typeof seconds === "number" ? seconds : DEFAULT_SECONDS) * 1_000;
  // A token that ends within the margin is still used once: for the request that it was fetched for.
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
    `${subject}: ${registry} does not let us read it. Log in (docker login ${registry}), or correct the name: ` +
      "some registries answer so for what does not exist.",
  );
}

function refused({ subject, registry }: RegistryRequest, why: string): Fault {
  return new Fault("REGISTRY_REFUSED", `${subject}: ${registry} is of no use: ${why}.`);
}

/** How a server wants to know who asks. */
type Challenge =
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
