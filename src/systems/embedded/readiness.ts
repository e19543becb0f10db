import { Agent, get } from "node:https";
import type { Run } from "../../ports.ts";
import type { Identity } from "./identity.ts";
import { pause } from "./pause.ts";

const POLL_MS = 50;
const REQUEST_DEADLINE_MS = 5_000;

/** Resolves when the API server says that it is ready. Rejects only when `run` is aborted. */
export async function untilReady(server: string, identity: Identity, run: Run): Promise<void> {
  // An agent of our own heeds no proxy variables, unlike the global one.
  const agent = new Agent({ keepAlive: true, ca: identity.authority });
  try {
    while (!(await isReady(server, identity.token, agent, run))) await pause(POLL_MS, run);
  } finally {
    agent.destroy();
  }
}

function isReady(server: string, token: string, agent: Agent, run: Run): Promise<boolean> {
  const signal = AbortSignal.any([run.signal, AbortSignal.timeout(REQUEST_DEADLINE_MS)]);
  return new Promise((resolve) => {
    const request = get(`${server}/readyz`, { agent, signal, headers: { authorization: `Bearer ${token}` } });
    request.once("response", (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    // Nobody listens yet, or somebody else: either way it is not ready.
    request.once("error", () => {
      resolve(false);
    });
  });
}
