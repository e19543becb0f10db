import { Fault, type Webhook } from "../../ports.ts";
import { isSecureOrLocal, LINK_CODES, openWeb, type WebRetryPolicy } from "./web.ts";

/** What is read of an answer: nobody looks at it. */
const MOST_BYTES = 65_536;

/**
 * The webhook whose address an environment variable holds: https, or http on this machine. The address is a secret, so
 * that no message shows more of it than its host. Throws CONFIGURATION where the variable holds no address.
 */
export function openWebhook(
  variable: string,
  variables: Readonly<Record<string, string | undefined>>,
  patience?: WebRetryPolicy,
): Webhook {
  const url = addressIn(variable, variables);
  const web = openWeb({ codes: LINK_CODES, variables, mayAsk: isSecureOrLocal, ...(patience && { patience }) });
  const subject = `The webhook of ${variable}`;
  const headers = { "content-type": "application/json" };
  return {
    post: async (body, run) => {
      const request = { method: "POST", url, headers, body, maxBytes: MOST_BYTES, subject } as const;
      const { status } = await web.exchange(request, run);
      if (status >= 200 && status < 300) return;
      throw new Fault("LINK_REFUSED", `${subject}: ${url.host} answered ${status}. Check the address that it holds.`);
    },
  };
}

function addressIn(variable: string, variables: Readonly<Record<string, string | undefined>>): URL {
  const address = variables[variable]?.trim() ?? "";
  if (URL.canParse(address) && isSecureOrLocal(new URL(address))) return new URL(address);
  const what = address === "" ? "is not set" : "holds no https address";
  throw new Fault(
    "CONFIGURATION",
    `${variable} ${what}, and forge.dashboard.webhook names it: nobody is told there. Set it, or leave webhook out.`,
  );
}
