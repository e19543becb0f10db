import type { Octokit } from "@octokit/rest";
import { secondText } from "../../document/times.ts";
import { type Clock, Fault, type Run } from "../../ports.ts";
import { HOUR_MS, type WriteAccount } from "./account.ts";
import { githubFault, type GithubCall, GitHubFault } from "./faults.ts";
import { isRepeated } from "../http/failures.ts";
import { type GraphqlDocument, sendDocument } from "./graphql.ts";
import { openSignIn, type RepositoryPath, type SignInSettings } from "./signIn.ts";

/** Timeouts and retry limits. */
export interface GithubRetryPolicy {
  /** For one answer. */
  readonly answerMs: number;
  /** Maximum of all pauses before a request fails. */
  readonly waitMs: number;
  readonly firstPauseMs: number;
  /** Maximum of retries for a request whose answer got lost. */
  readonly repeats: number;
  /** Maximum of requests per hour that create content. */
  readonly writesPerHour: number;
}

/** Settings of a client. */
interface ClientSettings extends SignInSettings {
  readonly clock: Clock;
  readonly account: WriteAccount;
  readonly retryPolicy?: GithubRetryPolicy | undefined;
}

/** The REST methods of octokit. */
export type Rest = Octokit["rest"];

/** An answer of octokit. */
export interface GithubAnswer<Data> {
  readonly data: Data;
  readonly headers: Readonly<Record<string, string | number | undefined>>;
}

/** A client for one repository on GitHub. */
export interface GitHubClient {
  /** `org/name`. */
  readonly repository: string;
  readonly owner: string;
  readonly clock: Clock;
  readonly retryPolicy: GithubRetryPolicy;
  /** Whether the token may be that of a workflow run, whose pull requests start no checks. */
  readonly mayBeWorkflow: boolean;
  /**
   * Sends a request and retries it if that is safe and the retry policy allows it; delays writes as the throttle
   * demands. Throws GitHubFault.
   */
  ask<Data>(
    act: GithubCall,
    send: (rest: Rest, place: RepositoryPath) => Promise<GithubAnswer<Data>>,
    run: Run,
  ): Promise<Data>;
  /** Like `ask` for a GraphQL document; the variables `$owner` and `$repo` are set. */
  query<Data>(
    act: GithubCall,
    document: GraphqlDocument<Data>,
    variables: Readonly<Record<string, unknown>>,
    run: Run,
  ): Promise<Data>;
  /** Like `ask` for all pages of a list. */
  pages<Item>(act: GithubCall, send: SendPage<Item>, run: Run): AsyncIterable<readonly Item[]>;
  /** Throws FORGE_BUSY when the rest of a rate limit is reserved for hot-fixes. `what` begins the message. */
  keepReserve(what: string): Promise<void>;
}

type Exchange<Data> = (octokit: Octokit, place: RepositoryPath) => Promise<GithubAnswer<Data>>;

/** Requests one page of a list. */
type SendPage<Item> = (
  rest: Rest,
  place: RepositoryPath & { readonly per_page: number; readonly page: number },
) => Promise<GithubAnswer<Item[]>>;

const RETRY_POLICY: GithubRetryPolicy = {
  answerMs: 20_000,
  waitMs: 60_000,
  firstPauseMs: 500,
  repeats: 4,
  writesPerHour: 500,
};
const PAGE = 100;

/**
 * Opens a client without a request. Retries are done here and not by the plugins of octokit, which wait in timers that
 * an abort does not end, and also repeat requests that are not idempotent.
 */
export function openClient(settings: ClientSettings): GitHubClient {
  const { repository, credentials, clock, retryPolicy = RETRY_POLICY } = settings;
  const [owner = "", repo = ""] = repository.split("/");
  const server = new URL(settings.apiUrl).host;
  const rateLimit = openRateLimit(server, clock);
  const throttle = openThrottle(settings.account, { server, clock, writesPerHour: retryPolicy.writesPerHour });
  const signIn = openSignIn(settings, retryPolicy.answerMs);

  const exchange = async <Data>(act: GithubCall, send: Exchange<Data>, run: Run): Promise<Data> => {
    const place: RepositoryPath = { owner, repo, request: { signal: run.signal } };
    let waitedMs = 0;
    for (let repeats = 0; ; repeats++) {
      run.signal.throwIfAborted();
      if (act.kind !== "read") await throttle.waitForTurn(act.doing, run);
      try {
        const answer = await send(await signIn(place), place);
        rateLimit.note(answer.headers);
        return answer.data;
      } catch (error) {
        run.signal.throwIfAborted();
        const fault = error instanceof Fault ? error : githubFault(error, act, { server, repository }, clock.nowMs());
        if (!(fault instanceof GitHubFault)) throw fault ?? error;
        const waitMs = fault.waitMs ?? retryPolicy.firstPauseMs * 2 ** repeats;
        waitedMs += waitMs;
        if (waitedMs > retryPolicy.waitMs || !mayRepeat(fault, act, repeats, retryPolicy)) throw fault;
        await clock.pause(waitMs, run);
      }
    }
  };

  const ask: GitHubClient["ask"] = (act, send, run) => exchange(act, ({ rest }, place) => send(rest, place), run);
  return {
    ...{ repository, owner, clock, retryPolicy, ask },
    mayBeWorkflow: credentials.kind === "token" && credentials.mayBeWorkflow,
    query: (act, document, variables, run) =>
      exchange(act, (octokit, place) => sendDocument(octokit, document, variables, place), run),
    pages: (act, send, run) => answerPages(ask, act, send, run),
    keepReserve: async (what) => {
      rateLimit.keepReserve(what);
      await throttle.keepReserve(what);
    },
  };
}

function mayRepeat(
  { failure }: GitHubFault,
  { kind }: GithubCall,
  repeats: number,
  policy: GithubRetryPolicy,
): boolean {
  const isSafe = isRepeated(failure, kind === "make" ? "make" : "safe");
  return isSafe && (failure === "limited" || repeats < policy.repeats);
}

async function* answerPages<Item>(
  ask: GitHubClient["ask"],
  act: GithubCall,
  send: SendPage<Item>,
  run: Run,
): AsyncIterable<readonly Item[]> {
  const sendPage =
    (page: number) =>
    async (
      rest: Rest,
      place: RepositoryPath,
    ): Promise<GithubAnswer<{ readonly items: readonly Item[]; readonly hasNext: boolean }>> => {
      const { data, headers } = await send(rest, { ...place, per_page: PAGE, page });
      return { data: { items: data, hasNext: String(headers["link"] ?? "").includes('rel="next"') }, headers };
    };
  for (let page = 1; ; page++) {
    const { items, hasNext } = await ask(act, sendPage(page), run);
    yield items;
    if (!hasNext) return;
  }
}

/** GitHub allows 80 writes a minute with pauses of a second: 20 at once, then one a second, respect both. */
const BURST_MS = 20_000;
const GAP_MS = 1_000;

/** The write throttle. Counts requests that create content, since GitHub does not report the rest of that limit. */
interface Throttle {
  /**
   * Waits until the next request is due, and counts it. Throws FORGE_BUSY when it would exceed the limit of the hour.
   */
  readonly waitForTurn: (what: string, run: Run) => Promise<void>;
  /** Throws FORGE_BUSY when the rest of the hour is reserved for hot-fixes. `what` begins the message. */
  readonly keepReserve: (what: string) => Promise<void>;
}

/**
 * A throttle that counts in `account`. (The throttling plugin of octokit waits three seconds for every pull request, in
 * timers that an abort does not end, and has no limit per hour.)
 */
function openThrottle(
  account: WriteAccount,
  { server, clock, writesPerHour }: { readonly server: string; readonly clock: Clock; readonly writesPerHour: number },
): Throttle {
  let paidUntilMs = 0;
  const refuseBeyond = async (most: number, what: string, why: string): Promise<void> => {
    const recent = await account.lastHour(clock.nowMs());
    const oldest = recent.at(-most);
    if (oldest === undefined) return;
    const until = secondText(oldest + HOUR_MS);
    const message =
      `${what}: ${server} allows ${writesPerHour} requests per hour that create content, ` +
      `and ${recent.length} were made; ${why}. Run the command again after ${until}.`;
    throw new Fault("FORGE_BUSY", message, { retry: true });
  };
  return {
    keepReserve: (what) =>
      refuseBeyond(Math.floor(writesPerHour * (1 - RESERVE)), what, "the rest is reserved for hot-fixes"),
    waitForTurn: async (what, run) => {
      await refuseBeyond(writesPerHour, what, "this request would exceed the limit");
      const nowMs = clock.nowMs();
      paidUntilMs = Math.max(paidUntilMs, nowMs) + GAP_MS;
      const waitMs = paidUntilMs - nowMs - BURST_MS;
      if (waitMs > 0) await clock.pause(waitMs, run);
      await account.add(clock.nowMs(), run);
    },
  };
}

/** The remaining rate limit according to the last answer. */
interface RateLimit {
  /** Reads the rate limit from the headers of an answer. */
  readonly note: (headers: Readonly<Record<string, string | number | undefined>>) => void;
  /** Throws FORGE_BUSY when the rest is reserved for hot-fixes. `what` begins the message. */
  readonly keepReserve: (what: string) => void;
}

/** The share of a limit that is reserved for hot-fixes. */
const RESERVE = 0.1;

/** A rate limit that is unknown until the first answer. */
function openRateLimit(server: string, clock: Clock): RateLimit {
  // REST and GraphQL have separate limits.
  const last = new Map<unknown, { readonly left: number; readonly limit: number; readonly resetsAtMs: number }>();
  return {
    note: (headers) => {
      const read = (name: string): number => Number(headers[`x-ratelimit-${name}`]);
      const now = { left: read("remaining"), limit: read("limit"), resetsAtMs: read("reset") * 1_000 };
      last.set(headers["x-ratelimit-resource"], now);
    },
    keepReserve: (what) => {
      const scarce = [...last.values()].find(
        ({ left, limit, resetsAtMs }) => left < limit * RESERVE && resetsAtMs > clock.nowMs(),
      );
      if (scarce === undefined) return;
      const { left, limit, resetsAtMs } = scarce;
      const message =
        `${what}: ${server} allows only ${left} more requests of ${limit}, which are reserved for hot-fixes; ` +
        `the limit resets at ${secondText(resetsAtMs)}. Run the command again then.`;
      throw new Fault("FORGE_BUSY", message, { retry: true });
    },
  };
}
