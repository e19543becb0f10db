import type { Octokit } from "@octokit/rest";
import { type Clock, Fault, type Run } from "../../ports.ts";
import { HOUR_MS, type WriteAccount } from "./account.ts";
import { faultOf, type GithubCall, GitHubFault } from "./faults.ts";
import { isRepeated } from "../http/failures.ts";
import { sendDocument } from "./graphql.ts";
import { openSignIn, type RepositoryPath, type SignInSettings } from "./signIn.ts";

/** Timeouts and retry limits. */
export interface GithubRetryPolicy {
  /** For one answer. */
  readonly answerMs: number;
  /** In all, before a request is repeated or given up. */
  readonly waitMs: number;
  readonly firstPauseMs: number;
  /** How often a request whose answer got lost is repeated. */
  readonly repeats: number;
  /** How many requests that create content are made in an hour. */
  readonly writesPerHour: number;
}

/** What a client is opened with. */
export interface ClientSettings extends SignInSettings {
  readonly clock: Clock;
  readonly account: WriteAccount;
  readonly retryPolicy?: GithubRetryPolicy | undefined;
}

/** The part of octokit that asks. */
export type Rest = Octokit["rest"];

/** What octokit answers. */
export interface GithubAnswer<Data> {
  readonly data: Data;
  readonly headers: Readonly<Record<string, string | number | undefined>>;
}

/** One repository on GitHub. */
export interface GitHubClient {
  /** `org/name`. */
  readonly repository: string;
  readonly owner: string;
  readonly clock: Clock;
  readonly retryPolicy: GithubRetryPolicy;
  /** Whether we can be a workflow run, whose pull requests start no checks. */
  readonly mayBeWorkflow: boolean;
  /**
   * Sends a request until it is answered, as long as that is safe and the retry policy allows it; a write waits until it is due.
   * Throws GitHubFault.
   */
  ask<Data>(
    act: GithubCall,
    send: (rest: Rest, place: RepositoryPath) => Promise<GithubAnswer<Data>>,
    run: Run,
  ): Promise<Data>;
  /** The same for a GraphQL document, whose variables `$owner` and `$repo` are known. */
  query<Data>(act: GithubCall, document: string, variables: Readonly<Record<string, unknown>>, run: Run): Promise<Data>;
  /** The same for a list, one page after the other. */
  pages<Item>(act: GithubCall, send: SendPage<Item>, run: Run): AsyncIterable<readonly Item[]>;
  /** Throws FORGE_BUSY when what is left of a rate limit is kept for hot-fixes. `what` begins the sentence. */
  keepReserve(what: string): Promise<void>;
}

type Exchange<Data> = (octokit: Octokit, place: RepositoryPath) => Promise<GithubAnswer<Data>>;

/** Asks for one page of a list. */
export type SendPage<Item> = (
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
 * Opens the way to a repository; nothing is asked yet. Requests are repeated here and not by the plugins of octokit:
 * those wait in timers that an abort does not end, and repeat what must not be made twice.
 */
export function openClient(settings: ClientSettings): GitHubClient {
  const { repository, credentials, clock, retryPolicy = RETRY_POLICY } = settings;
  const [owner = "", repo = ""] = repository.split("/");
  const server = new URL(settings.apiUrl).host;
  const quota = openQuota(server, clock);
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
        quota.note(answer.headers);
        return answer.data;
      } catch (error) {
        run.signal.throwIfAborted();
        const fault = error instanceof Fault ? error : faultOf(error, act, { server, repository }, clock.nowMs());
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
    query: <Data>(act: GithubCall, document: string, variables: Readonly<Record<string, unknown>>, run: Run) =>
      exchange(act, (octokit, place) => sendDocument<Data>(octokit, document, variables, place), run),
    pages: (act, send, run) => pagesOf(ask, act, send, run),
    keepReserve: async (what) => {
      quota.keepReserve(what);
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

async function* pagesOf<Item>(
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

/** GitHub takes 80 writes a minute, and asks for a second between them: 20 at once, then one a second, keep to both. */
const BURST_MS = 20_000;
const GAP_MS = 1_000;

/** When requests that create content are made. GitHub does not say how many it still takes: they are counted here. */
interface Throttle {
  /** Waits until the next one is due, and counts it. Throws FORGE_BUSY when it is one too many for an hour. */
  readonly waitForTurn: (what: string, run: Run) => Promise<void>;
  /** Throws FORGE_BUSY when the rest of the hour is kept for hot-fixes. `what` begins the sentence. */
  readonly keepReserve: (what: string) => Promise<void>;
}

/**
 * Counts in `account`. (The throttling plugin of octokit waits three seconds for every pull request, in timers that an
 * abort does not end, and knows of no hour.)
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
    const until = new Date(oldest + HOUR_MS).toISOString();
    const message =
      `${what}: ${server} takes ${writesPerHour} requests that create content in an hour, ` +
      `and ${recent.length} were made; ${why}. Run it again after ${until}.`;
    throw new Fault("FORGE_BUSY", message, { retry: true });
  };
  return {
    keepReserve: (what) =>
      refuseBeyond(Math.floor(writesPerHour * (1 - RESERVE)), what, "the others are left for hot-fixes"),
    waitForTurn: async (what, run) => {
      await refuseBeyond(writesPerHour, what, "this one would be too many");
      const nowMs = clock.nowMs();
      paidUntilMs = Math.max(paidUntilMs, nowMs) + GAP_MS;
      const waitMs = paidUntilMs - nowMs - BURST_MS;
      if (waitMs > 0) await clock.pause(waitMs, run);
      await account.add(clock.nowMs(), run);
    },
  };
}

/** What is left of the rate limit, as the last answer said. */
interface Quota {
  /** Takes note of what an answer says. */
  readonly note: (headers: Readonly<Record<string, string | number | undefined>>) => void;
  /** Throws FORGE_BUSY when the rest is kept for hot-fixes. `what` begins the sentence. */
  readonly keepReserve: (what: string) => void;
}

/** The part of a limit that only hot-fixes may use. */
const RESERVE = 0.1;

/** A quota of which nothing is known yet. */
function openQuota(server: string, clock: Clock): Quota {
  // REST and GraphQL have a limit each.
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
        `${what}: ${server} takes only ${left} more requests of ${limit}, which are left for hot-fixes; ` +
        `the limit resets at ${new Date(resetsAtMs).toISOString()}. Run it again then.`;
      throw new Fault("FORGE_BUSY", message, { retry: true });
    },
  };
}
