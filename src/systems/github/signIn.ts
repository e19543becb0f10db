import { Octokit } from "@octokit/rest";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { textAt } from "../../document/fields.ts";
import { parseJson } from "../../document/json.ts";
import { Fault, type Log } from "../../ports.ts";
import { HttpClient, type HttpRequest, NO_RETRIES } from "../http/client.ts";
import { ForeignAnswer } from "../http/failures.ts";
import { openDispatcher, environmentProxies } from "../http/proxies.ts";
import { refuseForeignAnswer } from "./answers.ts";
import type { GithubCredentials } from "./credentials.ts";

/** Settings for the sign-in. */
export interface SignInSettings {
  /** `org/name`. */
  readonly repository: string;
  readonly apiUrl: string;
  readonly credentials: GithubCredentials;
  /** Environment variables, used for proxies. */
  readonly variables: Readonly<Record<string, string | undefined>>;
}

/** The common parameters of requests about the repository. */
export interface RepositoryPath {
  readonly owner: string;
  readonly repo: string;
  readonly request: { readonly signal: AbortSignal };
}

/** The version of GitHub's API that this program uses. */
const API_VERSION = "2022-11-28";

/**
 * Returns a function that provides an authenticated octokit. Loads the library for a GitHub App, and reads its
 * installation, at first use only: most runs have a token.
 */
export function openSignIn(
  { apiUrl, repository, credentials, variables }: SignInSettings,
  answerMs: number,
): (place: RepositoryPath) => Promise<Octokit> {
  const common = {
    baseUrl: apiUrl.replace(/\/+$/, ""),
    userAgent: "kyma-modules",
    // octokit would log every refusal to stderr, even an expected one.
    log: { debug: silent, info: silent, warn: silent, error: silent },
    request: { fetch: openFetch(variables, answerMs) },
  };
  if (credentials.kind === "token") {
    const octokit = versioned(new Octokit({ ...common, auth: credentials.token }));
    return () => Promise.resolve(octokit);
  }
  const { appId, privateKey } = credentials;
  let signedIn: Octokit | undefined;
  return async (place) => {
    if (signedIn !== undefined) return signedIn;
    const { createAppAuth } = await import("@octokit/auth-app");
    const asApp = { ...common, authStrategy: createAppAuth };
    const app = versioned(new Octokit({ ...asApp, auth: { appId, privateKey } }));
    const { data } = await app.rest.apps.getRepoInstallation({ ...place }).catch((error: unknown) => {
      if (!(error instanceof Error && "status" in error && error.status === 404)) throw error;
      const remedy = "install it there, or check forge.repository";
      throw new Fault("FORGE_UNAUTHORIZED", `The GitHub App ${appId} is not installed on ${repository}: ${remedy}.`);
    });
    signedIn = versioned(new Octokit({ ...asApp, auth: { appId, privateKey, installationId: data.id } }));
    return signedIn;
  };
}

function versioned(octokit: Octokit): Octokit {
  octokit.hook.before("request", ({ headers }) => {
    headers["x-github-api-version"] = API_VERSION;
  });
  octokit.hook.after("request", refuseForeignAnswer);
  return octokit;
}

function silent(): void {
  // Discards the log.
}

/** The fetch function that octokit uses. */
type Fetch = (url: string, request: FetchOptions) => Promise<Response>;

interface FetchOptions extends Pick<HttpRequest, "method" | "headers" | "body"> {
  readonly signal?: AbortSignal;
}

const QUIET: Log = { info: silent, warn: silent, with: () => QUIET };

/**
 * Adapts the shared HTTP client to octokit, with the proxies of `variables`. Does not retry and does not judge answers:
 * the caller of octokit decides that. Throws CONFIGURATION for an invalid proxy address.
 */
function openFetch(variables: Readonly<Record<string, string | undefined>>, deadlineMs: number): Fetch {
  const limits = { ...NO_RETRIES, firstByteMs: deadlineMs, idleMs: deadlineMs, wholeMs: deadlineMs };
  const dispatcher = openDispatcher({ ...environmentProxies(variables), connectMs: deadlineMs });
  const client = new HttpClient({ kind: "FORGE", dispatcher, limits, mayAsk: () => true });
  return async (address, { method, headers, body, signal = new AbortController().signal }) => {
    const request: HttpRequest = {
      ...{ method, body, url: new URL(address), headers: { ...headers, "accept-encoding": "gzip" } },
      subject: "GitHub",
      repeat: "never",
      judge: () => undefined,
    };
    const answer = await client.exchange(request, { signal, log: QUIET });
    const isPacked = answer.headers["content-encoding"] === "gzip";
    const bytes = isPacked ? await unpack(answer.bytes) : answer.bytes;
    if (isForeign(answer.status, bytes)) throw new ForeignAnswer(bytes);
    return new Response(bytes.length === 0 ? null : bytes, { status: answer.status, headers: answer.headers });
  };
}

/** Whether a refusal does not come from GitHub, which explains each of them: a gateway's 404 is no answer. */
function isForeign(status: number, bytes: Buffer): boolean {
  if (status < 300 || status === 429 || status >= 500) return false;
  return textAt(parseJson(bytes), ["message"]) === undefined;
}

const unpack = promisify(gunzip);
