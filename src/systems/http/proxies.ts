import { EnvHttpProxyAgent, type Dispatcher } from "undici";
import { Fault } from "../../ports.ts";

/** Environment variables. */
type ProxyVariables = Readonly<Record<string, string | undefined>>;

/**
 * The way out, through the proxies that `variables` name. As with curl, an address without a scheme is one of http.
 * Throws CONFIGURATION, which names the variable and not its value: that may hold a password.
 */
export function openDispatcher(variables: ProxyVariables, connectMs: number): Dispatcher {
  return new EnvHttpProxyAgent({
    // Empty, so that the variables of this process do not count.
    httpProxy: proxyIn(variables, "http_proxy"),
    httpsProxy: proxyIn(variables, "https_proxy"),
    noProxy: variables["no_proxy"] ?? variables["NO_PROXY"] ?? "",
    connect: { timeout: connectMs },
  });
}

function proxyIn(variables: ProxyVariables, name: string): string {
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
