import type { Variables } from "../environment.ts";
import { Fault, type Links, type Webhook } from "../../ports.ts";
import { HttpClient, type Limits } from "./client.ts";
import type { ServerKind } from "./failures.ts";
import { openDispatcher, proxiesOf } from "./proxies.ts";

/** The limits for servers whose addresses people write down; tests take others. */
export const WEB_LIMITS: Limits = {
  firstByteMs: 10_000,
  idleMs: 60_000,
  wholeMs: 90_000,
  backOffMs: 20_000,
  retryAfterMs: 20_000,
  firstPauseMs: 200,
};

/**
 * Opens a client for servers whose addresses people write down: only those that `mayAsk` accepts are asked, by at most
 * eight connections each. Throws CONFIGURATION for a proxy whose address is none.
 */
export function openWeb(
  kind: ServerKind,
  variables: Variables,
  mayAsk: (url: URL) => boolean,
  limits: Limits = WEB_LIMITS,
): HttpClient {
  const dispatcher = openDispatcher({ ...proxiesOf(variables), connectMs: limits.firstByteMs, connections: 8 });
  return new HttpClient({ kind, dispatcher, limits, mayAsk, isGivenUpOnce: true });
}

/** Whether what is sent to an address is read only by whom the address names. */
function isSecure({ protocol }: URL): boolean {
  return protocol === "https:";
}

/** As `isSecure`, and this machine, by http as well. */
function isSecureOrLocal(url: URL): boolean {
  return isSecure(url) || (url.protocol === "http:" && ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname));
}

/** GitHub answers for the files of a release from hosts of its own. */
const GITHUB = /^(github\.com|[a-z0-9-]+\.githubusercontent\.com)$/;

/** Whether an address is of the host of a link. */
function isHostOf(link: URL, { host, hostname }: URL): boolean {
  return link.host === host || (GITHUB.test(link.hostname) && GITHUB.test(hostname));
}

/** How links are followed. */
export interface LinkOptions {
  /** For tests: whether this machine is asked by http as well. */
  readonly allowsLoopback?: boolean;
  /** Whether a redirect to another host is refused: what is run, and not only read, comes from where its link says. */
  readonly staysOnHost?: boolean;
  readonly limits?: Limits;
}

/**
 * Links as anybody sees them: without credentials, and only over https; `allowsLoopback` (for tests) also asks this
 * machine by http.
 *
 * Whoever writes a link chooses whom we ask, also by a redirect. What answers must have a certificate for the name that
 * the link says: so no link, and no name that leads to a private address, opens a service that did not mean to be asked
 * so, nor the metadata address of a cloud, which speaks http. Repositories in a company's own network stay reachable.
 */
export function openLinks(
  variables: Variables,
  { allowsLoopback = false, staysOnHost = false, limits }: LinkOptions = {},
): Links {
  const isAllowed = allowsLoopback ? isSecureOrLocal : isSecure;
  const open = (mayAsk: (url: URL) => boolean): HttpClient => openWeb("LINK", variables, mayAsk, limits);
  const anywhere = open(isAllowed);
  return {
    download: async (link, maxBytes, run) => {
      const url = URL.parse(link);
      if (url?.username !== "")
        throw new Fault("LINK_REFUSED", `${link} is not an address that anybody can read. Correct the link.`);
      const web = staysOnHost ? open((asked) => isAllowed(asked) && isHostOf(url, asked)) : anywhere;
      const { status, bytes } = await web.exchange({ method: "GET", url, maxBytes, subject: link }, run);
      if (status === 404 || status === 410) return undefined;
      if (status === 200) return bytes;
      throw new Fault("LINK_REFUSED", `${link}: the server answered ${status}. The link must be readable by anybody.`);
    },
  };
}

/** What is read of the answer of a webhook: nobody looks at it. */
const MOST_BYTES = 65_536;

/**
 * The webhook whose address an environment variable holds: https, or http on this machine. The address is a secret, so
 * that no message shows more of it than its host. Throws CONFIGURATION where the variable holds no address.
 */
export function openWebhook(variable: string, variables: Variables, limits?: Limits): Webhook {
  const url = addressIn(variable, variables);
  const web = openWeb("LINK", variables, isSecureOrLocal, limits);
  const subject = `The webhook of ${variable}`;
  const headers = { "content-type": "application/json" };
  return {
    post: async (body, run) => {
      const request = { method: "POST", url, headers, body, maxBytes: MOST_BYTES, subject } as const;
      const { status } = await web.exchange(request, run);
      if (status >= 200 && status < 300) return;
      throw new Fault("LINK_REFUSED", `${subject}: ${url.origin} answered ${status}. Check the address that it holds.`);
    },
  };
}

function addressIn(variable: string, variables: Variables): URL {
  const url = URL.parse(variables[variable]?.trim() ?? "");
  if (url !== null && isSecureOrLocal(url)) return url;
  const what = variables[variable]?.trim() ? "holds no https address" : "is not set";
  throw new Fault(
    "CONFIGURATION",
    `${variable} ${what}, and forge.dashboard.webhook names it: no one is told there. Set it, or leave webhook out.`,
  );
}
