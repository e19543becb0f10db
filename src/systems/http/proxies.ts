import { type buildConnector, type Dispatcher, EnvHttpProxyAgent, Pool } from "undici";
import { Fault } from "../../ports.ts";

/** The proxies on the way, as addresses. Empty ones are none. */
export interface Proxies {
  readonly httpProxy: string;
  readonly httpsProxy: string;
  /** Hosts that are asked without one, separated by commas. */
  readonly noProxy: string;
}

/** How connections are opened. */
export interface ConnectionOptions {
  /** Until a connection stands, to the server and to a proxy. Milliseconds. */
  readonly connectMs: number;
  /** At once, to one server; without it, as many as there are requests. */
  readonly connections?: number;
  readonly tls?: buildConnector.BuildOptions;
}

/** Opens connections to servers, through proxies where there are some. The variables of this process do not count. */
export function openDispatcher(proxies: Proxies, { connectMs, tls, ...options }: ConnectionOptions): Dispatcher {
  const connect = { ...tls, timeout: connectMs };
  return new EnvHttpProxyAgent({
    ...proxies,
    ...{ ...options, connect, requestTls: connect, proxyTls: { timeout: connectMs } },
    // Without it, undici waits 300 s for a proxy that takes the connection and says nothing.
    clientFactory: (proxy, options) => new Pool(proxy, { ...options, headersTimeout: connectMs }),
  });
}

/**
 * The proxies that environment variables name. As with curl, an address without a scheme is one of http.
 * Throws CONFIGURATION, which names the variable and not its value: that may hold a password.
 */
export function proxiesOf(variables: Readonly<Record<string, string | undefined>>): Proxies {
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
  throw new Fault("CONFIGURATION", `${used} is no address of a proxy. ${remedy}`);
}

/** Whether undici takes it: it decodes user name and password, too. */
function isAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && !/%(?![0-9a-f]{2})/i.test(username + password);
}
