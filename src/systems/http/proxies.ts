import { type buildConnector, type Dispatcher, EnvHttpProxyAgent, Pool } from "undici";
import { Fault } from "../../ports.ts";

interface ConnectionOptions {
  /** Addresses of proxies; empty for none. The variables of this process are ignored. */
  readonly httpProxy: string;
  readonly httpsProxy: string;
  /** Hosts without a proxy, separated by commas. */
  readonly noProxy: string;
  /** Timeout of a connection, to the server and to a proxy, in milliseconds. */
  readonly connectMs: number;
  /** Maximum of connections to one server; by default unlimited. */
  readonly connections?: number;
  readonly tls?: buildConnector.BuildOptions;
}

/** Opens a dispatcher for connections to servers. */
export function openDispatcher({ connectMs, tls, ...options }: ConnectionOptions): Dispatcher {
  const connect = { ...tls, timeout: connectMs };
  return new EnvHttpProxyAgent({
    ...{ ...options, connect, requestTls: connect, proxyTls: { timeout: connectMs } },
    // With HTTP/2, undici 8.12 crashes the process when a server goes away right after a stream was aborted, since that
    // stream's error has no listener. Seen when a demo ended its API servers.
    allowH2: false,
    // Without it, undici waits 300 s for a proxy that accepts the connection and does not answer.
    clientFactory: (proxy, pool) => new Pool(proxy, { ...pool, headersTimeout: connectMs }),
  });
}

/**
 * Reads the proxies from environment variables. As in curl, the default scheme is http.
 * Throws CONFIGURATION with the name of the variable but without its value, which may contain a password.
 */
export function environmentProxies(
  variables: Readonly<Record<string, string | undefined>>,
): Pick<ConnectionOptions, "httpProxy" | "httpsProxy" | "noProxy"> {
  return {
    httpProxy: proxyIn(variables, "http_proxy"),
    httpsProxy: proxyIn(variables, "https_proxy"),
    noProxy: variables["no_proxy"] ?? variables["NO_PROXY"] ?? "",
  };
}

function proxyIn(variables: Readonly<Record<string, string | undefined>>, name: string): string {
  const used = variables[name] === undefined ? name.toUpperCase() : name;
  const value = variables[used]?.trim() ?? "";
  if (value === "") return "";
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value : `http://${value}`;
  if (isAddress(address)) return address;
  const remedy = "Write it as http://host:port. Percent-encode special characters of a password (# is %23).";
  throw new Fault("CONFIGURATION", `${used} is not the address of a proxy. ${remedy}`);
}

/** Whether undici accepts an address: it also decodes user name and password. */
function isAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && !/%(?![0-9a-f]{2})/i.test(username + password);
}
