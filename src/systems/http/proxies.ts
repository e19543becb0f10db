import { type buildConnector, type Dispatcher, EnvHttpProxyAgent, Pool } from "undici";
import { Fault } from "../../ports.ts";

/** How connections are opened. */
export interface ConnectionOptions {
  /** Addresses of proxies; an empty one is none. The variables of this process do not count. */
  readonly httpProxy: string;
  readonly httpsProxy: string;
  /** Hosts that are asked without a proxy, separated by commas. */
  readonly noProxy: string;
  /** Until a connection stands, to the server and to a proxy. Milliseconds. */
  readonly connectMs: number;
  /** The most at once to one server; without it, there is no limit. */
  readonly connections?: number;
  readonly tls?: buildConnector.BuildOptions;
}

/** Opens connections to servers. */
export function openDispatcher({ connectMs, tls, ...options }: ConnectionOptions): Dispatcher {
  const connect = { ...tls, timeout: connectMs };
  return new EnvHttpProxyAgent({
    ...{ ...options, connect, requestTls: connect, proxyTls: { timeout: connectMs } },
    // Over HTTP/2, undici 8.12 ends the process when a server goes away right after a stream was aborted: that stream's
    // error has no listener. Seen when a demo ended its API servers.
    allowH2: false,
    // Without it, undici waits 300 s for a proxy that takes the connection and says nothing.
    clientFactory: (proxy, pool) => new Pool(proxy, { ...pool, headersTimeout: connectMs }),
  });
}

/**
 * The proxies that environment variables name. As with curl, an address without a scheme is one of http.
 * Throws CONFIGURATION, which names the variable and not its value: that may hold a password.
 */
export function proxiesOf(
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
  const remedy = "Write it as http://host:port, with what is special in a password percent-encoded (# is %23).";
  throw new Fault("CONFIGURATION", `${used} is not an address of a proxy. ${remedy}`);
}

/** Whether undici takes it: it decodes user name and password, too. */
function isAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && !/%(?![0-9a-f]{2})/i.test(username + password);
}
