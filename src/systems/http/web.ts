import { linkText } from "../../document/printable.ts";
import type { Variables } from "../environment.ts";
import { Fault, type Links, type Webhook } from "../../ports.ts";
import { HttpClient, type Limits } from "./client.ts";
import type { ServerKind } from "./failures.ts";
import { openDispatcher, environmentProxies } from "./proxies.ts";

/** The limits for servers whose addresses come from users; tests use others. */
const WEB_LIMITS: Limits = {
  firstByteMs: 10_000,
  idleMs: 60_000,
  wholeMs: 90_000,
  backOffMs: 20_000,
  retryAfterMs: 20_000,
  firstPauseMs: 200,
};

/**
 * Opens a client for servers whose addresses come from users. Contacts only addresses that `mayAsk` accepts, with at
 * most eight connections per server. Throws CONFIGURATION for an invalid proxy address.
 */
export function openWeb(
  kind: ServerKind,
  variables: Variables,
  mayAsk: (url: URL) => boolean,
  limits: Limits = WEB_LIMITS,
): HttpClient {
  const dispatcher = openDispatcher({
    ...environmentProxies(variables),
    connectMs: limits.firstByteMs,
    connections: 8,
  });
  return new HttpClient({ kind, dispatcher, limits, mayAsk, isGivenUpOnce: true });
}

/** Whether requests to an address are encrypted and authenticated. */
function isSecure({ protocol }: URL): boolean {
  return protocol === "https:";
}

/** Like `isSecure`, but also allows http to this machine. */
function isSecureOrLocal(url: URL): boolean {
  return isSecure(url) || (url.protocol === "http:" && ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname));
}

/** GitHub redirects release files to these hosts. */
const GITHUB = /^(github\.com|[a-z0-9-]+\.githubusercontent\.com)$/;

/** Whether an address is on the host of a link. */
function isLinkHost(link: URL, { host, hostname }: URL): boolean {
  return link.host === host || (GITHUB.test(link.hostname) && GITHUB.test(hostname));
}

/** Options for links. */
interface LinkOptions {
  /** For tests: whether http to this machine is allowed as well. */
  readonly allowsLoopback?: boolean;
  /**
   * Whether to refuse redirects to other hosts. For content that is executed, and so must come from the host of its
   * link.
   */
  readonly staysOnHost?: boolean;
  readonly limits?: Limits;
}

/**
 * Opens links without credentials, and only over https.
 *
 * The author of a link chooses the server, also by redirects. The server needs a certificate for the host name in the
 * link, so neither a link nor a name that resolves to a private address can reach an unsuspecting internal service, or
 * the metadata address of a cloud, which uses http. Repositories in a company's own network stay reachable.
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
      const subject = linkText(link);
      if (url === null || url.username + url.password !== "")
        throw new Fault("LINK_REFUSED", `${subject} is not a publicly readable address. Correct the link.`);
      const web = staysOnHost ? open((asked) => isAllowed(asked) && isLinkHost(url, asked)) : anywhere;
      const { status, bytes } = await web.exchange({ method: "GET", url, maxBytes, subject }, run);
      if (status === 404 || status === 410) return undefined;
      if (status === 200) return bytes;
      throw new Fault("LINK_REFUSED", `${subject}: the server answered ${status}. The link must be publicly readable.`);
    },
  };
}

/** Maximum size of a webhook's answer, which is ignored. */
const MOST_BYTES = 65_536;

/**
 * Opens the webhook whose address is in an environment variable: https, or http on this machine. The address is a
 * secret, so messages show only its host. Throws CONFIGURATION if the variable has no valid address.
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
  const what = variables[variable]?.trim() ? "is not an https address" : "is not set";
  throw new Fault(
    "CONFIGURATION",
    `${variable} ${what}, but forge.dashboard.webhook names it, so notifications cannot be sent. Set it, or remove webhook.`,
  );
}
