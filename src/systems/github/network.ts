import { fetch, type RequestInit, Response } from "undici";
import { openDispatcher } from "../proxies.ts";

/** What octokit asks the network with. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/**
 * The way to GitHub: through the proxies that `variables` name, each exchange with a deadline, its body included. A body
 * that breaks off is a failed request: octokit itself would take what came for an empty answer. Throws CONFIGURATION for
 * a proxy whose address is none.
 */
export function openFetch(variables: Readonly<Record<string, string | undefined>>, deadlineMs: number): Fetch {
  const dispatcher = openDispatcher(variables, deadlineMs);
  return async (url, init) => {
    const late = AbortSignal.timeout(deadlineMs);
    const signal = init.signal ? AbortSignal.any([init.signal, late]) : late;
    const answer = await fetch(url, { ...init, dispatcher, signal });
    const body = await answer.arrayBuffer();
    const { status, headers } = answer;
    return new Response(body.byteLength === 0 ? null : body, { status, headers });
  };
}
