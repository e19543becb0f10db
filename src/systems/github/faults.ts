import { fieldAt, textAt } from "../../document/fields.ts";
import { secondText } from "../../document/times.ts";
import { Fault, type FaultCode } from "../../ports.ts";
import {
  type Failure,
  requestFailure as failureOfError,
  failureOfStatus,
  requestFault as httpFault,
  ForeignAnswer,
  isRepeated,
  parseRetryAfter,
} from "../http/failures.ts";

/** A description of a request to GitHub, for faults and retries. */
export interface GithubCall {
  /** The begin of a message, such as `Reading the pull requests of org/name`. */
  readonly doing: string;
  /** A `write` is idempotent; a `make` must not be repeated. */
  readonly kind: "read" | "write" | "make";
  /** The permission that it needs, in GitHub's terms: `contents: write`. */
  readonly permission: string;
  /** The branch that it writes. */
  readonly branch?: string;
}

/** All permissions that a token needs. */
export const PERMISSIONS = "contents: write, pull-requests: write, actions: write, checks: read and statuses: read";

/** A request to GitHub that failed. */
export class GitHubFault extends Fault {
  /** The HTTP status; 0 without an answer. */
  readonly status: number;
  /** GitHub's message. */
  readonly words: string;
  readonly failure: Failure | undefined;
  /** Whether the request may have been executed nevertheless. */
  readonly isLost: boolean;
  /** The wait that GitHub demands, in milliseconds; `undefined` if waiting does not help. */
  readonly waitMs: number | undefined;

  constructor(code: FaultCode, message: string, { cause, failure, status, words, waitMs }: GithubFailure) {
    super(code, message, { cause, retry: isRepeated(failure) });
    this.failure = failure;
    this.status = status;
    this.words = words;
    this.isLost = isRepeated(failure) && !isRepeated(failure, "make");
    this.waitMs = waitMs;
  }
}

interface GithubFailure {
  readonly failure: Failure | undefined;
  readonly status: number;
  readonly words: string;
  readonly waitMs: number | undefined;
  readonly cause: unknown;
  readonly header: (name: string) => string;
}

/** Whether `error` is GitHub's answer with one of these statuses. */
export function isAnswer(error: unknown, ...statuses: readonly number[]): error is GitHubFault {
  return error instanceof GitHubFault && statuses.includes(error.status);
}

/**
 * Converts an error of octokit into a fault with a remedy; `undefined` if it is not a failed request.
 * `server` is the host of the API, `repository` is `org/name`.
 */
export function githubFault(
  error: unknown,
  act: GithubCall,
  { server, repository }: { readonly server: string; readonly repository: string },
  nowMs: number,
): GitHubFault | undefined {
  const failure = githubFailure(error, nowMs);
  if (failure === undefined) return undefined;
  if (failure.status === 0) {
    const { code, message } = httpFault(error, "FORGE", act.doing, server);
    return new GitHubFault(code, message, failure);
  }
  const [code, why] = explain(failure, act, repository, nowMs);
  return new GitHubFault(code, `${act.doing}: ${server} ${why}`, failure);
}

/** Reads octokit's error. A request without an answer has the status 500 and no `response`. */
function githubFailure(error: unknown, nowMs: number): GithubFailure | undefined {
  const said = error instanceof ForeignAnswer ? 0 : fieldAt(error, ["status"]);
  if (!(error instanceof Error) || typeof said !== "number") return undefined;
  const header = (name: string): string => textAt(error, ["response", "headers", name]) ?? "";
  const status = fieldAt(error, ["response"]) === undefined ? 0 : said;
  const words = error.message.replace(/ - https:\/\/docs\.github\.com\S*$/, "");
  const waitMs = rateLimitWait(status, words, header, nowMs);
  const failed = status === 0 ? failureOfError(error) : failureOfStatus(status);
  const failure = waitMs === undefined ? failed : "limited";
  return { failure, status, words, waitMs, cause: error, header };
}

/** The wait that GitHub's documentation demands if the answer does not tell it. */
const UNTOLD_WAIT_MS = 60_000;

/** https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api#exceeding-the-rate-limit */
function rateLimitWait(
  status: number,
  words: string,
  header: GithubFailure["header"],
  nowMs: number,
): number | undefined {
  if (status !== 403 && status !== 429) return undefined;
  const demandedMs = parseRetryAfter(header("retry-after"), nowMs) ?? 0;
  if (demandedMs > 0) return demandedMs;
  if (header("x-ratelimit-remaining") === "0") {
    return Math.max(Number(header("x-ratelimit-reset")) * 1_000 - nowMs, 0) + 1_000;
  }
  return status === 429 || /rate limit|abuse detection/i.test(words) ? UNTOLD_WAIT_MS : undefined;
}

/** The code, and the message after the name of the server. */
function explain(
  failure: GithubFailure,
  act: GithubCall,
  repository: string,
  nowMs: number,
): readonly [FaultCode, string] {
  const { status, words, waitMs } = failure;
  if (status >= 500) return ["FORGE_UNREACHABLE", `answered ${status}. Run the command again.`];
  if (waitMs !== undefined) {
    const until = secondText(nowMs + waitMs);
    return ["FORGE_BUSY", `accepts no more requests until ${until} (${words}). Run the command again then.`];
  }
  if (status === 401) {
    const remedy = `It may have expired: set GITHUB_TOKEN or GH_TOKEN to one that has ${PERMISSIONS}`;
    return ["FORGE_UNAUTHORIZED", `does not accept the token (${words}). ${remedy} on ${repository}.`];
  }
  if (/protected branch|protected ref|rule violations|branch protection/i.test(words))
    return ["FORGE_REFUSED", protection(words, act)];
  if (status === 403) return ["FORGE_UNAUTHORIZED", forbidden(failure, act, repository)];
  if (status === 404) {
    const remedy = "Check forge.repository in kyma-modules.yaml, and that the token may read that repository.";
    return ["FORGE_REFUSED", `did not find it in ${repository}, or the token cannot see it (${words}). ${remedy}`];
  }
  return ["FORGE_REFUSED", `refuses it: ${words} (${status}).`];
}

function protection(words: string, { branch }: GithubCall): string {
  const what = branch === undefined ? "a branch" : `the branch ${branch}`;
  return (
    `protects ${what} against this token (${words.replaceAll(/\s+/g, " ").trim()}). ` +
    "Add the token's owner to the bypass list of the repository's rulesets, or exclude that branch from them."
  );
}

function forbidden({ words, header }: GithubFailure, { permission }: GithubCall, repository: string): string {
  if (words.includes("SAML"))
    return `requires a token that is authorized for single sign-on of the organization (${words}).`;
  if (words.includes("archived")) {
    const remedy = `Unarchive ${repository} (Settings, General), or correct forge.repository in kyma-modules.yaml`;
    return `lets no token change an archived repository (${words}). ${remedy}.`;
  }
  if (words.includes("not permitted to create")) {
    const remedy =
      "Allow it in the repository's settings (Actions, General, Workflow permissions), or use a GitHub App";
    return `does not let a workflow's own token open pull requests (${words}). ${remedy}.`;
  }
  const accepted = header("x-accepted-github-permissions");
  const needed = accepted === "" ? permission : accepted.replaceAll("=", ": ").replaceAll(";", " or ");
  const remedy = `Give the token, the App or the job's permissions ${needed} on ${repository}`;
  // https://github.com/github/rest-api-description/issues/4290
  const fine = permission.startsWith("checks") ? " A fine-grained personal access token cannot have it." : "";
  return `does not let this token do that (${words}). ${remedy}; all together it needs ${PERMISSIONS}.${fine}`;
}
