import { Fault, type Links } from "../../ports.ts";
import { isSecure, isSecureOrLocal, LINK_CODES, openWeb, type WebRetryPolicy } from "./web.ts";

/**
 * Links as anybody sees them: without credentials, and only over https; `allowsLoopback` (for tests) also asks this
 * machine by http.
 *
 * Whoever writes a link chooses whom we ask, also by a redirect. What answers must have a certificate for the name that
 * the link says: so no link, and no name that leads to a private address, opens a service that did not mean to be asked
 * so, nor the metadata address of a cloud, which speaks http. Repositories in a company's own network stay reachable.
 */
export function openLinks(
  variables: Readonly<Record<string, string | undefined>>,
  { allowsLoopback = false, patience }: { readonly allowsLoopback?: boolean; readonly patience?: WebRetryPolicy } = {},
): Links {
  const mayAsk = allowsLoopback ? isSecureOrLocal : isSecure;
  const web = openWeb({ codes: LINK_CODES, variables, mayAsk, ...(patience && { patience }) });
  return {
    download: async (url, maxBytes, run) => {
      if (!URL.canParse(url) || new URL(url).username !== "")
        throw new Fault("LINK_REFUSED", `${url} is no address that anybody can read. Correct the link.`);
      const { status, bytes } = await web.exchange({ method: "GET", url: new URL(url), maxBytes, subject: url }, run);
      if (status === 404 || status === 410) return undefined;
      if (status === 200) return bytes;
      throw new Fault("LINK_REFUSED", `${url}: the server answered ${status}. The link must be readable by anybody.`);
    },
  };
}
