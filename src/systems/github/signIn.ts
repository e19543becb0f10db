import { Octokit } from "@octokit/rest";
import { fetch, type RequestInit, Response } from "undici";
import { Fault } from "../../ports.ts";
import { openDispatcher } from "../http/proxies.ts";
import type { GithubCredentials } from "./credentials.ts";

/** Who asks, where, and about what. */
export interface SignInSettings {
  /** `org/name`. */
  readonly repository: string;
  readonly apiUrl: string;
  readonly credentials: GithubCredentials;
  /** Environment variables, of which those that name proxies count. */
  readonly variables: Readonly<Record<string, string | undefined>>;
}

/** What every request about the repository says. */
export interface RepositoryPath {
  readonly owner: string;
  readonly repo: string;
  readonly request: { readonly signal: AbortSignal };
}

/** The version of GitHub's interface that this is written for. */
const API_VERSION = "2022-11-28";

/**
 * Gives an octokit that says who asks. What signs for a GitHub App is loaded, and its installation asked for, at first
 * use: most runs have a token.
 */
export function openSignIn(
  { apiUrl, repository, credentials, variables }: SignInSettings,
  answerMs: number,
): (place: RepositoryPath) => Promise<Octokit> {
  const common = {
    baseUrl: apiUrl.replace(/\/+$/, ""),
    userAgent: "kyma-modules",
    // octokit would write every refusal to stderr, also one that is expected.
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
    const installationId = await installationOf(new Octokit({ ...asApp, auth: { appId, privateKey } }), place).catch(
      (error: unknown) => {
        throw isMissing(error) ? notInstalled(appId, repository) : error;
      },
    );
    signedIn = versioned(new Octokit({ ...asApp, auth: { appId, privateKey, installationId } }));
    return signedIn;
  };
}

function versioned(octokit: Octokit): Octokit {
  octokit.hook.before("request", ({ headers }) => {
    headers["x-github-api-version"] = API_VERSION;
  });
  return octokit;
}

async function installationOf(app: Octokit, place: RepositoryPath): Promise<number> {
  const { data } = await versioned(app).rest.apps.getRepoInstallation({ ...place });
  return data.id;
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "status" in error && error.status === 404;
}

function notInstalled(appId: string, repository: string): Fault {
  const message = `The GitHub App ${appId} is not installed on ${repository}: install it there, or check forge.repository.`;
  return new Fault("FORGE_UNAUTHORIZED", message);
}

function silent(): void {
  // Nobody listens.
}

/** What octokit asks the network with. */
type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/**
 * The way to GitHub: through the proxies that `variables` name, each exchange with a deadline, its body included. A body
 * that breaks off is a failed request: octokit itself would take what came for an empty answer. Throws CONFIGURATION for
 * a proxy whose address is none.
 */
function openFetch(variables: Readonly<Record<string, string | undefined>>, deadlineMs: number): Fetch {
  const dispatcher = openDispatcher(variables, deadlineMs);
  return async (url, init) => {
    const late = AbortSignal.timeout(deadlineMs);
    const signal = init.signal ? AbortSignal.any([init.signal, late]) : late;
    const answer = await fetch(url, { ...init, dispatcher, signal });
    const body = await answer.arrayBuffer();
    const { status, headers } = answer;
    return new Response(body.byteLength === 0 ? null : body, { status, headers });
  };
}
