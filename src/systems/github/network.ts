import { EnvHttpProxyAgent, fetch, type RequestInit, Response } from "undici";

/** What octokit asks the network with. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/**
 * The way to GitHub: through the proxies that `variables` name, each exchange with a deadline, its body included. A body
 * that breaks off is a failed request: octokit itself would take what came for an empty answer.
 */
export function openFetch(variables: Readonly<Record<string, string | undefined>>, deadlineMs: number): Fetch {
  const dispatcher = new EnvHttpProxyAgent({
    // Empty, so that the variables of this process do not count.
    httpProxy: variables["http_proxy"] ?? variables["HTTP_PROXY"] ?? "",
    httpsProxy: variables["https_proxy"] ?? variables["HTTPS_PROXY"] ?? "",
    noProxy: variables["no_proxy"] ?? variables["NO_PROXY"] ?? "",
    connect: { timeout: deadlineMs },
  });
  return async (url, init) => {
    const late = AbortSignal.timeout(deadlineMs);
    const signal = init.signal ? AbortSignal.any([init.signal, late]) : late;
    const answer = await fetch(url, { ...init, dispatcher, signal });
    const body = await answer.arrayBuffer();
    const { status, headers } = answer;
    return new Response(body.byteLength === 0 ? null : body, { status, headers });
  };
}
